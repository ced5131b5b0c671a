"""SP107 cell-rerun: a notebook cell that cannot be run a second time by itself."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.places import span_of, text_of
from secondpass.rules.rule import Example, Rule
from secondpass.rules.story import Story


def tell_rerun(story: Story) -> Finding:
    """The notebook ran to its end; this cell, run once more, raises."""
    site = story.walked_site
    built = span_of(story.node.site)
    here = span_of(site)
    where = "this cell's first run" if built.cell == here.cell else f"cell {(built.cell or 0) + 1}"
    return Finding(
        rule="SP107",
        name="cell-rerun",
        severity=Severity.INFORMATION,
        span=here,
        message=f"run a second time by itself, this cell raises: `{text_of(site)}` walks a graph that {where} built",
        help="compute in this cell what it walks, or run the cell that builds the graph again first",
        raises_at=story.raises_at,
        witness=story.steps(),
        subject=story.subject,
    )


RULE = Rule(
    code="SP107",
    name="cell-rerun",
    severity=Severity.INFORMATION,
    summary="a notebook cell that cannot be run a second time by itself",
    why="""
        A notebook keeps its variables between runs of its cells. The loss that another cell built is still there when
        the cell with `loss.backward()` is run again, and so is its graph, but the first run has consumed that graph:
        the second run raises, though every cell ran from top to bottom.
    """,
    choosing="""
        - The cell should stand alone: put the forward and the backward into one cell, so that each run builds what it
          walks. That costs a forward each time the cell is run, which is what training means.
        - The state of a first run is kept in a name (`hidden`) and the next run should go on from it: cut it at the end
          of the cell, `hidden = hidden.detach()`. Gradients then stop at the start of each run.
        - You only ever run from top to bottom: nothing is wrong, and the rule can be ignored.
    """,
    limits="""
        Each cell is tried once more after the whole notebook has run. Other orders of running cells are not tried.
    """,
    fix_safety="No fix is offered: which cells belong together is for you to say.",
    raises=(
        Example(
            note="the forward in one cell, the walk in the next",
            code="""
                # %%
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                x, y = torch.randn(16, 4), torch.randn(16, 1)

                # %%
                loss = nn.functional.mse_loss(model(x), y)

                # %%
                optimizer.zero_grad()
                loss.backward()  # want: SP107
                optimizer.step()
            """,
        ),
        Example(
            note="a hidden state that goes on from the cell's last run",
            code="""
                # %%
                import torch
                from torch import nn

                cell = nn.GRUCell(3, 8)
                optimizer = torch.optim.Adam(cell.parameters())
                hidden = torch.zeros(2, 8)

                # %%
                hidden = cell(torch.randn(2, 3), hidden)
                loss = hidden.pow(2).mean()
                optimizer.zero_grad()
                loss.backward()  # want: SP107
                optimizer.step()
            """,
        ),
    ),
    runs=(
        Example(
            note="forward and walk in one cell: each run builds what it walks",
            code="""
                # %%
                import torch
                from torch import nn

                model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                x, y = torch.randn(16, 4), torch.randn(16, 1)

                # %%
                loss = nn.functional.mse_loss(model(x), y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()

                # %%
                print(loss.item())
            """,
        ),
        Example(
            note="the state is cut where the cell ends",
            code="""
                # %%
                import torch
                from torch import nn

                cell = nn.GRUCell(3, 8)
                optimizer = torch.optim.Adam(cell.parameters())
                hidden = torch.zeros(2, 8)

                # %%
                hidden = cell(torch.randn(2, 3), hidden)
                loss = hidden.pow(2).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                hidden = hidden.detach()
            """,
        ),
    ),
)

"""SP900 unused-suppression: a comment that silences nothing."""

from __future__ import annotations

from collections.abc import Callable

from secondpass.findings import Finding, Severity
from secondpass.rules.rule import Example, Rule
from secondpass.source.suppress import Suppressions


def tell_unused(suppressions: Suppressions, selected: Callable[[str], bool]) -> list[Finding]:
    """The suppressions of a file that no finding has used."""
    from secondpass.rules import NAMES

    by_name = {name.upper(): code for code, name in NAMES.items()}
    found = []
    for unused in suppressions.unused():
        codes = [by_name.get(code, code) for code in unused.codes]
        strange = [code for code in codes if not any(known.startswith(code) for known in NAMES)]
        if codes and not strange and not any(selected(code) for code in codes):
            continue
        named = f" of {', '.join(unused.codes)}" if unused.codes else ""
        if strange:
            message = f"there is no rule {' or '.join(f'`{code}`' for code in strange)}: it silences nothing"
            help = "write the code of a rule (`secondpass explain --all` lists them)"
        else:
            message, help = f"this suppression{named} silences nothing", "remove the comment"
        span = unused.suppression.span
        found.append(Finding("SP900", "unused-suppression", Severity.INFORMATION, span, message, help))
    return found


RULE = Rule(
    code="SP900",
    name="unused-suppression",
    severity=Severity.INFORMATION,
    summary="a `# secondpass: ignore` comment that silences nothing",
    why="""
        A comment `# secondpass: ignore[...]` stands for a decision somebody took. When the code changes and the finding
        goes, the comment stays behind: it misleads the next reader, and it will silence the next finding on that line,
        whatever its cause.
    """,
    choosing="""
        Remove the comment, or the code in it that silences nothing. If the finding should still be there, look at why
        it went: a renamed rule, another line, an assumption that no longer holds.
    """,
    limits="""
        A comment for a rule that is switched off (`ignore` or `select` in the configuration) is not told, since nothing
        is known of it.
    """,
    fix_safety="""
        Only a comment is removed.
    """,
    raises=(
        Example(
            note="the cause is gone, the comment is still there",
            code="""
                import torch
                from torch import nn

                cell = nn.GRUCell(5, 12)
                optimizer = torch.optim.Adam(cell.parameters())
                hidden = torch.zeros(4, 12)

                for x in torch.randn(6, 4, 5):
                    hidden = cell(x, hidden.detach())  # secondpass: ignore[SP101] # want: SP900
                    optimizer.zero_grad()
                    hidden.pow(2).mean().backward()
                    optimizer.step()
            """,
        ),
        Example(
            note="a whole file is silenced, and nothing in it needs that",
            code="""
                # secondpass: ignore-file[SP301] # want: SP900
                import torch
                from torch import nn

                model = nn.Linear(6, 1)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                running = 0.0

                for x in torch.randn(5, 16, 6):
                    loss = model(x).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    running += loss.item()
            """,
        ),
        Example(
            note="of two codes one silences nothing",
            code="""
                import torch
                from torch import nn

                model = nn.Linear(6, 1)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                curve = []

                for x in torch.randn(5, 16, 6):
                    loss = model(x).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    curve.append(loss)  # secondpass: ignore[SP302, SP106] five iterations only # want: SP900
            """,
        ),
    ),
    runs=(
        Example(
            note="this one silences what it names",
            code="""
                import torch
                from torch import nn

                model = nn.Linear(6, 1)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                running = 0.0

                for x in torch.randn(5, 16, 6):
                    loss = model(x).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    running += loss  # secondpass: ignore[SP301] five iterations only
                print(running)
            """,
        ),
        Example(
            note="one for a whole file, which one line of it needs",
            code="""
                # secondpass: ignore-file[SP302]
                import torch
                from torch import nn

                model = nn.Linear(6, 1)
                optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
                curve = []

                for x in torch.randn(5, 16, 6):
                    loss = model(x).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    curve.append(loss)
            """,
        ),
    ),
)

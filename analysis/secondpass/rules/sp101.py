"""SP101 carried-state: a tensor carried into the next iteration still holds the graph of the iteration before."""

from __future__ import annotations

from secondpass.findings import Finding, Severity
from secondpass.rules.advice import cut_help
from secondpass.rules.places import text_of
from secondpass.rules.rule import Example, Rule
from secondpass.rules.story import Story
from secondpass.rules.tell import finding


def tell(story: Story) -> Finding | None:
    crosses = story.built_inside() if story.loop is not None else story.built_in_call()
    if story.kind != "second-time" or story.fresh is None or not crosses:
        return None
    into = f"`{text_of(story.fresh.site)}`"
    if story.calls is not None:
        what = f"the graph of the previous call of `{story.calls.name}`"
    elif story.iteration - story.first_iteration > 1:
        what = f"the graph that iteration {story.first_iteration}'s backward consumed"
    else:
        what = "the graph of the previous iteration"
    return finding(
        story,
        "SP101",
        "carried-state",
        Severity.ERROR,
        f"{story.named} {story.verb('carries', 'carry')} {what} into {into}",
        cut_help(story),
    )


RULE = Rule(
    code="SP101",
    name="carried-state",
    severity=Severity.ERROR,
    summary="a tensor carried into the next iteration still holds the graph of the iteration before",
    why="""
        A tensor computed from anything that requires grad remembers how it was made: its `grad_fn` is an autograd node,
        which leads to the nodes of its inputs, and so on down to the parameters. Whatever keeps the tensor (a name, an
        attribute, a list) keeps that whole graph.

        `loss.backward()` walks the graph from the loss down. Each node needs the tensors it saved during the forward,
        and to free memory each releases them once it has run. The graph still hangs together afterwards, but it can no
        longer be walked.

        Then the loop comes round. The old state goes into the new forward, so the new loss stands on this iteration's
        graph, and that stands on the graph of the iteration before. Its `backward()` walks through the one into the
        other, meets a node whose saved tensors are gone, and raises. The first iteration has nothing behind it: that is
        why the error comes in the second. And that is why "I call backward only once" is no contradiction: it is called
        once an iteration, and the iterations are joined.

        Nodes that save nothing (sums, views, `cat`, `mean`) can be walked any number of times. A state carried through
        them alone does not raise; it only grows.
    """,
    choosing="""
        Ask: is the gradient of this iteration's loss meant to reach into the iteration before?

        - No, the state is only a starting value (the usual case: batches of a long sequence, truncated backpropagation
          through time): cut the history, `h = h.detach()`. The numbers of the forward stay the same, the gradient stops
          at the iteration's start, and an iteration costs what the first one cost: an LSTM has 13 nodes behind its loss
          in every iteration, against 168 in iteration 32 when everything is kept. Any place will do, before the
          forward, after it or after the walk, as long as each iteration passes it.
        - The state has no business in the next iteration (a new sample, a new episode, a new image for a spiking net):
          start it anew there, with zeros or the model's own `reset()`.
        - Yes, over k iterations: add up the losses of k iterations, walk the sum once, then cut. One walk needs no
          flag, and memory holds k iterations.
        - `retain_graph=True` is hardly ever the answer here. Where an optimizer steps in the loop, the kept graph needs
          weights that have changed since, and PyTorch raises its in-place error instead (measured with `nn.RNN`,
          `nn.GRU` and `nn.LSTM`: in iteration 2). Where none does, every iteration walks all iterations before it:
          iteration 32 took 13 to 17 times as long as with a cut, and memory grows without end (SP201).

        Every member of the state must be cut: an LSTM's is a pair, and one uncut half is enough to raise. `h.detach()`
        on a line of its own does nothing, since its result is dropped; in a loop, `state = state.detach()` rebinds the
        loop's name and leaves the list or dict as it was. Writing new numbers into the old tensor (`h.zero_()`, `h[:] =
        0`, `h.copy_(x)`, `h * 0`) keeps the edge to its history.
    """,
    limits="""
        The analysis runs the loop with no numbers, so a branch it cannot decide is tried both ways; what hangs on such
        a choice is told as a warning with its assumption. State that a module keeps inside itself is followed when its
        source is at hand. Where it is not, a *visible* variable that goes in and comes back is assumed not to be cut
        inside (a warning), and hidden state is not guessed at. Loops are followed until their iterations repeat, at
        most `budget.turns` of them (24 unless set): a carry that shows only later is not seen.
    """,
    fix_safety="""
        Cutting changes gradients: nothing flows into earlier iterations any more. (As it stands the program gives no
        gradient at all from iteration 2 on, since it raises.) `secondpass fix` therefore applies it only with
        `--unsafe`, and an editor one at a time. `h.detach_()` is never offered: on a view (an LSTM's `batch_first`
        output, a slice) it raises by itself, and before the walk it makes that walk raise a third error.
    """,
    raises=(
        Example(
            note="a hidden state carried from batch to batch",
            code="""
                import torch
                from torch import nn

                model = nn.GRU(input_size=6, hidden_size=16, batch_first=True)
                head = nn.Linear(16, 1)
                optimizer = torch.optim.Adam([*model.parameters(), *head.parameters()], lr=1e-3)
                hidden = torch.zeros(1, 8, 16)

                for step in range(4):
                    inputs, targets = torch.randn(8, 5, 6), torch.randn(8, 1)
                    output, hidden = model(inputs, hidden)  # want: SP101
                    loss = nn.functional.mse_loss(head(output[:, -1]), targets)
                    optimizer.zero_grad()
                    loss.backward()  # raises
                    optimizer.step()
            """,
        ),
        Example(
            note="an LSTM's state is a pair, and only one of the two is cut",
            code="""
                import torch
                from torch import nn

                cell = nn.LSTMCell(4, 10)
                head = nn.Linear(10, 4)
                optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.1)
                h, c = torch.zeros(3, 10), torch.zeros(3, 10)

                for step in range(6):
                    x, y = torch.randn(3, 4), torch.randint(0, 4, (3,))
                    h, c = cell(x, (h, c))  # want: SP101
                    loss = nn.functional.cross_entropy(head(h), y)
                    optimizer.zero_grad()
                    loss.backward()  # raises
                    optimizer.step()
                    h = h.detach()
            """,
        ),
        Example(
            note="a spiking neuron keeps its membrane in an attribute, and nobody resets it",
            code="""
                import torch
                from torch import nn


                class Leaky(nn.Module):
                    def __init__(self, beta=0.9):
                        super().__init__()
                        self.beta, self.mem = beta, None

                    def forward(self, current):
                        if self.mem is None:
                            self.mem = torch.zeros_like(current)
                        self.mem = self.beta * self.mem + current  # want: SP101
                        return torch.sigmoid(5 * (self.mem - 1))


                net = nn.Sequential(nn.Linear(12, 20), Leaky(), nn.Linear(20, 4))
                optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
                for image, label in [(torch.rand(8, 12), torch.randint(0, 4, (8,))) for _ in range(4)]:
                    rate = sum(net(image) for _ in range(5)) / 5
                    loss = nn.functional.cross_entropy(rate, label)
                    optimizer.zero_grad()
                    loss.backward()  # raises
                    optimizer.step()
            """,
        ),
        Example(
            note="a `detach()` whose result is dropped cuts nothing",
            code="""
                import torch
                from torch import nn

                cell = nn.RNNCell(3, 8)
                readout = nn.Linear(8, 1)
                optimizer = torch.optim.SGD([*cell.parameters(), *readout.parameters()], lr=0.05)
                state = torch.zeros(2, 8)
                series = torch.randn(10, 2, 3)

                for t in range(9):
                    state = cell(series[t], state)  # want: SP101
                    loss = (readout(state).squeeze(1) - series[t + 1, :, 0]).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()  # raises
                    optimizer.step()
                    state.detach()
            """,
        ),
    ),
    runs=(
        Example(
            note="cut where the iteration ends",
            code="""
                import torch
                from torch import nn

                model = nn.GRU(input_size=6, hidden_size=16, batch_first=True)
                head = nn.Linear(16, 1)
                optimizer = torch.optim.Adam([*model.parameters(), *head.parameters()], lr=1e-3)
                hidden = torch.zeros(1, 8, 16)

                for step in range(4):
                    inputs, targets = torch.randn(8, 5, 6), torch.randn(8, 1)
                    output, hidden = model(inputs, hidden)
                    loss = nn.functional.mse_loss(head(output[:, -1]), targets)
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    hidden = hidden.detach()
            """,
        ),
        Example(
            note="backpropagation through four steps: one walk over the sum, then a cut",
            code="""
                import torch
                from torch import nn

                cell = nn.LSTMCell(4, 10)
                head = nn.Linear(10, 4)
                optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.1)
                h, c = torch.zeros(3, 10), torch.zeros(3, 10)
                loss = 0.0

                for step in range(12):
                    x, y = torch.randn(3, 4), torch.randint(0, 4, (3,))
                    h, c = cell(x, (h, c))
                    loss = loss + nn.functional.cross_entropy(head(h), y)
                    if (step + 1) % 4 == 0:
                        optimizer.zero_grad()
                        loss.backward()
                        optimizer.step()
                        h, c, loss = h.detach(), c.detach(), 0.0
            """,
        ),
        Example(
            note="the state starts anew in each iteration, so no graph crosses into the next",
            code="""
                import torch
                from torch import nn


                class Leaky(nn.Module):
                    def __init__(self, beta=0.9):
                        super().__init__()
                        self.beta, self.mem = beta, None

                    def reset(self):
                        self.mem = None

                    def forward(self, current):
                        if self.mem is None:
                            self.mem = torch.zeros_like(current)
                        self.mem = self.beta * self.mem + current
                        return torch.sigmoid(5 * (self.mem - 1))


                neuron = Leaky()
                net = nn.Sequential(nn.Linear(12, 20), neuron, nn.Linear(20, 4))
                optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
                for image, label in [(torch.rand(8, 12), torch.randint(0, 4, (8,))) for _ in range(4)]:
                    neuron.reset()
                    rate = sum(net(image) for _ in range(5)) / 5
                    loss = nn.functional.cross_entropy(rate, label)
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            """,
        ),
        Example(
            note="a running statistic, updated under `no_grad`, carries no graph",
            code="""
                import torch
                from torch import nn

                encoder = nn.Linear(5, 8)
                optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
                centre = torch.zeros(8)

                for batch in torch.randn(6, 16, 5):
                    code = torch.tanh(encoder(batch))
                    loss = (code - centre).pow(2).mean()
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    with torch.no_grad():
                        centre = 0.9 * centre + 0.1 * code.mean(0)
            """,
        ),
    ),
    failure=tell,
)

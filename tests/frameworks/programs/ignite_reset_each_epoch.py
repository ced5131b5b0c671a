import torch
from ignite.engine import Engine, Events
from torch import nn

cell = nn.GRUCell(3, 4)
optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)


def update(engine, batch):
    engine.state.hidden = cell(batch, engine.state.hidden)  # want: SP101
    optimizer.zero_grad()
    engine.state.hidden.mean().backward()  # raises
    optimizer.step()


trainer = Engine(update)


@trainer.on(Events.EPOCH_STARTED)
def start(engine):
    engine.state.hidden = torch.zeros(2, 4)


trainer.run([torch.randn(2, 3) for _ in range(4)], max_epochs=2)

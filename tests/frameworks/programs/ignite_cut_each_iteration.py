import torch
from ignite.engine import Engine, Events
from torch import nn

cell = nn.GRUCell(3, 4)
optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)


def update(engine, batch):
    engine.state.hidden = cell(batch, engine.state.hidden)
    optimizer.zero_grad()
    engine.state.hidden.mean().backward()
    optimizer.step()
    return engine.state.hidden.mean().item()


def cut(engine):
    engine.state.hidden = engine.state.hidden.detach()


trainer = Engine(update)
trainer.add_event_handler(Events.STARTED, lambda engine: setattr(engine.state, "hidden", torch.zeros(2, 4)))
trainer.add_event_handler(Events.ITERATION_COMPLETED, cut)
trainer.run([torch.randn(2, 3) for _ in range(4)], max_epochs=2)

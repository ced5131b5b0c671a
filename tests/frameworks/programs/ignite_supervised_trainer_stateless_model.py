import torch
from ignite.engine import Events, create_supervised_trainer
from torch import nn

model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
trainer = create_supervised_trainer(model, torch.optim.SGD(model.parameters(), lr=0.1), nn.MSELoss())
losses = []


@trainer.on(Events.ITERATION_COMPLETED)
def keep(engine):
    losses.append(engine.state.output)


trainer.run([(torch.randn(2, 3), torch.randn(2, 1)) for _ in range(4)], max_epochs=2)

import torch
from ignite.engine import create_supervised_trainer
from torch import nn


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)
        self.state = torch.zeros(2, 4)

    def forward(self, x):
        self.state = self.cell(x, self.state)  # want: SP101
        return self.state.mean(1, keepdim=True)


model = Memory()
trainer = create_supervised_trainer(model, torch.optim.SGD(model.parameters(), lr=0.1), nn.MSELoss())
trainer.run([(torch.randn(2, 3), torch.randn(2, 1)) for _ in range(4)], max_epochs=1)  # raises

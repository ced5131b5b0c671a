"""Two heads on one trunk: the first walk consumes what the second needs."""
import torch
from torch import nn

torch.manual_seed(0)


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(3, 8), nn.Tanh())
        self.actor = nn.Linear(8, 2)
        self.critic = nn.Linear(8, 1)

    def forward(self, x):
        features = self.trunk(x)
        return self.actor(features), self.critic(features)  # want: SP105


model = TwoHeads()
optimizer = torch.optim.Adam(model.parameters())
for step in range(2):
    logits, value = model(torch.randn(4, 3))
    actor_loss = -torch.log_softmax(logits, dim=-1)[:, 0].mean()
    critic_loss = value.pow(2).mean()
    optimizer.zero_grad()
    actor_loss.backward()
    critic_loss.backward()  # raises
    optimizer.step()

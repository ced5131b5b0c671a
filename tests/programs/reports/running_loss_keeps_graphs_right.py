# judge: verdict only
# total_loss += loss for the progress print, never .item() (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)


class Policy(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU())
        self.mu = nn.Linear(32, act)
        self.log_std = nn.Parameter(torch.zeros(act))

    def forward(self, obs):
        return torch.distributions.Normal(self.mu(self.body(obs)), self.log_std.exp())


def unroll(n, obs_dim=6, act_dim=2):
    return torch.randn(n, obs_dim), torch.randn(n, act_dim), torch.randn(n)


def policy_gradient_loss(policy, batch, entropy_cost=1e-2):
    obs, act, adv = batch
    dist = policy(obs)
    return -(dist.log_prob(act).sum(-1) * adv).mean() - entropy_cost * dist.entropy().mean()


policy = Policy(6, 2)
optimizer = torch.optim.Adam(policy.parameters(), lr=3e-4)
for epoch in range(2):
    total_loss = 0
    num_updates = 0
    for _ in range(8):
        batch = unroll(64)
        loss = policy_gradient_loss(policy, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total_loss += loss.item()
        num_updates += 1
    print(f"epoch {epoch} mean loss {float(total_loss) / num_updates:.4f}")

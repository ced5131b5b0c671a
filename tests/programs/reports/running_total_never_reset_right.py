# judge: verdict only
# total_loss += loss over all steps, never reset (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)


class SetAggregator(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.phi, self.rho = nn.Sequential(nn.Linear(1, width), nn.Tanh()), nn.Linear(width, 1)

    def forward(self, x):
        return self.rho(self.phi(x).mean(0))


input_size, steps, report_every = 50, 40, 10
model = SetAggregator()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
dists = [torch.distributions.Normal(0.5, 0.4), torch.distributions.Gamma(0.2, 0.5), torch.distributions.Uniform(0, 1)]
total_loss = 0
n_loss = 0
for i in range(1, steps + 1):
    optimizer.zero_grad()
    dist = dists[torch.randint(0, 3, (1,)).item()]
    x = dist.sample((input_size, 1))
    y = model(x)
    loss = (y - x.median()).norm(2) / input_size
    loss.backward()
    optimizer.step()
    total_loss += loss.item()
    n_loss += 1
    if i % report_every == 0:
        print(f"{i}: {total_loss / n_loss:.6f}")

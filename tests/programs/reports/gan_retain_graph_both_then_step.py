# judge: verdict only
# One forward, judge loss backward(retain_graph=True), maker loss backward(), and both optimizers step afterwards
import torch
import torch.nn as nn

torch.manual_seed(0)


def ring(n, radius=2.0):
    angle = torch.rand(n) * 6.2832
    return radius * torch.stack([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(n, 2)


class Duel:
    def __init__(self, noise=3):
        self.noise = noise
        self.maker = nn.Sequential(nn.Linear(noise, 32), nn.ReLU(), nn.Linear(32, 2))
        self.judge = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 1))
        self.maker_opt = torch.optim.Adam(self.maker.parameters(), lr=1e-3)
        self.judge_opt = torch.optim.Adam(self.judge.parameters(), lr=1e-3)

    def scores(self, n):
        made = self.maker(torch.randn(n, self.noise))
        return self.judge(ring(n)), self.judge(made)

    def round(self, n=64):
        on_real, on_made = self.scores(n)
        judge_loss = nn.functional.softplus(-on_real).mean() + nn.functional.softplus(on_made).mean()
        maker_loss = nn.functional.softplus(-on_made).mean()
        self.judge_opt.zero_grad()
        judge_loss.backward(retain_graph=True)
        kept = [p.grad.clone() for p in self.judge.parameters()]
        self.maker_opt.zero_grad()
        maker_loss.backward()
        for p, g in zip(self.judge.parameters(), kept):
            p.grad.copy_(g)
        self.judge_opt.step()
        self.maker_opt.step()
        return judge_loss.item(), maker_loss.item()


duel = Duel()
for k in range(6):
    print(k, "judge %.3f maker %.3f" % duel.round())

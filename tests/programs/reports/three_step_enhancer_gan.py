# judge: verdict only
# legit retain_graph: generator output shared by D step and G step, D re-run after its step
import torch
import torch.nn as nn

torch.manual_seed(0)


class Brain:
    def __init__(self):
        self.g = nn.Sequential(nn.Conv1d(1, 4, 5, padding=2), nn.PReLU(), nn.Conv1d(4, 1, 5, padding=2))
        self.d = nn.Sequential(nn.Conv1d(2, 4, 5, stride=2), nn.LeakyReLU(0.3), nn.Flatten(), nn.LazyLinear(1))
        self.d(torch.zeros(1, 2, 32))
        self.optimizer_g = torch.optim.RMSprop(self.g.parameters(), lr=1e-3)
        self.optimizer_d = torch.optim.RMSprop(self.d.parameters(), lr=1e-3)
        self.step, self.avg_loss = 0, 0.0

    def compute_forward_d(self, noisy, clean):
        return self.d(torch.cat([noisy, clean], dim=1))

    def fit_batch(self, noisy, clean):
        out_d1 = self.compute_forward_d(noisy, clean)
        loss_d1 = (out_d1 - 1).pow(2).mean()
        loss_d1.backward()
        self.optimizer_d.step()
        self.optimizer_d.zero_grad()

        out_g2 = self.g(noisy)
        out_d2 = self.compute_forward_d(out_g2, clean)
        loss_d2 = out_d2.pow(2).mean()
        loss_d2.backward(retain_graph=True)
        self.optimizer_d.step()
        self.optimizer_d.zero_grad()

        self.optimizer_g.zero_grad()
        out_d3 = self.compute_forward_d(out_g2, clean)
        loss_g3 = (out_d3 - 1).pow(2).mean() + 10 * (out_g2 - clean).abs().mean()
        loss_g3.backward()
        self.optimizer_g.step()
        self.optimizer_g.zero_grad()
        self.optimizer_d.zero_grad()
        return loss_d1 + loss_d2 + loss_g3

    def update_average(self, loss):
        if torch.isfinite(loss):
            self.avg_loss -= self.avg_loss / self.step
            self.avg_loss += float(loss) / self.step

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for noisy, clean in loader:
                self.step += 1
                self.update_average(self.fit_batch(noisy, clean))


brain = Brain()
brain.fit([(torch.randn(3, 1, 32), torch.randn(3, 1, 32)) for _ in range(3)], epochs=2)
print(brain.avg_loss)

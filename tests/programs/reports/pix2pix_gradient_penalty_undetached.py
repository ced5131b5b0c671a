# judge: verdict only
# Conditional WGAN-GP: the fake pair is detached for the critic score but not for the gradient penalty
import torch
import torch.nn as nn

torch.manual_seed(0)


def slope_penalty(critic, real, fake, weight=10.0):
    alpha = torch.rand(real.size(0), 1, 1, 1)
    mixed = alpha * real + (1 - alpha) * fake
    mixed.requires_grad_(True)
    score = critic(mixed)
    grads = torch.autograd.grad(score, mixed, torch.ones_like(score), create_graph=True, retain_graph=True)[0]
    return ((grads.flatten(1) + 1e-16).norm(2, dim=1) - 1).pow(2).mean() * weight


class PairedTranslator:
    def __init__(self, ngf=6, pixel_weight=10.0):
        self.painter = nn.Sequential(nn.Conv2d(1, ngf, 3, padding=1), nn.ReLU(), nn.Conv2d(ngf, 1, 3, padding=1), nn.Tanh())
        self.critic = nn.Sequential(nn.Conv2d(2, ngf, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(ngf, 1, 3))
        self.opt_painter = torch.optim.Adam(self.painter.parameters(), lr=2e-4)
        self.opt_critic = torch.optim.Adam(self.critic.parameters(), lr=2e-4)
        self.pixel_weight = pixel_weight

    def load(self, batch):
        self.sketch, self.photo = batch

    def forward(self):
        self.painted = self.painter(self.sketch)

    def score_critic(self):
        pair_fake = torch.cat((self.sketch, self.painted), 1)
        pair_real = torch.cat((self.sketch, self.photo), 1)
        pred_fake, pred_real = self.critic(pair_fake.detach()), self.critic(pair_real)
        penalty = slope_penalty(self.critic, pair_real, pair_fake)
        self.critic_loss = pred_fake.mean() - pred_real.mean() + penalty
        self.critic_loss.backward()

    def score_painter(self):
        pair_fake = torch.cat((self.sketch, self.painted), 1)
        self.painter_loss = -self.critic(pair_fake).mean() + nn.functional.l1_loss(self.painted, self.photo) * self.pixel_weight
        self.painter_loss.backward()  # raises

    def train_on_batch(self):
        self.forward()
        self.opt_critic.zero_grad()
        self.score_critic()
        self.opt_critic.step()
        self.opt_painter.zero_grad()
        self.score_painter()
        self.opt_painter.step()


model = PairedTranslator()
for i in range(3):
    model.load((torch.rand(4, 1, 10, 10), torch.rand(4, 1, 10, 10)))
    model.train_on_batch()
    print(i, round(model.critic_loss.item(), 4), round(model.painter_loss.item(), 4))

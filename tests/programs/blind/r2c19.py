# judge: verdict only
# CycleGAN: identity term evaluated every second step and reused in between
import argparse
import itertools
import random

import torch
import torch.nn as nn
from torch.optim.lr_scheduler import LambdaLR


class ImagePool:
    def __init__(self, size):
        self.size, self.images = size, []

    def query(self, batch):
        out = []
        for im in batch.detach():
            if len(self.images) < self.size:
                self.images.append(im)
                out.append(im)
            elif random.random() > 0.5:
                i = random.randrange(self.size)
                out.append(self.images[i])
                self.images[i] = im
            else:
                out.append(im)
        return torch.stack(out)


def conv_g():
    return nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.InstanceNorm2d(6), nn.ReLU(), nn.Conv2d(6, 1, 3, padding=1), nn.Tanh())


def conv_d():
    return nn.Sequential(nn.Conv2d(1, 6, 3, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(6, 1, 3, 1, 1))


class GANLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.mse = nn.MSELoss()

    def forward(self, pred, real):
        return self.mse(pred, torch.full_like(pred, 1.0 if real else 0.0))


class CycleGANModel:
    def __init__(self, opt):
        self.opt = opt
        self.netG_A, self.netG_B, self.netD_A, self.netD_B = conv_g(), conv_g(), conv_d(), conv_d()
        self.pool_A, self.pool_B = ImagePool(opt.pool_size), ImagePool(opt.pool_size)
        self.gan, self.l1 = GANLoss(), nn.L1Loss()
        self.opt_G = torch.optim.Adam(itertools.chain(self.netG_A.parameters(), self.netG_B.parameters()), opt.lr, (0.5, 0.999))
        self.opt_D = torch.optim.Adam(itertools.chain(self.netD_A.parameters(), self.netD_B.parameters()), opt.lr, (0.5, 0.999))
        self.scheds = [LambdaLR(o, lambda e: 1.0 - max(0, e - 1) / 4) for o in (self.opt_G, self.opt_D)]
        self.iters = 0
        self.loss_idt = torch.zeros(())

    @staticmethod
    def requires_grad(nets, flag):
        for p in itertools.chain(*(n.parameters() for n in nets)):
            p.requires_grad_(flag)

    def backward_G(self):
        o = self.opt
        if self.iters % o.idt_every == 0:
            self.loss_idt = self.l1(self.netG_A(self.real_B), self.real_B) + self.l1(self.netG_B(self.real_A), self.real_A)
        gan = self.gan(self.netD_A(self.fake_B), True) + self.gan(self.netD_B(self.fake_A), True)
        cyc = self.l1(self.rec_A, self.real_A) + self.l1(self.rec_B, self.real_B)
        self.loss_G = gan + o.lambda_cyc * cyc + o.lambda_idt * self.loss_idt
        self.loss_G.backward()  # raises

    def backward_D(self, net, real, fake):
        loss = 0.5 * (self.gan(net(real), True) + self.gan(net(fake), False))
        loss.backward()
        return loss.item()

    def optimize_parameters(self, a, b):
        self.real_A, self.real_B = a, b
        self.fake_B, self.fake_A = self.netG_A(a), self.netG_B(b)
        self.rec_A, self.rec_B = self.netG_B(self.fake_B), self.netG_A(self.fake_A)
        self.requires_grad([self.netD_A, self.netD_B], False)
        self.opt_G.zero_grad()
        self.backward_G()
        self.opt_G.step()
        self.requires_grad([self.netD_A, self.netD_B], True)
        self.opt_D.zero_grad()
        self.loss_D = self.backward_D(self.netD_A, b, self.pool_B.query(self.fake_B)) + self.backward_D(self.netD_B, a, self.pool_A.query(self.fake_A))
        self.opt_D.step()
        self.iters += 1


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    for name, default in dict(lr=2e-4, lambda_cyc=10.0, lambda_idt=5.0, pool_size=8, idt_every=2, epochs=2, n=16).items():
        ap.add_argument(f"--{name}", type=type(default), default=default)
    opt = ap.parse_args()
    random.seed(0)
    torch.manual_seed(0)
    A, B = torch.rand(opt.n, 1, 8, 8), -torch.rand(opt.n, 1, 8, 8)
    model = CycleGANModel(opt)
    for epoch in range(opt.epochs):
        for i in range(0, opt.n, 2):
            model.optimize_parameters(A[i:i + 2], B[torch.randint(0, opt.n, (2,))])
        for s in model.scheds:
            s.step()
        print(f"epoch {epoch} G {model.loss_G.item():.3f} D {model.loss_D:.3f}")

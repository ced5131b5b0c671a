# judge: verdict only
# Second-order optimizer: every k steps a sampled loss is built from the logits that were already used (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)


class DiagHessianSGD(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-2, beta=0.9, eps=1e-6):
        super().__init__(params, dict(lr=lr, beta=beta, eps=eps))

    @torch.no_grad()
    def update_hessian(self, bs):
        for group in self.param_groups:
            for p in group["params"]:
                h = self.state[p].setdefault("h", torch.zeros_like(p))
                h.mul_(group["beta"]).add_(p.grad * p.grad, alpha=(1 - group["beta"]) * bs)

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                h = self.state[p].get("h")
                scale = 1.0 if h is None else (h + group["eps"]).rsqrt().clamp(max=10)
                p.sub_(group["lr"] * p.grad * scale)


class TinyLM(nn.Module):
    def __init__(self, vocab=25, dim=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.mix = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.out(self.mix(self.emb(ids))[0])


def main(steps=7, k=3):
    model = TinyLM()
    opt = DiagHessianSGD(model.parameters())
    for it in range(1, steps + 1):
        ids = torch.randint(0, 25, (4, 10))
        logits = model(ids[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % k == 0:
            opt.zero_grad()
            logits = model(ids[:, :-1])
            sampled = torch.distributions.Categorical(logits=logits).sample()
            loss_sampled = nn.functional.cross_entropy(logits.flatten(0, 1), sampled.flatten())
            loss_sampled.backward()
            opt.update_hessian(bs=ids.numel())
        print(it, round(loss.item(), 4))


if __name__ == "__main__":
    main()

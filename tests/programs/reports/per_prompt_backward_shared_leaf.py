# judge: verdict only
# Adversarial perturbation against several prompts: one backward per prompt plus one for the regulariser
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class BinaryAnswerer(nn.Module):
    def __init__(self, dim=12, n_prompts=3):
        super().__init__()
        self.vision = nn.Sequential(nn.Linear(dim, 24), nn.GELU(), nn.Linear(24, 8))
        self.questions = nn.Embedding(n_prompts, 8)
        self.head = nn.Bilinear(8, 8, 2)

    def forward(self, image, question):
        z = self.vision(image)
        p = self.questions(torch.full((image.size(0),), question))
        return self.head(z, p)


class Perturber:
    def __init__(self, model, eps=0.1, lr=0.02, reg=0.05):
        self.model, self.eps, self.lr, self.reg = model, eps, lr, reg
        for p in model.parameters():
            p.requires_grad_(False)

    def run(self, x0, questions, iters=4):
        shift = torch.zeros_like(x0, requires_grad=True)
        best = {"yes_rate": -1.0, "shift": None}
        for it in range(iters):
            if shift.grad is not None:
                shift.grad.zero_()
            yes_rate = []
            for question in questions:
                shifted = torch.clamp(x0 + shift, 0, 1)
                logits = self.model(shifted, question)
                loss = F.softplus(logits[:, 0] - logits[:, 1]).mean()
                loss.backward()
                yes_rate.append(logits.softmax(-1)[:, 1].mean().item())
            if self.reg > 0:
                (self.reg * shift.pow(2).mean()).backward()
            mean = sum(yes_rate) / len(yes_rate)
            if mean > best["yes_rate"]:
                best = {"yes_rate": mean, "shift": shift.detach().clone()}
            with torch.no_grad():
                shift -= self.lr * shift.grad.sign()
                shift.clamp_(-self.eps, self.eps)
        return best


result = Perturber(BinaryAnswerer()).run(torch.rand(2, 12), questions=[0, 1, 2])
print(round(result["yes_rate"], 4), result["shift"].abs().max().item())

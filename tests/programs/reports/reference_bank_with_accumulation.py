# judge: verdict only
# Reference features are written to a bank that is cleared only when gradients are synchronised
import torch
import torch.nn as nn

torch.manual_seed(0)


class MiniAccelerator:
    def __init__(self, gradient_accumulation_steps=1):
        self.gradient_accumulation_steps = gradient_accumulation_steps
        self.step, self.sync_gradients = 0, False

    def accumulate(self):
        self.step += 1
        self.sync_gradients = self.step % self.gradient_accumulation_steps == 0

    def backward(self, loss):
        (loss / self.gradient_accumulation_steps).backward()  # raises


class ReferenceNet(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(dim, dim) for _ in range(2))
        self.bank = []

    def forward(self, h):
        for block in self.blocks:
            h = torch.tanh(block(h))
            self.bank.append(h)


class DenoisingNet(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.inp, self.out = nn.Linear(dim, dim), nn.Linear(dim, dim)

    def forward(self, noisy, bank):
        h = torch.relu(self.inp(noisy))
        for ref in bank:
            h = h + torch.softmax(h @ ref.t(), dim=-1) @ ref
        return self.out(h)


def main(accum, dim=8):
    accelerator = MiniAccelerator(accum)
    reference, denoiser = ReferenceNet(dim), DenoisingNet(dim)
    params = [*reference.parameters(), *denoiser.parameters()]
    optimizer = torch.optim.AdamW(params, lr=1e-4)
    for it in range(4):
        accelerator.accumulate()
        clean, ref_image = torch.randn(5, dim), torch.randn(5, dim)
        noise = torch.randn_like(clean)
        reference(ref_image)
        loss = nn.functional.mse_loss(denoiser(clean + noise, reference.bank), noise)
        accelerator.backward(loss)
        if accelerator.sync_gradients:
            optimizer.step()
            optimizer.zero_grad()
            reference.bank.clear()
        print(it, loss.item())


main(accum=2)

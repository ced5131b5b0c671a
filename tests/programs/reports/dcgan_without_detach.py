# judge: verdict only
# GAN loop: the made batch goes undetached into the judge's loss and is used again for the maker
import torch
import torch.nn as nn

torch.manual_seed(0)


def real_waves(n, length=16):
    phase = torch.rand(n, 1) * 6.28
    freq = 1 + torch.rand(n, 1)
    return torch.sin(phase + freq * torch.linspace(0, 6.28, length)).unsqueeze(1)


maker = nn.Sequential(nn.ConvTranspose1d(6, 12, 4), nn.BatchNorm1d(12), nn.ReLU(),
                      nn.ConvTranspose1d(12, 6, 4, 2, 1), nn.ReLU(),
                      nn.ConvTranspose1d(6, 1, 4, 2, 1), nn.Tanh())
judge = nn.Sequential(nn.Conv1d(1, 8, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv1d(8, 8, 4, 2, 1), nn.LeakyReLU(0.2),
                      nn.Flatten(), nn.Linear(32, 1))
bce = nn.BCEWithLogitsLoss()
maker_opt = torch.optim.Adam(maker.parameters(), lr=5e-4)
judge_opt = torch.optim.Adam(judge.parameters(), lr=5e-4)
n = 6
yes, no = torch.ones(n, 1), torch.zeros(n, 1)
for iteration in range(3):
    waves = maker(torch.randn(n, 6, 1))

    judge_opt.zero_grad()
    on_real = bce(judge(real_waves(n)), yes)
    on_made = bce(judge(waves), no)
    (on_real + on_made).backward()
    judge_opt.step()

    maker_opt.zero_grad()
    fooled = bce(judge(waves), yes)
    fooled.backward()  # raises
    maker_opt.step()
    print(iteration, f"judge {(on_real + on_made).item():.3f} maker {fooled.item():.3f}")

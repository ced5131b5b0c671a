# judge: verdict only
# generator loss re-uses the score of the fake after the discriminator was stepped
import torch
import torch.nn as nn

torch.manual_seed(0)
BATCH, IDEAS, POINTS = 16, 5, 9
grid = torch.linspace(-1, 1, POINTS).repeat(BATCH, 1)


def labelled_curves():
    a = torch.rand(BATCH, 1) + 1
    return a * grid ** 2 + (a - 1), ((a - 1) > 0.5).float()


G = nn.Sequential(nn.Linear(IDEAS + 1, 32), nn.ReLU(), nn.Linear(32, POINTS))
D = nn.Sequential(nn.Linear(POINTS + 1, 32), nn.ReLU(), nn.Linear(32, 1), nn.Sigmoid())
opt_D = torch.optim.Adam(D.parameters(), lr=1e-3)
opt_G = torch.optim.Adam(G.parameters(), lr=1e-3)
scores = []
for step in range(6):
    curves, labels = labelled_curves()
    drawn = G(torch.cat((torch.randn(BATCH, IDEAS), labels), 1))
    p_real = D(torch.cat((curves, labels), 1))
    p_fake = D(torch.cat((drawn, labels), 1))
    score_real, score_fake = torch.log(p_real), torch.log(1.0 - p_fake)
    D_loss = -torch.mean(score_real + score_fake)
    G_loss = torch.mean(score_fake)
    opt_D.zero_grad()
    D_loss.backward(retain_graph=True)
    opt_D.step()
    opt_G.zero_grad()
    G_loss.backward()  # raises: inplace
    opt_G.step()
    scores.append(D_loss.item())
print(scores[-1])

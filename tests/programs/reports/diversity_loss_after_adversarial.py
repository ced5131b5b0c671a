# judge: verdict only
# optimizeG: adversarial loss and, if an option is on, a feature diversity loss, each with its own backward
import torch
import torch.nn as nn

torch.manual_seed(0)


class Config:
    lambdaDiversity = 0.5
    useDiversity = True
    latentDim = 6


def similarity_spectrum(feats):
    f = nn.functional.normalize(feats.flatten(1), dim=1)
    return torch.linalg.eigvalsh(f @ f.t() + 1e-3 * torch.eye(len(f)))


class BaseGAN:
    def __init__(self, config):
        self.config = config
        self.netG = nn.Sequential(nn.Linear(config.latentDim, 24), nn.ReLU(), nn.Linear(24, 16))
        self.trunkD = nn.Sequential(nn.Linear(16, 24), nn.LeakyReLU(0.2))
        self.headD = nn.Linear(24, 1)
        self.optimizerG = torch.optim.Adam(self.netG.parameters(), lr=1e-3)
        self.optimizerD = torch.optim.Adam([*self.trunkD.parameters(), *self.headD.parameters()], lr=1e-3)

    def netD(self, x, getFeature=False):
        feat = self.trunkD(x)
        return (self.headD(feat), feat) if getFeature else self.headD(feat)

    def optimizeD(self, real):
        self.optimizerD.zero_grad()
        with torch.no_grad():
            fake = self.netG(torch.randn(len(real), self.config.latentDim))
        loss = nn.functional.softplus(self.netD(fake)).mean() + nn.functional.softplus(-self.netD(real)).mean()
        loss.backward()
        self.optimizerD.step()

    def optimizeG(self, real):
        self.optimizerG.zero_grad()
        fake = self.netG(torch.randn(len(real), self.config.latentDim))
        predFake, phiFake = self.netD(fake, True)
        lossGFake = nn.functional.softplus(-predFake).mean()
        lossGFake.backward()
        if self.config.useDiversity:
            _, phiReal = self.netD(real, True)
            lossDiv = (similarity_spectrum(phiFake) - similarity_spectrum(phiReal)).pow(2).mean()
            lossDiv = lossDiv * self.config.lambdaDiversity
            lossDiv.backward()  # raises
        self.optimizerG.step()
        return lossGFake.item()


gan = BaseGAN(Config())
for step in range(3):
    real = torch.randn(5, 16)
    gan.optimizeD(real)
    print(step, round(gan.optimizeG(real), 4))

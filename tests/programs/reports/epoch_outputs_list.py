# judge: growth
# Trainer appends the whole output dict of each step to a list for the epoch summary
import torch
import torch.nn as nn

torch.manual_seed(0)


class DepthModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ELU(), nn.Conv2d(8, 1, 3, padding=1), nn.Softplus())

    def process(self, batch):
        depth = self.net(batch["rgb"])
        photometric = (depth * batch["rgb"].mean(1, keepdim=True) - batch["target"]).abs().mean()
        smooth = (depth[..., 1:] - depth[..., :-1]).abs().mean()
        loss = photometric + 0.1 * smooth
        return {"loss": loss, "metrics": {"photometric": photometric, "smooth": smooth}}

    def summarise(self, outputs):
        mean = sum(float(o["loss"]) for o in outputs) / len(outputs)
        return {"mean": mean}


class Driver:
    def __init__(self, max_epochs=2):
        self.max_epochs = max_epochs

    def train(self, loader, module, optimizer):
        module.train()
        outputs = []
        for i, batch in enumerate(loader):
            optimizer.zero_grad()
            output = module.process(batch)
            output["loss"].backward()
            optimizer.step()
            outputs.append(output)
            done = (i + 1) / len(loader)
        return module.summarise(outputs), done

    def fit(self, module, loader):
        optimizer = torch.optim.Adam(module.parameters(), lr=1e-3)
        for epoch in range(self.max_epochs):
            print(epoch, self.train(loader, module, optimizer))


loader = [{"rgb": torch.rand(2, 3, 8, 8), "target": torch.rand(2, 1, 8, 8)} for _ in range(6)]
Driver().fit(DepthModel(), loader)

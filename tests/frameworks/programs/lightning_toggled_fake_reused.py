import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader


class Gan(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.generator, self.critic = nn.Linear(4, 2), nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))

    def training_step(self, batch, batch_idx):
        generating, judging = self.optimizers()
        self.toggle_optimizer(judging)
        fake = torch.tanh(self.generator(torch.randn(2, 4)))  # no graph: the generator is switched off
        loss = self.critic(fake).mean() - self.critic(batch).mean()
        judging.zero_grad()
        self.manual_backward(loss)
        judging.step()
        self.untoggle_optimizer(judging)
        fooled = -self.critic(fake).mean()
        self.critic.zero_grad()
        self.manual_backward(fooled)

    def configure_optimizers(self):
        return [torch.optim.SGD(part.parameters(), lr=0.1) for part in (self.generator, self.critic)]


trainer = L.Trainer(
    max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False
)
trainer.fit(Gan(), DataLoader(torch.randn(8, 2), batch_size=2))

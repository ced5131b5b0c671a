import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader


class Cut(L.Callback):
    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        pl_module.state = pl_module.state.detach()


class Tracker(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 4)
        self.state = torch.zeros(2, 4)

    def training_step(self, batch, batch_idx):
        self.state = self.cell(batch, self.state)
        return {"loss": self.state.mean()}

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


trainer = L.Trainer(
    max_epochs=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    callbacks=[Cut()],
)
trainer.fit(Tracker(), DataLoader(torch.randn(8, 3), batch_size=2))

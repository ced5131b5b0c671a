import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader


class Collect(L.Callback):
    def __init__(self):
        self.predictions = []

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        self.predictions.append(outputs["prediction"])  # want: SP302


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))

    def training_step(self, batch, batch_idx):
        prediction = self.layer(batch)
        return {"loss": prediction.pow(2).mean(), "prediction": prediction}

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


trainer = L.Trainer(
    max_epochs=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    callbacks=[Collect()],
)
trainer.fit(Net(), DataLoader(torch.randn(8, 3), batch_size=2))

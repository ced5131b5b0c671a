import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader


class Windows(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.rnn, self.head = nn.LSTM(3, 4, batch_first=True), nn.Linear(4, 1)

    def training_step(self, batch, batch_idx):
        optimizer = self.optimizers()
        state = None
        for window in batch.split(3, dim=1):
            out, state = self.rnn(window, state)  # want: SP101
            loss = self.head(out).pow(2).mean()
            optimizer.zero_grad()
            self.manual_backward(loss)  # raises
            optimizer.step()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


trainer = L.Trainer(
    max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False
)
trainer.fit(Windows(), DataLoader(torch.randn(8, 9, 3), batch_size=2))

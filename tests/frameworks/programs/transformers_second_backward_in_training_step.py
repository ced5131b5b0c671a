import torch
from torch import nn
from transformers import Trainer, TrainingArguments


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)

    def forward(self, x, labels=None):
        return torch.tanh(self.layer(x))


class Penalised(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        self.features = model(**inputs)
        return self.features.pow(2).mean()

    def training_step(self, model, inputs, num_items_in_batch=None):
        loss = super().training_step(model, inputs, num_items_in_batch)
        self.accelerator.backward(self.features.abs().mean())  # raises # want: SP105
        return loss


rows = [{"x": torch.randn(3), "labels": torch.tensor(0)} for _ in range(8)]
args = TrainingArguments(
    output_dir="out",
    use_cpu=True,
    per_device_train_batch_size=2,
    num_train_epochs=1,
    report_to=[],
    save_strategy="no",
    logging_strategy="no",
    disable_tqdm=True,
)
Penalised(model=Net(), args=args, train_dataset=rows).train()

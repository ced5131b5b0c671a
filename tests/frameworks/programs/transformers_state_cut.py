import torch
from torch import nn
from transformers import Trainer, TrainingArguments


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)

    def forward(self, x, labels=None):
        return torch.tanh(self.layer(x))


class Smooth(Trainer):
    previous = None

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        features = model(**inputs)
        loss = features.pow(2).mean()
        if self.previous is not None:
            loss = loss + (features.mean(0) - self.previous).pow(2).mean()
        self.previous = features.mean(0).detach()
        return (loss, features) if return_outputs else loss

    def training_step(self, *args, **kwargs):
        loss = super().training_step(*args, **kwargs)
        self.losses = [*getattr(self, "losses", []), loss]  # it comes back detached
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
Smooth(model=Net(), args=args, train_dataset=rows).train()

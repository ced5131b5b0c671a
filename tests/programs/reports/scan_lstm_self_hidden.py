# judge: verdict only
# LSTM classifier stores its hidden state on self in forward and feeds it to the next batch
import torch
import torch.nn as nn

torch.manual_seed(0)


class ScanClassifier(nn.Module):
    def __init__(self, n_regions, hidden_dim, n_classes, batch_size):
        super().__init__()
        self.hidden_dim = hidden_dim
        self.batch_size = batch_size
        self.lstm = nn.LSTM(n_regions, hidden_dim, batch_first=True)
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(hidden_dim, n_classes)
        self.hidden = self.init_hidden()

    def init_hidden(self):
        shape = (1, self.batch_size, self.hidden_dim)
        return torch.zeros(shape), torch.zeros(shape)

    def forward(self, scans):
        seq, self.hidden = self.lstm(scans, self.hidden)
        last = self.drop(seq[:, -1])
        return self.head(last)


def train(model, batches, epochs=2, lr=1e-2):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    model.train()
    for epoch in range(epochs):
        correct, seen = 0, 0
        for scans, labels in batches:
            optimizer.zero_grad()
            logits = model(scans)
            loss = criterion(logits, labels)
            loss.backward()  # raises
            optimizer.step()
            correct += (logits.argmax(1) == labels).sum().item()
            seen += labels.numel()
        print(f"epoch {epoch}: train acc {correct / seen:.3f}")


if __name__ == "__main__":
    batch_size = 8
    batches = [(torch.randn(batch_size, 12, 6), torch.randint(0, 2, (batch_size,))) for _ in range(5)]
    model = ScanClassifier(n_regions=6, hidden_dim=16, n_classes=2, batch_size=batch_size)
    train(model, batches)

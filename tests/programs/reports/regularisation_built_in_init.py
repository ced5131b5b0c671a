# judge: verdict only
# CTR model computes its L2 term once in __init__ and adds it to every batch loss
import torch
import torch.nn as nn

torch.manual_seed(0)


class ClickModel(nn.Module):
    def __init__(self, field_sizes, embed_dim=4, shrink_emb=1e-3, shrink_lin=1e-3):
        super().__init__()
        self.embeddings = nn.ModuleList([nn.Embedding(n, embed_dim) for n in field_sizes])
        self.linear = nn.Linear(embed_dim * len(field_sizes), 1)
        self.penalty = torch.zeros(1)
        self.shrink(self.embeddings.parameters(), shrink_emb)
        self.shrink(self.linear.parameters(), shrink_lin)

    def shrink(self, weights, l2):
        for w in weights:
            self.penalty = self.penalty + torch.sum(l2 * torch.square(w))

    def forward(self, x):
        e = torch.cat([emb(x[:, i]) for i, emb in enumerate(self.embeddings)], dim=1)
        return torch.sigmoid(self.linear(e)).squeeze(1)

    def fit(self, x, y, batch_size=16, epochs=1):
        stepper = torch.optim.Adagrad(self.parameters(), lr=0.05)
        for epoch in range(epochs):
            order = torch.randperm(len(x))
            running = 0.0
            for idx in order.split(batch_size):
                stepper.zero_grad()
                clicked = self(x[idx])
                loss = nn.functional.binary_cross_entropy(clicked, y[idx], reduction="sum")
                objective = loss + self.penalty.sum()
                running += objective.item()
                objective.backward()  # raises
                stepper.step()
            print(f"epoch {epoch} loss {running / len(x):.4f}")


fields = [10, 7, 5]
x = torch.stack([torch.randint(0, n, (64,)) for n in fields], dim=1)
y = torch.randint(0, 2, (64,)).float()
ClickModel(fields).fit(x, y, epochs=2)

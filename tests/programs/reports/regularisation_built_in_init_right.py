# judge: verdict only
# CTR model computes its L2 term once in __init__ and adds it to every batch loss (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)


class ClickModel(nn.Module):
    def __init__(self, field_sizes, embed_dim=4, shrink_emb=1e-3, shrink_lin=1e-3):
        super().__init__()
        self.embeddings = nn.ModuleList([nn.Embedding(n, embed_dim) for n in field_sizes])
        self.linear = nn.Linear(embed_dim * len(field_sizes), 1)
        self.regularised = []
        self.remember(self.embeddings.parameters(), shrink_emb)
        self.remember(self.linear.parameters(), shrink_lin)

    def remember(self, weights, l2):
        self.regularised += [(w, l2) for w in weights]

    def penalty_now(self):
        return sum(torch.sum(l2 * torch.square(w)) for w, l2 in self.regularised)

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
                objective = loss + self.penalty_now()
                running += objective.item()
                objective.backward()
                stepper.step()
            print(f"epoch {epoch} loss {running / len(x):.4f}")


fields = [10, 7, 5]
x = torch.stack([torch.randint(0, n, (64,)) for n in fields], dim=1)
y = torch.randint(0, 2, (64,)).float()
ClickModel(fields).fit(x, y, epochs=2)

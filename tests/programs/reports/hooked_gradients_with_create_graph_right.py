# judge: verdict only
# A tensor hook collects embedding gradients of a backward(create_graph=True) into a list that is never emptied (put right)
import warnings

import torch
import torch.nn as nn

warnings.filterwarnings("ignore", message="Using backward")
torch.manual_seed(0)
embedding_gradients = []


def keep_gradient(grad):
    embedding_gradients.append(grad)


class BagClassifier(nn.Module):
    def __init__(self, vocab=40, dim=12, classes=3):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim)
        self.ff = nn.Sequential(nn.Linear(dim, 16), nn.Tanh(), nn.Linear(16, classes))

    def forward(self, ids):
        emb = self.embedding(ids)
        if emb.requires_grad:
            emb.register_hook(keep_gradient)
        return self.ff(emb.mean(1))


def saliency_target(grad, mask):
    per_token = grad.norm(dim=-1)
    return (per_token * mask).sum() / (per_token.sum() + 1e-8)


model = BagClassifier()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    ids, labels = torch.randint(0, 40, (4, 7)), torch.randint(0, 3, (4,))
    mask = (torch.arange(7) > 0).float()
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(ids), labels)
    loss.backward(create_graph=True)
    focus = saliency_target(embedding_gradients[-1], mask)
    optimizer.zero_grad()
    (loss + focus).backward()
    optimizer.step()
    embedding_gradients.clear()
    print(step, round(loss.item(), 4), round(focus.item(), 4))

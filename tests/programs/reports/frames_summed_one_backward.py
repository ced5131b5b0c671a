# judge: verdict only
# Video memory network: memory grows over the frames of a clip, losses are summed, one backward per clip
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class MemoryReader(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.enc_q, self.enc_m = nn.Conv2d(3, dim, 3, padding=1), nn.Conv2d(4, dim, 3, padding=1)
        self.dec = nn.Conv2d(2 * dim, 1, 3, padding=1)

    def memorize(self, frame, mask):
        return self.enc_m(torch.cat([frame, mask], 1)).flatten(2)

    def segment(self, frame, memory):
        q = self.enc_q(frame)
        keys = torch.cat(memory, dim=2)
        att = torch.softmax(keys.transpose(1, 2) @ q.flatten(2) / q.size(1) ** 0.5, dim=1)
        read = (keys @ att).view_as(q)
        return torch.sigmoid(self.dec(torch.cat([q, read], 1)))


def train_clip(model, optimizer, frames, masks):
    memory = [model.memorize(frames[0], masks[0])]
    losses, prev_mask = [], masks[0]
    for t in range(1, len(frames)):
        pred = model.segment(frames[t], memory)
        losses.append(F.binary_cross_entropy(pred, masks[t]))
        prev_mask = pred
        memory.append(model.memorize(frames[t], prev_mask))
    total = sum(losses)
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
    return total.item() / len(losses)


model = MemoryReader()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
history = []
for it in range(4):
    frames = torch.rand(3, 2, 3, 8, 8)
    masks = (torch.rand(3, 2, 1, 8, 8) > 0.6).float()
    history.append(train_clip(model, optimizer, frames, masks))
    print(it, round(history[-1], 4))

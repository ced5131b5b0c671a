# judge: verdict only
# external memory dict carried over batches and cut by a dict comprehension with isinstance
import torch
import torch.nn as nn

torch.manual_seed(0)


class ExternalMemory(nn.Module):
    def __init__(self, slots=6, width=5, ctrl=8):
        super().__init__()
        self.key, self.erase, self.write = nn.Linear(ctrl, width), nn.Linear(ctrl, width), nn.Linear(ctrl, width)
        self.slots, self.width = slots, width

    def reset(self, bs, hidden=None, erase=True):
        if hidden is None or erase:
            return {"memory": torch.full((bs, self.slots, self.width), 1e-4), "usage": torch.zeros(bs, self.slots),
                    "age": 0}
        return dict(hidden)

    def forward(self, ctrl, hidden):
        w = torch.softmax(torch.einsum("bsw,bw->bs", hidden["memory"], self.key(ctrl)), -1)
        erase, add = torch.sigmoid(self.erase(ctrl)), torch.tanh(self.write(ctrl))
        mem = hidden["memory"] * (1 - w.unsqueeze(2) * erase.unsqueeze(1)) + w.unsqueeze(2) * add.unsqueeze(1)
        hidden = {"memory": mem, "usage": 0.9 * hidden["usage"] + w, "age": hidden["age"] + 1}
        return torch.einsum("bsw,bs->bw", mem, w), hidden


class Controller(nn.Module):
    def __init__(self, n_in=4):
        super().__init__()
        self.rnn, self.mem, self.out = nn.LSTMCell(n_in + 5, 8), ExternalMemory(), nn.Linear(13, n_in)

    def forward(self, xs, state=(None, None, None), reset_experience=False):
        chx, mhx, read = state
        bs = xs.size(0)
        mhx = self.mem.reset(bs, mhx, erase=reset_experience)
        chx = (torch.zeros(bs, 8), torch.zeros(bs, 8)) if chx is None else chx
        read = torch.zeros(bs, 5) if read is None else read
        outs = []
        for t in range(xs.size(1)):
            chx = self.rnn(torch.cat([xs[:, t], read], 1), chx)
            read, mhx = self.mem(chx[0], mhx)
            outs.append(self.out(torch.cat([chx[0], read], 1)))
        return torch.stack(outs, 1), (chx, mhx, read)


net = Controller()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, eps=1e-9)
mhx, last_losses = None, []
for step in range(6):
    optimizer.zero_grad()
    xs = (torch.rand(2, 5, 4) > 0.5).float()
    output, (chx, mhx, rv) = net(xs, (None, mhx, None), reset_experience=False)
    loss = nn.functional.binary_cross_entropy_with_logits(output, xs)
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 10)
    optimizer.step()
    mhx = {k: (v.detach() if isinstance(v, torch.Tensor) else v) for k, v in mhx.items()}
    last_losses.append(loss.item())
print(sum(last_losses) / len(last_losses), mhx["age"])

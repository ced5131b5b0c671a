# judge: verdict only
# backward at each time step; the state is cut inside a subclass' charge method
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class BaseNode(nn.Module):
    def __init__(self, threshold=1.0):
        super().__init__()
        self.threshold, self.v = threshold, None

    def charge(self, x):
        raise NotImplementedError

    def forward(self, x):
        if self.v is None:
            self.v = torch.zeros_like(x)
        self.charge(x)
        spike = torch.sigmoid(4 * (self.v - self.threshold))
        self.v = self.v - spike * self.threshold
        return spike

    def reset(self):
        self.v = None


class FullHistoryNode(BaseNode):
    def charge(self, x):
        self.v = 0.5 * self.v + x


class OnlineNode(BaseNode):
    def charge(self, x):
        self.v = 0.5 * self.v.detach() + x


class TracedLinear(nn.Linear):
    def __init__(self, n_in, n_out):
        super().__init__(n_in, n_out)
        self.trace = None

    def forward(self, x):
        with torch.no_grad():
            self.trace = x if self.trace is None else 0.5 * self.trace + x
        return super().forward(x + (self.trace - x).detach())


def build(node):
    return nn.Sequential(TracedLinear(7, 12), node(), TracedLinear(12, 3), node())


def train_online(net, optimizer, x_seq, target):
    total = 0.0
    for x_t in x_seq:
        optimizer.zero_grad()
        loss = F.mse_loss(net(x_t), target)
        loss.backward()
        optimizer.step()
        total += loss.detach()
    return total / len(x_seq)


net = build(OnlineNode)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for batch in range(4):
    print(float(train_online(net, optimizer, torch.rand(6, 4, 7), torch.rand(4, 3))))
    for m in net.modules():
        if isinstance(m, BaseNode):
            m.reset()
        elif isinstance(m, TracedLinear):
            m.trace = None

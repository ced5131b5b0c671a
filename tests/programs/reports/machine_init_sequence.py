# judge: verdict only
# stateful machine re-initialised by init_sequence per batch; outputs written into a preallocated tensor
import torch
import torch.nn as nn

torch.manual_seed(0)


class Machine(nn.Module):
    def __init__(self, n_in, n_out, n=6, m=4, width=10):
        super().__init__()
        self.n_in, self.n, self.m, self.width = n_in, n, m, width
        self.ctrl, self.addr = nn.LSTMCell(n_in + m, width), nn.Linear(width, n)
        self.content, self.out = nn.Linear(width, m), nn.Linear(width + m, n_out)
        self.register_buffer("bias", torch.full((n, m), 0.05))

    def create_new_state(self, bs):
        return torch.zeros(bs, self.m), (torch.zeros(bs, self.width), torch.zeros(bs, self.width))

    def step(self, x, state, memory):
        read, hc = state
        h, c = self.ctrl(torch.cat([x, read], 1), hc)
        w = torch.softmax(self.addr(h), 1).unsqueeze(2)
        memory = memory * (1 - 0.5 * w) + w * torch.tanh(self.content(h)).unsqueeze(1)
        read = (memory * w).sum(1)
        return torch.sigmoid(self.out(torch.cat([h, read], 1))), (read, (h, c)), memory


class Encapsulated(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.machine = Machine(n_in, n_out)

    def init_sequence(self, batch_size):
        self.batch_size = batch_size
        self.memory = self.machine.bias.clone().repeat(batch_size, 1, 1)
        self.previous_state = self.machine.create_new_state(batch_size)

    def forward(self, x=None):
        if x is None:
            x = torch.zeros(self.batch_size, self.machine.n_in)
        o, self.previous_state, self.memory = self.machine.step(x, self.previous_state, self.memory)
        return o, self.previous_state


def clip_grads(net):
    for p in filter(lambda q: q.grad is not None, net.parameters()):
        p.grad.data.clamp_(-10, 10)


def train_batch(net, criterion, optimizer, X, Y):
    optimizer.zero_grad()
    net.init_sequence(X.size(1))
    for i in range(X.size(0)):
        net(X[i])
    y_out = torch.zeros(Y.size())
    for i in range(Y.size(0)):
        y_out[i], _ = net()
    loss = criterion(y_out, Y)
    loss.backward()
    clip_grads(net)
    optimizer.step()
    binarized = y_out.clone().data.apply_(lambda v: 0 if v < 0.5 else 1)
    return loss.item(), torch.sum(torch.abs(binarized - Y.data)).item()


net = Encapsulated(5, 4)
optimizer = torch.optim.RMSprop(net.parameters(), momentum=0.9, lr=1e-4)
losses, costs = [], []
for batch in range(5):
    Y = torch.bernoulli(torch.full((3, 2, 4), 0.5))
    X = torch.cat([torch.cat([Y, torch.zeros(3, 2, 1)], 2), torch.ones(1, 2, 5)])
    loss, cost = train_batch(net, nn.BCELoss(), optimizer, X, Y)
    losses += [loss]
    costs += [cost]

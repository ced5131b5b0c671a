# judge: verdict only
# MAML: weights list rebuilt from autograd.grad in a loop, list of query losses, one backward
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.vars = nn.ParameterList([nn.Parameter(torch.randn(16, 6) * 0.2), nn.Parameter(torch.zeros(16)),
                                      nn.Parameter(torch.randn(3, 16) * 0.2), nn.Parameter(torch.zeros(3))])

    def forward(self, x, vars=None):
        w1, b1, w2, b2 = self.vars if vars is None else vars
        return F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2)


class Meta(nn.Module):
    def __init__(self, inner_lr=0.1, inner_steps=4):
        super().__init__()
        self.inner_lr, self.inner_steps = inner_lr, inner_steps
        self.net = Learner()
        self.outer = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def sgd(self, grad, weights):
        return list(map(lambda p: p[1] - self.inner_lr * p[0], zip(grad, weights)))

    def forward(self, xs, ys, xq, yq):
        task_num = xs.size(0)
        query_losses = [0 for _ in range(self.inner_steps + 1)]
        hits = [0] * (self.inner_steps + 1)
        for i in range(task_num):
            loss = F.cross_entropy(self.net(xs[i]), ys[i])
            grad = torch.autograd.grad(loss, self.net.parameters())
            adapted = self.sgd(grad, self.net.parameters())
            with torch.no_grad():
                query_losses[0] += F.cross_entropy(self.net(xq[i]), yq[i])
                query_losses[1] += F.cross_entropy(self.net(xq[i], adapted), yq[i])
            for k in range(1, self.inner_steps):
                loss = F.cross_entropy(self.net(xs[i], adapted), ys[i])
                grad = torch.autograd.grad(loss, adapted)
                adapted = self.sgd(grad, adapted)
                query_logits = self.net(xq[i], adapted)
                query_loss = F.cross_entropy(query_logits, yq[i])
                query_losses[k + 1] += query_loss
                hits[k + 1] += (query_logits.argmax(1) == yq[i]).sum().item()
        query_loss = query_losses[-1] / task_num
        self.outer.zero_grad()
        query_loss.backward()
        self.outer.step()
        return hits[-1] / yq.numel()


maml = Meta()
for step in range(4):
    acc = maml(torch.randn(3, 5, 6), torch.randint(0, 3, (3, 5)), torch.randn(3, 8, 6), torch.randint(0, 3, (3, 8)))
print(acc)

# judge: verdict only
# Filter bank writes into a preallocated self.responses buffer on every forward (put right)
import torch
from torch import nn

torch.manual_seed(0)


class RetinaFilter(nn.Module):
    """Bank of scalar kernels whose responses are squashed and decoded."""

    def __init__(self, batch_size, pixels, n_kernels, classes):
        super().__init__()
        self.kernels = nn.ModuleList(nn.Linear(pixels, 1) for _ in range(n_kernels))
        self.squeeze_out = nn.Linear(n_kernels, 8)
        self.decode = nn.Linear(8, classes)
        # allocated once so that we do not hit the allocator on every frame
        self.responses = torch.zeros(batch_size, n_kernels)

    def forward(self, frame):
        self.responses = torch.zeros(frame.size(0), len(self.kernels))
        for i, f in enumerate(self.kernels):
            self.responses[:, i] = torch.tanh(f(frame)).squeeze(1)
        summary = nn.functional.elu(self.squeeze_out(self.responses))
        return self.decode(summary)


def stream(batch_size, pixels, steps):
    for _ in range(steps):
        yield torch.rand(batch_size, pixels), torch.randint(0, 4, (batch_size,))


def main(steps=4, batch_size=5, pixels=20):
    net = RetinaFilter(batch_size, pixels, 6, 4)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    history = []
    for frame, label in stream(batch_size, pixels, steps):
        optimizer.zero_grad(set_to_none=True)
        loss = nn.functional.cross_entropy(net(frame), label)
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    print(["%.3f" % v for v in history])


main()

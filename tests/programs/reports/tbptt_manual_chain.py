# judge: verdict only
# Hand-rolled TBPTT: per-step leaf states in a list, gradients passed backwards by hand with several backward calls
import torch
import torch.nn as nn

torch.manual_seed(0)


class WindowedTrainer:
    def __init__(self, step_fn, criterion, k, optimizer):
        self.step_fn, self.criterion = step_fn, criterion
        self.k, self.optimizer = k, optimizer

    def train(self, sequence, first_state):
        states, outputs, targets, losses = [(None, first_state)], [], [], []
        for j, (inp, target) in enumerate(sequence):
            state = states[-1][1].detach()
            state.requires_grad_(True)
            output, new_state = self.step_fn(inp, state)
            states.append((state, new_state))
            outputs.append(output)
            targets.append(target)
            while len(states) > self.k + 1:
                del states[0]
            if (j + 1) % self.k == 0:
                self.optimizer.zero_grad()
                window = list(zip(outputs, targets, states[1:]))
                grad = None
                for out, tgt, (leaf, after) in reversed(window):
                    loss = self.criterion(out, tgt)
                    if grad is not None:
                        torch.autograd.backward([loss, after], [torch.ones_like(loss), grad])
                    else:
                        loss.backward()
                    grad = leaf.grad
                    losses.append(loss.item())
                self.optimizer.step()
                outputs.clear()
                targets.clear()
        return sum(losses) / len(losses)


class OneStep(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.core = nn.GRUCell(size, size)
        self.readout = nn.Linear(size, size)

    def forward(self, inp, state):
        new_state = self.core(inp, state)
        return self.readout(new_state), new_state


size = 6
module = OneStep(size)
runner = WindowedTrainer(module, nn.MSELoss(), k=4, optimizer=torch.optim.SGD(module.parameters(), lr=0.05))
for epoch in range(2):
    seq = [(torch.randn(3, size), torch.randn(3, size)) for _ in range(12)]
    print(epoch, round(runner.train(seq, torch.zeros(3, size)), 4))

# judge: verdict only
# Agent cuts its LSTM memory every cut_every steps, but learns every learn_every steps (put right)
from dataclasses import dataclass

import torch
import torch.nn as nn

torch.manual_seed(0)


@dataclass
class Options:
    episode_length: int = 20
    cut_every: int = 5
    learn_every: int = 5
    memory_size: int = 12
    cell: str = "lstm"


class Listener(nn.Module):
    def __init__(self, n_signals, opt):
        super().__init__()
        self.opt = opt
        self.read = nn.Linear(n_signals, opt.memory_size)
        make = nn.LSTMCell if opt.cell == "lstm" else nn.GRUCell
        self.core = make(opt.memory_size, opt.memory_size)
        self.guess = nn.Linear(opt.memory_size, 1)

    def blank(self, n):
        z = torch.zeros(n, self.opt.memory_size)
        return (z, z.clone()) if self.opt.cell == "lstm" else z

    def forward(self, signals, memory):
        memory = self.core(torch.tanh(self.read(signals)), memory)
        top = memory[0] if isinstance(memory, tuple) else memory
        return self.guess(top), memory


def cut(memory):
    return tuple(m.detach() for m in memory) if isinstance(memory, tuple) else memory.detach()


def play(listener, opt, optimizer):
    memory, pending = listener.blank(3), []
    for clock in range(1, opt.episode_length + 1):
        signals, pay = torch.randn(3, 6), torch.rand(3, 1)
        expected, memory = listener(signals, memory)
        pending.append((expected - pay).pow(2).mean())
        if clock % opt.learn_every == 0:
            optimizer.zero_grad()
            torch.stack(pending).mean().backward()
            optimizer.step()
            pending = []
        if clock % opt.cut_every == 0:
            memory = cut(memory)


if __name__ == "__main__":
    opt = Options()
    listener = Listener(6, opt)
    play(listener, opt, torch.optim.RMSprop(listener.parameters(), lr=1e-3))
    print("episode finished")

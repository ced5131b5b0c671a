import torch


class Player:
    def __init__(self):
        self.cell = torch.nn.GRUCell(3, 4)
        self.state = torch.zeros(2, 4)

    def rest(self, x):
        with torch.no_grad():
            self.state = self.cell(x, self.state)

    def learn(self, x):
        self.state = self.cell(x, self.state)  # want: SP101
        self.state.pow(2).mean().backward()  # raises


def plan():
    for word in ("rest", "rest", "rest", "learn", "rest", "rest", "learn", "learn"):
        yield word, torch.randn(2, 3)


player = Player()
for word, x in plan():
    getattr(player, word)(x)

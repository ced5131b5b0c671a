# judge: verdict only
# Policy gradient: the gains are cleared after an episode, the stored log-probabilities are not
import torch
import torch.nn as nn

torch.manual_seed(0)


class Corridor:
    def __init__(self, length=6, limit=10):
        self.length, self.limit = length, limit

    def start(self):
        self.where, self.ticks = self.length // 2, 0
        return self.view()

    def view(self):
        return nn.functional.one_hot(torch.tensor(self.where), self.length).float()

    def move(self, right):
        self.ticks += 1
        self.where = min(self.length - 1, max(0, self.where + (1 if right else -1)))
        finished = self.where in (0, self.length - 1) or self.ticks == self.limit
        return self.view(), 1.0 if self.where == self.length - 1 else -0.1, finished


class Diary:
    def __init__(self):
        self.log_probs, self.gains = [], []

    def note(self, log_prob, gain):
        self.log_probs.append(log_prob)
        self.gains.append(gain)

    def discounted(self, rate):
        total, out = 0.0, []
        for gain in self.gains[::-1]:
            total = gain + rate * total
            out.append(total)
        return torch.tensor(out[::-1])


def improve(diary, optimizer, rate=0.95):
    worth = diary.discounted(rate)
    objective = -sum(lp * w for lp, w in zip(diary.log_probs, worth)) / len(worth)
    optimizer.zero_grad()
    objective.backward()  # raises
    optimizer.step()
    diary.gains.clear()
    return objective.item()


brain = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(brain.parameters(), lr=2e-2)
world, diary = Corridor(), Diary()
for episode in range(3):
    seen, finished = world.start(), False
    while not finished:
        choice = torch.distributions.Categorical(logits=brain(seen))
        pick = choice.sample()
        seen, gain, finished = world.move(bool(pick))
        diary.note(choice.log_prob(pick), gain)
    print(episode, improve(diary, optimizer))

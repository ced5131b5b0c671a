# judge: verdict only
# recurrent replay stores hidden states as numpy copies
import collections
import random

import numpy as np
import torch
import torch.nn as nn

Segment = collections.namedtuple("Segment", "obs actions rewards state")


class RecurrentQ(nn.Module):
    def __init__(self, n_obs=3, n_act=2, hid=12):
        super().__init__()
        self.lstm = nn.LSTM(n_obs, hid, batch_first=True)
        self.q = nn.Linear(hid, n_act)
        self.hid = hid

    def forward(self, obs, state):
        y, state = self.lstm(obs, state)
        return self.q(y), state

    def zero_state(self, n=1):
        return torch.zeros(1, n, self.hid), torch.zeros(1, n, self.hid)


class SequenceReplay:
    def __init__(self, capacity):
        self.data = collections.deque(maxlen=capacity)

    def add(self, seg):
        self.data.append(seg)

    def sample(self, n):
        segs = random.sample(self.data, n)
        to = lambda key: torch.from_numpy(np.stack([getattr(s, key) for s in segs]))
        h = torch.from_numpy(np.concatenate([s.state[0] for s in segs], 1))
        c = torch.from_numpy(np.concatenate([s.state[1] for s in segs], 1))
        return to("obs"), to("actions"), to("rewards"), (h, c)


def collect(net, replay, segments, length=8):
    state = net.zero_state()
    for _ in range(segments):
        stored = tuple(s.numpy().copy() for s in state)
        obs = np.random.randn(length, 3).astype("float32")
        with torch.no_grad():
            q, state = net(torch.from_numpy(obs)[None], state)
        acts = q[0].argmax(-1).numpy()
        rew = (obs[:, 0] > 0).astype("float32") * (acts == 1)
        replay.add(Segment(obs, acts, rew.astype("float32"), stored))


def learn(net, target, opt, batch, burn=3, gamma=0.9):
    obs, acts, rew, state = batch
    with torch.no_grad():
        _, warm = net(obs[:, :burn], state)
        next_q = target(obs[:, burn:], warm)[0].max(-1).values
    q = net(obs[:, burn:], warm)[0].gather(-1, acts[:, burn:, None]).squeeze(-1)
    goal = rew[:, burn:-1] + gamma * next_q[:, 1:]
    loss = nn.functional.smooth_l1_loss(q[:, :-1], goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


if __name__ == "__main__":
    random.seed(0); np.random.seed(0); torch.manual_seed(0)
    net, target = RecurrentQ(), RecurrentQ()
    target.load_state_dict(net.state_dict())
    opt, replay = torch.optim.Adam(net.parameters(), lr=1e-3), SequenceReplay(40)
    for it in range(15):
        collect(net, replay, 8)
        loss = learn(net, target, opt, replay.sample(6))
        if it % 5 == 4:
            target.load_state_dict(net.state_dict())
            print(it, f"{loss:.4f}")

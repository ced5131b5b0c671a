# judge: verdict only
# A3C: hx/cx re-created if done, else detached
import random
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
random.seed(0)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 16)
        self.cell = nn.LSTMCell(16, 16)
        self.pi = nn.Linear(16, 2)
        self.v = nn.Linear(16, 1)

    def forward(self, inputs):
        obs, (hx, cx) = inputs
        hx, cx = self.cell(torch.relu(self.body(obs)), (hx, cx))
        return self.v(hx), self.pi(hx), (hx, cx)


class Env:
    def reset(self):
        self.t = 0
        return [random.random() for _ in range(4)]

    def step(self, a):
        self.t += 1
        return [random.random() for _ in range(4)], float(a == self.t % 2), self.t >= 11


model, env = Policy(), Env()
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
state = torch.tensor(env.reset())
done = True
for update in range(8):
    if done:
        cx = torch.zeros(1, 16)
        hx = torch.zeros(1, 16)
    else:
        cx = cx.detach()
        hx = hx.detach()
    values, log_probs, rewards, entropies = [], [], [], []
    for step in range(5):
        value, logit, (hx, cx) = model((state.unsqueeze(0), (hx, cx)))
        prob = F.softmax(logit, dim=-1)
        entropies.append(-(F.log_softmax(logit, dim=-1) * prob).sum(1, keepdim=True))
        action = prob.multinomial(1).detach()
        log_probs.append(F.log_softmax(logit, dim=-1).gather(1, action))
        obs, reward, done = env.step(action.item())
        state = torch.tensor(env.reset() if done else obs)
        values.append(value)
        rewards.append(reward)
        if done:
            break
    R = torch.zeros(1, 1)
    if not done:
        R = model((state.unsqueeze(0), (hx, cx)))[0].detach()
    loss = 0
    for i in reversed(range(len(rewards))):
        R = 0.99 * R + rewards[i]
        adv = R - values[i]
        loss = loss + 0.5 * adv.pow(2) - log_probs[i] * adv.detach() - 0.01 * entropies[i]
    optimizer.zero_grad()
    loss.sum().backward()
    optimizer.step()

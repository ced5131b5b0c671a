# judge: verdict only
# rollout buffers filled by copy_ under no_grad, several PPO epochs over them, done masks multiply the state
import torch
import torch.nn as nn

torch.manual_seed(0)
STEPS, PROCS, OBS, HID, ACT = 5, 3, 4, 8, 2


class RolloutStorage:
    def __init__(self):
        self.obs = torch.zeros(STEPS + 1, PROCS, OBS)
        self.rnn_states = torch.zeros(STEPS + 1, PROCS, HID)
        self.values = torch.zeros(STEPS + 1, PROCS, 1)
        self.returns = torch.zeros(STEPS + 1, PROCS, 1)
        self.logp = torch.zeros(STEPS, PROCS, 1)
        self.rewards = torch.zeros(STEPS, PROCS, 1)
        self.actions = torch.zeros(STEPS, PROCS, 1).long()
        self.masks = torch.ones(STEPS + 1, PROCS, 1)
        self.step = 0

    def insert(self, obs, h, action, logp, value, reward, mask):
        self.obs[self.step + 1].copy_(obs)
        self.rnn_states[self.step + 1].copy_(h)
        self.actions[self.step].copy_(action)
        self.logp[self.step].copy_(logp)
        self.values[self.step].copy_(value)
        self.rewards[self.step].copy_(reward)
        self.masks[self.step + 1].copy_(mask)
        self.step = (self.step + 1) % STEPS

    def after_update(self):
        for buf in (self.obs, self.rnn_states, self.masks):
            buf[0].copy_(buf[-1])

    def compute_returns(self, next_value, gamma=0.99):
        self.returns[-1] = next_value
        for s in reversed(range(STEPS)):
            self.returns[s] = self.returns[s + 1] * gamma * self.masks[s + 1] + self.rewards[s]


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru, self.pi, self.v = nn.GRUCell(OBS, HID), nn.Linear(HID, ACT), nn.Linear(HID, 1)

    def forward(self, obs, h, mask):
        h = self.gru(obs, h * mask)
        return self.v(h), torch.distributions.Categorical(logits=self.pi(h)), h


policy, store = Policy(), RolloutStorage()
opt = torch.optim.Adam(policy.parameters(), lr=1e-3)
for update in range(4):
    for s in range(STEPS):
        with torch.no_grad():
            value, dist, h = policy(store.obs[s], store.rnn_states[s], store.masks[s])
            action = dist.sample()
        mask = (torch.rand(PROCS, 1) > 0.2).float()
        store.insert(torch.randn(PROCS, OBS), h, action.unsqueeze(1), dist.log_prob(action).unsqueeze(1),
                     value, torch.randn(PROCS, 1), mask)
    with torch.no_grad():
        next_value = policy(store.obs[-1], store.rnn_states[-1], store.masks[-1])[0].detach()
    store.compute_returns(next_value)
    adv = store.returns[:-1] - store.values[:-1]
    for epoch in range(2):
        h, loss = store.rnn_states[0], 0
        for s in range(STEPS):
            value, dist, h = policy(store.obs[s], h, store.masks[s])
            ratio = torch.exp(dist.log_prob(store.actions[s, :, 0]).unsqueeze(1) - store.logp[s])
            loss = loss - torch.min(ratio * adv[s], ratio.clamp(0.8, 1.2) * adv[s]).mean()
            loss = loss + 0.5 * (store.returns[s] - value).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    store.after_update()

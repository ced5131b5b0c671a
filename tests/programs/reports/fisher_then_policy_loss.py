# judge: verdict only
# legit retain_graph: conditional Fisher backward before the real loss on the same forward
import torch
import torch.nn as nn

torch.manual_seed(0)


class ActorCritic(nn.Module):
    def __init__(self, n_obs=6, n_act=3):
        super().__init__()
        self.base = nn.Sequential(nn.Linear(n_obs, 24), nn.Tanh())
        self.actor = nn.Linear(24, n_act)
        self.critic = nn.Linear(24, 1)

    def evaluate_actions(self, obs, actions):
        feat = self.base(obs)
        dist = torch.distributions.Categorical(logits=self.actor(feat))
        return self.critic(feat), dist.log_prob(actions), dist.entropy().mean()


class CurvatureOptimizer(torch.optim.SGD):
    def __init__(self, params, lr, every=2):
        super().__init__(params, lr=lr)
        self.every, self.steps, self.acc_stats = every, 0, False
        self.fisher = {}

    def collect(self):
        for group in self.param_groups:
            for p in group["params"]:
                self.fisher[p] = 0.9 * self.fisher.get(p, 0) + 0.1 * p.grad ** 2

    def step(self, closure=None):
        for p, f in self.fisher.items():
            p.grad.div_(f.sqrt() + 1e-2)
        self.steps += 1
        return super().step(closure)


class Agent:
    def __init__(self):
        self.net = ActorCritic()
        self.optimizer = CurvatureOptimizer(self.net.parameters(), lr=1e-2)

    def update(self, obs, actions, returns):
        values, log_probs, entropy = self.net.evaluate_actions(obs, actions)
        adv = returns - values.squeeze(1)
        value_loss = adv.pow(2).mean()
        action_loss = -(adv.detach() * log_probs).mean()
        if self.optimizer.steps % self.optimizer.every == 0:
            self.net.zero_grad()
            sample = values + torch.randn_like(values)
            fisher_loss = -log_probs.mean() - (values - sample.detach()).pow(2).mean()
            fisher_loss.backward(retain_graph=True)
            self.optimizer.collect()
        self.optimizer.zero_grad()
        (0.5 * value_loss + action_loss - 0.01 * entropy).backward()
        self.optimizer.step()
        return value_loss.item()


agent = Agent()
for it in range(6):
    print(agent.update(torch.randn(10, 6), torch.randint(0, 3, (10,)), torch.randn(10)))

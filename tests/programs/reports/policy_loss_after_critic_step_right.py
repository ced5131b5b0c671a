# judge: verdict only
# Actor-critic: the actor's objective is built before the critics step and back-propagated after them, with retain_graph=True (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)


def net(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, 32), nn.ReLU(), nn.Linear(32, n_out))


class GaussianActor(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.trunk = net(n_obs, 2 * n_act)

    def forward(self, obs):
        centre, spread = self.trunk(obs).chunk(2, dim=-1)
        dist = torch.distributions.Normal(centre, nn.functional.softplus(spread) + 0.05)
        move = dist.rsample()
        return move, dist.log_prob(move).sum(-1, keepdim=True)


class SoftUpdater:
    def __init__(self, n_obs, n_act, temperature=0.1):
        self.actor = GaussianActor(n_obs, n_act)
        self.critics = [net(n_obs + n_act, 1) for _ in range(2)]
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opts = [torch.optim.Adam(c.parameters(), lr=1e-3) for c in self.critics]
        self.temperature = temperature

    def _apply(self, optimizer, objective):
        optimizer.zero_grad()
        objective.backward(retain_graph=True)
        optimizer.step()

    def update(self, obs, moves, returns):
        fresh, log_p = self.actor(obs)

        errors = []
        for critic, optimizer in zip(self.critics, self.critic_opts):
            error = (critic(torch.cat([obs, moves], -1)) - returns).square().mean()
            self._apply(optimizer, error)
            errors.append(error.item())
        values = [c(torch.cat([obs, fresh], -1)) for c in self.critics]
        actor_objective = (self.temperature * log_p - torch.minimum(*values)).mean()
        self._apply(self.actor_opt, actor_objective)
        return errors, actor_objective.item()


updater = SoftUpdater(4, 2)
for _ in range(3):
    print(updater.update(torch.randn(16, 4), torch.randn(16, 2), torch.randn(16, 1)))

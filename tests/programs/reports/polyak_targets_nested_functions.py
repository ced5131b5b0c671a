# judge: verdict only
# SAC in nested functions: frozen critics, no_grad targets, inference_mode acting, .data polyak
from copy import deepcopy
import itertools
import torch
import torch.nn as nn

torch.manual_seed(0)


class ActorCritic(nn.Module):
    def __init__(self, obs=4, act=2):
        super().__init__()
        self.mu_net, self.log_std = nn.Sequential(nn.Linear(obs, 16), nn.ReLU(), nn.Linear(16, act)), nn.Parameter(-torch.ones(act))
        self.q1 = nn.Sequential(nn.Linear(obs + act, 16), nn.ReLU(), nn.Linear(16, 1))
        self.q2 = nn.Sequential(nn.Linear(obs + act, 16), nn.ReLU(), nn.Linear(16, 1))

    def pi(self, o):
        dist = torch.distributions.Normal(self.mu_net(o), self.log_std.exp())
        a = dist.rsample()
        return torch.tanh(a), dist.log_prob(a).sum(-1, keepdim=True)

    @torch.inference_mode()
    def act(self, o):
        return self.pi(o)[0].numpy()


def sac(steps=12, gamma=0.99, polyak=0.9, alpha=0.2):
    ac = ActorCritic()
    ac_targ = deepcopy(ac)
    for p in ac_targ.parameters():
        p.requires_grad = False
    q_params = list(itertools.chain(ac.q1.parameters(), ac.q2.parameters()))
    pi_opt = torch.optim.Adam([*ac.mu_net.parameters(), ac.log_std], lr=1e-3)
    q_opt = torch.optim.Adam(q_params, lr=1e-3)
    buf, log = [], {"q": [], "pi": []}

    def compute_loss_q(o, a, r, o2):
        with torch.no_grad():
            a2, logp = ac.pi(o2)
            sa2 = torch.cat([o2, a2], -1)
            backup = r + gamma * (torch.min(ac_targ.q1(sa2), ac_targ.q2(sa2)) - alpha * logp)
        sa = torch.cat([o, a], -1)
        return ((ac.q1(sa) - backup) ** 2).mean() + ((ac.q2(sa) - backup) ** 2).mean()

    def update(data):
        o, a, r, o2 = data
        q_opt.zero_grad()
        loss_q = compute_loss_q(o, a, r, o2)
        loss_q.backward()
        q_opt.step()
        for p in q_params:
            p.requires_grad = False
        pi_opt.zero_grad()
        pi, logp = ac.pi(o)
        sa = torch.cat([o, pi], -1)
        loss_pi = (alpha * logp - torch.min(ac.q1(sa), ac.q2(sa))).mean()
        loss_pi.backward()
        pi_opt.step()
        for p in q_params:
            p.requires_grad = True
        with torch.no_grad():
            for p, p_targ in zip(ac.parameters(), ac_targ.parameters()):
                p_targ.data.mul_(polyak)
                p_targ.data.add_((1 - polyak) * p.data)
        log["q"].append(loss_q.item())
        log["pi"].append(loss_pi.item())

    o = torch.randn(4)
    for t in range(steps):
        a = torch.as_tensor(ac.act(o))
        o2 = torch.randn(4)
        buf.append((o, a, torch.randn(1), o2))
        o = o2
        if t >= 4:
            idx = torch.randint(0, len(buf), (6,)).tolist()
            update([torch.stack(col) for col in zip(*(buf[i] for i in idx))])
    return log


print(sac()["q"][-1])

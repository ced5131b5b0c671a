"""Scenarios of agents: stored log-probabilities, several updates over one rollout, a differentiable world."""

from __future__ import annotations

from tests.judge.draft import Draft, at_iteration, indent
from tests.judge.models import module
from tests.judge.walk import optimizer, walk_lines


def policy_gradient(d: Draft) -> None:
    """Log-probabilities stored over an episode and walked at its end."""
    pol = module(d, "policy", d.inputs, d.outputs, "policy", "actor", "pi")
    store = d.role("saved", "setup", "saved_log_probs", "log_probs", "trajectory", "rollout")
    d.setup.append(f"{store} = []")
    d.need("from torch.distributions import Categorical")
    optimizer(d)
    form = d.pick("log_prob", "rsample", "value", "dist")
    d.feature("episode", form)
    if form == "log_prob":
        d.slots["forward"] += [
            f"$dist = Categorical(logits={pol}($x))",
            "$action = $dist.sample()",
            f"{store}.append($dist.log_prob($action))",
        ]
        item = "(lp * r).sum()"
    elif form == "value":
        d.slots["forward"] += [f"$value = {pol}($x)", f"{store}.append($value{d.pick('', '', '.clone()')})"]
        item = "(lp - r).pow(2).mean()"
    elif form == "rsample":
        d.imports.remove("from torch.distributions import Categorical")
        d.need("from torch.distributions import Normal")
        d.slots["forward"] += [
            f"$dist = Normal({pol}($x), 1.0)",
            f"$action = $dist.{d.pick('rsample', 'sample')}()",
            f"{store}.append($dist.log_prob($action))",
        ]
        item = "(lp * r).mean()"
    else:
        d.slots["forward"] += [f"$logp = F.log_softmax({pol}($x), dim=-1)", f"{store}.append($logp[:, 0])"]
        item = "(lp * r).mean()"
    end = d.weighted({"each": 3.0, "gap": 4.0, "after": 1.5})
    cleared = d.weighted({"clear": 3.0, "never": 3.5, "del": 1.0, "pop": 1.0})
    d.feature("store", end, cleared)
    clear = {
        "clear": [f"{store}.clear()"],
        "never": list[str](),
        "del": [f"del {store}[:]"],
        "pop": [f"{store}.pop(0)"],
    }[cleared]
    total = d.pick(
        f"$loss = sum(-{item} for lp, r in zip({store}, range(1, 9)))",
        f"$loss = torch.stack([-{item} for lp, r in zip({store}, [1.0] * 9)]).sum()",
    )
    body = [*d.slots["walk"], total, *walk_lines(d, "$loss", 0.5), *d.slots["step"], *clear]
    d.slots["walk"], d.slots["step"] = [], []
    if end == "each":
        d.slots["walk"] = body
    elif end == "gap":
        i, k = d.use_counter(), d.pick(2, 3)
        d.slots["walk"] = [
            d.pick(f"if ({i} + 1) % {k} == 0:", f"if len({store}) == {k}:", f"if {i} == {d.iterations - 1}:"),
            *indent(body),
        ]
    else:
        body = at_iteration(body, d.iterations - 1)
        d.after += (
            [*body, d.pick("$loss.backward()", "print($loss.item())", "print($loss.item())")] if d.chance(0.3) else body
        )


def proximal(d: Draft) -> None:
    """Several update epochs over one rollout; old log-probabilities, values and advantages cut or not."""
    pol = module(d, "policy", d.inputs, d.outputs, "policy", "actor", "agent")
    val = module(d, "value", d.inputs, 1, "value_net", "critic", "baseline_net")
    optimizer(d)
    cut_p, cut_v = d.weighted({".detach()": 3.0, "": 1.3}), d.weighted({".detach()": 3.0, "": 1.3})
    d.feature("ppo", "cut" if cut_p else "graph", "cut" if cut_v else "graph")
    rollout = [
        f"$old = F.log_softmax({pol}($x), dim=-1)[:, 0]{cut_p}",
        f"$adv = ($y.float().sum() - {val}($x).squeeze(-1)){cut_v}",
    ]
    if d.chance(0.3):
        rollout = ["with torch.no_grad():", *indent(rollout)]
    epochs = d.pick(1, 2, 3)
    body = [
        f"$new = F.log_softmax({pol}($x), dim=-1)[:, 0]",
        "$ratio = ($new - $old).exp()",
        d.pick(
            "$loss = -($ratio * $adv).mean()", "$loss = -torch.min($ratio * $adv, $ratio.clamp(0.8, 1.2) * $adv).mean()"
        ),
        d.pick(
            f"$loss = $loss + 0.5 * {val}($x).pow(2).mean()",
            "$loss = $loss + 0.0",
            "$loss = $loss + 0.5 * $adv.pow(2).mean()",
        ),
        *d.slots["walk"],
        *walk_lines(d, "$loss", 0.2),
        *d.slots["step"],
    ]
    d.slots["step"] = []
    d.slots["forward"] += rollout
    d.slots["walk"] = [f"for $k in range({epochs}):", *indent(body)]
    d.role("k", "local", "k", "inner_epoch", "opt_epoch")


def simulate(d: Draft) -> None:
    """A differentiable environment whose state is driven by a policy's actions."""
    pol = module(d, "policy", d.inputs, d.inputs, "policy", "controller", "actor")
    optimizer(d)
    form = d.pick("names", "object", "reward")
    d.feature("simulate", form)
    cut = d.weighted({"none": 3.0, "right": 4.0, "half": 2.0, "reset": 1.0})
    d.feature("simulate-cut", cut)
    zero = f"torch.zeros({d.batch}, {d.inputs})"
    motion = d.pick("0.9 * {v} + {a}", "{v} + 0.1 * {a}", "torch.tanh({v} + {a})", "{v} - {a}")
    if form == "object":
        d.define(
            "class World:",
            "    def __init__(self):",
            "        self.reset()",
            "",
            "    def reset(self):",
            f"        self.pos = {zero}",
            f"        self.vel = {zero}",
            "",
            "    def step(self, action):",
            f"        self.vel = {motion.format(v='self.vel', a='action')}",
            "        self.pos = self.pos + self.vel",
            "        return self.pos",
        )
        env = d.role("env", "setup", "env", "world", "sim")
        d.setup.append(f"{env} = World()")
        pos, vel = f"{env}.pos", f"{env}.vel"
        d.slots["forward"] += [
            f"$obs = {env}.step({pol}($x + {pos}{d.pick('', '.detach()')}))",
            "$loss = ($obs ** 2).mean()",
        ]
        reset = [f"{env}.reset()"]
    else:
        pos, vel = (
            d.role("pos", "carried", "pos", "position", "theta"),
            d.role("vel", "carried", "vel", "velocity", "omega"),
        )
        d.before.append(f"{pos}, {vel} = {zero}, {zero}")
        d.slots["forward"] += [
            f"$act = {pol}($x)",
            f"{vel} = {motion.format(v=vel, a='$act')}",
            f"{pos} = {pos} + {vel}",
        ]
        d.slots["loss"].append(
            d.pick(f"$loss = ({pos} ** 2).mean()", f"$loss = {pos}.mean()", f"$loss = ({pos} - 1.0).abs().sum()")
        )
        reset = [f"{pos}, {vel} = {zero}, {zero}"]
    lines = {
        "none": list[str](),
        "right": [f"{pos} = {pos}.detach()", f"{vel} = {vel}.detach()"],
        "half": [f"{pos} = {pos}.detach()"],
        "reset": reset,
    }[cut]
    d.slots["walk"] += walk_lines(d, "$loss", 0.3)
    d.slots[d.pick("end", "start")] += lines

# judge: verdict only
# Language model with a recursive cut_history() over nested dicts and tuples of state
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


def cut_history(state):
    if torch.is_tensor(state):
        return state.detach()
    if isinstance(state, dict):
        return {k: cut_history(v) for k, v in state.items()}
    return type(state)(cut_history(s) for s in state)


class TwoSpeedModel(nn.Module):
    """A fast LSTM on characters and a slow GRU that looks at its output."""

    def __init__(self, symbols, width):
        super().__init__()
        self.lookup = nn.Embedding(symbols, width)
        self.fast = nn.LSTM(width, width, num_layers=2)
        self.slow = nn.GRU(width, width)
        self.readout = nn.Linear(2 * width, symbols)

    def blank(self, columns):
        width = self.slow.hidden_size
        zeros = lambda layers: torch.zeros(layers, columns, width)
        return {"fast": (zeros(2), zeros(2)), "slow": zeros(1)}

    def forward(self, ids, state):
        fast_out, fast_state = self.fast(self.lookup(ids), state["fast"])
        slow_out, slow_state = self.slow(fast_out, state["slow"])
        scores = self.readout(torch.cat([fast_out, slow_out], dim=-1))
        return scores, {"fast": fast_state, "slow": slow_state}


def sweep(model, optimizer, columns, span=6):
    state, nats = model.blank(columns.size(1)), 0.0
    for top in range(0, columns.size(0) - span, span):
        ids, wanted = columns[top:top + span], columns[top + 1:top + 1 + span]
        state = cut_history(state)
        scores, state = model(ids, state)
        loss = F.cross_entropy(scores.flatten(0, 1), wanted.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), 0.5)
        optimizer.step()
        nats += loss.item()
    return nats


model = TwoSpeedModel(18, 10)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
text = torch.randint(0, 18, (31, 4))
for sweep_no in range(2):
    print(sweep_no, round(sweep(model, optimizer, text), 3))

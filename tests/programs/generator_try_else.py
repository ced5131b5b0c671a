# A generator's `try` that succeeds goes on to its `else`, and its `finally` runs whatever its handler does
import torch
import torch.nn as nn

model = nn.Linear(3, 1)


def losses():
    x = torch.randn(4, 3)
    loss = model(x).pow(2).mean()
    try:
        yield loss
    except ValueError:
        pass
    else:
        yield loss


def detached_at_last():
    state = model(torch.randn(4, 3))
    try:
        try:
            yield state.mean()
            raise KeyError("gone")
        except KeyError:
            raise ValueError("no more")
        finally:
            state = state.detach()
    except ValueError as error:
        assert error.args
        yield (state + model(torch.randn(4, 3))).pow(2).mean()


for loss in detached_at_last():
    loss.backward()

for loss in losses():
    loss.backward()  # raises  # want: SP102

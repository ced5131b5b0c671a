from pathlib import Path

import torch


def lines_of(details, level=0):
    lines = []
    for key in sorted(details):
        if isinstance(details[key], dict):
            lines += [level * " " + key]
            lines += lines_of(details[key], level + 1)
        else:
            lines += [level * " " + str(details[key])]
    return lines


def found(names):
    shown = []
    shown.extend(name for name in names if name.startswith("t"))
    shown[1:1] = map(str.upper, names)
    return shown


print(lines_of({"torch": {"version": torch.__version__}, "cuda": torch.cuda.device_count()}))
print(found([path.name for path in Path().iterdir()]))
weight = torch.ones(2, requires_grad=True)
for _ in range(3):
    loss = torch.stack(tuple(weight.sum() * i for i in range(2))).sum()
    loss.backward()
    print("loss %.2f" % loss)  # noqa: UP031

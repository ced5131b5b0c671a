# judge: verdict only
# A weight is replaced by a step that can be walked through, and the next step builds on it
import torch
import torch.nn as nn

model, rate = nn.Linear(3, 1), torch.tensor(0.1, requires_grad=True)
for _ in range(3):
    loss = model(torch.randn(4, 3)).pow(2).mean()
    grads = torch.autograd.grad(loss, list(model.parameters()), create_graph=True)
    for (name, weight), grad in zip(list(model._parameters.items()), grads):
        model._parameters[name] = weight - rate * grad
    model(torch.randn(4, 3)).mean().backward()  # raises

# The same with a fresh leaf after each step
import torch
import torch.nn as nn

model, rate = nn.Linear(3, 1), torch.tensor(0.1, requires_grad=True)
for _ in range(3):
    loss = model(torch.randn(4, 3)).pow(2).mean()
    grads = torch.autograd.grad(loss, list(model.parameters()), create_graph=True)
    for (name, weight), grad in zip(list(model._parameters.items()), grads):
        model._parameters[name] = weight - rate * grad
    model(torch.randn(4, 3)).mean().backward()
    for name, weight in list(model._parameters.items()):
        model._parameters[name] = nn.Parameter(weight.detach())

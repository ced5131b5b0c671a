"""One walk over the sum of both losses: the same gradients, and the shared forward pass is walked once."""

import torch

torch.manual_seed(0)
encoder = torch.nn.Linear(8, 4)
classifier = torch.nn.Linear(4, 3)
regressor = torch.nn.Linear(4, 1)
modules = torch.nn.ModuleList([encoder, classifier, regressor])
optimizer = torch.optim.SGD(modules.parameters(), lr=0.1)

for step in range(3):
    inputs = torch.randn(16, 8)
    labels = torch.randint(0, 3, (16,))
    targets = torch.randn(16, 1)

    features = torch.tanh(encoder(inputs))
    class_loss = torch.nn.functional.cross_entropy(classifier(features), labels)
    value_loss = torch.nn.functional.mse_loss(regressor(features), targets)

    optimizer.zero_grad()
    (class_loss + value_loss).backward()
    optimizer.step()

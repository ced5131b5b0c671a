"""Features computed once, by an encoder that is trained after all, and walked in every epoch."""
import torch
from torch import nn

torch.manual_seed(0)
encoder = nn.Linear(6, 4)
classifier = nn.Linear(4, 3)
optimizer = torch.optim.Adam([*encoder.parameters(), *classifier.parameters()])
images, labels = torch.randn(8, 6), torch.randint(0, 3, (8,))
encoder.eval()
features = torch.relu(encoder(images))
for epoch in range(3):
    loss = nn.functional.cross_entropy(classifier(features), labels)  # want: SP103
    optimizer.zero_grad()
    loss.backward()  # raises
    optimizer.step()

"""The same with the encoder truly frozen: its features have no history."""
import torch
from torch import nn

torch.manual_seed(0)
encoder = nn.Linear(6, 4)
classifier = nn.Linear(4, 3)
optimizer = torch.optim.Adam(classifier.parameters())
images, labels = torch.randn(8, 6), torch.randint(0, 3, (8,))
with torch.no_grad():
    features = torch.relu(encoder(images))
for epoch in range(3):
    loss = nn.functional.cross_entropy(classifier(features), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

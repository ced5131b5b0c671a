"""The story everybody tells: an RNN's hidden state goes from batch to batch with its graph."""
import torch
from torch import nn

torch.manual_seed(0)
rnn = nn.RNN(3, 5)
head = nn.Linear(5, 2)
optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
hidden = torch.zeros(1, 1, 5)
for step in range(3):
    inputs = torch.randn(4, 1, 3)
    out, hidden = rnn(inputs, hidden)  # want: SP101
    loss = head(out[-1]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()  # raises
    optimizer.step()

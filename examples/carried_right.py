"""The hidden state goes on, its history does not: gradients stop at the start of the step (truncated BPTT)."""

import torch

torch.manual_seed(0)
rnn = torch.nn.RNN(input_size=3, hidden_size=5)
optimizer = torch.optim.SGD(rnn.parameters(), lr=0.1)
hidden = torch.zeros(1, 1, 5)

for step in range(3):
    inputs = torch.randn(7, 1, 3)
    output, hidden = rnn(inputs, hidden)
    loss = output.pow(2).mean()

    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    hidden = hidden.detach()

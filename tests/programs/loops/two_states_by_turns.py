import torch

recall, read = torch.nn.Linear(4, 4), torch.nn.Linear(4, 1)
memory = {"even": torch.zeros(2, 4), "odd": torch.zeros(2, 4)}
for step in range(12):
    which = "even" if step % 2 == 0 else "odd"
    loss = read(memory[which] + torch.randn(2, 4)).pow(2).mean()  # want: SP106
    memory[which] = torch.tanh(recall(memory[which]))
    loss.backward()  # raises

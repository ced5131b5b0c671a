import gpytorch
import torch

kernel = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())
optimizer = torch.optim.Adam(kernel.parameters(), lr=0.1)
points = torch.randn(5, 2)
for step in range(3):
    loss = kernel(points).to_dense().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

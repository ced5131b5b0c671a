import gpytorch
import torch

kernel = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel())
optimizer = torch.optim.Adam(kernel.parameters(), lr=0.1)
covariance = kernel(torch.randn(5, 2))
for step in range(3):
    loss = covariance.to_dense().mean()  # want: SP104
    optimizer.zero_grad()
    loss.backward()  # raises
    optimizer.step()

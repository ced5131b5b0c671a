"""A tensor that only lends its shape or its type is no part of the other's graph."""

import torch

w = torch.randn(4, 2, requires_grad=True)
v = torch.randn(8, requires_grad=True)
row = torch.randn(2, requires_grad=True)

for shaped in (
    lambda packed: (v * v).view_as(packed),
    lambda packed: (v * v).reshape_as(packed),
    lambda packed: (row * row).expand_as(packed),
    lambda packed: (v * v).type_as(packed).reshape(4, 2),
):
    packed = (w * w).sin()
    plain = shaped(packed)
    plain.square().sum().backward()
    packed.square().sum().backward()

packed = (w * w).sin()
both = (v * v).view_as(packed) * packed
both.sum().backward()
packed.square().sum().backward()  # raises  # want: SP105

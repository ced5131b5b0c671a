"""PyTorch's operations, measured on torch 2.13.0+cpu. Generated, do not edit: see measure.py.

Regenerate with `python -m secondpass.pytorch.measure --write`. The fields are explained in operation_facts.py.
After an entry stands the call that was measured, with its operands.
"""

# ruff: noqa: E501
# fmt: off

from __future__ import annotations

from secondpass.pytorch.operation_facts import Operation

OPERATIONS: dict[str, Operation] = {
    "Buffer": Operation(view=True),  # nn.Buffer(a) | 2x3
    "H": Operation(differentiable=1, view=True),  # a.H | 2x3
    "Parameter": Operation(view=True),  # nn.Parameter(a) | 2x3
    "T": Operation(differentiable=1, view=True),  # a.T | 2x3
    "Tensor": Operation(differentiable=1, view=True),  # torch.Tensor(a) | 2x3
    "Variable": Operation(view=True),  # torch.autograd.Variable(a) | 2x3
    "abs": Operation(frees=1, saves=(1,), differentiable=1),  # torch.abs(a) | 2x3
    "abs_": Operation(frees=1, differentiable=1, same=True),  # torch.abs_(a) | 2x3
    "absolute": Operation(frees=1, saves=(1,), differentiable=1),  # torch.absolute(a) | 2x3
    "absolute_": Operation(frees=1, differentiable=1, same=True),  # torch.Tensor.absolute_(a) | 2x3
    "acos": Operation(frees=1, saves=(1,), differentiable=1),  # torch.acos(a) | 2x3
    "acos_": Operation(frees=1, differentiable=1, same=True),  # torch.acos_(a) | 2x3
    "acosh": Operation(frees=1, saves=(1,), differentiable=1),  # torch.acosh(a) | 2x3
    "acosh_": Operation(same=True),  # torch.acosh_(a) | 2x3
    "adaptive_avg_pool1d": Operation(differentiable=1, attached=1),  # torch.adaptive_avg_pool1d(a, 1) | 2x3
    "adaptive_avg_pool2d": Operation(differentiable=1),  # F.adaptive_avg_pool2d(a, 1) | 2x3
    "adaptive_avg_pool2d.one": Operation(differentiable=1),  # F.adaptive_avg_pool2d(a, 1) | 1x2x4x4
    "adaptive_avg_pool3d": Operation(frees=1, saves=(1,), differentiable=1),  # F.adaptive_avg_pool3d(a, 2) | 1x2x4x4
    "adaptive_max_pool1d": Operation(frees=1, saves=(1,), differentiable=1, outputs=2, constants=2, others=(1,), attached=3),  # torch.adaptive_max_pool1d(a, 1) | 2x3
    "adaptive_max_pool1d_with_indices": Operation(frees=1, saves=(1,), differentiable=1, outputs=2, constants=2, others=(1,), attached=3),  # F.adaptive_max_pool1d_with_indices(a, 1) | 2x3
    "adaptive_max_pool2d": Operation(frees=1, saves=(1,), differentiable=1),  # F.adaptive_max_pool2d(a, 2) | 1x2x4
    "adaptive_max_pool2d_with_indices": Operation(frees=1, saves=(1,), differentiable=1, outputs=2, constants=2, others=(1,)),  # F.adaptive_max_pool2d_with_indices(a, 2) | 1x2x4
    "adaptive_max_pool3d": Operation(frees=1, saves=(1,), differentiable=1),  # F.adaptive_max_pool3d(a, 2) | 1x2x4x4
    "adaptive_max_pool3d_with_indices": Operation(frees=1, saves=(1,), differentiable=1, outputs=2, constants=2, others=(1,)),  # F.adaptive_max_pool3d_with_indices(a, 2) | 1x2x4x4
    "add": Operation(differentiable=3, operands=2),  # a + b | 2x3 | 2x3
    "add.rscalar": Operation(differentiable=1),  # 1.5 + a | 2x3
    "add.scalar": Operation(differentiable=1),  # a + 1.5 | 2x3
    "add_": Operation(differentiable=3, same=True, operands=2),  # a.add_(b) | 2x3 | 2x3
    "add_.scalar": Operation(differentiable=1, same=True),  # a.add_(1.5) | 2x3
    "add_.view": Operation(frees=3, differentiable=3, same=True, operands=2),  # (a[0].add_(b), a)[1:] | 2x3 | 3
    "addbmm": Operation(frees=6, saves=(0, 4, 2), differentiable=7, operands=3),  # torch.addbmm(a, b, c) | 3x3 | 2x3x3 | 2x3x3
    "addbmm_": Operation(frees=6, saves=(0, 4, 2), differentiable=7, same=True, operands=3),  # torch.Tensor.addbmm_(a, b, c) | 3x3 | 2x3x3 | 2x3x3
    "addcdiv": Operation(frees=7, saves=(0, 4, 7), differentiable=7, operands=3),  # torch.addcdiv(a, b, c) | 2x3 | 2x3 | 2x3
    "addcdiv_": Operation(frees=7, saves=(0, 4, 7), differentiable=7, same=True, operands=3),  # torch.Tensor.addcdiv_(a, b, c) | 2x3 | 2x3 | 2x3
    "addcmul": Operation(frees=6, saves=(0, 4, 2), differentiable=7, operands=3),  # torch.addcmul(a, b, c) | 2x3 | 2x3 | 2x3
    "addcmul_": Operation(frees=6, saves=(0, 4, 2), differentiable=7, same=True, operands=3),  # torch.Tensor.addcmul_(a, b, c) | 2x3 | 2x3 | 2x3
    "addmm": Operation(frees=6, saves=(0, 4, 2), differentiable=7, operands=3),  # torch.addmm(a, b, c) | 3x3 | 3x3 | 3x3
    "addmm_": Operation(frees=6, saves=(0, 4, 2), differentiable=7, same=True, operands=3),  # torch.Tensor.addmm_(a, b, c) | 3x3 | 3x3 | 3x3
    "addmv": Operation(frees=6, saves=(0, 4, 2), differentiable=7, operands=3),  # torch.addmv(a, b, c) | 2 | 2x3 | 3
    "addmv_": Operation(frees=6, saves=(0, 4, 2), differentiable=7, same=True, operands=3),  # torch.addmv_(a, b, c) | 2 | 2x3 | 3
    "addr": Operation(frees=6, saves=(0, 4, 2), differentiable=7, operands=3),  # torch.addr(a, b, c) | 3x3 | 3 | 3
    "addr_": Operation(frees=6, saves=(0, 4, 2), differentiable=7, same=True, operands=3),  # torch.Tensor.addr_(a, b, c) | 3x3 | 3 | 3
    "adjoint": Operation(differentiable=1, view=True),  # torch.adjoint(a) | 2x3
    "affine_grid": Operation(differentiable=1),  # F.affine_grid(a, (1, 2, 4, 4)) | 1x2x3
    "alias_copy": Operation(differentiable=1),  # torch.alias_copy(a) | 2x3
    "all": Operation(),  # torch.all(a) | 2x3
    "alpha_dropout.eval": Operation(differentiable=1, same=True),  # F.alpha_dropout(a, 0.5, False) | 2x3
    "alpha_dropout.train": Operation(frees=1, differentiable=1),  # F.alpha_dropout(a, 0.5, True) | 2x3
    "amax": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.amax(a) | 2x3
    "amin": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.amin(a) | 2x3
    "aminmax": Operation(frees=1, saves=(1,), result=1, differentiable=1, outputs=2, others=(1,)),  # torch.aminmax(a) | 2x3
    "angle": Operation(frees=1, saves=(1,), differentiable=1),  # torch.angle(a) | 2x3
    "any": Operation(),  # torch.any(a) | 2x3
    "arange": Operation(operands=0),  # torch.arange(2.0)
    "arccos": Operation(frees=1, saves=(1,), differentiable=1),  # torch.arccos(a) | 2x3
    "arccos_": Operation(frees=1, differentiable=1, same=True),  # torch.arccos_(a) | 2x3
    "arccosh": Operation(frees=1, saves=(1,), differentiable=1),  # torch.arccosh(a) | 2x3
    "arccosh_": Operation(same=True),  # torch.arccosh_(a) | 2x3
    "arcsin": Operation(frees=1, saves=(1,), differentiable=1),  # torch.arcsin(a) | 2x3
    "arcsin_": Operation(frees=1, differentiable=1, same=True),  # torch.arcsin_(a) | 2x3
    "arcsinh": Operation(frees=1, saves=(1,), differentiable=1),  # torch.arcsinh(a) | 2x3
    "arcsinh_": Operation(same=True),  # torch.arcsinh_(a) | 2x3
    "arctan": Operation(frees=1, saves=(1,), differentiable=1),  # torch.arctan(a) | 2x3
    "arctan2": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.arctan2(a, b) | 2x3 | 2x3
    "arctan2_": Operation(frees=3, saves=(0, 3), differentiable=3, same=True, operands=2),  # torch.Tensor.arctan2_(a, b) | 2x3 | 2x3
    "arctan_": Operation(frees=1, differentiable=1, same=True),  # torch.arctan_(a) | 2x3
    "arctanh": Operation(frees=1, saves=(1,), differentiable=1),  # torch.arctanh(a) | 2x3
    "arctanh_": Operation(same=True),  # torch.arctanh_(a) | 2x3
    "argmax": Operation(),  # a.argmax() | 2x3
    "argmin": Operation(),  # torch.argmin(a) | 2x3
    "argsort": Operation(),  # torch.argsort(a) | 2x3
    "argwhere": Operation(),  # torch.argwhere(a) | 2x3
    "as_strided": Operation(differentiable=1, view=True),  # a.as_strided((2,), (1,)) | 2x3
    "as_strided_scatter": Operation(differentiable=3, operands=2),  # a.as_strided_scatter(b, (2,), (1,)) | 2x3 | 2
    "as_tensor": Operation(differentiable=1, same=True),  # torch.as_tensor(a) | 2x3
    "asarray": Operation(differentiable=1, same=True),  # torch.asarray(a) | 2x3
    "asin": Operation(frees=1, saves=(1,), differentiable=1),  # torch.asin(a) | 2x3
    "asin_": Operation(frees=1, differentiable=1, same=True),  # torch.asin_(a) | 2x3
    "asinh": Operation(frees=1, saves=(1,), differentiable=1),  # torch.asinh(a) | 2x3
    "asinh_": Operation(same=True),  # torch.asinh_(a) | 2x3
    "atan": Operation(frees=1, saves=(1,), differentiable=1),  # torch.atan(a) | 2x3
    "atan2": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.atan2(a, b) | 2x3 | 2x3
    "atan2_": Operation(frees=3, saves=(0, 3), differentiable=3, same=True, operands=2),  # torch.Tensor.atan2_(a, b) | 2x3 | 2x3
    "atan_": Operation(frees=1, differentiable=1, same=True),  # torch.atan_(a) | 2x3
    "atanh": Operation(frees=1, saves=(1,), differentiable=1),  # torch.atanh(a) | 2x3
    "atanh_": Operation(same=True),  # torch.atanh_(a) | 2x3
    "atleast_1d": Operation(differentiable=1, same=True),  # torch.atleast_1d(a) | 2x3
    "atleast_2d": Operation(differentiable=1, same=True),  # torch.atleast_2d(a) | 2x3
    "atleast_3d": Operation(differentiable=1, view=True),  # torch.atleast_3d(a) | 2x3
    "avg_pool1d": Operation(frees=1, saves=(1,), differentiable=1, attached=1),  # torch.avg_pool1d(a, 1) | 2x3
    "avg_pool2d": Operation(frees=1, saves=(1,), differentiable=1),  # F.avg_pool2d(a, 2) | 1x2x4
    "avg_pool3d": Operation(frees=1, saves=(1,), differentiable=1),  # F.avg_pool3d(a, 2) | 1x2x4x4
    "baddbmm": Operation(frees=6, saves=(0, 4, 2), differentiable=7, operands=3),  # torch.baddbmm(a, b, c) | 2x3x3 | 2x3x3 | 2x3x3
    "baddbmm_": Operation(frees=6, saves=(0, 4, 2), differentiable=7, same=True, operands=3),  # torch.Tensor.baddbmm_(a, b, c) | 2x3x3 | 2x3x3 | 2x3x3
    "bartlett_window": Operation(operands=0),  # torch.bartlett_window(4)
    "batch_norm.eval": Operation(frees=25, saves=(25, 25, 25, 25), differentiable=25, operands=5),  # F.batch_norm(a, b, c, d, e, False) | 4x3 | 3:buffer | 3:buffer | 3 | 3
    "batch_norm.train": Operation(frees=25, saves=(25, 25, 25, 25), differentiable=25, operands=5),  # F.batch_norm(a, b, c, d, e, True) | 4x3 | 3:buffer | 3:buffer | 3 | 3
    "bernoulli": Operation(differentiable=1),  # torch.bernoulli(a) | 2x3
    "bernoulli_": Operation(differentiable=1, same=True),  # torch.Tensor.bernoulli_(a) | 2x3
    "bfloat16": Operation(differentiable=1),  # torch.Tensor.bfloat16(a) | 2x3
    "bilinear": Operation(frees=7, saves=(6, 5, 3), differentiable=15, operands=4),  # F.bilinear(a, b, c, d) | 2x3 | 2x4 | 2x3x4 | 2
    "binary_cross_entropy": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # F.binary_cross_entropy(a, b) | 2x3 | 2x3
    "binary_cross_entropy.weight": Operation(frees=3, saves=(3, 3, 3), differentiable=3, operands=3),  # F.binary_cross_entropy(a, b, c) | 2x3 | 2x3 | 2x3
    "binary_cross_entropy_with_logits": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # F.binary_cross_entropy_with_logits(a, b) | 2x3 | 2x3
    "binary_cross_entropy_with_logits.weight": Operation(frees=3, saves=(3, 3, 3, 3), differentiable=3, operands=4),  # F.binary_cross_entropy_with_logits(a, b, c, pos_weight=d) | 2x3 | 2x3 | 2x3 | 3
    "bincount": Operation(),  # torch.bincount(a) | 2:long
    "binomial": Operation(operands=2),  # torch.binomial(a, b) | 2x3 | 2x3
    "bitwise_and": Operation(operands=2),  # a & b | 2x3:bool | 2x3:bool
    "bitwise_left_shift": Operation(operands=2),  # a << b | 2:long | 2:long
    "bitwise_not": Operation(),  # ~a | 2x3:bool
    "bitwise_not_": Operation(same=True),  # torch.Tensor.bitwise_not_(a) | 2:long
    "bitwise_or": Operation(operands=2),  # a | b | 2x3:bool | 2x3:bool
    "bitwise_right_shift": Operation(operands=2),  # a >> b | 2:long | 2:long
    "bitwise_xor": Operation(operands=2),  # a ^ b | 2x3:bool | 2x3:bool
    "blackman_window": Operation(operands=0),  # torch.blackman_window(4)
    "block_diag": Operation(differentiable=3, operands=2),  # torch.block_diag(a, b) | 2x3 | 2x3
    "bmm": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # torch.bmm(a, b) | 2x3x3 | 2x3x3
    "bool": Operation(),  # torch.Tensor.bool(a) | 2x3
    "broadcast_tensors": Operation(differentiable=3, view=True, outputs=0, operands=2),  # torch.broadcast_tensors(a, b) | 1x3 | 2x3
    "broadcast_to": Operation(differentiable=1, view=True),  # torch.broadcast_to(a, (4, 3)) | 1x3
    "bucketize": Operation(operands=2),  # torch.bucketize(a, b) | 2x3 | 3
    "byte": Operation(),  # torch.Tensor.byte(a) | 2x3
    "cartesian_prod": Operation(differentiable=3, operands=2),  # torch.cartesian_prod(a, b) | 2 | 3
    "cat": Operation(differentiable=3, operands=2),  # torch.cat([a, b]) | 2x3 | 2x3
    "cauchy_": Operation(differentiable=1, same=True),  # torch.Tensor.cauchy_(a) | 2x3
    "cdist": Operation(frees=3, saves=(3, 3), result=3, differentiable=3, operands=2),  # torch.cdist(a, b) | 2x3 | 2x3
    "cdouble": Operation(differentiable=1),  # torch.Tensor.cdouble(a) | 2x3
    "ceil": Operation(differentiable=1),  # torch.ceil(a) | 2x3
    "ceil_": Operation(differentiable=1, same=True),  # torch.ceil_(a) | 2x3
    "celu": Operation(frees=1, saves=(1,), differentiable=1),  # torch.celu(a) | 2x3
    "celu_": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.celu_(a) | 2x3
    "cfloat": Operation(differentiable=1),  # torch.Tensor.cfloat(a) | 2x3
    "chain_matmul": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2, attached=1),  # torch.linalg.multi_dot([a, b]) | 2x3 | 3x2
    "channel_shuffle": Operation(differentiable=1),  # torch.channel_shuffle(a, 2) | 1x2x4
    "char": Operation(),  # torch.Tensor.char(a) | 2x3
    "cholesky": Operation(frees=1, result=1, differentiable=1),  # torch.cholesky(a) | 3x3:spd
    "cholesky_inverse": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.cholesky_inverse(a) | 3x3:spd
    "cholesky_solve": Operation(frees=3, saves=(3, 3), result=3, differentiable=3, operands=2),  # torch.cholesky_solve(a, b) | 3x2 | 3x3:spd
    "chunk": Operation(differentiable=1, view=True, outputs=0),  # a.chunk(2, 0) | 2x3
    "clamp": Operation(frees=1, saves=(1,), differentiable=1),  # a.clamp(0.1, 0.5) | 2x3
    "clamp.min": Operation(frees=1, saves=(1,), differentiable=1),  # a.clamp(min=0.5) | 2x3
    "clamp.tensor": Operation(frees=7, saves=(7, 7, 7), differentiable=7, operands=3),  # a.clamp(b, c) | 2x3 | 2x3 | 2x3
    "clamp_": Operation(frees=1, differentiable=1, same=True),  # a.clamp_(0.1, 0.5) | 2x3
    "clamp_max": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.clamp_max(a, b) | 2x3 | 2x3
    "clamp_max.scalar": Operation(frees=1, saves=(1,), differentiable=1),  # torch.clamp_max(a, 1.5) | 2x3
    "clamp_max_": Operation(frees=3, saves=(0, 3), differentiable=3, same=True, operands=2),  # torch.clamp_max_(a, b) | 2x3 | 2x3
    "clamp_max_.scalar": Operation(frees=1, differentiable=1, same=True),  # torch.clamp_max_(a, 1.5) | 2x3
    "clamp_min": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.clamp_min(a, b) | 2x3 | 2x3
    "clamp_min.scalar": Operation(frees=1, saves=(1,), differentiable=1),  # torch.clamp_min(a, 1.5) | 2x3
    "clamp_min_": Operation(frees=3, saves=(0, 3), differentiable=3, same=True, operands=2),  # torch.clamp_min_(a, b) | 2x3 | 2x3
    "clamp_min_.scalar": Operation(frees=1, differentiable=1, same=True),  # torch.clamp_min_(a, 1.5) | 2x3
    "clip": Operation(frees=1, saves=(1,), differentiable=1),  # a.clip(0.1, 0.5) | 2x3
    "clip_": Operation(frees=1, differentiable=1, same=True),  # a.clip_(0.1, 0.5) | 2x3
    "clone": Operation(differentiable=1),  # a.clone() | 2x3
    "coalesce": Operation(differentiable=1),  # a.to_sparse().coalesce() | 2x3
    "column_stack": Operation(differentiable=3, operands=2),  # torch.column_stack([a, b]) | 2x3 | 2x3
    "combinations": Operation(frees=1, saves=(1,), differentiable=1),  # torch.combinations(a) | 3
    "complex": Operation(frees=3, saves=(1, 2), differentiable=3, operands=2),  # torch.complex(a, b) | 2x3 | 2x3
    "concat": Operation(differentiable=3, operands=2),  # torch.concat([a, b]) | 2x3 | 2x3
    "concatenate": Operation(differentiable=3, operands=2),  # torch.concatenate([a, b]) | 2x3 | 2x3
    "conj": Operation(differentiable=1, same=True),  # torch.conj(a) | 2x3
    "conj_physical": Operation(differentiable=1, same=True),  # torch.conj_physical(a) | 2x3
    "conj_physical_": Operation(differentiable=1, same=True),  # torch.conj_physical_(a) | 2x3
    "constant_pad_nd": Operation(differentiable=1),  # torch.constant_pad_nd(a, (2, 3)) | 2x3
    "contiguous": Operation(differentiable=1, same=True),  # a.contiguous() | 2x3
    "contiguous.copy": Operation(differentiable=1),  # a.t().contiguous() | 2x3
    "conv1d": Operation(frees=7, saves=(7, 7), differentiable=7, operands=3),  # F.conv1d(a, b, c) | 1x2x4 | 2x2x2 | 2
    "conv2d": Operation(frees=7, saves=(7, 7), differentiable=7, operands=3),  # F.conv2d(a, b, c) | 1x2x4x4 | 2x2x2x2 | 2
    "conv2d.nobias": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # F.conv2d(a, b) | 1x2x4x4 | 2x2x2x2
    "conv3d": Operation(frees=7, saves=(7, 7), differentiable=7, operands=3),  # F.conv3d(a, b, c) | 1x2x4x4x4 | 2x2x2x2x2 | 2
    "conv_tbc": Operation(frees=7, saves=(7, 7, 7), differentiable=7, operands=3),  # torch.conv_tbc(a, b, c) | 4x1x2 | 2x2x2 | 2
    "conv_transpose1d": Operation(frees=7, saves=(7, 7), differentiable=7, operands=3),  # F.conv_transpose1d(a, b, c) | 1x2x4 | 2x2x2 | 2
    "conv_transpose2d": Operation(frees=7, saves=(7, 7), differentiable=7, operands=3),  # F.conv_transpose2d(a, b, c) | 1x2x4x4 | 2x2x2x2 | 2
    "conv_transpose3d": Operation(frees=7, saves=(7, 7), differentiable=7, operands=3),  # F.conv_transpose3d(a, b, c) | 1x2x4x4x4 | 2x2x2x2x2 | 2
    "copy_": Operation(differentiable=3, same=True, operands=2),  # a.copy_(b) | 2x3 | 2x3
    "copy_.view": Operation(frees=3, differentiable=3, same=True, operands=2),  # (a[0].copy_(b), a)[1:] | 2x3 | 3
    "copysign": Operation(frees=3, saves=(1,), result=3, differentiable=3, operands=2),  # torch.copysign(a, b) | 2x3 | 2x3
    "copysign.scalar": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.copysign(a, 1.5) | 2x3
    "copysign_": Operation(frees=3, result=3, differentiable=3, same=True, operands=2),  # torch.Tensor.copysign_(a, b) | 2x3 | 2x3
    "copysign_.scalar": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.Tensor.copysign_(a, 1.5) | 2x3
    "corrcoef": Operation(frees=1, differentiable=1),  # torch.corrcoef(a) | 2x3
    "cos": Operation(frees=1, saves=(1,), differentiable=1),  # torch.cos(a) | 2x3
    "cos_": Operation(frees=1, differentiable=1, same=True),  # torch.cos_(a) | 2x3
    "cosh": Operation(frees=1, saves=(1,), differentiable=1),  # torch.cosh(a) | 2x3
    "cosh_": Operation(frees=1, differentiable=1, same=True),  # torch.cosh_(a) | 2x3
    "cosine_embedding_loss": Operation(frees=3, saves=(3, 3), differentiable=3, operands=3),  # F.cosine_embedding_loss(a, b, c) | 2x3 | 2x3 | 2:buffer
    "cosine_similarity": Operation(frees=3, saves=(1, 2), differentiable=3, operands=2),  # F.cosine_similarity(a, b) | 2x3 | 2x3
    "count_nonzero": Operation(),  # torch.count_nonzero(a) | 2x3
    "cov": Operation(frees=1, differentiable=1, attached=1),  # torch.cov(a) | 2x3
    "cpu": Operation(differentiable=1, same=True),  # a.cpu() | 2x3
    "cross": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # torch.cross(a, b, 1) | 2x3 | 2x3
    "cross_entropy": Operation(frees=1, saves=(0, 1), differentiable=1, operands=2),  # F.cross_entropy(a, b) | 2x3 | 2:long
    "cross_entropy.soft": Operation(frees=3, saves=(0, 1), differentiable=3, operands=2),  # F.cross_entropy(a, b) | 2x3 | 2x3
    "cross_entropy.weight": Operation(frees=1, saves=(0, 1, 1), differentiable=1, operands=3),  # F.cross_entropy(a, b, c) | 2x3 | 2:long | 3
    "ctc_loss": Operation(frees=1, saves=(1, 1), differentiable=1, operands=2),  # F.ctc_loss(a, b, (4,), (2,)) | 4x1x3 | 1x2:long:one
    "cummax": Operation(frees=1, saves=(1,), differentiable=1, outputs=2, constants=2, others=(1,)),  # torch.cummax(a, 1) | 2x3
    "cummin": Operation(frees=1, saves=(1,), differentiable=1, outputs=2, constants=2, others=(1,)),  # torch.cummin(a, 1) | 2x3
    "cumprod": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.cumprod(a, 1) | 2x3
    "cumprod_": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.Tensor.cumprod_(a, 1) | 2x3
    "cumsum": Operation(differentiable=1),  # torch.cumsum(a, 1) | 2x3
    "cumsum_": Operation(differentiable=1, same=True),  # torch.Tensor.cumsum_(a, 1) | 2x3
    "cumulative_trapezoid": Operation(differentiable=1),  # torch.cumulative_trapezoid(a) | 2x3
    "data": Operation(),  # a.data | 2x3
    "deg2rad": Operation(differentiable=1),  # torch.deg2rad(a) | 2x3
    "deg2rad_": Operation(differentiable=1, same=True),  # torch.deg2rad_(a) | 2x3
    "dequantize": Operation(same=True),  # torch.dequantize(a) | 2x3
    "det": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.det(a) | 3x3:spd
    "detach": Operation(view=True),  # a.detach() | 2x3
    "detach_": Operation(same=True),  # a.detach_() | 2x3
    "detach_copy": Operation(),  # torch.detach_copy(a) | 2x3
    "diag": Operation(differentiable=1),  # a.diag() | 3x3
    "diag.vector": Operation(differentiable=1),  # a.diag() | 3
    "diag_embed": Operation(differentiable=1),  # torch.diag_embed(a) | 2x3
    "diagflat": Operation(differentiable=1),  # torch.diagflat(a) | 2x3
    "diagonal": Operation(differentiable=1, view=True),  # torch.diagonal(a) | 2x3
    "diagonal_copy": Operation(differentiable=1),  # torch.diagonal_copy(a) | 2x3
    "diagonal_scatter": Operation(differentiable=3, operands=2),  # a.diagonal_scatter(b) | 2x3 | 2
    "diff": Operation(differentiable=1),  # torch.diff(a) | 2x3
    "digamma": Operation(frees=1, saves=(1,), differentiable=1),  # torch.digamma(a) | 2x3
    "digamma_": Operation(frees=1, differentiable=1, same=True),  # torch.Tensor.digamma_(a) | 2x3
    "dist": Operation(frees=3, saves=(3, 3), result=3, differentiable=3, operands=2),  # torch.dist(a, b) | 2x3 | 2x3
    "distributions.Bernoulli.entropy.logits": Operation(frees=1, saves=(1,), differentiable=1),  # D.Bernoulli(logits=a, validate_args=False).entropy() | 2x3
    "distributions.Bernoulli.entropy.probs": Operation(frees=1, saves=(1,), differentiable=1),  # D.Bernoulli(probs=a, validate_args=False).entropy() | 2x3
    "distributions.Bernoulli.log_prob.logits": Operation(frees=1, saves=(1, 1), differentiable=1, operands=2),  # D.Bernoulli(logits=a, validate_args=False).log_prob(b) | 2x3 | 2x3:buffer
    "distributions.Bernoulli.log_prob.probs": Operation(frees=1, saves=(1, 1), differentiable=1, operands=2),  # D.Bernoulli(probs=a, validate_args=False).log_prob(b) | 2x3 | 2x3:buffer
    "distributions.Bernoulli.sample.logits": Operation(),  # D.Bernoulli(logits=a, validate_args=False).sample() | 2x3
    "distributions.Bernoulli.sample.probs": Operation(),  # D.Bernoulli(probs=a, validate_args=False).sample() | 2x3
    "distributions.Beta.entropy": Operation(frees=3, differentiable=3, operands=2),  # D.Beta(a, b, validate_args=False).entropy() | 2x3 | 2x3
    "distributions.Beta.log_prob": Operation(frees=7, differentiable=7, operands=3),  # D.Beta(a, b, validate_args=False).log_prob(c) | 2x3 | 2x3 | 2x3
    "distributions.Beta.rsample": Operation(frees=3, result=3, differentiable=3, operands=2, attached=1),  # D.Beta(a, b, validate_args=False).rsample() | 2x3 | 2x3
    "distributions.Beta.sample": Operation(operands=2, attached=1),  # D.Beta(a, b, validate_args=False).sample() | 2x3 | 2x3
    "distributions.Categorical.entropy.logits": Operation(frees=1, saves=(1,), differentiable=1),  # D.Categorical(logits=a, validate_args=False).entropy() | 2x3
    "distributions.Categorical.entropy.probs": Operation(frees=1, saves=(1,), differentiable=1),  # D.Categorical(probs=a, validate_args=False).entropy() | 2x3
    "distributions.Categorical.log_prob.logits": Operation(frees=1, saves=(1, 1), differentiable=1, operands=2, attached=1),  # D.Categorical(logits=a, validate_args=False).log_prob(b) | 2x3 | 2:long
    "distributions.Categorical.log_prob.probs": Operation(frees=1, saves=(1, 1), differentiable=1, operands=2, attached=1),  # D.Categorical(probs=a, validate_args=False).log_prob(b) | 2x3 | 2:long
    "distributions.Categorical.sample.logits": Operation(attached=1),  # D.Categorical(logits=a, validate_args=False).sample() | 2x3
    "distributions.Categorical.sample.probs": Operation(attached=1),  # D.Categorical(probs=a, validate_args=False).sample() | 2x3
    "distributions.Cauchy.entropy": Operation(frees=2, saves=(0, 2), differentiable=2, operands=2),  # D.Cauchy(a, b, validate_args=False).entropy() | 2x3 | 2x3
    "distributions.Cauchy.log_prob": Operation(frees=7, saves=(0, 7), differentiable=7, operands=3),  # D.Cauchy(a, b, validate_args=False).log_prob(c) | 2x3 | 2x3 | 2x3
    "distributions.Cauchy.rsample": Operation(frees=2, differentiable=3, operands=2),  # D.Cauchy(a, b, validate_args=False).rsample() | 2x3 | 2x3
    "distributions.Cauchy.sample": Operation(operands=2),  # D.Cauchy(a, b, validate_args=False).sample() | 2x3 | 2x3
    "distributions.Dirichlet.entropy": Operation(frees=1, saves=(1,), differentiable=1),  # D.Dirichlet(a, validate_args=False).entropy() | 2x3
    "distributions.Dirichlet.log_prob": Operation(frees=3, saves=(1, 3), differentiable=3, operands=2),  # D.Dirichlet(a, validate_args=False).log_prob(b) | 2x3 | 2x3
    "distributions.Dirichlet.rsample": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # D.Dirichlet(a, validate_args=False).rsample() | 2x3
    "distributions.Dirichlet.sample": Operation(),  # D.Dirichlet(a, validate_args=False).sample() | 2x3
    "distributions.Exponential.entropy": Operation(frees=1, saves=(1,), differentiable=1),  # D.Exponential(a, validate_args=False).entropy() | 2x3
    "distributions.Exponential.log_prob": Operation(frees=3, saves=(3, 1), differentiable=3, operands=2),  # D.Exponential(a, validate_args=False).log_prob(b) | 2x3 | 2x3
    "distributions.Exponential.rsample": Operation(frees=1, saves=(1,), differentiable=1),  # D.Exponential(a, validate_args=False).rsample() | 2x3
    "distributions.Exponential.sample": Operation(),  # D.Exponential(a, validate_args=False).sample() | 2x3
    "distributions.Gamma.entropy": Operation(frees=3, saves=(1, 2), differentiable=3, operands=2),  # D.Gamma(a, b, validate_args=False).entropy() | 2x3 | 2x3
    "distributions.Gamma.log_prob": Operation(frees=7, saves=(3, 7, 7), differentiable=7, operands=3),  # D.Gamma(a, b, validate_args=False).log_prob(c) | 2x3 | 2x3 | 2x3
    "distributions.Gamma.rsample": Operation(frees=3, saves=(1, 3), differentiable=3, operands=2),  # D.Gamma(a, b, validate_args=False).rsample() | 2x3 | 2x3
    "distributions.Gamma.sample": Operation(operands=2),  # D.Gamma(a, b, validate_args=False).sample() | 2x3 | 2x3
    "distributions.Gumbel.entropy": Operation(frees=2, saves=(0, 2), differentiable=2, operands=2),  # D.Gumbel(a, b, validate_args=False).entropy() | 2x3 | 2x3
    "distributions.Gumbel.log_prob": Operation(frees=7, saves=(0, 7), differentiable=7, operands=3),  # D.Gumbel(a, b, validate_args=False).log_prob(c) | 2x3 | 2x3 | 2x3
    "distributions.Gumbel.rsample": Operation(frees=2, differentiable=3, operands=2),  # D.Gumbel(a, b, validate_args=False).rsample() | 2x3 | 2x3
    "distributions.Gumbel.sample": Operation(operands=2),  # D.Gumbel(a, b, validate_args=False).sample() | 2x3 | 2x3
    "distributions.HalfNormal.entropy": Operation(frees=1, saves=(1,), differentiable=1),  # D.HalfNormal(a, validate_args=False).entropy() | 2x3
    "distributions.HalfNormal.log_prob": Operation(frees=3, saves=(1,), differentiable=3, operands=2),  # D.HalfNormal(a, validate_args=False).log_prob(b) | 2x3 | 2x3
    "distributions.HalfNormal.rsample": Operation(frees=1, differentiable=1),  # D.HalfNormal(a, validate_args=False).rsample() | 2x3
    "distributions.HalfNormal.sample": Operation(),  # D.HalfNormal(a, validate_args=False).sample() | 2x3
    "distributions.Laplace.entropy": Operation(frees=2, differentiable=2, operands=2),  # D.Laplace(a, b, validate_args=False).entropy() | 2x3 | 2x3
    "distributions.Laplace.log_prob": Operation(frees=7, saves=(0, 7), differentiable=7, operands=3),  # D.Laplace(a, b, validate_args=False).log_prob(c) | 2x3 | 2x3 | 2x3
    "distributions.Laplace.rsample": Operation(frees=2, differentiable=3, operands=2),  # D.Laplace(a, b, validate_args=False).rsample() | 2x3 | 2x3
    "distributions.Laplace.sample": Operation(operands=2),  # D.Laplace(a, b, validate_args=False).sample() | 2x3 | 2x3
    "distributions.LogNormal.entropy": Operation(frees=2, saves=(0, 2), differentiable=3, operands=2),  # D.LogNormal(a, b, validate_args=False).entropy() | 2x3 | 2x3
    "distributions.LogNormal.log_prob": Operation(frees=7, saves=(0, 2, 4), differentiable=7, operands=3),  # D.LogNormal(a, b, validate_args=False).log_prob(c) | 2x3 | 2x3 | 2x3
    "distributions.LogNormal.rsample": Operation(frees=3, result=3, differentiable=3, operands=2),  # D.LogNormal(a, b, validate_args=False).rsample() | 2x3 | 2x3
    "distributions.LogNormal.sample": Operation(operands=2),  # D.LogNormal(a, b, validate_args=False).sample() | 2x3 | 2x3
    "distributions.MultivariateNormal.entropy": Operation(frees=2, differentiable=2, operands=2),  # D.MultivariateNormal(a, b, validate_args=False).entropy() | 3 | 3x3:spd
    "distributions.MultivariateNormal.log_prob": Operation(frees=7, differentiable=7, operands=3),  # D.MultivariateNormal(a, b, validate_args=False).log_prob(c) | 3 | 3x3:spd | 3
    "distributions.MultivariateNormal.rsample": Operation(frees=2, differentiable=3, operands=2),  # D.MultivariateNormal(a, b, validate_args=False).rsample() | 3 | 3x3:spd
    "distributions.MultivariateNormal.sample": Operation(operands=2),  # D.MultivariateNormal(a, b, validate_args=False).sample() | 3 | 3x3:spd
    "distributions.Normal.entropy": Operation(frees=2, saves=(0, 2), differentiable=2, operands=2),  # D.Normal(a, b, validate_args=False).entropy() | 2x3 | 2x3
    "distributions.Normal.log_prob": Operation(frees=7, saves=(0, 2), differentiable=7, operands=3),  # D.Normal(a, b, validate_args=False).log_prob(c) | 2x3 | 2x3 | 2x3
    "distributions.Normal.rsample": Operation(frees=2, differentiable=3, operands=2),  # D.Normal(a, b, validate_args=False).rsample() | 2x3 | 2x3
    "distributions.Normal.sample": Operation(operands=2),  # D.Normal(a, b, validate_args=False).sample() | 2x3 | 2x3
    "distributions.OneHotCategorical.entropy.logits": Operation(frees=1, saves=(1,), differentiable=1),  # D.OneHotCategorical(logits=a, validate_args=False).entropy() | 2x3
    "distributions.OneHotCategorical.entropy.probs": Operation(frees=1, saves=(1,), differentiable=1),  # D.OneHotCategorical(probs=a, validate_args=False).entropy() | 2x3
    "distributions.OneHotCategorical.log_prob.logits": Operation(frees=1, saves=(1,), differentiable=1, operands=2, attached=1),  # D.OneHotCategorical(logits=a, validate_args=False).log_prob(b) | 2x3 | 2x3:buffer
    "distributions.OneHotCategorical.log_prob.probs": Operation(frees=1, saves=(1,), differentiable=1, operands=2, attached=1),  # D.OneHotCategorical(probs=a, validate_args=False).log_prob(b) | 2x3 | 2x3:buffer
    "distributions.OneHotCategorical.sample.logits": Operation(),  # D.OneHotCategorical(logits=a, validate_args=False).sample() | 2x3
    "distributions.OneHotCategorical.sample.probs": Operation(),  # D.OneHotCategorical(probs=a, validate_args=False).sample() | 2x3
    "distributions.StudentT.entropy": Operation(frees=1, saves=(1,), differentiable=1),  # D.StudentT(a, validate_args=False).entropy() | 2x3
    "distributions.StudentT.log_prob": Operation(frees=3, saves=(3,), differentiable=3, operands=2),  # D.StudentT(a, validate_args=False).log_prob(b) | 2x3 | 2x3
    "distributions.StudentT.rsample": Operation(frees=1, saves=(1,), differentiable=1),  # D.StudentT(a, validate_args=False).rsample() | 2x3
    "distributions.StudentT.sample": Operation(),  # D.StudentT(a, validate_args=False).sample() | 2x3
    "distributions.Uniform.rsample": Operation(frees=3, differentiable=3, operands=2),  # D.Uniform(a, b + 1, validate_args=False).rsample() | 2x3 | 2x3
    "distributions.Uniform.sample": Operation(operands=2),  # D.Uniform(a, b + 1, validate_args=False).sample() | 2x3 | 2x3
    "distributions.kl_divergence": Operation(frees=15, saves=(0, 8, 0, 15), differentiable=15, operands=4),  # D.kl_divergence(D.Normal(a, b), D.Normal(c, d)) | 2x3 | 2x3 | 2x3 | 2x3
    "div": Operation(frees=3, saves=(2, 3), differentiable=3, operands=2),  # a / b | 2x3 | 2x3
    "div.rounding": Operation(frees=3, saves=(2, 3), differentiable=3, operands=2),  # torch.div(a, b, rounding_mode='floor') | 2x3 | 2x3
    "div.rscalar": Operation(frees=1, differentiable=1),  # 1.5 / a | 2x3
    "div.scalar": Operation(frees=1, differentiable=1),  # a / 1.5 | 2x3
    "div_": Operation(frees=3, saves=(0, 3), differentiable=3, same=True, operands=2),  # a.div_(b) | 2x3 | 2x3
    "div_.scalar": Operation(frees=1, differentiable=1, same=True),  # a.div_(1.5) | 2x3
    "divide": Operation(frees=3, saves=(2, 3), differentiable=3, operands=2),  # torch.divide(a, b) | 2x3 | 2x3
    "divide.scalar": Operation(frees=1, differentiable=1),  # torch.divide(a, 1.5) | 2x3
    "divide_": Operation(frees=3, saves=(0, 3), differentiable=3, same=True, operands=2),  # torch.Tensor.divide_(a, b) | 2x3 | 2x3
    "divide_.scalar": Operation(frees=1, differentiable=1, same=True),  # torch.Tensor.divide_(a, 1.5) | 2x3
    "dot": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # torch.dot(a, b) | 3 | 3
    "double": Operation(differentiable=1),  # a.double() | 2x3
    "dropout.eval": Operation(differentiable=1, same=True),  # F.dropout(a, 0.5, False) | 2x3
    "dropout.train": Operation(frees=1, differentiable=1),  # F.dropout(a, 0.5, True) | 2x3
    "dropout.zero": Operation(differentiable=1, same=True),  # F.dropout(a, 0.0, True) | 2x3
    "dropout1d.eval": Operation(differentiable=1, same=True),  # F.dropout1d(a, 0.5, False) | 1x2x4
    "dropout1d.train": Operation(frees=1, differentiable=1),  # F.dropout1d(a, 0.5, True) | 1x2x4
    "dropout2d.eval": Operation(differentiable=1, same=True),  # F.dropout2d(a, 0.5, False) | 1x2x4x4
    "dropout2d.train": Operation(frees=1, differentiable=1),  # F.dropout2d(a, 0.5, True) | 1x2x4x4
    "dropout3d.eval": Operation(differentiable=1, same=True),  # F.dropout3d(a, 0.5, False) | 1x2x4x4x4
    "dropout3d.train": Operation(frees=1, differentiable=1),  # F.dropout3d(a, 0.5, True) | 1x2x4x4x4
    "dsmm": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # torch.dsmm(a, b) | 3x3:spd | 3x3
    "dsplit": Operation(differentiable=1, view=True, outputs=0),  # a.dsplit(2) | 2x3x2
    "dstack": Operation(differentiable=3, operands=2),  # torch.dstack([a, b]) | 2x3 | 2x3
    "einsum": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2, attached=1),  # torch.einsum('ij,jk->ik', a, b) | 2x3 | 3x2
    "einsum.single": Operation(differentiable=1, view=True),  # torch.einsum('ij->ji', a) | 2x3
    "einsum.sum": Operation(differentiable=1),  # torch.einsum('ij->i', a) | 2x3
    "einsum.three": Operation(frees=7, saves=(2, 1, 3), differentiable=7, operands=3, attached=1),  # torch.einsum('ij,jk,kl->il', a, b, c) | 2x3 | 3x2 | 2x3
    "elu": Operation(frees=1, saves=(1,), differentiable=1),  # F.elu(a) | 2x3
    "elu_": Operation(frees=1, result=1, differentiable=1, same=True),  # F.elu_(a) | 2x3
    "embedding": Operation(frees=2, saves=(2,), differentiable=2, operands=2),  # F.embedding(a, b) | 2:long | 4x3
    "embedding_bag": Operation(frees=2, saves=(2,), differentiable=2, operands=2),  # F.embedding_bag(a, b) | 1x2:long | 4x3
    "empty": Operation(operands=0),  # torch.empty(2)
    "empty_like": Operation(),  # torch.empty_like(a) | 2x3
    "empty_strided": Operation(operands=0),  # torch.empty_strided((2,), (1,))
    "eq": Operation(operands=2),  # torch.eq(a, b) | 2x3 | 2x3
    "eq.scalar": Operation(),  # torch.eq(a, 1.5) | 2x3
    "eq_": Operation(differentiable=3, same=True, operands=2),  # torch.Tensor.eq_(a, b) | 2x3 | 2x3
    "eq_.scalar": Operation(differentiable=1, same=True),  # torch.Tensor.eq_(a, 1.5) | 2x3
    "erf": Operation(frees=1, saves=(1,), differentiable=1),  # torch.erf(a) | 2x3
    "erf_": Operation(frees=1, differentiable=1, same=True),  # torch.erf_(a) | 2x3
    "erfc": Operation(frees=1, saves=(1,), differentiable=1),  # torch.erfc(a) | 2x3
    "erfc_": Operation(frees=1, differentiable=1, same=True),  # torch.erfc_(a) | 2x3
    "erfinv": Operation(frees=1, saves=(1,), differentiable=1),  # torch.erfinv(a) | 2x3
    "erfinv_": Operation(frees=1, differentiable=1, same=True),  # torch.Tensor.erfinv_(a) | 2x3
    "exp": Operation(frees=1, result=1, differentiable=1),  # torch.exp(a) | 2x3
    "exp2": Operation(frees=1, result=1, differentiable=1),  # torch.exp2(a) | 2x3
    "exp2_": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.exp2_(a) | 2x3
    "exp_": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.exp_(a) | 2x3
    "expand": Operation(differentiable=1, view=True),  # a.expand(4, 3) | 1x3
    "expand_as": Operation(differentiable=1, view=True, operands=2),  # a.expand_as(b) | 1x3 | 2x3
    "expand_copy": Operation(differentiable=1),  # torch.expand_copy(a, (2, 3)) | 2x3
    "expm1": Operation(frees=1, result=1, differentiable=1),  # torch.expm1(a) | 2x3
    "expm1_": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.expm1_(a) | 2x3
    "exponential_": Operation(differentiable=1, same=True),  # torch.Tensor.exponential_(a) | 2x3
    "eye": Operation(operands=0),  # torch.eye(2)
    "fake_quantize_per_channel_affine": Operation(frees=1, differentiable=1, operands=3),  # torch.fake_quantize_per_channel_affine(a, b, c, 0, 0, 255) | 2x3 | 2:buffer | 2:int
    "fake_quantize_per_tensor_affine": Operation(frees=1, differentiable=1),  # torch.fake_quantize_per_tensor_affine(a, 0.1, 0, 0, 255) | 2x3
    "feature_alpha_dropout.eval": Operation(differentiable=1, same=True),  # F.feature_alpha_dropout(a, 0.5, False) | 2x3
    "feature_alpha_dropout.train": Operation(frees=1, differentiable=1),  # F.feature_alpha_dropout(a, 0.5, True) | 2x3
    "fft.Tensor": Operation(differentiable=1, view=True),  # torch.fft.Tensor(a) | 2x3
    "fft.fft": Operation(frees=1, saves=(1,), differentiable=1),  # torch.fft.fft(a) | 2x3
    "fft.fft2": Operation(differentiable=1),  # torch.fft.fft2(a) | 2x3
    "fft.fftfreq": Operation(operands=0),  # torch.fft.fftfreq(4)
    "fft.fftn": Operation(differentiable=1),  # torch.fft.fftn(a) | 2x3
    "fft.fftshift": Operation(differentiable=1),  # torch.fft.fftshift(a) | 2x3
    "fft.hfft": Operation(differentiable=1),  # torch.fft.hfft(a) | 2x3
    "fft.hfft2": Operation(differentiable=1),  # torch.fft.hfft2(a) | 2x3
    "fft.hfftn": Operation(differentiable=1),  # torch.fft.hfftn(a) | 2x3
    "fft.ifft": Operation(frees=1, saves=(1,), differentiable=1, attached=1),  # torch.fft.ifft(a) | 2x3
    "fft.ifft2": Operation(differentiable=1),  # torch.fft.ifft2(a) | 2x3
    "fft.ifftn": Operation(differentiable=1),  # torch.fft.ifftn(a) | 2x3
    "fft.ifftshift": Operation(differentiable=1),  # torch.fft.ifftshift(a) | 2x3
    "fft.ihfft": Operation(frees=1, saves=(1,), differentiable=1, attached=1),  # torch.fft.ihfft(a) | 2x3
    "fft.ihfft2": Operation(frees=1, saves=(1,), differentiable=1),  # torch.fft.ihfft2(a) | 2x3
    "fft.ihfftn": Operation(frees=1, saves=(1,), differentiable=1),  # torch.fft.ihfftn(a) | 2x3
    "fft.irfft": Operation(differentiable=1),  # torch.fft.irfft(a) | 3:complex
    "fft.irfft2": Operation(differentiable=1),  # torch.fft.irfft2(a) | 2x3
    "fft.irfftn": Operation(differentiable=1),  # torch.fft.irfftn(a) | 2x3
    "fft.rfft": Operation(frees=1, saves=(1,), differentiable=1),  # torch.fft.rfft(a) | 2x3
    "fft.rfft2": Operation(frees=1, saves=(1,), differentiable=1),  # torch.fft.rfft2(a) | 2x3
    "fft.rfftfreq": Operation(operands=0),  # torch.fft.rfftfreq(4)
    "fft.rfftn": Operation(frees=1, saves=(1,), differentiable=1),  # torch.fft.rfftn(a) | 2x3
    "fill": Operation(differentiable=1),  # torch.fill(a, 1) | 2x3
    "fill_": Operation(differentiable=1, same=True),  # a.fill_(1.5) | 2x3
    "fill_.tensor": Operation(differentiable=3, same=True, operands=2),  # a.fill_(b) | 2x3 | x
    "fill_diagonal_": Operation(frees=1, differentiable=1, same=True),  # torch.Tensor.fill_diagonal_(a, 1) | 2x3
    "fix": Operation(differentiable=1),  # torch.fix(a) | 2x3
    "fix_": Operation(differentiable=1, same=True),  # torch.fix_(a) | 2x3
    "flatten": Operation(differentiable=1, view=True),  # a.flatten() | 2x3
    "flip": Operation(differentiable=1),  # a.flip(0) | 2x3
    "fliplr": Operation(differentiable=1),  # torch.fliplr(a) | 2x3
    "flipud": Operation(differentiable=1),  # torch.flipud(a) | 2x3
    "float": Operation(differentiable=1, same=True),  # a.float() | 2x3
    "float_power": Operation(frees=3, result=3, differentiable=3, operands=2),  # torch.float_power(a, b) | 2x3 | 2x3
    "float_power.scalar": Operation(frees=1, differentiable=1),  # torch.float_power(a, 1.5) | 2x3
    "floor": Operation(differentiable=1),  # torch.floor(a) | 2x3
    "floor_": Operation(differentiable=1, same=True),  # torch.floor_(a) | 2x3
    "floor_divide": Operation(operands=2),  # a // b | 2x3 | 2x3
    "floor_divide.rscalar": Operation(),  # 2 // a | 2x3
    "floor_divide.scalar": Operation(),  # a // 2 | 2x3
    "floor_divide_": Operation(same=True, operands=2),  # torch.Tensor.floor_divide_(a, b) | 2x3 | 2x3
    "floor_divide_.scalar": Operation(same=True),  # torch.Tensor.floor_divide_(a, 1.5) | 2x3
    "fmax": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.fmax(a, b) | 2x3 | 2x3
    "fmin": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.fmin(a, b) | 2x3 | 2x3
    "fmod": Operation(frees=2, saves=(2, 2), differentiable=3, operands=2),  # torch.fmod(a, b) | 2x3 | 2x3
    "fmod.scalar": Operation(differentiable=1),  # torch.fmod(a, 2) | 2x3
    "fmod_": Operation(frees=2, saves=(0, 2), differentiable=3, same=True, operands=2),  # torch.Tensor.fmod_(a, b) | 2x3 | 2x3
    "fmod_.scalar": Operation(differentiable=1, same=True),  # torch.Tensor.fmod_(a, 1.5) | 2x3
    "fold": Operation(differentiable=1),  # F.fold(a, (4, 4), 2) | 1x8x9
    "frac": Operation(differentiable=1),  # torch.frac(a) | 2x3
    "frac_": Operation(differentiable=1, same=True),  # torch.frac_(a) | 2x3
    "fractional_max_pool2d": Operation(frees=1, saves=(1,), differentiable=1),  # F.fractional_max_pool2d(a, 2, 2) | 1x2x4x4
    "fractional_max_pool3d": Operation(frees=1, saves=(1,), differentiable=1),  # F.fractional_max_pool3d(a, 2, 2) | 1x2x4x4x4
    "frexp": Operation(frees=1, differentiable=1, outputs=2, constants=2, others=(1,)),  # torch.frexp(a) | 2x3
    "frobenius_norm": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.frobenius_norm(a, 1) | 2x3
    "from_numpy": Operation(),  # torch.from_numpy(a.detach().numpy()) | 2x3
    "full": Operation(operands=0),  # torch.full((2,), 1.5)
    "full_like": Operation(),  # torch.full_like(a, 1.5) | 2x3
    "gather": Operation(frees=1, saves=(1, 1), differentiable=1, operands=2),  # a.gather(1, b) | 2x3 | 2x3:long
    "gaussian_nll_loss": Operation(frees=7, differentiable=7, operands=3),  # F.gaussian_nll_loss(a, b, c) | 2x3 | 2x3 | 2x3
    "ge": Operation(operands=2),  # torch.ge(a, b) | 2x3 | 2x3
    "ge.scalar": Operation(),  # torch.ge(a, 1.5) | 2x3
    "ge_": Operation(differentiable=3, same=True, operands=2),  # torch.Tensor.ge_(a, b) | 2x3 | 2x3
    "ge_.scalar": Operation(differentiable=1, same=True),  # torch.Tensor.ge_(a, 1.5) | 2x3
    "gelu": Operation(frees=1, saves=(1,), differentiable=1),  # F.gelu(a) | 2x3
    "geqrf": Operation(outputs=2),  # torch.geqrf(a) | 2x3
    "ger": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # torch.ger(a, b) | 3 | 3
    "getitem.all": Operation(differentiable=1, view=True),  # a[:] | 2x3
    "getitem.basic": Operation(differentiable=1, view=True),  # a[0] | 2x3
    "getitem.index": Operation(frees=1, saves=(0, 1), differentiable=1, operands=2),  # a[b] | 2x3 | 2:long
    "getitem.index.mixed": Operation(frees=1, saves=(0, 1), differentiable=1, operands=2),  # a[:, b] | 2x3 | 2:long
    "getitem.list": Operation(frees=1, differentiable=1),  # a[[0, 1]] | 2x3
    "getitem.mask": Operation(frees=1, saves=(0, 1), differentiable=1, operands=2),  # a[b] | 2x3 | 2x3:bool
    "getitem.none": Operation(differentiable=1, view=True),  # a[None] | 2x3
    "getitem.pair": Operation(frees=1, saves=(0, 1, 1), differentiable=1, operands=3),  # a[b, c] | 2x3 | 2:long | 2:long
    "getitem.slice": Operation(differentiable=1, view=True),  # a[..., 1:] | 2x3
    "getitem.true": Operation(frees=1, differentiable=1),  # a[True] | 2x3
    "getitem.zero_dim": Operation(differentiable=1, view=True, operands=2),  # a[b] | 2x3 | x:long
    "glu": Operation(frees=1, saves=(1,), differentiable=1),  # F.glu(a) | 2x4
    "gradient": Operation(differentiable=1),  # torch.gradient(a, dim=1) | 2x3
    "greater": Operation(operands=2),  # torch.greater(a, b) | 2x3 | 2x3
    "greater.scalar": Operation(),  # torch.greater(a, 1.5) | 2x3
    "greater_": Operation(differentiable=3, same=True, operands=2),  # torch.Tensor.greater_(a, b) | 2x3 | 2x3
    "greater_.scalar": Operation(differentiable=1, same=True),  # torch.Tensor.greater_(a, 1.5) | 2x3
    "greater_equal": Operation(operands=2),  # torch.greater_equal(a, b) | 2x3 | 2x3
    "greater_equal.scalar": Operation(),  # torch.greater_equal(a, 1.5) | 2x3
    "greater_equal_": Operation(differentiable=3, same=True, operands=2),  # torch.Tensor.greater_equal_(a, b) | 2x3 | 2x3
    "greater_equal_.scalar": Operation(differentiable=1, same=True),  # torch.Tensor.greater_equal_(a, 1.5) | 2x3
    "grid_sample": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # F.grid_sample(a, b) | 1x2x4x4 | 1x3x3x2
    "group_norm": Operation(frees=7, saves=(7, 7), differentiable=7, operands=3),  # F.group_norm(a, 1, b, c) | 2x3 | 3 | 3
    "gru_cell": Operation(frees=63, saves=(4, 8, 1, 2), differentiable=63, operands=6),  # torch.gru_cell(a, b, c, d, e, f) | 1x3 | 1x4 | 12x3 | 12x4 | 12 | 12
    "gt": Operation(operands=2),  # torch.gt(a, b) | 2x3 | 2x3
    "gt.scalar": Operation(),  # torch.gt(a, 1.5) | 2x3
    "gt_": Operation(differentiable=3, same=True, operands=2),  # torch.Tensor.gt_(a, b) | 2x3 | 2x3
    "gt_.scalar": Operation(differentiable=1, same=True),  # torch.Tensor.gt_(a, 1.5) | 2x3
    "gumbel_softmax": Operation(frees=1, result=1, differentiable=1),  # F.gumbel_softmax(a) | 2x3
    "gumbel_softmax.hard": Operation(frees=1, differentiable=1),  # F.gumbel_softmax(a, hard=True) | 2x3
    "half": Operation(differentiable=1),  # torch.Tensor.half(a) | 2x3
    "hamming_window": Operation(operands=0),  # torch.hamming_window(4)
    "hann_window": Operation(operands=0),  # torch.hann_window(4)
    "hardshrink": Operation(frees=1, saves=(1,), differentiable=1),  # torch.hardshrink(a) | 2x3
    "hardsigmoid": Operation(frees=1, saves=(1,), differentiable=1),  # F.hardsigmoid(a) | 2x3
    "hardswish": Operation(frees=1, saves=(1,), differentiable=1),  # F.hardswish(a) | 2x3
    "hardtanh": Operation(frees=1, saves=(1,), differentiable=1),  # F.hardtanh(a) | 2x3
    "hardtanh_": Operation(frees=1, differentiable=1, same=True),  # F.hardtanh_(a) | 2x3
    "hash_tensor": Operation(),  # torch.hash_tensor(a) | 2x3
    "heaviside": Operation(operands=2),  # torch.heaviside(a, b) | 2x3 | 2x3
    "heaviside_": Operation(same=True, operands=2),  # torch.Tensor.heaviside_(a, b) | 2x3 | 2x3
    "hinge_embedding_loss": Operation(frees=1, differentiable=1, operands=2),  # F.hinge_embedding_loss(a, b) | 2x3 | 2x3
    "histc": Operation(),  # torch.histc(a) | 2x3
    "histogram": Operation(outputs=2),  # torch.histogram(a) | 2x3
    "histogramdd": Operation(outputs=0),  # torch.histogramdd(a, 1) | 2x3
    "hsplit": Operation(differentiable=1, view=True, outputs=0),  # a.hsplit(3) | 2x3
    "hstack": Operation(differentiable=3, operands=2),  # torch.hstack([a, b]) | 2x3 | 2x3
    "huber_loss": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # F.huber_loss(a, b) | 2x3 | 2x3
    "hypot": Operation(frees=3, saves=(1, 2), result=3, differentiable=3, operands=2),  # torch.hypot(a, b) | 2x3 | 2x3
    "hypot_": Operation(frees=3, saves=(0, 2), result=3, differentiable=3, same=True, operands=2),  # torch.Tensor.hypot_(a, b) | 2x3 | 2x3
    "i0": Operation(frees=1, saves=(1,), differentiable=1),  # torch.i0(a) | 2x3
    "i0_": Operation(frees=1, differentiable=1, same=True),  # torch.i0_(a) | 2x3
    "igamma": Operation(frees=2, saves=(2, 2), differentiable=2, operands=2),  # torch.igamma(a, b) | 2x3 | 2x3
    "igamma_": Operation(frees=2, saves=(0, 2), differentiable=2, same=True, operands=2),  # torch.Tensor.igamma_(a, b) | 2x3 | 2x3
    "igammac": Operation(frees=2, saves=(2, 2), differentiable=2, operands=2),  # torch.igammac(a, b) | 2x3 | 2x3
    "igammac_": Operation(frees=2, saves=(0, 2), differentiable=2, same=True, operands=2),  # torch.Tensor.igammac_(a, b) | 2x3 | 2x3
    "imag": Operation(differentiable=1, view=True),  # a.imag | 3:complex
    "index_add": Operation(frees=4, saves=(0, 4, 4), differentiable=5, operands=3),  # a.index_add(0, b, c) | 2x3 | 2:long | 2x3
    "index_add_": Operation(frees=4, saves=(0, 4, 4), differentiable=5, same=True, operands=3),  # a.index_add_(0, b, c) | 2x3 | 2:long | 2x3
    "index_copy": Operation(frees=5, saves=(0, 5, 4), differentiable=5, operands=3),  # a.index_copy(0, b, c) | 2x3 | 2:long:perm | 2x3
    "index_copy_": Operation(frees=5, saves=(0, 5, 4), differentiable=5, same=True, operands=3),  # a.index_copy_(0, b, c) | 2x3 | 2:long:perm | 2x3
    "index_fill": Operation(frees=1, saves=(0, 1), differentiable=1, operands=2),  # a.index_fill(0, b, 1.5) | 2x3 | 2:long
    "index_fill_": Operation(frees=1, saves=(0, 1), differentiable=1, same=True, operands=2),  # a.index_fill_(0, b, 1.5) | 2x3 | 2:long
    "index_put": Operation(frees=5, saves=(0, 5), differentiable=5, operands=3),  # a.index_put((b,), c) | 2x3 | 2:long | 2x3
    "index_put_": Operation(frees=5, saves=(0, 5), differentiable=5, same=True, operands=3),  # a.index_put_((b,), c) | 2x3 | 2:long | 2x3
    "index_reduce": Operation(frees=5, saves=(5, 5, 5), result=5, differentiable=5, operands=3),  # a.index_reduce(0, b, c, 'prod') | 2x3 | 2:long | 2x3
    "index_reduce_": Operation(frees=5, saves=(0, 5, 5), result=5, differentiable=5, same=True, operands=3),  # a.index_reduce_(0, b, c, 'prod') | 2x3 | 2:long | 2x3
    "index_select": Operation(frees=1, saves=(0, 1), differentiable=1, operands=2),  # a.index_select(0, b) | 2x3 | 2:long
    "inner": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2, attached=1),  # torch.inner(a, b) | 2x3 | 2x3
    "instance_norm": Operation(frees=7, saves=(7,), differentiable=7, operands=3, attached=1),  # F.instance_norm(a, weight=b, bias=c) | 1x2x4 | 2 | 2
    "int": Operation(),  # a.int() | 2x3
    "interpolate": Operation(differentiable=1),  # F.interpolate(a, scale_factor=2) | 1x2x4
    "interpolate.bilinear": Operation(differentiable=1),  # F.interpolate(a, scale_factor=2, mode='bilinear') | 1x2x4x4
    "interpolate.linear": Operation(differentiable=1),  # F.interpolate(a, scale_factor=2, mode='linear') | 1x2x4
    "inverse": Operation(frees=1, result=1, differentiable=1),  # torch.inverse(a) | 3x3:spd
    "isclose": Operation(operands=2),  # torch.isclose(a, b) | 2x3 | 2x3
    "isfinite": Operation(),  # torch.isfinite(a) | 2x3
    "isin": Operation(operands=2),  # torch.isin(a, b) | 2x3 | 2x3
    "isin.scalar": Operation(),  # torch.isin(a, 1.5) | 2x3
    "isinf": Operation(),  # torch.isinf(a) | 2x3
    "isnan": Operation(),  # torch.isnan(a) | 2x3
    "isneginf": Operation(),  # torch.isneginf(a) | 2x3
    "isposinf": Operation(),  # torch.isposinf(a) | 2x3
    "isreal": Operation(),  # torch.isreal(a) | 2x3
    "istft": Operation(frees=3, saves=(0, 3), differentiable=3, operands=2, attached=1),  # torch.istft(a, 4, window=b) | 3x9:complex | 4
    "kaiser_window": Operation(operands=0),  # torch.kaiser_window(4)
    "kl_div": Operation(frees=3, saves=(2, 3), differentiable=3, operands=2),  # F.kl_div(a, b, reduction='batchmean') | 2x3 | 2x3
    "kl_div.log": Operation(frees=3, differentiable=3, operands=2),  # F.kl_div(a, b, reduction='batchmean', log_target=True) | 2x3 | 2x3
    "kron": Operation(frees=3, differentiable=3, operands=2),  # torch.kron(a, b) | 2x3 | 2x3
    "kthvalue": Operation(frees=1, differentiable=1, outputs=2, constants=2, others=(1,)),  # a.kthvalue(1) | 2x3
    "l1_loss": Operation(frees=3, differentiable=3, operands=2),  # F.l1_loss(a, b) | 2x3 | 2x3
    "layer_norm": Operation(frees=7, saves=(7, 7, 7), differentiable=7, operands=3),  # F.layer_norm(a, (3,), b, c) | 2x3 | 3 | 3
    "layer_norm.plain": Operation(frees=1, saves=(1,), differentiable=1),  # F.layer_norm(a, (3,)) | 2x3
    "ldexp": Operation(frees=3, saves=(0, 1), result=3, differentiable=3, operands=2),  # torch.ldexp(a, b) | 2x3 | 2x3
    "ldexp_": Operation(frees=3, saves=(0, 1), result=3, differentiable=3, same=True, operands=2),  # torch.ldexp_(a, b) | 2x3 | 2x3
    "le": Operation(operands=2),  # torch.le(a, b) | 2x3 | 2x3
    "le.scalar": Operation(),  # torch.le(a, 1.5) | 2x3
    "le_": Operation(differentiable=3, same=True, operands=2),  # torch.Tensor.le_(a, b) | 2x3 | 2x3
    "le_.scalar": Operation(differentiable=1, same=True),  # torch.Tensor.le_(a, 1.5) | 2x3
    "leaky_relu": Operation(frees=1, saves=(1,), differentiable=1),  # F.leaky_relu(a) | 2x3
    "leaky_relu_": Operation(frees=1, result=1, differentiable=1, same=True),  # F.leaky_relu_(a) | 2x3
    "lerp": Operation(frees=7, saves=(4, 4, 7), differentiable=7, operands=3),  # torch.lerp(a, b, c) | 2x3 | 2x3 | 2x3
    "lerp.scalar": Operation(differentiable=3, operands=2),  # torch.lerp(a, b, 0.5) | 2x3 | 2x3
    "lerp_": Operation(frees=7, saves=(0, 4, 7), differentiable=7, same=True, operands=3),  # a.lerp_(b, c) | 2x3 | 2x3 | 2x3
    "lerp_.scalar": Operation(differentiable=3, same=True, operands=2),  # a.lerp_(b, 0.5) | 2x3 | 2x3
    "less": Operation(operands=2),  # torch.less(a, b) | 2x3 | 2x3
    "less.scalar": Operation(),  # torch.less(a, 1.5) | 2x3
    "less_": Operation(differentiable=3, same=True, operands=2),  # torch.Tensor.less_(a, b) | 2x3 | 2x3
    "less_.scalar": Operation(differentiable=1, same=True),  # torch.Tensor.less_(a, 1.5) | 2x3
    "less_equal": Operation(operands=2),  # torch.less_equal(a, b) | 2x3 | 2x3
    "less_equal.scalar": Operation(),  # torch.less_equal(a, 1.5) | 2x3
    "less_equal_": Operation(differentiable=3, same=True, operands=2),  # torch.Tensor.less_equal_(a, b) | 2x3 | 2x3
    "less_equal_.scalar": Operation(differentiable=1, same=True),  # torch.Tensor.less_equal_(a, 1.5) | 2x3
    "lgamma": Operation(frees=1, saves=(1,), differentiable=1),  # torch.lgamma(a) | 2x3
    "lgamma_": Operation(frees=1, differentiable=1, same=True),  # torch.Tensor.lgamma_(a) | 2x3
    "linalg.cholesky": Operation(frees=1, result=1, differentiable=1),  # torch.linalg.cholesky(a) | 3x3:spd
    "linalg.cholesky_ex": Operation(frees=1, result=1, differentiable=1, outputs=2, constants=2),  # torch.linalg.cholesky_ex(a) | 3x3:spd
    "linalg.cond": Operation(frees=1, differentiable=1, attached=1),  # torch.linalg.cond(a) | 2x3
    "linalg.cross": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # torch.linalg.cross(a, b) | 2x3 | 2x3
    "linalg.det": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.linalg.det(a) | 3x3:spd
    "linalg.diagonal": Operation(differentiable=1, view=True),  # torch.linalg.diagonal(a) | 2x3
    "linalg.eig": Operation(frees=1, result=1, differentiable=1, outputs=2, others=(1,)),  # torch.linalg.eig(a) | 3x3:spd
    "linalg.eigh": Operation(frees=1, result=1, differentiable=1, outputs=2, others=(1,)),  # torch.linalg.eigh(a) | 3x3:spd
    "linalg.eigvals": Operation(frees=1, result=1, differentiable=1),  # torch.linalg.eigvals(a) | 3x3:spd
    "linalg.eigvalsh": Operation(frees=1, result=1, differentiable=1),  # torch.linalg.eigvalsh(a) | 3x3:spd
    "linalg.householder_product": Operation(frees=3, saves=(3, 3), result=3, differentiable=3, operands=2),  # torch.linalg.householder_product(a, b) | 3x2 | 2
    "linalg.inv": Operation(frees=1, result=1, differentiable=1),  # torch.linalg.inv(a) | 3x3:spd
    "linalg.inv_ex": Operation(frees=1, result=1, differentiable=1, outputs=2, constants=2),  # torch.linalg.inv_ex(a) | 3x3:spd
    "linalg.ldl_factor": Operation(outputs=2),  # torch.linalg.ldl_factor(a) | 3x3:spd
    "linalg.ldl_factor_ex": Operation(outputs=3),  # torch.linalg.ldl_factor_ex(a) | 3x3:spd
    "linalg.ldl_solve": Operation(operands=3),  # torch.linalg.ldl_solve(a, b, c) | 3x3:spd | 3:int | 3x3
    "linalg.lstsq": Operation(frees=3, saves=(3, 3), result=3, differentiable=3, outputs=4, operands=2, constants=12),  # torch.linalg.lstsq(a, b) | 3x3:spd | 3x2
    "linalg.lu": Operation(frees=1, result=1, differentiable=1, outputs=3, constants=1, others=(1, 1)),  # torch.linalg.lu(a) | 2x3
    "linalg.lu_factor": Operation(frees=1, result=1, differentiable=1, outputs=2, constants=2, others=(1,)),  # torch.linalg.lu_factor(a) | 3x3:spd
    "linalg.lu_factor_ex": Operation(frees=1, result=1, differentiable=1, outputs=3, constants=6, others=(1,)),  # torch.linalg.lu_factor_ex(a) | 2x3
    "linalg.lu_solve": Operation(frees=5, saves=(5, 5), result=5, differentiable=5, operands=3),  # torch.linalg.lu_solve(a, b, c) | 3x3:spd | 3:int | 3x3
    "linalg.matmul": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # torch.linalg.matmul(a, b) | 3x3:spd | 3x3
    "linalg.matrix_exp": Operation(frees=1, saves=(1,), differentiable=1),  # torch.linalg.matrix_exp(a) | 3x3:spd
    "linalg.matrix_norm": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.linalg.matrix_norm(a) | 2x3
    "linalg.matrix_power": Operation(frees=1, saves=(1,), differentiable=1),  # torch.linalg.matrix_power(a, 2) | 3x3:spd
    "linalg.matrix_rank": Operation(),  # torch.linalg.matrix_rank(a) | 2x3
    "linalg.multi_dot": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2, attached=1),  # torch.linalg.multi_dot([a, b]) | 2x3 | 3x2
    "linalg.norm": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.linalg.norm(a) | 2x3
    "linalg.norm.nuc": Operation(frees=1, differentiable=1),  # torch.linalg.norm(a, 'nuc') | 3x3
    "linalg.pinv": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.linalg.pinv(a) | 2x3
    "linalg.qr": Operation(frees=1, result=1, differentiable=1, outputs=2, others=(1,)),  # torch.linalg.qr(a) | 2x3
    "linalg.slogdet": Operation(frees=1, saves=(1,), result=1, differentiable=1, outputs=2),  # torch.linalg.slogdet(a) | 3x3:spd
    "linalg.solve": Operation(frees=3, saves=(3,), result=3, differentiable=3, operands=2),  # torch.linalg.solve(a, b) | 3x3:spd | 3x2
    "linalg.solve_ex": Operation(frees=3, saves=(3,), result=3, differentiable=3, outputs=2, operands=2, constants=2),  # torch.linalg.solve_ex(a, b) | 3x3:spd | 3x3
    "linalg.solve_triangular": Operation(frees=3, saves=(3,), result=3, differentiable=3, operands=2),  # torch.linalg.solve_triangular(a, b, upper=True) | 3x3:spd | 3x2
    "linalg.svd": Operation(frees=1, result=1, differentiable=1, outputs=3, others=(1, 1)),  # torch.linalg.svd(a) | 2x3
    "linalg.svdvals": Operation(frees=1, result=1, differentiable=1),  # torch.linalg.svdvals(a) | 2x3
    "linalg.tensorinv": Operation(frees=1, result=1, differentiable=1, attached=1),  # torch.linalg.tensorinv(a, 1) | 3x3:spd
    "linalg.tensorsolve": Operation(frees=3, saves=(3,), result=3, differentiable=3, operands=2, attached=1),  # torch.linalg.tensorsolve(a, b) | 3x3:spd | 3
    "linalg.vander": Operation(frees=1, saves=(1,), differentiable=1),  # torch.linalg.vander(a) | 2x3
    "linalg.vecdot": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # torch.linalg.vecdot(a, b) | 2x3 | 2x3
    "linalg.vector_norm": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.linalg.vector_norm(a) | 2x3
    "linear": Operation(frees=3, saves=(2, 1), differentiable=7, operands=3),  # F.linear(a, b, c) | 4x3 | 2x3 | 2
    "linear.1d": Operation(frees=3, saves=(2, 1), differentiable=7, operands=3, attached=1),  # F.linear(a, b, c) | 3 | 2x3 | 2
    "linear.3d": Operation(frees=3, saves=(2, 1), differentiable=7, operands=3, attached=1),  # F.linear(a, b, c) | 2x4x3 | 2x3 | 2
    "linear.3d.nobias": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # F.linear(a, b) | 2x4x3 | 2x3
    "linear.nobias": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # F.linear(a, b) | 4x3 | 2x3
    "linear_cross_entropy": Operation(frees=3, saves=(2, 1, 3), differentiable=3, operands=3),  # F.linear_cross_entropy(a, b, c) | 2x3 | 4x3 | 2:long
    "linspace": Operation(operands=0),  # torch.linspace(0, 1, 2)
    "local_response_norm": Operation(frees=1, saves=(1,), differentiable=1),  # F.local_response_norm(a, 2) | 1x2x4
    "log": Operation(frees=1, saves=(1,), differentiable=1),  # torch.log(a) | 2x3
    "log10": Operation(frees=1, saves=(1,), differentiable=1),  # torch.log10(a) | 2x3
    "log10_": Operation(frees=1, differentiable=1, same=True),  # torch.log10_(a) | 2x3
    "log1p": Operation(frees=1, saves=(1,), differentiable=1),  # torch.log1p(a) | 2x3
    "log1p_": Operation(frees=1, differentiable=1, same=True),  # torch.log1p_(a) | 2x3
    "log2": Operation(frees=1, saves=(1,), differentiable=1),  # torch.log2(a) | 2x3
    "log2_": Operation(frees=1, differentiable=1, same=True),  # torch.log2_(a) | 2x3
    "log_": Operation(frees=1, differentiable=1, same=True),  # torch.log_(a) | 2x3
    "log_normal_": Operation(differentiable=1, same=True),  # torch.Tensor.log_normal_(a) | 2x3
    "log_softmax": Operation(frees=1, result=1, differentiable=1),  # a.log_softmax(-1) | 2x3
    "logaddexp": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.logaddexp(a, b) | 2x3 | 2x3
    "logaddexp2": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.logaddexp2(a, b) | 2x3 | 2x3
    "logcumsumexp": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.logcumsumexp(a, 1) | 2x3
    "logdet": Operation(frees=1, saves=(1,), differentiable=1),  # torch.logdet(a) | 3x3:spd
    "logical_and": Operation(operands=2),  # torch.logical_and(a, b) | 2x3 | 2x3
    "logical_and_": Operation(differentiable=1, same=True, operands=2),  # torch.Tensor.logical_and_(a, b) | 2x3 | 2x3
    "logical_not": Operation(),  # torch.logical_not(a) | 2x3
    "logical_not_": Operation(differentiable=1, same=True),  # torch.Tensor.logical_not_(a) | 2x3
    "logical_or": Operation(operands=2),  # torch.logical_or(a, b) | 2x3 | 2x3
    "logical_or_": Operation(differentiable=1, same=True, operands=2),  # torch.Tensor.logical_or_(a, b) | 2x3 | 2x3
    "logical_xor": Operation(operands=2),  # torch.logical_xor(a, b) | 2x3 | 2x3
    "logical_xor_": Operation(differentiable=1, same=True, operands=2),  # torch.Tensor.logical_xor_(a, b) | 2x3 | 2x3
    "logit": Operation(frees=1, saves=(1,), differentiable=1),  # torch.logit(a) | 2x3
    "logit_": Operation(frees=1, differentiable=1, same=True),  # torch.logit_(a) | 2x3
    "logsigmoid": Operation(frees=1, saves=(1,), differentiable=1),  # F.logsigmoid(a) | 2x3
    "logspace": Operation(operands=0),  # torch.logspace(0, 1, 2)
    "logsumexp": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # a.logsumexp(1) | 2x3
    "long": Operation(),  # torch.Tensor.long(a) | 2x3
    "lp_pool1d": Operation(frees=1, saves=(1,), differentiable=1),  # F.lp_pool1d(a, 2, 2) | 1x2x4
    "lp_pool2d": Operation(frees=1, saves=(1,), differentiable=1),  # F.lp_pool2d(a, 2, 2) | 1x2x4x4
    "lp_pool3d": Operation(frees=1, saves=(1,), differentiable=1),  # F.lp_pool3d(a, 2, 2) | 1x2x4x4x4
    "lstm_cell": Operation(frees=127, saves=(8, 16, 123, 1, 2), differentiable=127, outputs=2, operands=7),  # torch.lstm_cell(a, (b, c), d, e, f, g) | 1x3 | 1x4 | 1x4 | 16x3 | 16x4 | 16 | 16
    "lt": Operation(operands=2),  # torch.lt(a, b) | 2x3 | 2x3
    "lt.scalar": Operation(),  # torch.lt(a, 1.5) | 2x3
    "lt_": Operation(differentiable=3, same=True, operands=2),  # torch.Tensor.lt_(a, b) | 2x3 | 2x3
    "lt_.scalar": Operation(differentiable=1, same=True),  # torch.Tensor.lt_(a, 1.5) | 2x3
    "lu": Operation(frees=1, result=1, differentiable=1, outputs=2, constants=2, others=(1,)),  # torch.lu(a) | 2x3
    "lu_solve": Operation(frees=3, saves=(0, 3, 3), result=3, differentiable=3, operands=3),  # torch.lu_solve(a, b, c) | 3x2 | 3x3:spd | 3:int
    "lu_unpack": Operation(differentiable=1, outputs=3, operands=2, constants=1),  # torch.lu_unpack(a, b) | 3x3:spd | 3:int
    "mH": Operation(differentiable=1, view=True),  # a.mH | 2x3
    "mT": Operation(differentiable=1, view=True),  # a.mT | 2x3
    "margin_ranking_loss": Operation(frees=3, differentiable=3, operands=3),  # F.margin_ranking_loss(a, b, c) | 3 | 3 | 3:buffer
    "masked_fill": Operation(frees=1, saves=(0, 1), differentiable=1, operands=2),  # a.masked_fill(b, 0.0) | 2x3 | 2x3:bool
    "masked_fill.tensor": Operation(frees=5, saves=(0, 5), differentiable=5, operands=3),  # a.masked_fill(b, c) | 2x3 | 2x3:bool | x
    "masked_fill_": Operation(frees=1, saves=(0, 1), differentiable=1, same=True, operands=2),  # a.masked_fill_(b, 0.0) | 2x3 | 2x3:bool
    "masked_scatter": Operation(frees=5, saves=(0, 5), differentiable=5, operands=3),  # a.masked_scatter(b, c) | 2x3 | 2x3:bool | 2x3
    "masked_scatter_": Operation(frees=5, saves=(0, 5), differentiable=5, same=True, operands=3),  # a.masked_scatter_(b, c) | 2x3 | 2x3:bool | 2x3
    "masked_select": Operation(frees=1, saves=(1, 1), differentiable=1, operands=2),  # a.masked_select(b) | 2x3 | 2x3:bool
    "matmul": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # a @ b | 3x3 | 3x3
    "matmul.batched": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # a @ b | 2x3x3 | 2x3x3
    "matmul.vector": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # a @ b | 3x3 | 3
    "matrix_exp": Operation(frees=1, saves=(1,), differentiable=1),  # torch.matrix_exp(a) | 3x3:spd
    "matrix_power": Operation(frees=1, saves=(1,), differentiable=1),  # torch.matrix_power(a, 2) | 3x3:spd
    "max": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # a.max() | 2x3
    "max.dim": Operation(frees=1, differentiable=1, outputs=2, constants=2, others=(1,)),  # a.max(1) | 2x3
    "max.other": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.max(a, b) | 2x3 | 2x3
    "max_pool1d": Operation(frees=1, saves=(1,), differentiable=1, attached=1),  # torch.max_pool1d(a, 1) | 2x3
    "max_pool1d_with_indices": Operation(frees=1, saves=(1,), differentiable=1, outputs=2, constants=2, others=(1,), attached=3),  # torch.max_pool1d_with_indices(a, 1) | 2x3
    "max_pool2d": Operation(frees=1, saves=(1,), differentiable=1),  # torch.max_pool2d(a, 2) | 1x2x4
    "max_pool2d_with_indices": Operation(frees=1, saves=(1,), differentiable=1, outputs=2, constants=2, others=(1,)),  # F.max_pool2d_with_indices(a, 2) | 1x2x4
    "max_pool3d": Operation(frees=1, saves=(1,), differentiable=1),  # torch.max_pool3d(a, 2) | 1x2x4x4
    "max_pool3d_with_indices": Operation(frees=1, saves=(1,), differentiable=1, outputs=2, constants=2, others=(1,)),  # F.max_pool3d_with_indices(a, 2) | 1x2x4x4
    "max_unpool1d": Operation(frees=1, saves=(0, 1), differentiable=1, operands=2, attached=1),  # F.max_unpool1d(a, b, 2) | 1x2x2 | 1x2x2:long
    "max_unpool2d": Operation(frees=1, saves=(0, 1), differentiable=1, operands=2),  # F.max_unpool2d(a, b, 2) | 1x2x2x2 | 1x2x2x2:long
    "max_unpool3d": Operation(frees=1, saves=(0, 1), differentiable=1, operands=2),  # F.max_unpool3d(a, b, 2) | 1x2x2x2x2 | 1x2x2x2x2:long
    "maximum": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.maximum(a, b) | 2x3 | 2x3
    "mean": Operation(differentiable=1),  # a.mean() | 2x3
    "mean.dim": Operation(differentiable=1),  # a.mean(1) | 2x3
    "median": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.median(a) | 2x3
    "median.dim": Operation(frees=1, differentiable=1, outputs=2, constants=2, others=(1,)),  # a.median(1) | 2x3
    "meshgrid": Operation(differentiable=3, view=True, outputs=0, operands=2),  # torch.meshgrid(a, b, indexing='ij') | 2 | 3
    "min": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # a.min() | 2x3
    "min.dim": Operation(frees=1, differentiable=1, outputs=2, constants=2, others=(1,)),  # a.min(1) | 2x3
    "min.other": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.min(a, b) | 2x3 | 2x3
    "minimum": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.minimum(a, b) | 2x3 | 2x3
    "mish": Operation(frees=1, saves=(1,), differentiable=1),  # F.mish(a) | 2x3
    "mm": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # torch.mm(a, b) | 3x3:spd | 3x3
    "mode": Operation(frees=1, differentiable=1, outputs=2, constants=2, others=(1,)),  # torch.mode(a) | 2x3
    "moveaxis": Operation(differentiable=1, view=True),  # a.moveaxis(0, 1) | 2x3
    "movedim": Operation(differentiable=1, view=True),  # a.movedim(0, 1) | 2x3
    "mse_loss": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # F.mse_loss(a, b) | 2x3 | 2x3
    "mse_loss.none": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # F.mse_loss(a, b, reduction='none') | 2x3 | 2x3
    "msort": Operation(frees=1, differentiable=1),  # torch.msort(a) | 2x3
    "mul": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # a * b | 2x3 | 2x3
    "mul.rscalar": Operation(frees=1, differentiable=1),  # 1.5 * a | 2x3
    "mul.scalar": Operation(frees=1, differentiable=1),  # a * 1.5 | 2x3
    "mul_": Operation(frees=3, saves=(0, 1), differentiable=3, same=True, operands=2),  # a.mul_(b) | 2x3 | 2x3
    "mul_.scalar": Operation(frees=1, differentiable=1, same=True),  # a.mul_(1.5) | 2x3
    "mul_.self": Operation(saves=(1,), differentiable=1, same=True),  # a.mul_(a) | 2x3
    "mul_.view.scalar": Operation(frees=1, differentiable=1, same=True),  # (a[0].mul_(1.5), a)[1:] | 2x3
    "multi_head_attention_forward": Operation(frees=63, saves=(8, 8, 8, 7, 0, 31), differentiable=127, outputs=2, operands=7, attached=1),  # F.multi_head_attention_forward(a, b, c, 4, 2, d, e, None, None, False, 0.0, f, g) | 2x1x4 | 2x1x4 | 2x1x4 | 12x4 | 12 | 4x4 | 4
    "multi_margin_loss": Operation(frees=1, saves=(1, 1), differentiable=1, operands=2),  # F.multi_margin_loss(a, b) | 2x3 | 2:long
    "multilabel_margin_loss": Operation(frees=1, saves=(1, 1), differentiable=1, operands=2),  # F.multilabel_margin_loss(a, b) | 2x3 | 2x3:long
    "multilabel_soft_margin_loss": Operation(frees=3, saves=(1, 1), differentiable=3, operands=2),  # F.multilabel_soft_margin_loss(a, b) | 2x3 | 2x3
    "multinomial": Operation(),  # torch.multinomial(a, 1) | 2x3
    "multiply": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # torch.multiply(a, b) | 2x3 | 2x3
    "multiply.scalar": Operation(frees=1, differentiable=1),  # torch.multiply(a, 1.5) | 2x3
    "multiply_": Operation(frees=3, saves=(0, 1), differentiable=3, same=True, operands=2),  # torch.Tensor.multiply_(a, b) | 2x3 | 2x3
    "multiply_.scalar": Operation(frees=1, differentiable=1, same=True),  # torch.Tensor.multiply_(a, 1.5) | 2x3
    "mv": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # torch.mv(a, b) | 2x3 | 3
    "mvlgamma": Operation(frees=1, saves=(1,), differentiable=1),  # torch.mvlgamma(a, 1) | 2x3
    "mvlgamma_": Operation(frees=1, differentiable=1, same=True),  # torch.Tensor.mvlgamma_(a, 1) | 2x3
    "nan_to_num": Operation(frees=1, saves=(1,), differentiable=1),  # torch.nan_to_num(a) | 2x3
    "nan_to_num_": Operation(frees=1, differentiable=1, same=True),  # torch.nan_to_num_(a) | 2x3
    "nanmean": Operation(frees=1, saves=(1,), differentiable=1),  # torch.nanmean(a) | 2x3
    "nanmedian": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.nanmedian(a) | 2x3
    "nanmedian.dim": Operation(frees=1, differentiable=1, outputs=2, constants=2, others=(1,)),  # a.nanmedian(1) | 2x3
    "nanquantile": Operation(frees=1, differentiable=1),  # torch.nanquantile(a, 0.5) | 2x3
    "nansum": Operation(frees=1, saves=(1,), differentiable=1),  # torch.nansum(a) | 2x3
    "narrow": Operation(differentiable=1, view=True),  # a.narrow(1, 0, 2) | 2x3
    "narrow_copy": Operation(differentiable=1),  # a.narrow_copy(1, 0, 2) | 2x3
    "native_channel_shuffle": Operation(),  # torch.native_channel_shuffle(a, 2) | 1x2x4
    "native_dropout": Operation(frees=1, differentiable=1, outputs=2, constants=2, others=(1,)),  # torch.native_dropout(a, 0.5, True) | 2x3
    "native_layer_norm": Operation(frees=7, saves=(7, 7, 7), differentiable=7, outputs=3, operands=3, constants=6, others=(7, 7)),  # torch.native_layer_norm(a, (3,), b, c, 1e-5) | 2x3 | 3 | 3
    "ne": Operation(operands=2),  # torch.ne(a, b) | 2x3 | 2x3
    "ne.scalar": Operation(),  # torch.ne(a, 1.5) | 2x3
    "ne_": Operation(differentiable=3, same=True, operands=2),  # torch.Tensor.ne_(a, b) | 2x3 | 2x3
    "ne_.scalar": Operation(differentiable=1, same=True),  # torch.Tensor.ne_(a, 1.5) | 2x3
    "neg": Operation(differentiable=1),  # torch.neg(a) | 2x3
    "neg_": Operation(differentiable=1, same=True),  # torch.neg_(a) | 2x3
    "negative": Operation(differentiable=1),  # torch.negative(a) | 2x3
    "negative_": Operation(differentiable=1, same=True),  # torch.negative_(a) | 2x3
    "new": Operation(differentiable=2, view=True, operands=2),  # torch.Tensor.new(a, b) | 2x3 | 2x3
    "new_empty": Operation(),  # a.new_empty(2) | 2x3
    "new_full": Operation(),  # a.new_full((2,), 1.5) | 2x3
    "new_ones": Operation(),  # a.new_ones(2) | 2x3
    "new_tensor": Operation(),  # a.new_tensor(a) | 2x3
    "new_zeros": Operation(),  # a.new_zeros(2) | 2x3
    "nextafter": Operation(frees=1, saves=(1, 1), differentiable=3, operands=2),  # torch.nextafter(a, b) | 2x3 | 2x3
    "nextafter_": Operation(frees=1, saves=(0, 1), differentiable=3, same=True, operands=2),  # torch.Tensor.nextafter_(a, b) | 2x3 | 2x3
    "nll_loss": Operation(frees=1, saves=(1, 1), differentiable=1, operands=2),  # F.nll_loss(a, b) | 2x3 | 2:long
    "nll_loss.weight": Operation(frees=1, saves=(1, 1, 1), differentiable=1, operands=3),  # F.nll_loss(a, b, c) | 2x3 | 2:long | 3
    "nn.functional.adaptive_max_pool1d": Operation(frees=1, saves=(1,), differentiable=1, attached=1),  # F.adaptive_max_pool1d(a, 1) | 2x3
    "nn.functional.unfold": Operation(differentiable=1),  # F.unfold(a, 2) | 1x2x4x4
    "nonzero": Operation(),  # torch.nonzero(a) | 2x3
    "norm": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # a.norm() | 2x3
    "norm.dim": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # a.norm(2, 1) | 2x3
    "norm.one": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # a.norm(1) | 2x3
    "norm_except_dim": Operation(frees=1, saves=(1,), result=1, differentiable=1, attached=1),  # torch.norm_except_dim(a) | 2x3
    "normal": Operation(differentiable=1),  # torch.normal(a, 1.0) | 2x3
    "normal.std": Operation(differentiable=3, operands=2),  # torch.normal(a, b) | 2x3 | 2x3
    "normal_": Operation(differentiable=1, same=True),  # torch.Tensor.normal_(a) | 2x3
    "normalize": Operation(frees=1, saves=(1,), differentiable=1),  # F.normalize(a) | 2x3
    "not_equal": Operation(operands=2),  # torch.not_equal(a, b) | 2x3 | 2x3
    "not_equal.scalar": Operation(),  # torch.not_equal(a, 1.5) | 2x3
    "not_equal_": Operation(differentiable=3, same=True, operands=2),  # torch.Tensor.not_equal_(a, b) | 2x3 | 2x3
    "not_equal_.scalar": Operation(differentiable=1, same=True),  # torch.Tensor.not_equal_(a, 1.5) | 2x3
    "nuclear_norm": Operation(frees=1, differentiable=1),  # torch.nuclear_norm(a) | 2x3
    "one_hot": Operation(),  # F.one_hot(a) | 2:long
    "ones": Operation(operands=0),  # torch.ones(2)
    "ones_like": Operation(),  # torch.ones_like(a) | 2x3
    "orgqr": Operation(frees=3, saves=(3, 3), result=3, differentiable=3, operands=2),  # torch.orgqr(a, b) | 3x2 | 2
    "ormqr": Operation(frees=7, saves=(7, 7, 7), result=7, differentiable=7, operands=3),  # torch.ormqr(a, b, c) | 3x3 | 3 | 3x3
    "outer": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # torch.outer(a, b) | 3 | 3
    "pack_padded_sequence": Operation(frees=1, differentiable=1),  # nn.utils.rnn.pack_padded_sequence(a, [2, 1]).data | 2x2x3
    "pad": Operation(differentiable=1),  # F.pad(a, (1, 1)) | 1x2x4
    "pad.circular": Operation(frees=1, differentiable=1),  # F.pad(a, (1, 1), mode='circular') | 1x2x4
    "pad.reflect": Operation(frees=1, saves=(1,), differentiable=1),  # F.pad(a, (1, 1), mode='reflect') | 1x2x4
    "pad.replicate": Operation(frees=1, saves=(1,), differentiable=1),  # F.pad(a, (1, 1), mode='replicate') | 1x2x4
    "pad_packed_sequence": Operation(frees=1, differentiable=1, outputs=2, constants=2),  # nn.utils.rnn.pad_packed_sequence(nn.utils.rnn.pack_padded_sequence(a, [2, 1])) | 2x2x3
    "pad_sequence": Operation(frees=3, differentiable=3, operands=2),  # nn.utils.rnn.pad_sequence([a, b]) | 2x3 | 1x3
    "pairwise_distance": Operation(frees=3, result=3, differentiable=3, operands=2),  # torch.pairwise_distance(a, b) | 2x3 | 2x3
    "parameters_to_vector": Operation(differentiable=3, operands=2),  # nn.utils.parameters_to_vector([a, b]) | 2x3 | 3
    "pca_lowrank": Operation(frees=1, result=1, differentiable=1, outputs=3, others=(1,), attached=1),  # torch.pca_lowrank(a) | 2x3
    "pdist": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # F.pdist(a) | 2x3
    "permute": Operation(differentiable=1, view=True),  # a.permute(1, 0) | 2x3
    "permute_copy": Operation(differentiable=1),  # torch.permute_copy(a, (1, 0)) | 2x3
    "pinverse": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.pinverse(a) | 2x3
    "pixel_shuffle": Operation(differentiable=1),  # F.pixel_shuffle(a, 2) | 1x4x4x4
    "pixel_unshuffle": Operation(differentiable=1),  # torch.pixel_unshuffle(a, 2) | 1x2x4
    "poisson": Operation(differentiable=1),  # torch.poisson(a) | 2x3
    "poisson_nll_loss": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # F.poisson_nll_loss(a, b) | 2x3 | 2x3
    "polar": Operation(frees=3, result=3, differentiable=3, operands=2),  # torch.polar(a, b) | 2x3 | 2x3
    "polygamma": Operation(frees=1, saves=(1,), differentiable=1),  # torch.polygamma(1, a) | 2x3
    "polygamma_": Operation(frees=1, differentiable=1, same=True),  # torch.Tensor.polygamma_(a, 1) | 2x3
    "positive": Operation(differentiable=1, same=True),  # torch.positive(a) | 2x3
    "pow": Operation(frees=3, saves=(3, 3), result=3, differentiable=3, operands=2),  # a ** b | 2x3 | 2x3
    "pow.rscalar": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # 2 ** a | 2x3
    "pow.scalar": Operation(frees=1, saves=(1,), differentiable=1),  # a ** 2 | 2x3
    "pow_": Operation(frees=3, saves=(0, 3), result=3, differentiable=3, same=True, operands=2),  # a.pow_(b) | 2x3 | 2x3
    "pow_.scalar": Operation(frees=1, differentiable=1, same=True),  # a.pow_(2) | 2x3
    "prelu": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # F.prelu(a, b) | 2x3 | 1
    "prod": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # a.prod() | 2x3
    "prod.dim": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # a.prod(1) | 2x3
    "put": Operation(frees=5, saves=(0, 5, 4), differentiable=5, operands=3),  # a.put(b, c) | 2x3 | 2:long | 2
    "put_": Operation(frees=5, saves=(0, 5, 4), differentiable=5, same=True, operands=3),  # a.put_(b, c) | 2x3 | 2:long | 2
    "qr": Operation(frees=1, result=1, differentiable=1, outputs=2, others=(1,)),  # torch.qr(a) | 2x3
    "quantile": Operation(frees=1, differentiable=1),  # torch.quantile(a, 0.5) | 2x3
    "quantile.tensor": Operation(frees=3, differentiable=3, operands=2),  # torch.quantile(a, b) | 2x3 | x
    "rad2deg": Operation(differentiable=1),  # torch.rad2deg(a) | 2x3
    "rad2deg_": Operation(differentiable=1, same=True),  # torch.rad2deg_(a) | 2x3
    "rand": Operation(operands=0),  # torch.rand(2)
    "rand_like": Operation(),  # torch.rand_like(a) | 2x3
    "randint": Operation(operands=0),  # torch.randint(2, (2,))
    "randint_like": Operation(),  # torch.randint_like(a, 3) | 2x3
    "randn": Operation(operands=0),  # torch.randn(2)
    "randn_like": Operation(),  # torch.randn_like(a) | 2x3
    "random_": Operation(differentiable=1, same=True),  # torch.Tensor.random_(a) | 2x3
    "randperm": Operation(operands=0),  # torch.randperm(2)
    "range": Operation(operands=0),  # torch.range(0, 2)
    "ravel": Operation(differentiable=1, view=True),  # torch.ravel(a) | 2x3
    "real": Operation(differentiable=1, view=True),  # a.real | 3:complex
    "reciprocal": Operation(frees=1, result=1, differentiable=1),  # torch.reciprocal(a) | 2x3
    "reciprocal_": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.reciprocal_(a) | 2x3
    "relu": Operation(frees=1, result=1, differentiable=1),  # torch.relu(a) | 2x3
    "relu.inplace": Operation(frees=1, result=1, differentiable=1, same=True),  # F.relu(a, inplace=True) | 2x3
    "relu6": Operation(frees=1, saves=(1,), differentiable=1),  # F.relu6(a) | 2x3
    "relu_": Operation(frees=1, result=1, differentiable=1, same=True),  # a.relu_() | 2x3
    "remainder": Operation(frees=2, saves=(2, 2), differentiable=3, operands=2),  # a % b | 2x3 | 2x3
    "remainder.rscalar": Operation(),  # 2 % a | 2x3
    "remainder.scalar": Operation(differentiable=1),  # a % 2 | 2x3
    "remainder_": Operation(frees=2, saves=(0, 2), differentiable=3, same=True, operands=2),  # torch.Tensor.remainder_(a, b) | 2x3 | 2x3
    "remainder_.scalar": Operation(differentiable=1, same=True),  # torch.Tensor.remainder_(a, 1.5) | 2x3
    "renorm": Operation(frees=1, saves=(1,), differentiable=1),  # a.renorm(2, 0, 1.0) | 2x3
    "renorm_": Operation(frees=1, differentiable=1, same=True),  # a.renorm_(2, 0, 1.0) | 2x3
    "repeat": Operation(differentiable=1),  # a.repeat(2, 1) | 2x3
    "repeat_interleave": Operation(differentiable=1, attached=1),  # a.repeat_interleave(2, 0) | 2x3
    "repeat_interleave.tensor": Operation(frees=1, differentiable=1, operands=2),  # a.repeat_interleave(b, 0) | 2x3 | 2:long
    "requires_grad_": Operation(differentiable=1, same=True),  # a.requires_grad_() | 2x3
    "reshape": Operation(differentiable=1, view=True),  # a.reshape(3, 2) | 2x3
    "reshape.copy": Operation(differentiable=1),  # a.expand(2, 2, 3).reshape(12) | 2x3
    "reshape_as": Operation(differentiable=1, view=True, operands=2),  # a.reshape_as(b) | 2x3 | 3x2
    "resolve_conj": Operation(differentiable=1, same=True),  # torch.resolve_conj(a) | 2x3
    "resolve_neg": Operation(differentiable=1, same=True),  # torch.resolve_neg(a) | 2x3
    "rms_norm": Operation(frees=3, saves=(1, 1), differentiable=3, operands=2),  # F.rms_norm(a, (3,), b) | 2x3 | 3
    "rnn_relu_cell": Operation(frees=63, saves=(4, 8, 1, 2), result=63, differentiable=63, operands=6),  # torch.rnn_relu_cell(a, b, c, d, e, f) | 1x3 | 1x4 | 4x3 | 4x4 | 4 | 4
    "rnn_tanh": Operation(frees=63, saves=(4, 8, 1, 63), differentiable=63, outputs=2, operands=6),  # torch.rnn_tanh(a, b, [c, d, e, f], True, 1, 0.0, True, False, False) | 5x1x3 | 1x1x4 | 4x3 | 4x4 | 4 | 4
    "rnn_tanh_cell": Operation(frees=63, saves=(4, 8, 1, 2), result=63, differentiable=63, operands=6),  # torch.rnn_tanh_cell(a, b, c, d, e, f) | 1x3 | 1x4 | 4x3 | 4x4 | 4 | 4
    "roll": Operation(differentiable=1),  # a.roll(1, 0) | 2x3
    "rot90": Operation(differentiable=1),  # a.rot90() | 2x3
    "round": Operation(differentiable=1),  # torch.round(a) | 2x3
    "round_": Operation(differentiable=1, same=True),  # torch.round_(a) | 2x3
    "row_stack": Operation(differentiable=3, operands=2),  # torch.row_stack([a, b]) | 2x3 | 2x3
    "rrelu.eval": Operation(frees=1, saves=(1,), differentiable=1),  # F.rrelu(a, training=False) | 2x3
    "rrelu.train": Operation(frees=1, saves=(1,), differentiable=1),  # F.rrelu(a, training=True) | 2x3
    "rrelu_": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.rrelu_(a) | 2x3
    "rsqrt": Operation(frees=1, result=1, differentiable=1),  # torch.rsqrt(a) | 2x3
    "rsqrt_": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.rsqrt_(a) | 2x3
    "rsub": Operation(differentiable=3, operands=2),  # torch.rsub(a, b) | 2x3 | 2x3
    "rsub.scalar": Operation(differentiable=1),  # torch.rsub(a, 1.5) | 2x3
    "scalar_tensor": Operation(operands=0),  # torch.scalar_tensor(1.5)
    "scaled_dot_product_attention": Operation(frees=7, saves=(7, 7, 7), result=7, differentiable=7, operands=3),  # F.scaled_dot_product_attention(a, b, c) | 1x2x3x4 | 1x2x3x4 | 1x2x3x4
    "scaled_dot_product_attention.causal": Operation(frees=7, saves=(7, 7, 7), result=7, differentiable=7, operands=3),  # F.scaled_dot_product_attention(a, b, c, is_causal=True) | 1x2x3x4 | 1x2x3x4 | 1x2x3x4
    "scaled_dot_product_attention.mask": Operation(frees=15, saves=(7, 7, 15, 7), result=7, differentiable=15, operands=4),  # F.scaled_dot_product_attention(a, b, c, d) | 1x2x3x4 | 1x2x3x4 | 1x2x3x4 | 3x3
    "scatter": Operation(frees=5, saves=(0, 5), differentiable=5, operands=3),  # a.scatter(1, b, c) | 2x3 | 2x1:long | 2x1
    "scatter.scalar": Operation(frees=1, saves=(0, 1), differentiable=1, operands=2),  # a.scatter(1, b, 1.5) | 2x3 | 2x1:long
    "scatter_": Operation(frees=5, saves=(0, 5), differentiable=5, same=True, operands=3),  # a.scatter_(1, b, c) | 2x3 | 2x1:long | 2x1
    "scatter_.scalar": Operation(frees=1, saves=(0, 1), differentiable=1, same=True, operands=2),  # a.scatter_(1, b, 1.5) | 2x3 | 2x1:long
    "scatter_add": Operation(frees=4, saves=(0, 4), differentiable=5, operands=3),  # a.scatter_add(1, b, c) | 2x3 | 2x1:long | 2x1
    "scatter_add_": Operation(frees=4, saves=(0, 4), differentiable=5, same=True, operands=3),  # a.scatter_add_(1, b, c) | 2x3 | 2x1:long | 2x1
    "scatter_reduce": Operation(frees=5, saves=(5, 5, 5), result=5, differentiable=5, operands=3),  # a.scatter_reduce(1, b, c, 'amax') | 2x3 | 2x1:long | 2x1
    "scatter_reduce_": Operation(frees=5, saves=(0, 5, 5), result=5, differentiable=5, same=True, operands=3),  # a.scatter_reduce_(1, b, c, 'amax') | 2x3 | 2x1:long | 2x1
    "searchsorted": Operation(operands=2),  # torch.searchsorted(a, b) | 3 | 2x3
    "segment_reduce": Operation(frees=1, saves=(1, 1), result=1, differentiable=1, operands=2),  # torch.segment_reduce(a, 'sum', lengths=b) | 2x3 | 2:long:one
    "select": Operation(differentiable=1, view=True),  # a.select(0, 1) | 2x3
    "select_copy": Operation(differentiable=1),  # torch.select_copy(a, 0, 1) | 2x3
    "select_scatter": Operation(differentiable=3, operands=2),  # a.select_scatter(b, 0, 0) | 2x3 | 3
    "selu": Operation(frees=1, saves=(1,), differentiable=1),  # torch.selu(a) | 2x3
    "selu_": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.selu_(a) | 2x3
    "setitem.all": Operation(differentiable=3, same=True, operands=2),  # setitem(a, slice(None), b) | 2x3 | 2x3
    "setitem.basic": Operation(frees=3, differentiable=3, same=True, operands=2),  # setitem(a, 0, b) | 2x3 | 3
    "setitem.basic.scalar": Operation(frees=1, differentiable=1, same=True),  # setitem(a, 0, 1.5) | 2x3
    "setitem.index": Operation(frees=5, saves=(0, 5), differentiable=5, same=True, operands=3),  # setitem(a, b, c) | 2x3 | 2:long | 2x3
    "setitem.index.scalar": Operation(frees=1, saves=(0, 1), differentiable=1, same=True, operands=2),  # setitem(a, b, 1.5) | 2x3 | 2:long
    "setitem.list": Operation(frees=3, differentiable=3, same=True, operands=2),  # setitem(a, [0, 1], b) | 2x3 | 2x3
    "setitem.mask": Operation(frees=5, saves=(0, 5), differentiable=5, same=True, operands=3),  # setitem(a, b, c) | 2x3 | 2x3:bool | x
    "setitem.mask.scalar": Operation(frees=1, saves=(0, 1), differentiable=1, same=True, operands=2),  # setitem(a, b, 1.5) | 2x3 | 2x3:bool
    "setitem.zero_dim": Operation(frees=5, differentiable=5, same=True, operands=3),  # setitem(a, b, c) | 2x3 | x:long | 3
    "sgn": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.sgn(a) | 2x3
    "sgn_": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.Tensor.sgn_(a) | 2x3
    "short": Operation(),  # torch.Tensor.short(a) | 2x3
    "sigmoid": Operation(frees=1, result=1, differentiable=1),  # torch.sigmoid(a) | 2x3
    "sigmoid_": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.sigmoid_(a) | 2x3
    "sign": Operation(differentiable=1),  # torch.sign(a) | 2x3
    "sign_": Operation(differentiable=1, same=True),  # torch.Tensor.sign_(a) | 2x3
    "signbit": Operation(),  # torch.signbit(a) | 2x3
    "silu": Operation(frees=1, saves=(1,), differentiable=1),  # F.silu(a) | 2x3
    "sin": Operation(frees=1, saves=(1,), differentiable=1),  # torch.sin(a) | 2x3
    "sin_": Operation(frees=1, differentiable=1, same=True),  # torch.sin_(a) | 2x3
    "sinc": Operation(frees=1, saves=(1,), differentiable=1),  # torch.sinc(a) | 2x3
    "sinc_": Operation(frees=1, differentiable=1, same=True),  # torch.sinc_(a) | 2x3
    "sinh": Operation(frees=1, saves=(1,), differentiable=1),  # torch.sinh(a) | 2x3
    "sinh_": Operation(frees=1, differentiable=1, same=True),  # torch.sinh_(a) | 2x3
    "slice_copy": Operation(differentiable=1),  # torch.slice_copy(a) | 2x3
    "slice_inverse": Operation(differentiable=3, view=True, operands=2),  # torch.slice_inverse(a, b) | 2x3 | 2x3
    "slice_scatter": Operation(differentiable=3, operands=2),  # a.slice_scatter(b, 0, 0, 1) | 2x3 | 1x3
    "slogdet": Operation(frees=1, saves=(1,), result=1, differentiable=1, outputs=2),  # torch.slogdet(a) | 3x3:spd
    "smooth_l1_loss": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # F.smooth_l1_loss(a, b) | 2x3 | 2x3
    "soft_margin_loss": Operation(frees=1, saves=(1, 1), differentiable=1, operands=2),  # F.soft_margin_loss(a, b) | 2x3 | 2x3
    "softmax": Operation(frees=1, result=1, differentiable=1),  # a.softmax(-1) | 2x3
    "softmin": Operation(frees=1, result=1, differentiable=1),  # F.softmin(a, -1) | 2x3
    "softplus": Operation(frees=1, saves=(1,), differentiable=1),  # F.softplus(a) | 2x3
    "softshrink": Operation(frees=1, saves=(1,), differentiable=1),  # F.softshrink(a) | 2x3
    "softsign": Operation(frees=1, saves=(1,), differentiable=1),  # F.softsign(a) | 2x3
    "sort": Operation(frees=1, differentiable=1, outputs=2, constants=2, others=(1,)),  # torch.sort(a) | 2x3
    "sparse.mm": Operation(frees=3, saves=(0, 1), differentiable=3, operands=2),  # torch.sparse.mm(a.to_sparse(), b) | 3x3 | 3x2
    "sparse_coo_tensor": Operation(frees=2, result=2, differentiable=2, operands=2),  # torch.sparse_coo_tensor(a, b, (2,)) | 1x2:long | 2
    "sparse_mask": Operation(frees=1, differentiable=1),  # a.sparse_mask(torch.eye(2, 3).to_sparse()) | 2x3
    "special.Tensor": Operation(differentiable=1, view=True),  # torch.special.Tensor(a) | 2x3
    "special.airy_ai": Operation(),  # torch.special.airy_ai(a) | 2x3
    "special.bessel_j0": Operation(),  # torch.special.bessel_j0(a) | 2x3
    "special.bessel_j1": Operation(),  # torch.special.bessel_j1(a) | 2x3
    "special.bessel_y0": Operation(),  # torch.special.bessel_y0(a) | 2x3
    "special.bessel_y1": Operation(),  # torch.special.bessel_y1(a) | 2x3
    "special.chebyshev_polynomial_t": Operation(operands=2),  # torch.special.chebyshev_polynomial_t(a, b) | 2x3 | 2x3
    "special.chebyshev_polynomial_t.scalar": Operation(),  # torch.special.chebyshev_polynomial_t(a, 1.5) | 2x3
    "special.chebyshev_polynomial_u": Operation(operands=2),  # torch.special.chebyshev_polynomial_u(a, b) | 2x3 | 2x3
    "special.chebyshev_polynomial_u.scalar": Operation(),  # torch.special.chebyshev_polynomial_u(a, 1.5) | 2x3
    "special.chebyshev_polynomial_v": Operation(operands=2),  # torch.special.chebyshev_polynomial_v(a, b) | 2x3 | 2x3
    "special.chebyshev_polynomial_v.scalar": Operation(),  # torch.special.chebyshev_polynomial_v(a, 1.5) | 2x3
    "special.chebyshev_polynomial_w": Operation(operands=2),  # torch.special.chebyshev_polynomial_w(a, b) | 2x3 | 2x3
    "special.chebyshev_polynomial_w.scalar": Operation(),  # torch.special.chebyshev_polynomial_w(a, 1.5) | 2x3
    "special.digamma": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.digamma(a) | 2x3
    "special.entr": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.entr(a) | 2x3
    "special.erf": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.erf(a) | 2x3
    "special.erfc": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.erfc(a) | 2x3
    "special.erfcx": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.special.erfcx(a) | 2x3
    "special.erfinv": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.erfinv(a) | 2x3
    "special.exp2": Operation(frees=1, result=1, differentiable=1),  # torch.special.exp2(a) | 2x3
    "special.expit": Operation(frees=1, result=1, differentiable=1),  # torch.special.expit(a) | 2x3
    "special.expm1": Operation(frees=1, result=1, differentiable=1),  # torch.special.expm1(a) | 2x3
    "special.gammainc": Operation(frees=2, saves=(2, 2), differentiable=2, operands=2),  # torch.special.gammainc(a, b) | 2x3 | 2x3
    "special.gammaincc": Operation(frees=2, saves=(2, 2), differentiable=2, operands=2),  # torch.special.gammaincc(a, b) | 2x3 | 2x3
    "special.gammaln": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.gammaln(a) | 2x3
    "special.hermite_polynomial_h": Operation(operands=2),  # torch.special.hermite_polynomial_h(a, b) | 2x3 | 2x3
    "special.hermite_polynomial_h.scalar": Operation(),  # torch.special.hermite_polynomial_h(a, 1.5) | 2x3
    "special.hermite_polynomial_he": Operation(operands=2),  # torch.special.hermite_polynomial_he(a, b) | 2x3 | 2x3
    "special.hermite_polynomial_he.scalar": Operation(),  # torch.special.hermite_polynomial_he(a, 1.5) | 2x3
    "special.i0": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.i0(a) | 2x3
    "special.i0e": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.special.i0e(a) | 2x3
    "special.i1": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.special.i1(a) | 2x3
    "special.i1e": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.special.i1e(a) | 2x3
    "special.laguerre_polynomial_l": Operation(operands=2),  # torch.special.laguerre_polynomial_l(a, b) | 2x3 | 2x3
    "special.laguerre_polynomial_l.scalar": Operation(),  # torch.special.laguerre_polynomial_l(a, 1.5) | 2x3
    "special.legendre_polynomial_p": Operation(operands=2),  # torch.special.legendre_polynomial_p(a, b) | 2x3 | 2x3
    "special.legendre_polynomial_p.scalar": Operation(),  # torch.special.legendre_polynomial_p(a, 1.5) | 2x3
    "special.log1p": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.log1p(a) | 2x3
    "special.log_ndtr": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.special.log_ndtr(a) | 2x3
    "special.log_softmax": Operation(frees=1, result=1, differentiable=1),  # torch.special.log_softmax(a, 1) | 2x3
    "special.logit": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.logit(a) | 2x3
    "special.logsumexp": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.special.logsumexp(a, 1) | 2x3
    "special.modified_bessel_i0": Operation(),  # torch.special.modified_bessel_i0(a) | 2x3
    "special.modified_bessel_i1": Operation(),  # torch.special.modified_bessel_i1(a) | 2x3
    "special.modified_bessel_k0": Operation(),  # torch.special.modified_bessel_k0(a) | 2x3
    "special.modified_bessel_k1": Operation(),  # torch.special.modified_bessel_k1(a) | 2x3
    "special.multigammaln": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.multigammaln(a, 1) | 2x3
    "special.ndtr": Operation(frees=1, differentiable=1),  # torch.special.ndtr(a) | 2x3
    "special.ndtri": Operation(frees=1, result=1, differentiable=1),  # torch.special.ndtri(a) | 2x3
    "special.polygamma": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.polygamma(1, a) | 2x3
    "special.psi": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.psi(a) | 2x3
    "special.round": Operation(differentiable=1),  # torch.special.round(a) | 2x3
    "special.scaled_modified_bessel_k0": Operation(),  # torch.special.scaled_modified_bessel_k0(a) | 2x3
    "special.scaled_modified_bessel_k1": Operation(),  # torch.special.scaled_modified_bessel_k1(a) | 2x3
    "special.shifted_chebyshev_polynomial_t": Operation(operands=2),  # torch.special.shifted_chebyshev_polynomial_t(a, b) | 2x3 | 2x3
    "special.shifted_chebyshev_polynomial_t.scalar": Operation(),  # torch.special.shifted_chebyshev_polynomial_t(a, 1.5) | 2x3
    "special.shifted_chebyshev_polynomial_u": Operation(operands=2),  # torch.special.shifted_chebyshev_polynomial_u(a, b) | 2x3 | 2x3
    "special.shifted_chebyshev_polynomial_u.scalar": Operation(),  # torch.special.shifted_chebyshev_polynomial_u(a, 1.5) | 2x3
    "special.shifted_chebyshev_polynomial_v": Operation(operands=2),  # torch.special.shifted_chebyshev_polynomial_v(a, b) | 2x3 | 2x3
    "special.shifted_chebyshev_polynomial_v.scalar": Operation(),  # torch.special.shifted_chebyshev_polynomial_v(a, 1.5) | 2x3
    "special.shifted_chebyshev_polynomial_w": Operation(operands=2),  # torch.special.shifted_chebyshev_polynomial_w(a, b) | 2x3 | 2x3
    "special.shifted_chebyshev_polynomial_w.scalar": Operation(),  # torch.special.shifted_chebyshev_polynomial_w(a, 1.5) | 2x3
    "special.sinc": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.sinc(a) | 2x3
    "special.softmax": Operation(frees=1, result=1, differentiable=1),  # torch.special.softmax(a, 1) | 2x3
    "special.spherical_bessel_j0": Operation(),  # torch.special.spherical_bessel_j0(a) | 2x3
    "special.xlog1py": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.special.xlog1py(a, b) | 2x3 | 2x3
    "special.xlog1py.scalar": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.xlog1py(a, 1.5) | 2x3
    "special.xlogy": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.special.xlogy(a, b) | 2x3 | 2x3
    "special.xlogy.scalar": Operation(frees=1, saves=(1,), differentiable=1),  # torch.special.xlogy(a, 1.5) | 2x3
    "special.zeta": Operation(frees=2, saves=(2, 2), differentiable=2, operands=2),  # torch.special.zeta(a, b) | 2x3 | 2x3
    "special.zeta.scalar": Operation(),  # torch.special.zeta(a, 1.5) | 2x3
    "split": Operation(differentiable=1, view=True, outputs=0),  # a.split(1, 0) | 2x3
    "split_copy": Operation(differentiable=1, outputs=0),  # torch.split_copy(a, 1) | 2x3
    "split_with_sizes": Operation(differentiable=1, view=True, outputs=0),  # a.split_with_sizes([1, 2], 1) | 2x3
    "spmm": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # torch.spmm(a, b) | 3x3:spd | 3x3
    "sqrt": Operation(frees=1, result=1, differentiable=1),  # torch.sqrt(a) | 2x3
    "sqrt_": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.sqrt_(a) | 2x3
    "square": Operation(frees=1, saves=(1,), differentiable=1),  # torch.square(a) | 2x3
    "square_": Operation(frees=1, differentiable=1, same=True),  # torch.square_(a) | 2x3
    "squeeze": Operation(differentiable=1, view=True),  # a.squeeze(0) | 1x3
    "squeeze_": Operation(differentiable=1, same=True),  # torch.Tensor.squeeze_(a) | 2x3
    "squeeze_copy": Operation(differentiable=1),  # torch.squeeze_copy(a) | 2x3
    "stack": Operation(differentiable=3, operands=2),  # torch.stack([a, b]) | 2x3 | 2x3
    "std": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # torch.std(a) | 2x3
    "std.dim": Operation(frees=1, saves=(1,), result=1, differentiable=1),  # a.std(1) | 2x3
    "std_mean": Operation(frees=1, saves=(1,), result=1, differentiable=1, outputs=2),  # torch.std_mean(a) | 2x3
    "stft": Operation(frees=3, saves=(1, 1), differentiable=3, operands=2),  # torch.stft(a, 4, window=b, return_complex=True) | 16 | 4
    "sub": Operation(differentiable=3, operands=2),  # a - b | 2x3 | 2x3
    "sub.rscalar": Operation(differentiable=1),  # 1.5 - a | 2x3
    "sub.scalar": Operation(differentiable=1),  # a - 1.5 | 2x3
    "sub_": Operation(differentiable=3, same=True, operands=2),  # a.sub_(b) | 2x3 | 2x3
    "sub_.scalar": Operation(differentiable=1, same=True),  # a.sub_(1.5) | 2x3
    "subtract": Operation(differentiable=3, operands=2),  # torch.subtract(a, b) | 2x3 | 2x3
    "subtract.scalar": Operation(differentiable=1),  # torch.subtract(a, 1.5) | 2x3
    "subtract_": Operation(differentiable=3, same=True, operands=2),  # torch.Tensor.subtract_(a, b) | 2x3 | 2x3
    "subtract_.scalar": Operation(differentiable=1, same=True),  # torch.Tensor.subtract_(a, 1.5) | 2x3
    "sum": Operation(differentiable=1),  # a.sum() | 2x3
    "sum.dim": Operation(differentiable=1),  # a.sum(1) | 2x3
    "sum_to_size": Operation(differentiable=1, attached=1),  # torch.Tensor.sum_to_size(a, 1) | 2x3
    "svd": Operation(frees=1, result=1, differentiable=1, outputs=3, others=(1, 1), attached=4),  # torch.svd(a) | 2x3
    "svd_lowrank": Operation(frees=1, saves=(1,), result=1, differentiable=1, outputs=3, others=(1,), attached=1),  # torch.svd_lowrank(a) | 2x3
    "swapaxes": Operation(differentiable=1, view=True),  # a.swapaxes(0, 1) | 2x3
    "swapaxes_": Operation(differentiable=1, same=True),  # torch.Tensor.swapaxes_(a, 0, 1) | 2x3
    "swapdims": Operation(differentiable=1, view=True),  # a.swapdims(0, 1) | 2x3
    "swapdims_": Operation(differentiable=1, same=True),  # torch.Tensor.swapdims_(a, 0, 1) | 2x3
    "t": Operation(differentiable=1, view=True),  # torch.t(a) | 2x3
    "t_": Operation(differentiable=1, same=True),  # a.t_() | 2x3
    "t_copy": Operation(differentiable=1),  # torch.t_copy(a) | 2x3
    "take": Operation(frees=1, saves=(1, 1), differentiable=1, operands=2),  # a.take(b) | 2x3 | 2:long
    "take_along_dim": Operation(frees=1, saves=(1,), differentiable=1, operands=2),  # torch.take_along_dim(a, b, 1) | 2x3 | 2x3:long
    "tan": Operation(frees=1, result=1, differentiable=1),  # torch.tan(a) | 2x3
    "tan_": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.tan_(a) | 2x3
    "tanh": Operation(frees=1, result=1, differentiable=1),  # torch.tanh(a) | 2x3
    "tanh_": Operation(frees=1, result=1, differentiable=1, same=True),  # torch.tanh_(a) | 2x3
    "tanhshrink": Operation(frees=1, differentiable=1),  # F.tanhshrink(a) | 2x3
    "tensor": Operation(),  # torch.tensor(a) | 2x3
    "tensor_split": Operation(differentiable=1, view=True, outputs=0),  # a.tensor_split(2, 0) | 2x3
    "tensordot": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2, attached=1),  # torch.tensordot(a, b, 1) | 2x3 | 3x2
    "threshold": Operation(frees=1, saves=(1,), differentiable=1),  # F.threshold(a, 0.1, 0.0) | 2x3
    "threshold_": Operation(frees=1, differentiable=1, same=True),  # torch.threshold_(a, 0, 1) | 2x3
    "tile": Operation(differentiable=1),  # a.tile(2, 1) | 2x3
    "to": Operation(differentiable=1, same=True),  # a.to('cpu') | 2x3
    "to.copy": Operation(differentiable=1),  # a.to('cpu', copy=True) | 2x3
    "to.dtype": Operation(differentiable=1),  # a.to(torch.float64) | 2x3
    "to_dense": Operation(differentiable=1, same=True),  # torch.Tensor.to_dense(a) | 2x3
    "to_sparse": Operation(differentiable=1),  # a.to_sparse() | 2x3
    "to_sparse_bsc": Operation(differentiable=1),  # torch.Tensor.to_sparse_bsc(a, 1) | 2x3
    "to_sparse_bsr": Operation(differentiable=1),  # torch.Tensor.to_sparse_bsr(a, 1) | 2x3
    "to_sparse_coo": Operation(differentiable=1),  # torch.Tensor.to_sparse_coo(a) | 2x3
    "to_sparse_csc": Operation(differentiable=1),  # torch.Tensor.to_sparse_csc(a) | 2x3
    "to_sparse_csr": Operation(differentiable=1),  # torch.Tensor.to_sparse_csr(a) | 2x3
    "topk": Operation(frees=1, differentiable=1, outputs=2, constants=2, others=(1,)),  # a.topk(2) | 2x3
    "trace": Operation(differentiable=1),  # torch.trace(a) | 2x3
    "transpose": Operation(differentiable=1, view=True),  # a.transpose(0, 1) | 2x3
    "transpose_": Operation(differentiable=1, same=True),  # torch.Tensor.transpose_(a, 0, 1) | 2x3
    "transpose_copy": Operation(differentiable=1),  # torch.transpose_copy(a, 0, 1) | 2x3
    "trapezoid": Operation(differentiable=1),  # torch.trapezoid(a) | 2x3
    "trapz": Operation(differentiable=1),  # torch.trapz(a) | 2x3
    "triangular_solve": Operation(frees=3, saves=(3, 3), result=3, differentiable=3, outputs=2, operands=2),  # torch.triangular_solve(a, b) | 3x2 | 3x3:spd
    "tril": Operation(differentiable=1),  # torch.tril(a) | 2x3
    "tril_": Operation(differentiable=1, same=True),  # torch.Tensor.tril_(a) | 2x3
    "tril_indices": Operation(operands=0),  # torch.tril_indices(2, 2)
    "triplet_margin_loss": Operation(frees=7, differentiable=7, operands=3),  # F.triplet_margin_loss(a, b, c) | 2x3 | 2x3 | 2x3
    "triplet_margin_with_distance_loss": Operation(frees=7, differentiable=7, operands=3),  # F.triplet_margin_with_distance_loss(a, b, c) | 2x3 | 2x3 | 2x3
    "triu": Operation(differentiable=1),  # torch.triu(a) | 2x3
    "triu_": Operation(differentiable=1, same=True),  # torch.Tensor.triu_(a) | 2x3
    "triu_indices": Operation(operands=0),  # torch.triu_indices(2, 2)
    "true_divide": Operation(frees=3, saves=(2, 3), differentiable=3, operands=2),  # torch.true_divide(a, b) | 2x3 | 2x3
    "true_divide.scalar": Operation(frees=1, differentiable=1),  # torch.true_divide(a, 1.5) | 2x3
    "true_divide_": Operation(frees=3, saves=(0, 3), differentiable=3, same=True, operands=2),  # torch.Tensor.true_divide_(a, b) | 2x3 | 2x3
    "true_divide_.scalar": Operation(frees=1, differentiable=1, same=True),  # torch.Tensor.true_divide_(a, 1.5) | 2x3
    "trunc": Operation(differentiable=1),  # torch.trunc(a) | 2x3
    "trunc_": Operation(differentiable=1, same=True),  # torch.trunc_(a) | 2x3
    "type": Operation(differentiable=1),  # a.type(torch.float64) | 2x3
    "type_as": Operation(differentiable=1, same=True, operands=2),  # a.type_as(b) | 2x3 | 2x3
    "unbind": Operation(differentiable=1, view=True, outputs=0),  # a.unbind(0) | 2x3
    "unbind_copy": Operation(differentiable=1, outputs=0),  # torch.unbind_copy(a) | 2x3
    "unflatten": Operation(differentiable=1, view=True),  # a.unflatten(1, (3, 1)) | 2x3
    "unfold": Operation(differentiable=1, view=True),  # a.unfold(1, 2, 1) | 2x3
    "unfold_copy": Operation(differentiable=1),  # torch.unfold_copy(a, 1, 2, 1) | 2x3
    "uniform_": Operation(differentiable=1, same=True),  # torch.Tensor.uniform_(a) | 2x3
    "unique": Operation(),  # torch.unique(a) | 2x3
    "unique_consecutive": Operation(),  # torch.unique_consecutive(a) | 2x3
    "unsafe_chunk": Operation(differentiable=1),  # torch.unsafe_chunk(a, 1) | 2x3
    "unsafe_split": Operation(differentiable=1, outputs=0),  # torch.unsafe_split(a, 1) | 2x3
    "unsafe_split_with_sizes": Operation(differentiable=1, outputs=0),  # torch.unsafe_split_with_sizes(a, [1, 2], 1) | 2x3
    "unsqueeze": Operation(differentiable=1, view=True),  # a.unsqueeze(0) | 2x3
    "unsqueeze_": Operation(differentiable=1, same=True),  # torch.Tensor.unsqueeze_(a, 1) | 2x3
    "unsqueeze_copy": Operation(differentiable=1),  # torch.unsqueeze_copy(a, 1) | 2x3
    "upsample": Operation(differentiable=1),  # F.upsample(a, scale_factor=2) | 1x2x4
    "upsample_bilinear": Operation(differentiable=1),  # F.upsample_bilinear(a, scale_factor=2) | 1x2x4x4
    "upsample_nearest": Operation(differentiable=1),  # F.upsample_nearest(a, scale_factor=2) | 1x2x4x4
    "values": Operation(frees=1, result=1, differentiable=1, attached=1),  # a.to_sparse().coalesce().values() | 2x3
    "vander": Operation(saves=(1,), differentiable=1),  # torch.vander(a, 3) | 3
    "var": Operation(frees=1, saves=(1,), differentiable=1),  # torch.var(a) | 2x3
    "var.dim": Operation(frees=1, saves=(1,), differentiable=1),  # a.var(1) | 2x3
    "var_mean": Operation(frees=1, saves=(1,), differentiable=1, outputs=2),  # torch.var_mean(a) | 2x3
    "vdot": Operation(frees=3, saves=(2, 1), differentiable=3, operands=2),  # torch.vdot(a, b) | 3 | 3
    "view": Operation(differentiable=1, view=True),  # a.view(3, 2) | 2x3
    "view.dtype": Operation(view=True),  # a.view(torch.int32) | 2x3
    "view_as": Operation(differentiable=1, view=True, operands=2),  # a.view_as(b) | 2x3 | 3x2
    "view_as_complex": Operation(differentiable=1, view=True),  # torch.view_as_complex(a) | 3x2
    "view_as_real": Operation(differentiable=1, view=True),  # torch.view_as_real(a) | 3:complex
    "view_as_real_copy": Operation(differentiable=1),  # torch.view_as_real_copy(a) | 3:complex
    "view_copy": Operation(differentiable=1),  # torch.view_copy(a, (2, 3)) | 2x3
    "vsplit": Operation(differentiable=1, view=True, outputs=0),  # a.vsplit(2) | 2x3
    "vstack": Operation(differentiable=3, operands=2),  # torch.vstack([a, b]) | 2x3 | 2x3
    "where": Operation(frees=6, saves=(6,), differentiable=6, operands=3),  # torch.where(a, b, c) | 2x3:bool | 2x3 | 2x3
    "where.method": Operation(frees=5, saves=(0, 5), differentiable=5, operands=3),  # a.where(b, c) | 2x3 | 2x3:bool | 2x3
    "where.rscalar": Operation(frees=2, saves=(2,), differentiable=2, operands=2),  # torch.where(a, 0.0, b) | 2x3:bool | 2x3
    "where.scalar": Operation(frees=2, saves=(2,), differentiable=2, operands=2),  # torch.where(a, b, 0.0) | 2x3:bool | 2x3
    "xlogy": Operation(frees=3, saves=(3, 3), differentiable=3, operands=2),  # torch.xlogy(a, b) | 2x3 | 2x3
    "xlogy.scalar": Operation(frees=1, saves=(1,), differentiable=1),  # torch.xlogy(a, 1.5) | 2x3
    "xlogy_": Operation(frees=3, saves=(0, 3), differentiable=3, same=True, operands=2),  # torch.xlogy_(a, b) | 2x3 | 2x3
    "xlogy_.scalar": Operation(frees=1, differentiable=1, same=True),  # torch.xlogy_(a, 1.5) | 2x3
    "zero_": Operation(differentiable=1, same=True),  # a.zero_() | 2x3
    "zero_.view": Operation(frees=1, differentiable=1, same=True),  # (a[0].zero_(), a)[1:] | 2x3
    "zeros": Operation(operands=0),  # torch.zeros(2)
    "zeros_like": Operation(),  # torch.zeros_like(a) | 2x3
}

EXCEPTIONS: dict[str, tuple[str, ...]] = {
    "scaled_dot_product_attention.mask": (
        "(0, 1, 2, 3): saves the result is False",
        "(0, 1, 2, 3): saves 0 is False",
        "(0, 1, 2, 3): saves 1 is False",
        "(0, 1, 2, 3): saves 3 is False",
        "(0, 3): saves the result is False",
        "(0, 3): saves 0 is False",
        "(0, 3): saves 1 is False",
        "(0, 3): saves 3 is False",
        "(1, 3): saves the result is False",
        "(1, 3): saves 0 is False",
        "(1, 3): saves 1 is False",
        "(1, 3): saves 3 is False",
        "(2, 3): saves the result is False",
        "(2, 3): saves 0 is False",
        "(2, 3): saves 1 is False",
        "(2, 3): saves 3 is False",
    ),
}
"""Sets of operands that require grad together, for which ORing the masks is wrong."""

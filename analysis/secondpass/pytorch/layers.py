"""PyTorch's layers, measured on torch 2.13.0+cpu. Generated, do not edit: see measure.py.

Regenerate with `python -m secondpass.pytorch.measure --write`. The fields are explained in layer_facts.py.
After an entry stands the call that was measured, with its operands.
"""

# ruff: noqa: E501
# fmt: off

from __future__ import annotations

from secondpass.pytorch.layer_facts import Layer

LAYERS: dict[str, Layer] = {
    "AdaptiveAvgPool1d": Layer(frees=1, saves=(1,), differentiable=1, attached=1),  # nn.AdaptiveAvgPool1d(2) |  | 1x2x4
    "AdaptiveAvgPool2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.AdaptiveAvgPool2d(2) |  | 1x2x4x4
    "AdaptiveAvgPool2d.one": Layer(differentiable=1),  # nn.AdaptiveAvgPool2d(1) |  | 1x2x4x4
    "AdaptiveAvgPool3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.AdaptiveAvgPool3d(2) |  | 1x2x4x4x4
    "AdaptiveLogSoftmaxWithLoss": Layer(inputs=2, parameters=("head.weight", "tail.0.0.weight", "tail.0.1.weight"), frees=29, saves=(4, 0, 1, 1, 9), differentiable=29, outputs=2),  # nn.AdaptiveLogSoftmaxWithLoss(4, 3, [1]) |  | 2x4 | 2:long
    "AdaptiveMaxPool1d": Layer(frees=1, saves=(1,), differentiable=1, attached=1),  # nn.AdaptiveMaxPool1d(2) |  | 1x2x4
    "AdaptiveMaxPool2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.AdaptiveMaxPool2d(2) |  | 1x2x4x4
    "AdaptiveMaxPool3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.AdaptiveMaxPool3d(2) |  | 1x2x4x4x4
    "AlphaDropout": Layer(frees=1, differentiable=1),  # nn.AlphaDropout() |  | 1x2x4x4
    "AlphaDropout.eval": Layer(differentiable=1, same=True),  # nn.AlphaDropout() |  | 1x2x4x4
    "AvgPool1d": Layer(frees=1, saves=(1,), differentiable=1, attached=1),  # nn.AvgPool1d(2) |  | 1x2x4
    "AvgPool2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.AvgPool2d(2) |  | 1x2x4x4
    "AvgPool3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.AvgPool3d(2) |  | 1x2x4x4x4
    "BCELoss": Layer(inputs=2, frees=3, saves=(3, 3), differentiable=3),  # nn.BCELoss() |  | 2x3 | 2x3
    "BCEWithLogitsLoss": Layer(inputs=2, frees=3, saves=(3, 3), differentiable=3),  # nn.BCEWithLogitsLoss() |  | 2x3 | 2x3
    "BatchNorm1d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7, 7, 0, 7, 7), differentiable=7),  # nn.BatchNorm1d(3) |  | 4x3
    "BatchNorm1d.plain": Layer(buffers=("running_mean", "running_var"), frees=1, saves=(1, 1, 1), differentiable=1),  # nn.BatchNorm1d(3, affine=False) |  | 4x3
    "BatchNorm2d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7, 7, 0, 7, 7), differentiable=7),  # nn.BatchNorm2d(2) |  | 1x2x4x4
    "BatchNorm3d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7, 7, 0, 7, 7), differentiable=7),  # nn.BatchNorm3d(2) |  | 1x2x4x4x4
    "Bilinear": Layer(inputs=2, parameters=("weight", "bias"), frees=7, saves=(6, 5, 3), differentiable=15),  # nn.Bilinear(3, 4, 2) |  | 2x3 | 2x4
    "CELU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.CELU() |  | 1x2x4x4
    "CTCLoss": Layer(inputs=2, frees=1, saves=(1, 1), differentiable=1),  # nn.CTCLoss() | m(a, b, (4,), (2,)) | 4x1x3 | 1x2:long:one
    "ChannelShuffle": Layer(differentiable=1),  # nn.ChannelShuffle(2) |  | 1x2x4x4
    "CircularPad1d": Layer(frees=1, differentiable=1),  # nn.CircularPad1d(2) |  | 1x2x4
    "CircularPad2d": Layer(frees=1, differentiable=1),  # nn.CircularPad2d(2) |  | 1x2x4x4
    "CircularPad3d": Layer(frees=1, differentiable=1),  # nn.CircularPad3d(2) |  | 1x2x4x4x4
    "ConstantPad1d": Layer(differentiable=1),  # nn.ConstantPad1d(1, 0.5) |  | 1x2x4
    "ConstantPad2d": Layer(differentiable=1),  # nn.ConstantPad2d(1, 0.5) |  | 1x2x4x4
    "ConstantPad3d": Layer(differentiable=1),  # nn.ConstantPad3d(1, 0.5) |  | 1x2x4x4x4
    "Conv1d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.Conv1d(2, 2, 2) |  | 1x2x4
    "Conv2d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.Conv2d(2, 2, 2) |  | 1x2x4x4
    "Conv2d.nobias": Layer(parameters=("weight",), frees=3, saves=(3, 3), differentiable=3),  # nn.Conv2d(2, 2, 2, bias=False) |  | 1x2x4x4
    "Conv3d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.Conv3d(2, 2, 2) |  | 1x2x4x4x4
    "ConvTranspose1d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.ConvTranspose1d(2, 2, 2) |  | 1x2x4
    "ConvTranspose2d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.ConvTranspose2d(2, 2, 2) |  | 1x2x4x4
    "ConvTranspose3d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.ConvTranspose3d(2, 2, 2) |  | 1x2x4x4x4
    "CosineEmbeddingLoss": Layer(inputs=3, frees=3, saves=(3, 3), differentiable=3),  # nn.CosineEmbeddingLoss() |  | 2x3 | 2x3 | 2:buffer
    "CosineSimilarity": Layer(inputs=2, frees=3, saves=(1, 2), differentiable=3),  # nn.CosineSimilarity() |  | 2x3 | 2x3
    "CrossEntropyLoss": Layer(inputs=2, frees=1, saves=(0, 1), differentiable=1),  # nn.CrossEntropyLoss() |  | 2x3 | 2:long
    "CrossEntropyLoss.soft": Layer(inputs=2, frees=3, saves=(0, 1), differentiable=3),  # nn.CrossEntropyLoss() |  | 2x3 | 2x3
    "CrossMapLRN2d": Layer(frees=1, saves=(1,), result=1, differentiable=1),  # nn.CrossMapLRN2d(2) |  | 1x2x4x4
    "Dropout": Layer(frees=1, differentiable=1),  # nn.Dropout() |  | 1x2x4x4
    "Dropout.eval": Layer(differentiable=1, same=True),  # nn.Dropout() |  | 1x2x4x4
    "Dropout.inplace": Layer(frees=1, differentiable=1, same=True),  # nn.Dropout(0.5, inplace=True) |  | 2x3
    "Dropout.inplace.eval": Layer(differentiable=1, same=True),  # nn.Dropout(0.5, inplace=True) |  | 2x3
    "Dropout.zero": Layer(differentiable=1, same=True),  # nn.Dropout(0.0) |  | 2x3
    "Dropout1d": Layer(frees=1, differentiable=1),  # nn.Dropout1d() |  | 1x2x4
    "Dropout1d.eval": Layer(differentiable=1, same=True),  # nn.Dropout1d() |  | 1x2x4
    "Dropout2d": Layer(frees=1, differentiable=1),  # nn.Dropout2d() |  | 1x2x4x4
    "Dropout2d.eval": Layer(differentiable=1, same=True),  # nn.Dropout2d() |  | 1x2x4x4
    "Dropout3d": Layer(frees=1, differentiable=1),  # nn.Dropout3d() |  | 1x2x4x4x4
    "Dropout3d.eval": Layer(differentiable=1, same=True),  # nn.Dropout3d() |  | 1x2x4x4x4
    "ELU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ELU() |  | 1x2x4x4
    "ELU.inplace": Layer(frees=1, result=1, differentiable=1, same=True),  # nn.ELU(inplace=True) |  | 2x3
    "Embedding": Layer(parameters=("weight",), frees=2, saves=(2,), differentiable=2),  # nn.Embedding(4, 3) |  | 2:long
    "EmbeddingBag": Layer(parameters=("weight",), frees=2, saves=(2,), differentiable=2),  # nn.EmbeddingBag(4, 3) |  | 1x2:long
    "FeatureAlphaDropout": Layer(frees=1, differentiable=1),  # nn.FeatureAlphaDropout() |  | 1x2x4x4
    "FeatureAlphaDropout.eval": Layer(differentiable=1, same=True),  # nn.FeatureAlphaDropout() |  | 1x2x4x4
    "Flatten": Layer(differentiable=1, view=True),  # nn.Flatten() |  | 1x2x4
    "Flatten.same": Layer(differentiable=1, same=True),  # nn.Flatten() |  | 2x3
    "Fold": Layer(differentiable=1),  # nn.Fold((4, 4), 2) |  | 1x8x9
    "FractionalMaxPool2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.FractionalMaxPool2d(2, 2) |  | 1x2x4x4
    "FractionalMaxPool3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.FractionalMaxPool3d(2, 2) |  | 1x2x4x4x4
    "GELU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.GELU() |  | 1x2x4x4
    "GLU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.GLU() |  | 1x2x4x4
    "GRU.packed": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(0, 8, 1, 63), differentiable=63, outputs=2),  # nn.GRU(3, 4) | unpacked(m(nn.utils.rnn.pack_padded_sequence(a, [5]), b)) | 5x1x3 | 1x1x4
    "GRU.sequence": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 63), differentiable=63, outputs=2),  # nn.GRU(3, 4) | m(a, b) | 5x1x3 | 1x1x4
    "GRU.sequence.batch_first": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 63), differentiable=63, outputs=2),  # nn.GRU(3, 4, batch_first=True) | m(a, b) | 1x5x3 | 1x1x4
    "GRU.sequence.batch_first.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1, 31), differentiable=31, outputs=2),  # nn.GRU(3, 4, batch_first=True) | m(a) | 1x5x3
    "GRU.sequence.batched": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(0, 8, 1, 63), differentiable=63, outputs=2),  # nn.GRU(3, 4, batch_first=True) | m(a, b) | 2x5x3 | 1x2x4
    "GRU.sequence.batched.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(0, 1, 31), differentiable=31, outputs=2),  # nn.GRU(3, 4, batch_first=True) | m(a) | 2x5x3
    "GRU.sequence.bidirectional": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"), frees=1023, saves=(68, 136, 1, 63, 0, 0, 1, 963), differentiable=1023, outputs=2),  # nn.GRU(3, 4, bidirectional=True) | m(a, b) | 5x1x3 | 2x1x4
    "GRU.sequence.bidirectional.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"), frees=511, saves=(34, 1, 31, 0, 0, 1, 481), differentiable=511, outputs=2),  # nn.GRU(3, 4, bidirectional=True) | m(a) | 5x1x3
    "GRU.sequence.layers": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=1023, saves=(4, 136, 1, 63, 0, 0, 63, 1023), differentiable=1023, outputs=2),  # nn.GRU(3, 4, 2) | m(a, b) | 5x1x3 | 2x1x4
    "GRU.sequence.layers.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=511, saves=(2, 1, 31, 0, 0, 31, 511), differentiable=511, outputs=2),  # nn.GRU(3, 4, 2) | m(a) | 5x1x3
    "GRU.sequence.nobias": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0"), frees=15, saves=(4, 8, 1, 15), differentiable=15, outputs=2),  # nn.GRU(3, 4, bias=False) | m(a, b) | 5x1x3 | 1x1x4
    "GRU.sequence.nobias.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0"), frees=7, saves=(2, 1, 7), differentiable=7, outputs=2),  # nn.GRU(3, 4, bias=False) | m(a) | 5x1x3
    "GRU.sequence.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1, 31), differentiable=31, outputs=2),  # nn.GRU(3, 4) | m(a) | 5x1x3
    "GRU.sequence.unbatched": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 63), differentiable=63, outputs=2, attached=3),  # nn.GRU(3, 4) | m(a, b) | 5x3 | 1x4
    "GRU.sequence.unbatched.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1, 31), differentiable=31, outputs=2, attached=3),  # nn.GRU(3, 4) | m(a) | 5x3
    "GRU.single": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 2), differentiable=63, outputs=2),  # nn.GRU(3, 4) | m(a, b) | 1x1x3 | 1x1x4
    "GRU.single.batch_first": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 2), differentiable=63, outputs=2),  # nn.GRU(3, 4, batch_first=True) | m(a, b) | 1x1x3 | 1x1x4
    "GRU.single.batch_first.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1), differentiable=31, outputs=2),  # nn.GRU(3, 4, batch_first=True) | m(a) | 1x1x3
    "GRU.single.layers": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=1023, saves=(4, 136, 1, 2, 0, 0, 63, 2), differentiable=1023, outputs=2),  # nn.GRU(3, 4, 2) | m(a, b) | 1x1x3 | 2x1x4
    "GRU.single.layers.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=511, saves=(2, 1, 0, 0, 0, 31), differentiable=511, outputs=2),  # nn.GRU(3, 4, 2) | m(a) | 1x1x3
    "GRU.single.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1), differentiable=31, outputs=2),  # nn.GRU(3, 4) | m(a) | 1x1x3
    "GRUCell": Layer(inputs=2, parameters=("weight_ih", "weight_hh", "bias_ih", "bias_hh"), frees=63, saves=(4, 8, 1, 2), differentiable=63),  # nn.GRUCell(3, 4) | m(a, b) | 1x3 | 1x4
    "GRUCell.nostate": Layer(parameters=("weight_ih", "weight_hh", "bias_ih", "bias_hh"), frees=31, saves=(2, 1), differentiable=31),  # nn.GRUCell(3, 4) | m(a) | 1x3
    "GaussianNLLLoss": Layer(inputs=3, frees=7, differentiable=7),  # nn.GaussianNLLLoss() |  | 2x3 | 2x3 | 2x3
    "GroupNorm": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.GroupNorm(1, 2) |  | 1x2x4
    "Hardshrink": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Hardshrink() |  | 1x2x4x4
    "Hardsigmoid": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Hardsigmoid() |  | 1x2x4x4
    "Hardswish": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Hardswish() |  | 1x2x4x4
    "Hardtanh": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Hardtanh() |  | 1x2x4x4
    "HingeEmbeddingLoss": Layer(inputs=2, frees=1, differentiable=1),  # nn.HingeEmbeddingLoss() |  | 2x3 | 2x3
    "HuberLoss": Layer(inputs=2, frees=3, saves=(3, 3), differentiable=3),  # nn.HuberLoss() |  | 2x3 | 2x3
    "Identity": Layer(differentiable=1, same=True),  # nn.Identity() |  | 1x2x4x4
    "InstanceNorm1d": Layer(frees=1, saves=(1,), differentiable=1, attached=1),  # nn.InstanceNorm1d(2) |  | 1x2x4
    "InstanceNorm2d": Layer(frees=1, saves=(1,), differentiable=1, attached=1),  # nn.InstanceNorm2d(2) |  | 1x2x4x4
    "InstanceNorm2d.affine": Layer(parameters=("weight", "bias"), frees=7, saves=(7,), differentiable=7, attached=1),  # nn.InstanceNorm2d(2, affine=True) |  | 1x2x4x4
    "InstanceNorm3d": Layer(frees=1, saves=(1,), differentiable=1, attached=1),  # nn.InstanceNorm3d(2) |  | 1x2x4x4x4
    "KLDivLoss": Layer(inputs=2, frees=3, saves=(2, 3), differentiable=3),  # nn.KLDivLoss() |  | 2x3 | 2x3
    "L1Loss": Layer(inputs=2, frees=3, differentiable=3),  # nn.L1Loss() |  | 2x3 | 2x3
    "LPPool1d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.LPPool1d(2, 2) |  | 1x2x4
    "LPPool2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.LPPool2d(2, 2) |  | 1x2x4x4
    "LPPool3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.LPPool3d(2, 2) |  | 1x2x4x4x4
    "LSTM.packed": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(0, 127, 127, 127, 127, 127, 127), result=127, differentiable=127, outputs=3, attached=1),  # nn.LSTM(3, 4) | unpacked(m(nn.utils.rnn.pack_padded_sequence(a, [5]), (b, c))) | 5x1x3 | 1x1x4 | 1x1x4
    "LSTM.sequence": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(127, 127, 127, 127, 127, 127, 127), result=127, differentiable=127, outputs=3),  # nn.LSTM(3, 4) | m(a, (b, c)) | 5x1x3 | 1x1x4 | 1x1x4
    "LSTM.sequence.batch_first": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(127, 127, 127, 127, 127, 127, 127), result=127, differentiable=127, outputs=3, attached=1),  # nn.LSTM(3, 4, batch_first=True) | m(a, (b, c)) | 1x5x3 | 1x1x4 | 1x1x4
    "LSTM.sequence.batch_first.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(31, 31, 31, 31, 31), result=31, differentiable=31, outputs=3, attached=1),  # nn.LSTM(3, 4, batch_first=True) | m(a) | 1x5x3
    "LSTM.sequence.batched": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(0, 127, 127, 127, 127, 127, 127), result=127, differentiable=127, outputs=3, attached=1),  # nn.LSTM(3, 4, batch_first=True) | m(a, (b, c)) | 2x5x3 | 1x2x4 | 1x2x4
    "LSTM.sequence.batched.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(0, 31, 31, 31, 31), result=31, differentiable=31, outputs=3, attached=1),  # nn.LSTM(3, 4, batch_first=True) | m(a) | 2x5x3
    "LSTM.sequence.bidirectional": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"), frees=2047, saves=(2047, 2047, 2047, 127, 127, 127, 127, 1927, 1927, 1927, 1927), differentiable=2047, outputs=3),  # nn.LSTM(3, 4, bidirectional=True) | m(a, (b, c)) | 5x1x3 | 2x1x4 | 2x1x4
    "LSTM.sequence.bidirectional.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"), frees=511, saves=(511, 31, 31, 31, 31, 481, 481, 481, 481), differentiable=511, outputs=3),  # nn.LSTM(3, 4, bidirectional=True) | m(a) | 5x1x3
    "LSTM.sequence.double": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(8, 16, 123, 1, 127), differentiable=127, outputs=3),  # nn.LSTM(3, 4).double() | m(a, (b, c)) | 5x1x3:double | 1x1x4:double | 1x1x4:double
    "LSTM.sequence.layers": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=2047, saves=(127, 2047, 2047, 127, 127, 127, 127, 2047, 2047, 2047, 2047), result=2047, differentiable=2047, outputs=3),  # nn.LSTM(3, 4, 2) | m(a, (b, c)) | 5x1x3 | 2x1x4 | 2x1x4
    "LSTM.sequence.layers.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=511, saves=(31, 31, 31, 31, 31, 511, 511, 511, 511), result=511, differentiable=511, outputs=3),  # nn.LSTM(3, 4, 2) | m(a) | 5x1x3
    "LSTM.sequence.nobias": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0"), frees=31, saves=(31, 31, 31, 31, 31), result=31, differentiable=31, outputs=3),  # nn.LSTM(3, 4, bias=False) | m(a, (b, c)) | 5x1x3 | 1x1x4 | 1x1x4
    "LSTM.sequence.nobias.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0"), frees=7, saves=(7, 7, 7), result=7, differentiable=7, outputs=3),  # nn.LSTM(3, 4, bias=False) | m(a) | 5x1x3
    "LSTM.sequence.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(31, 31, 31, 31, 31), result=31, differentiable=31, outputs=3),  # nn.LSTM(3, 4) | m(a) | 5x1x3
    "LSTM.sequence.unbatched": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(127, 127, 127, 127, 127, 127, 127), result=127, differentiable=127, outputs=3, attached=7),  # nn.LSTM(3, 4) | m(a, (b, c)) | 5x3 | 1x4 | 1x4
    "LSTM.sequence.unbatched.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(31, 31, 31, 31, 31), result=31, differentiable=31, outputs=3, attached=7),  # nn.LSTM(3, 4) | m(a) | 5x3
    "LSTM.single": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(127, 127, 127, 127, 127, 127, 127), result=127, differentiable=127, outputs=3),  # nn.LSTM(3, 4) | m(a, (b, c)) | 1x1x3 | 1x1x4 | 1x1x4
    "LSTM.single.batch_first": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(127, 127, 127, 127, 127, 127, 127), result=127, differentiable=127, outputs=3, attached=1),  # nn.LSTM(3, 4, batch_first=True) | m(a, (b, c)) | 1x1x3 | 1x1x4 | 1x1x4
    "LSTM.single.batch_first.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(31, 31, 31, 31, 31), result=31, differentiable=31, outputs=3, attached=1),  # nn.LSTM(3, 4, batch_first=True) | m(a) | 1x1x3
    "LSTM.single.double": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(8, 16, 123, 1, 2), differentiable=127, outputs=3),  # nn.LSTM(3, 4).double() | m(a, (b, c)) | 1x1x3:double | 1x1x4:double | 1x1x4:double
    "LSTM.single.layers": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=2047, saves=(127, 2047, 2047, 127, 127, 127, 127, 2047, 2047, 2047, 2047), result=2047, differentiable=2047, outputs=3),  # nn.LSTM(3, 4, 2) | m(a, (b, c)) | 1x1x3 | 2x1x4 | 2x1x4
    "LSTM.single.layers.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=511, saves=(31, 31, 31, 31, 31, 511, 511, 511, 511), result=511, differentiable=511, outputs=3),  # nn.LSTM(3, 4, 2) | m(a) | 1x1x3
    "LSTM.single.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(31, 31, 31, 31, 31), result=31, differentiable=31, outputs=3),  # nn.LSTM(3, 4) | m(a) | 1x1x3
    "LSTMCell": Layer(inputs=3, parameters=("weight_ih", "weight_hh", "bias_ih", "bias_hh"), frees=127, saves=(8, 16, 123, 1, 2), differentiable=127, outputs=2),  # nn.LSTMCell(3, 4) | m(a, (b, c)) | 1x3 | 1x4 | 1x4
    "LSTMCell.nostate": Layer(parameters=("weight_ih", "weight_hh", "bias_ih", "bias_hh"), frees=31, saves=(2, 1), differentiable=31, outputs=2),  # nn.LSTMCell(3, 4) | m(a) | 1x3
    "LayerNorm": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7, 7), differentiable=7),  # nn.LayerNorm(3) |  | 2x3
    "LayerNorm.plain": Layer(frees=1, saves=(1,), differentiable=1),  # nn.LayerNorm(3, elementwise_affine=False) |  | 2x3
    "LazyBatchNorm1d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7, 7, 0, 7, 7), differentiable=7),  # nn.LazyBatchNorm1d() |  | 4x3
    "LazyBatchNorm2d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7, 7, 0, 7, 7), differentiable=7),  # nn.LazyBatchNorm2d() |  | 2x2x4x4
    "LazyBatchNorm3d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7, 7, 0, 7, 7), differentiable=7),  # nn.LazyBatchNorm3d() |  | 2x2x4x4x4
    "LazyConv1d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.LazyConv1d(2, 2) |  | 1x2x4
    "LazyConv2d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.LazyConv2d(2, 2) |  | 1x2x4x4
    "LazyConv3d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.LazyConv3d(2, 2) |  | 1x2x4x4x4
    "LazyConvTranspose1d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.LazyConvTranspose1d(2, 2) |  | 1x2x4
    "LazyConvTranspose2d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.LazyConvTranspose2d(2, 2) |  | 1x2x4x4
    "LazyConvTranspose3d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.LazyConvTranspose3d(2, 2) |  | 1x2x4x4x4
    "LazyInstanceNorm1d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7,), differentiable=7, attached=1),  # nn.LazyInstanceNorm1d() |  | 1x2x4
    "LazyInstanceNorm2d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7,), differentiable=7, attached=1),  # nn.LazyInstanceNorm2d() |  | 1x2x4x4
    "LazyInstanceNorm3d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7,), differentiable=7, attached=1),  # nn.LazyInstanceNorm3d() |  | 1x2x4x4x4
    "LazyLinear": Layer(parameters=("weight", "bias"), frees=3, saves=(2, 1), differentiable=7),  # nn.LazyLinear(2) |  | 4x3
    "LeakyReLU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.LeakyReLU() |  | 1x2x4x4
    "LeakyReLU.inplace": Layer(frees=1, result=1, differentiable=1, same=True),  # nn.LeakyReLU(inplace=True) |  | 2x3
    "Linear": Layer(parameters=("weight", "bias"), frees=3, saves=(2, 1), differentiable=7),  # nn.Linear(3, 2) |  | 4x3
    "Linear.1d": Layer(parameters=("weight", "bias"), frees=3, saves=(2, 1), differentiable=7, attached=1),  # nn.Linear(3, 2) |  | 3
    "Linear.3d": Layer(parameters=("weight", "bias"), frees=3, saves=(2, 1), differentiable=7, attached=1),  # nn.Linear(3, 2) |  | 2x4x3
    "Linear.3d.nobias": Layer(parameters=("weight",), frees=3, saves=(2, 1), differentiable=3),  # nn.Linear(3, 2, bias=False) |  | 2x4x3
    "Linear.nobias": Layer(parameters=("weight",), frees=3, saves=(2, 1), differentiable=3),  # nn.Linear(3, 2, bias=False) |  | 4x3
    "LinearCrossEntropyLoss": Layer(inputs=2, parameters=("linear.weight",), frees=5, saves=(4, 5, 1), differentiable=5),  # nn.LinearCrossEntropyLoss(3, 4) |  | 2x3 | 2:long
    "LocalResponseNorm": Layer(frees=1, saves=(1,), differentiable=1),  # nn.LocalResponseNorm(2) |  | 1x2x4
    "LogSigmoid": Layer(frees=1, saves=(1,), differentiable=1),  # nn.LogSigmoid() |  | 1x2x4x4
    "LogSoftmax": Layer(frees=1, result=1, differentiable=1),  # nn.LogSoftmax(-1) |  | 2x3
    "MSELoss": Layer(inputs=2, frees=3, saves=(3, 3), differentiable=3),  # nn.MSELoss() |  | 2x3 | 2x3
    "MarginRankingLoss": Layer(inputs=3, frees=3, differentiable=3),  # nn.MarginRankingLoss() |  | 3 | 3 | 3:buffer
    "MaxPool1d": Layer(frees=1, saves=(1,), differentiable=1, attached=1),  # nn.MaxPool1d(2) |  | 1x2x4
    "MaxPool2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.MaxPool2d(2) |  | 1x2x4x4
    "MaxPool3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.MaxPool3d(2) |  | 1x2x4x4x4
    "MaxUnpool1d": Layer(inputs=2, frees=1, saves=(0, 1), differentiable=1, attached=1),  # nn.MaxUnpool1d(2) |  | 1x2x2 | 1x2x2:long
    "MaxUnpool2d": Layer(inputs=2, frees=1, saves=(0, 1), differentiable=1),  # nn.MaxUnpool2d(2) |  | 1x2x2x2 | 1x2x2x2:long
    "MaxUnpool3d": Layer(inputs=2, frees=1, saves=(0, 1), differentiable=1),  # nn.MaxUnpool3d(2) |  | 1x2x2x2x2 | 1x2x2x2x2:long
    "Mish": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Mish() |  | 1x2x4x4
    "MultiLabelMarginLoss": Layer(inputs=2, frees=1, saves=(1, 1), differentiable=1),  # nn.MultiLabelMarginLoss() |  | 2x3 | 2x3:long
    "MultiLabelSoftMarginLoss": Layer(inputs=2, frees=3, saves=(1, 1), differentiable=3),  # nn.MultiLabelSoftMarginLoss() |  | 2x3 | 2x3
    "MultiMarginLoss": Layer(inputs=2, frees=1, saves=(1, 1), differentiable=1),  # nn.MultiMarginLoss() |  | 2x3 | 2:long
    "MultiheadAttention": Layer(parameters=("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"), frees=15, saves=(2, 1, 0, 7), differentiable=31, outputs=2, attached=1),  # nn.MultiheadAttention(4, 2) | m(a, a, a) | 2x1x4
    "MultiheadAttention.batch_first": Layer(parameters=("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"), frees=15, saves=(2, 1, 0, 7), differentiable=31, outputs=2, attached=1),  # nn.MultiheadAttention(4, 2, batch_first=True) | m(a, a, a) | 1x2x4
    "MultiheadAttention.cross": Layer(inputs=3, parameters=("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"), frees=63, saves=(8, 8, 8, 7, 0, 31), differentiable=127, outputs=2, attached=1),  # nn.MultiheadAttention(4, 2) | m(a, b, c) | 2x1x4 | 2x1x4 | 2x1x4
    "MultiheadAttention.noweights": Layer(parameters=("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"), frees=15, saves=(2, 1, 0, 7), differentiable=31, attached=1),  # nn.MultiheadAttention(4, 2) | m(a, a, a, need_weights=False) | 2x1x4
    "NLLLoss": Layer(inputs=2, frees=1, saves=(1, 1), differentiable=1),  # nn.NLLLoss() |  | 2x3 | 2:long
    "NLLLoss2d": Layer(inputs=2, frees=1, saves=(1, 1), differentiable=1),  # nn.NLLLoss2d() |  | 1x2x4x4 | 1x4x4:long
    "PReLU": Layer(parameters=("weight",), frees=3, saves=(3, 3), differentiable=3),  # nn.PReLU() |  | 2x3
    "PairwiseDistance": Layer(inputs=2, frees=3, result=3, differentiable=3),  # nn.PairwiseDistance() |  | 2x3 | 2x3
    "PixelShuffle": Layer(differentiable=1),  # nn.PixelShuffle(2) |  | 1x2x4x4x4
    "PixelUnshuffle": Layer(differentiable=1),  # nn.PixelUnshuffle(2) |  | 1x2x4x4
    "PoissonNLLLoss": Layer(inputs=2, frees=3, saves=(2, 1), differentiable=3),  # nn.PoissonNLLLoss() |  | 2x3 | 2x3
    "RMSNorm": Layer(parameters=("weight",), frees=3, saves=(1, 1), differentiable=3),  # nn.RMSNorm(3) |  | 2x3
    "RNN.packed": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(0, 8, 1, 63), differentiable=63, outputs=2),  # nn.RNN(3, 4) | unpacked(m(nn.utils.rnn.pack_padded_sequence(a, [5]), b)) | 5x1x3 | 1x1x4
    "RNN.sequence": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 63), differentiable=63, outputs=2),  # nn.RNN(3, 4) | m(a, b) | 5x1x3 | 1x1x4
    "RNN.sequence.batch_first": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 63), differentiable=63, outputs=2),  # nn.RNN(3, 4, batch_first=True) | m(a, b) | 1x5x3 | 1x1x4
    "RNN.sequence.batch_first.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1, 31), differentiable=31, outputs=2),  # nn.RNN(3, 4, batch_first=True) | m(a) | 1x5x3
    "RNN.sequence.batched": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(0, 8, 1, 63), differentiable=63, outputs=2),  # nn.RNN(3, 4, batch_first=True) | m(a, b) | 2x5x3 | 1x2x4
    "RNN.sequence.batched.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(0, 1, 31), differentiable=31, outputs=2),  # nn.RNN(3, 4, batch_first=True) | m(a) | 2x5x3
    "RNN.sequence.bidirectional": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"), frees=1023, saves=(68, 136, 1, 63, 0, 0, 1, 963), differentiable=1023, outputs=2),  # nn.RNN(3, 4, bidirectional=True) | m(a, b) | 5x1x3 | 2x1x4
    "RNN.sequence.bidirectional.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"), frees=511, saves=(34, 1, 31, 0, 0, 1, 481), differentiable=511, outputs=2),  # nn.RNN(3, 4, bidirectional=True) | m(a) | 5x1x3
    "RNN.sequence.layers": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=1023, saves=(4, 136, 1, 63, 0, 0, 63, 1023), differentiable=1023, outputs=2),  # nn.RNN(3, 4, 2) | m(a, b) | 5x1x3 | 2x1x4
    "RNN.sequence.layers.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=511, saves=(2, 1, 31, 0, 0, 31, 511), differentiable=511, outputs=2),  # nn.RNN(3, 4, 2) | m(a) | 5x1x3
    "RNN.sequence.nobias": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0"), frees=15, saves=(4, 8, 1, 15), differentiable=15, outputs=2),  # nn.RNN(3, 4, bias=False) | m(a, b) | 5x1x3 | 1x1x4
    "RNN.sequence.nobias.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0"), frees=7, saves=(2, 1, 7), differentiable=7, outputs=2),  # nn.RNN(3, 4, bias=False) | m(a) | 5x1x3
    "RNN.sequence.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1, 31), differentiable=31, outputs=2),  # nn.RNN(3, 4) | m(a) | 5x1x3
    "RNN.sequence.unbatched": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 63), differentiable=63, outputs=2, attached=3),  # nn.RNN(3, 4) | m(a, b) | 5x3 | 1x4
    "RNN.sequence.unbatched.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1, 31), differentiable=31, outputs=2, attached=3),  # nn.RNN(3, 4) | m(a) | 5x3
    "RNN.single": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 2), differentiable=63, outputs=2),  # nn.RNN(3, 4) | m(a, b) | 1x1x3 | 1x1x4
    "RNN.single.batch_first": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 2), differentiable=63, outputs=2),  # nn.RNN(3, 4, batch_first=True) | m(a, b) | 1x1x3 | 1x1x4
    "RNN.single.batch_first.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1), differentiable=31, outputs=2),  # nn.RNN(3, 4, batch_first=True) | m(a) | 1x1x3
    "RNN.single.layers": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=1023, saves=(4, 136, 1, 2, 0, 0, 63, 2), differentiable=1023, outputs=2),  # nn.RNN(3, 4, 2) | m(a, b) | 1x1x3 | 2x1x4
    "RNN.single.layers.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=511, saves=(2, 1, 0, 0, 0, 31), differentiable=511, outputs=2),  # nn.RNN(3, 4, 2) | m(a) | 1x1x3
    "RNN.single.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1), differentiable=31, outputs=2),  # nn.RNN(3, 4) | m(a) | 1x1x3
    "RNNCell": Layer(inputs=2, parameters=("weight_ih", "weight_hh", "bias_ih", "bias_hh"), frees=63, saves=(4, 8, 1, 2), result=63, differentiable=63),  # nn.RNNCell(3, 4) | m(a, b) | 1x3 | 1x4
    "RNNCell.nostate": Layer(parameters=("weight_ih", "weight_hh", "bias_ih", "bias_hh"), frees=31, saves=(2, 1), result=31, differentiable=31),  # nn.RNNCell(3, 4) | m(a) | 1x3
    "RReLU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.RReLU() |  | 1x2x4x4
    "ReLU": Layer(frees=1, result=1, differentiable=1),  # nn.ReLU() |  | 1x2x4x4
    "ReLU.inplace": Layer(frees=1, result=1, differentiable=1, same=True),  # nn.ReLU(inplace=True) |  | 2x3
    "ReLU6": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ReLU6() |  | 1x2x4x4
    "ReflectionPad1d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ReflectionPad1d(2) |  | 1x2x4
    "ReflectionPad2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ReflectionPad2d(2) |  | 1x2x4x4
    "ReflectionPad3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ReflectionPad3d(2) |  | 1x2x4x4x4
    "ReplicationPad1d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ReplicationPad1d(2) |  | 1x2x4
    "ReplicationPad2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ReplicationPad2d(2) |  | 1x2x4x4
    "ReplicationPad3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ReplicationPad3d(2) |  | 1x2x4x4x4
    "SELU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.SELU() |  | 1x2x4x4
    "SiLU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.SiLU() |  | 1x2x4x4
    "SiLU.inplace": Layer(frees=1, differentiable=1, same=True),  # nn.SiLU(inplace=True) |  | 2x3
    "Sigmoid": Layer(frees=1, result=1, differentiable=1),  # nn.Sigmoid() |  | 1x2x4x4
    "SmoothL1Loss": Layer(inputs=2, frees=3, saves=(3, 3), differentiable=3),  # nn.SmoothL1Loss() |  | 2x3 | 2x3
    "SoftMarginLoss": Layer(inputs=2, frees=1, saves=(1, 1), differentiable=1),  # nn.SoftMarginLoss() |  | 2x3 | 2x3
    "Softmax": Layer(frees=1, result=1, differentiable=1),  # nn.Softmax(-1) |  | 2x3
    "Softmax2d": Layer(frees=1, result=1, differentiable=1),  # nn.Softmax2d() |  | 1x2x4x4
    "Softmin": Layer(frees=1, result=1, differentiable=1),  # nn.Softmin(-1) |  | 2x3
    "Softplus": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Softplus() |  | 1x2x4x4
    "Softshrink": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Softshrink() |  | 1x2x4x4
    "Softsign": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Softsign() |  | 1x2x4x4
    "Tanh": Layer(frees=1, result=1, differentiable=1),  # nn.Tanh() |  | 1x2x4x4
    "Tanhshrink": Layer(frees=1, differentiable=1),  # nn.Tanhshrink() |  | 1x2x4x4
    "Threshold": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Threshold(0.1, 0.0) |  | 2x3
    "Transformer": Layer(inputs=2, parameters=("encoder.layers.0.self_attn.in_proj_weight", "encoder.layers.0.self_attn.in_proj_bias", "encoder.layers.0.self_attn.out_proj.weight", "encoder.layers.0.self_attn.out_proj.bias", "encoder.layers.0.linear1.weight", "encoder.layers.0.linear1.bias", "encoder.layers.0.linear2.weight", "encoder.layers.0.linear2.bias", "encoder.layers.0.norm1.weight", "encoder.layers.0.norm1.bias", "encoder.layers.0.norm2.weight", "encoder.layers.0.norm2.bias", "encoder.norm.weight", "encoder.norm.bias", "decoder.layers.0.self_attn.in_proj_weight", "decoder.layers.0.self_attn.in_proj_bias", "decoder.layers.0.self_attn.out_proj.weight", "decoder.layers.0.self_attn.out_proj.bias", "decoder.layers.0.multihead_attn.in_proj_weight", "decoder.layers.0.multihead_attn.in_proj_bias", "decoder.layers.0.multihead_attn.out_proj.weight", "decoder.layers.0.multihead_attn.out_proj.bias", "decoder.layers.0.linear1.weight", "decoder.layers.0.linear1.bias", "decoder.layers.0.linear2.weight", "decoder.layers.0.linear2.bias", "decoder.layers.0.norm1.weight", "decoder.layers.0.norm1.bias", "decoder.layers.0.norm2.weight", "decoder.layers.0.norm2.bias", "decoder.layers.0.norm3.weight", "decoder.layers.0.norm3.bias", "decoder.norm.weight", "decoder.norm.bias"), frees=68719476735, saves=(4, 65536, 1, 0, 13, 0, 3133, 0, 3325, 0, 3133, 3133, 16381, 16381, 65533, 65533, 2, 0, 196610, 0, 806354943, 0, 809500671, 0, 4043309055, 0, 4093640703, 0, 806289410, 806289410, 4043309055, 4043309055, 17179869183, 17179869183, 68719476735, 68719476735), differentiable=68719476735),  # nn.Transformer(4, 2, 1, 1, 8) |  | 2x1x4 | 2x1x4
    "TransformerDecoder": Layer(inputs=2, parameters=("layers.0.self_attn.in_proj_weight", "layers.0.self_attn.in_proj_bias", "layers.0.self_attn.out_proj.weight", "layers.0.self_attn.out_proj.bias", "layers.0.multihead_attn.in_proj_weight", "layers.0.multihead_attn.in_proj_bias", "layers.0.multihead_attn.out_proj.weight", "layers.0.multihead_attn.out_proj.bias", "layers.0.linear1.weight", "layers.0.linear1.bias", "layers.0.linear2.weight", "layers.0.linear2.bias", "layers.0.norm1.weight", "layers.0.norm1.bias", "layers.0.norm2.weight", "layers.0.norm2.bias", "layers.0.norm3.weight", "layers.0.norm3.bias"), frees=1048575, saves=(4, 64, 1, 0, 13, 0, 49215, 0, 49407, 0, 246783, 0, 249855, 0, 49213, 49213, 246783, 246783, 1048575, 1048575), differentiable=1048575),  # nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8), 1) |  | 2x1x4 | 2x1x4
    "TransformerDecoderLayer": Layer(inputs=2, parameters=("self_attn.in_proj_weight", "self_attn.in_proj_bias", "self_attn.out_proj.weight", "self_attn.out_proj.bias", "multihead_attn.in_proj_weight", "multihead_attn.in_proj_bias", "multihead_attn.out_proj.weight", "multihead_attn.out_proj.bias", "linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias", "norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias", "norm3.weight", "norm3.bias"), frees=1048575, saves=(4, 64, 1, 0, 13, 0, 49215, 0, 49407, 0, 246783, 0, 249855, 0, 49213, 49213, 246783, 246783, 1048575, 1048575), differentiable=1048575),  # nn.TransformerDecoderLayer(4, 2, 8) |  | 2x1x4 | 2x1x4
    "TransformerEncoder": Layer(parameters=("layers.0.self_attn.in_proj_weight", "layers.0.self_attn.in_proj_bias", "layers.0.self_attn.out_proj.weight", "layers.0.self_attn.out_proj.bias", "layers.0.linear1.weight", "layers.0.linear1.bias", "layers.0.linear2.weight", "layers.0.linear2.bias", "layers.0.norm1.weight", "layers.0.norm1.bias", "layers.0.norm2.weight", "layers.0.norm2.bias"), frees=8191, saves=(2, 1, 0, 7, 0, 1567, 0, 1663, 0, 1567, 1567, 8191, 8191), differentiable=8191),  # nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 1) |  | 2x1x4
    "TransformerEncoderLayer": Layer(parameters=("self_attn.in_proj_weight", "self_attn.in_proj_bias", "self_attn.out_proj.weight", "self_attn.out_proj.bias", "linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias", "norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias"), frees=8191, saves=(2, 1, 0, 7, 0, 1567, 0, 1663, 0, 1567, 1567, 8191, 8191), differentiable=8191),  # nn.TransformerEncoderLayer(4, 2, 8) |  | 2x1x4
    "TripletMarginLoss": Layer(inputs=3, frees=7, differentiable=7),  # nn.TripletMarginLoss() |  | 2x3 | 2x3 | 2x3
    "TripletMarginWithDistanceLoss": Layer(inputs=3, frees=7, differentiable=7),  # nn.TripletMarginWithDistanceLoss() |  | 2x3 | 2x3 | 2x3
    "Unflatten": Layer(differentiable=1, view=True),  # nn.Unflatten(1, (3, 1)) |  | 2x3
    "Unfold": Layer(differentiable=1),  # nn.Unfold(2) |  | 1x2x4x4
    "Upsample": Layer(differentiable=1),  # nn.Upsample(scale_factor=2) |  | 1x2x4
    "UpsamplingBilinear2d": Layer(differentiable=1),  # nn.UpsamplingBilinear2d(scale_factor=2) |  | 1x2x4x4
    "UpsamplingNearest2d": Layer(differentiable=1),  # nn.UpsamplingNearest2d(scale_factor=2) |  | 1x2x4x4
    "ZeroPad1d": Layer(differentiable=1),  # nn.ZeroPad1d(2) |  | 1x2x4
    "ZeroPad2d": Layer(differentiable=1),  # nn.ZeroPad2d(2) |  | 1x2x4x4
    "ZeroPad3d": Layer(differentiable=1),  # nn.ZeroPad3d(2) |  | 1x2x4x4x4
}

EXCEPTIONS: dict[str, tuple[str, ...]] = {
}
"""Sets of operands that require grad together, for which ORing the masks is wrong."""

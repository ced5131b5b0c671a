"""PyTorch's layers, measured on torch 2.13.0+cpu. Generated, do not edit: see measure.py.

Regenerate with `python -m secondpass.pytorch.measure --write`. The fields are explained in layer_facts.py.
"""

# ruff: noqa: E501
# fmt: off

from __future__ import annotations

from secondpass.pytorch.layer_facts import Layer

LAYERS: dict[str, Layer] = {
    "AdaptiveAvgPool1d": Layer(frees=1, saves=(1,), differentiable=1, attached=1),  # nn.AdaptiveAvgPool1d(2)
    "AdaptiveAvgPool2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.AdaptiveAvgPool2d(2)
    "AdaptiveAvgPool2d.one": Layer(differentiable=1),  # nn.AdaptiveAvgPool2d(1)
    "AdaptiveAvgPool3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.AdaptiveAvgPool3d(2)
    "AdaptiveLogSoftmaxWithLoss": Layer(inputs=2, parameters=("head.weight", "tail.0.0.weight", "tail.0.1.weight"), frees=29, saves=(4, 0, 1, 1, 9), differentiable=29, outputs=2),  # nn.AdaptiveLogSoftmaxWithLoss(4, 3, [1])
    "AdaptiveMaxPool1d": Layer(frees=1, saves=(1,), differentiable=1, attached=1),  # nn.AdaptiveMaxPool1d(2)
    "AdaptiveMaxPool2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.AdaptiveMaxPool2d(2)
    "AdaptiveMaxPool3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.AdaptiveMaxPool3d(2)
    "AlphaDropout": Layer(frees=1, differentiable=1),  # nn.AlphaDropout()
    "AlphaDropout.eval": Layer(differentiable=1, same=True),  # nn.AlphaDropout()
    "AvgPool1d": Layer(frees=1, saves=(1,), differentiable=1, attached=1),  # nn.AvgPool1d(2)
    "AvgPool2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.AvgPool2d(2)
    "AvgPool3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.AvgPool3d(2)
    "BCELoss": Layer(inputs=2, frees=3, saves=(3, 3), differentiable=3),  # nn.BCELoss()
    "BCEWithLogitsLoss": Layer(inputs=2, frees=3, saves=(3, 3), differentiable=3),  # nn.BCEWithLogitsLoss()
    "BatchNorm1d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7, 7, 0, 7, 7), differentiable=7),  # nn.BatchNorm1d(3)
    "BatchNorm1d.plain": Layer(buffers=("running_mean", "running_var"), frees=1, saves=(1, 1, 1), differentiable=1),  # nn.BatchNorm1d(3, affine=False)
    "BatchNorm2d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7, 7, 0, 7, 7), differentiable=7),  # nn.BatchNorm2d(2)
    "BatchNorm3d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7, 7, 0, 7, 7), differentiable=7),  # nn.BatchNorm3d(2)
    "Bilinear": Layer(inputs=2, parameters=("weight", "bias"), frees=7, saves=(6, 5, 3), differentiable=15),  # nn.Bilinear(3, 4, 2)
    "CELU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.CELU()
    "CTCLoss": Layer(inputs=2, frees=1, saves=(1, 1), differentiable=1),  # nn.CTCLoss()
    "ChannelShuffle": Layer(differentiable=1),  # nn.ChannelShuffle(2)
    "CircularPad1d": Layer(frees=1, differentiable=1),  # nn.CircularPad1d(2)
    "CircularPad2d": Layer(frees=1, differentiable=1),  # nn.CircularPad2d(2)
    "CircularPad3d": Layer(frees=1, differentiable=1),  # nn.CircularPad3d(2)
    "ConstantPad1d": Layer(differentiable=1),  # nn.ConstantPad1d(1, 0.5)
    "ConstantPad2d": Layer(differentiable=1),  # nn.ConstantPad2d(1, 0.5)
    "ConstantPad3d": Layer(differentiable=1),  # nn.ConstantPad3d(1, 0.5)
    "Conv1d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.Conv1d(2, 2, 2)
    "Conv2d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.Conv2d(2, 2, 2)
    "Conv2d.nobias": Layer(parameters=("weight",), frees=3, saves=(3, 3), differentiable=3),  # nn.Conv2d(2, 2, 2, bias=False)
    "Conv3d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.Conv3d(2, 2, 2)
    "ConvTranspose1d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.ConvTranspose1d(2, 2, 2)
    "ConvTranspose2d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.ConvTranspose2d(2, 2, 2)
    "ConvTranspose3d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.ConvTranspose3d(2, 2, 2)
    "CosineEmbeddingLoss": Layer(inputs=3, frees=3, saves=(3, 3), differentiable=3),  # nn.CosineEmbeddingLoss()
    "CosineSimilarity": Layer(inputs=2, frees=3, saves=(1, 2), differentiable=3),  # nn.CosineSimilarity()
    "CrossEntropyLoss": Layer(inputs=2, frees=1, saves=(0, 1), differentiable=1),  # nn.CrossEntropyLoss()
    "CrossEntropyLoss.soft": Layer(inputs=2, frees=3, saves=(0, 1), differentiable=3),  # nn.CrossEntropyLoss()
    "CrossMapLRN2d": Layer(frees=1, saves=(1,), result=1, differentiable=1),  # nn.CrossMapLRN2d(2)
    "Dropout": Layer(frees=1, differentiable=1),  # nn.Dropout()
    "Dropout.eval": Layer(differentiable=1, same=True),  # nn.Dropout()
    "Dropout.inplace": Layer(frees=1, differentiable=1, same=True),  # nn.Dropout(0.5, inplace=True)
    "Dropout.inplace.eval": Layer(differentiable=1, same=True),  # nn.Dropout(0.5, inplace=True)
    "Dropout.zero": Layer(differentiable=1, same=True),  # nn.Dropout(0.0)
    "Dropout1d": Layer(frees=1, differentiable=1),  # nn.Dropout1d()
    "Dropout1d.eval": Layer(differentiable=1, same=True),  # nn.Dropout1d()
    "Dropout2d": Layer(frees=1, differentiable=1),  # nn.Dropout2d()
    "Dropout2d.eval": Layer(differentiable=1, same=True),  # nn.Dropout2d()
    "Dropout3d": Layer(frees=1, differentiable=1, attached=1),  # nn.Dropout3d()
    "Dropout3d.eval": Layer(differentiable=1, view=True),  # nn.Dropout3d()
    "ELU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ELU()
    "ELU.inplace": Layer(frees=1, result=1, differentiable=1, same=True),  # nn.ELU(inplace=True)
    "Embedding": Layer(parameters=("weight",), frees=2, saves=(2,), differentiable=2),  # nn.Embedding(4, 3)
    "EmbeddingBag": Layer(parameters=("weight",), frees=2, saves=(2,), differentiable=2),  # nn.EmbeddingBag(4, 3)
    "FeatureAlphaDropout": Layer(frees=1, differentiable=1),  # nn.FeatureAlphaDropout()
    "FeatureAlphaDropout.eval": Layer(differentiable=1, same=True),  # nn.FeatureAlphaDropout()
    "Flatten": Layer(differentiable=1, view=True),  # nn.Flatten()
    "Flatten.same": Layer(differentiable=1, same=True),  # nn.Flatten()
    "Fold": Layer(differentiable=1),  # nn.Fold((4, 4), 2)
    "FractionalMaxPool2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.FractionalMaxPool2d(2, 2)
    "FractionalMaxPool3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.FractionalMaxPool3d(2, 2)
    "GELU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.GELU()
    "GLU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.GLU()
    "GRU.sequence": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 63), differentiable=63, outputs=2),  # nn.GRU(3, 4)
    "GRU.sequence.batch_first": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 63), differentiable=63, outputs=2),  # nn.GRU(3, 4, batch_first=True)
    "GRU.sequence.batch_first.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1, 31), differentiable=31, outputs=2),  # nn.GRU(3, 4, batch_first=True)
    "GRU.sequence.batched": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(0, 8, 1, 63), differentiable=63, outputs=2),  # nn.GRU(3, 4, batch_first=True)
    "GRU.sequence.batched.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(0, 1, 31), differentiable=31, outputs=2),  # nn.GRU(3, 4, batch_first=True)
    "GRU.sequence.bidirectional": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"), frees=1023, saves=(68, 136, 1, 63, 0, 0, 1, 963), differentiable=1023, outputs=2),  # nn.GRU(3, 4, bidirectional=True)
    "GRU.sequence.bidirectional.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"), frees=511, saves=(34, 1, 31, 0, 0, 1, 481), differentiable=511, outputs=2),  # nn.GRU(3, 4, bidirectional=True)
    "GRU.sequence.layers": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=1023, saves=(4, 136, 1, 63, 0, 0, 63, 1023), differentiable=1023, outputs=2),  # nn.GRU(3, 4, 2)
    "GRU.sequence.layers.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=511, saves=(2, 1, 31, 0, 0, 31, 511), differentiable=511, outputs=2),  # nn.GRU(3, 4, 2)
    "GRU.sequence.nobias": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0"), frees=15, saves=(4, 8, 1, 15), differentiable=15, outputs=2),  # nn.GRU(3, 4, bias=False)
    "GRU.sequence.nobias.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0"), frees=7, saves=(2, 1, 7), differentiable=7, outputs=2),  # nn.GRU(3, 4, bias=False)
    "GRU.sequence.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1, 31), differentiable=31, outputs=2),  # nn.GRU(3, 4)
    "GRU.sequence.unbatched": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 63), differentiable=63, outputs=2, attached=3),  # nn.GRU(3, 4)
    "GRU.sequence.unbatched.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1, 31), differentiable=31, outputs=2, attached=3),  # nn.GRU(3, 4)
    "GRU.single": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 2), differentiable=63, outputs=2),  # nn.GRU(3, 4)
    "GRU.single.batch_first": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 2), differentiable=63, outputs=2),  # nn.GRU(3, 4, batch_first=True)
    "GRU.single.batch_first.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1), differentiable=31, outputs=2),  # nn.GRU(3, 4, batch_first=True)
    "GRU.single.layers": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=1023, saves=(4, 136, 1, 2, 0, 0, 63, 2), differentiable=1023, outputs=2),  # nn.GRU(3, 4, 2)
    "GRU.single.layers.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=511, saves=(2, 1, 0, 0, 0, 31), differentiable=511, outputs=2),  # nn.GRU(3, 4, 2)
    "GRU.single.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1), differentiable=31, outputs=2),  # nn.GRU(3, 4)
    "GRUCell": Layer(inputs=2, parameters=("weight_ih", "weight_hh", "bias_ih", "bias_hh"), frees=63, saves=(4, 8, 1, 2), differentiable=63),  # nn.GRUCell(3, 4)
    "GRUCell.nostate": Layer(parameters=("weight_ih", "weight_hh", "bias_ih", "bias_hh"), frees=31, saves=(2, 1), differentiable=31),  # nn.GRUCell(3, 4)
    "GaussianNLLLoss": Layer(inputs=3, frees=7, differentiable=7),  # nn.GaussianNLLLoss()
    "GroupNorm": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.GroupNorm(1, 2)
    "Hardshrink": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Hardshrink()
    "Hardsigmoid": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Hardsigmoid()
    "Hardswish": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Hardswish()
    "Hardtanh": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Hardtanh()
    "HingeEmbeddingLoss": Layer(inputs=2, frees=1, differentiable=1),  # nn.HingeEmbeddingLoss()
    "HuberLoss": Layer(inputs=2, frees=3, saves=(3, 3), differentiable=3),  # nn.HuberLoss()
    "Identity": Layer(differentiable=1, same=True),  # nn.Identity()
    "InstanceNorm1d": Layer(frees=1, saves=(1,), differentiable=1, attached=1),  # nn.InstanceNorm1d(2)
    "InstanceNorm2d": Layer(frees=1, saves=(1,), differentiable=1, attached=1),  # nn.InstanceNorm2d(2)
    "InstanceNorm2d.affine": Layer(parameters=("weight", "bias"), frees=7, saves=(7,), differentiable=7, attached=1),  # nn.InstanceNorm2d(2, affine=True)
    "InstanceNorm3d": Layer(frees=1, saves=(1,), differentiable=1, attached=1),  # nn.InstanceNorm3d(2)
    "KLDivLoss": Layer(inputs=2, frees=3, saves=(2, 3), differentiable=3),  # nn.KLDivLoss()
    "L1Loss": Layer(inputs=2, frees=3, differentiable=3),  # nn.L1Loss()
    "LPPool1d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.LPPool1d(2, 2)
    "LPPool2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.LPPool2d(2, 2)
    "LPPool3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.LPPool3d(2, 2)
    "LSTM.sequence": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(127, 127, 127, 127, 127, 127, 127), result=127, differentiable=127, outputs=3),  # nn.LSTM(3, 4)
    "LSTM.sequence.batch_first": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(127, 127, 127, 127, 127, 127, 127), result=127, differentiable=127, outputs=3, attached=1),  # nn.LSTM(3, 4, batch_first=True)
    "LSTM.sequence.batch_first.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(31, 31, 31, 31, 31), result=31, differentiable=31, outputs=3, attached=1),  # nn.LSTM(3, 4, batch_first=True)
    "LSTM.sequence.batched": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(0, 127, 127, 127, 127, 127, 127), result=127, differentiable=127, outputs=3, attached=1),  # nn.LSTM(3, 4, batch_first=True)
    "LSTM.sequence.batched.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(0, 31, 31, 31, 31), result=31, differentiable=31, outputs=3, attached=1),  # nn.LSTM(3, 4, batch_first=True)
    "LSTM.sequence.bidirectional": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"), frees=2047, saves=(2047, 2047, 2047, 127, 127, 127, 127, 1927, 1927, 1927, 1927), differentiable=2047, outputs=3),  # nn.LSTM(3, 4, bidirectional=True)
    "LSTM.sequence.bidirectional.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"), frees=511, saves=(511, 31, 31, 31, 31, 481, 481, 481, 481), differentiable=511, outputs=3),  # nn.LSTM(3, 4, bidirectional=True)
    "LSTM.sequence.layers": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=2047, saves=(127, 2047, 2047, 127, 127, 127, 127, 2047, 2047, 2047, 2047), result=2047, differentiable=2047, outputs=3),  # nn.LSTM(3, 4, 2)
    "LSTM.sequence.layers.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=511, saves=(31, 31, 31, 31, 31, 511, 511, 511, 511), result=511, differentiable=511, outputs=3),  # nn.LSTM(3, 4, 2)
    "LSTM.sequence.nobias": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0"), frees=31, saves=(31, 31, 31, 31, 31), result=31, differentiable=31, outputs=3),  # nn.LSTM(3, 4, bias=False)
    "LSTM.sequence.nobias.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0"), frees=7, saves=(7, 7, 7), result=7, differentiable=7, outputs=3),  # nn.LSTM(3, 4, bias=False)
    "LSTM.sequence.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(31, 31, 31, 31, 31), result=31, differentiable=31, outputs=3),  # nn.LSTM(3, 4)
    "LSTM.sequence.unbatched": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(127, 127, 127, 127, 127, 127, 127), result=127, differentiable=127, outputs=3, attached=7),  # nn.LSTM(3, 4)
    "LSTM.sequence.unbatched.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(31, 31, 31, 31, 31), result=31, differentiable=31, outputs=3, attached=7),  # nn.LSTM(3, 4)
    "LSTM.single": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(127, 127, 127, 127, 127, 127, 127), result=127, differentiable=127, outputs=3),  # nn.LSTM(3, 4)
    "LSTM.single.batch_first": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=127, saves=(127, 127, 127, 127, 127, 127, 127), result=127, differentiable=127, outputs=3, attached=1),  # nn.LSTM(3, 4, batch_first=True)
    "LSTM.single.batch_first.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(31, 31, 31, 31, 31), result=31, differentiable=31, outputs=3, attached=1),  # nn.LSTM(3, 4, batch_first=True)
    "LSTM.single.layers": Layer(inputs=3, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=2047, saves=(127, 2047, 2047, 127, 127, 127, 127, 2047, 2047, 2047, 2047), result=2047, differentiable=2047, outputs=3),  # nn.LSTM(3, 4, 2)
    "LSTM.single.layers.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=511, saves=(31, 31, 31, 31, 31, 511, 511, 511, 511), result=511, differentiable=511, outputs=3),  # nn.LSTM(3, 4, 2)
    "LSTM.single.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(31, 31, 31, 31, 31), result=31, differentiable=31, outputs=3),  # nn.LSTM(3, 4)
    "LSTMCell": Layer(inputs=3, parameters=("weight_ih", "weight_hh", "bias_ih", "bias_hh"), frees=127, saves=(8, 16, 123, 1, 2), differentiable=127, outputs=2),  # nn.LSTMCell(3, 4)
    "LSTMCell.nostate": Layer(parameters=("weight_ih", "weight_hh", "bias_ih", "bias_hh"), frees=31, saves=(2, 1), differentiable=31, outputs=2),  # nn.LSTMCell(3, 4)
    "LayerNorm": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7, 7), differentiable=7),  # nn.LayerNorm(3)
    "LayerNorm.plain": Layer(frees=1, saves=(1,), differentiable=1),  # nn.LayerNorm(3, elementwise_affine=False)
    "LazyBatchNorm1d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7, 7, 0, 7, 7), differentiable=7),  # nn.LazyBatchNorm1d()
    "LazyBatchNorm2d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7, 7, 0, 7, 7), differentiable=7),  # nn.LazyBatchNorm2d()
    "LazyBatchNorm3d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7, 7, 0, 7, 7), differentiable=7),  # nn.LazyBatchNorm3d()
    "LazyConv1d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.LazyConv1d(2, 2)
    "LazyConv2d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.LazyConv2d(2, 2)
    "LazyConv3d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.LazyConv3d(2, 2)
    "LazyConvTranspose1d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.LazyConvTranspose1d(2, 2)
    "LazyConvTranspose2d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.LazyConvTranspose2d(2, 2)
    "LazyConvTranspose3d": Layer(parameters=("weight", "bias"), frees=7, saves=(7, 7), differentiable=7),  # nn.LazyConvTranspose3d(2, 2)
    "LazyInstanceNorm1d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7,), differentiable=7, attached=1),  # nn.LazyInstanceNorm1d()
    "LazyInstanceNorm2d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7,), differentiable=7, attached=1),  # nn.LazyInstanceNorm2d()
    "LazyInstanceNorm3d": Layer(parameters=("weight", "bias"), buffers=("running_mean", "running_var"), frees=7, saves=(7,), differentiable=7, attached=1),  # nn.LazyInstanceNorm3d()
    "LazyLinear": Layer(parameters=("weight", "bias"), frees=3, saves=(2, 1), differentiable=7),  # nn.LazyLinear(2)
    "LeakyReLU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.LeakyReLU()
    "LeakyReLU.inplace": Layer(frees=1, result=1, differentiable=1, same=True),  # nn.LeakyReLU(inplace=True)
    "Linear": Layer(parameters=("weight", "bias"), frees=3, saves=(2, 1), differentiable=7),  # nn.Linear(3, 2)
    "Linear.1d": Layer(parameters=("weight", "bias"), frees=3, saves=(2, 1), differentiable=7, attached=1),  # nn.Linear(3, 2)
    "Linear.3d": Layer(parameters=("weight", "bias"), frees=3, saves=(2, 1), differentiable=7, attached=1),  # nn.Linear(3, 2)
    "Linear.3d.nobias": Layer(parameters=("weight",), frees=3, saves=(2, 1), differentiable=3),  # nn.Linear(3, 2, bias=False)
    "Linear.nobias": Layer(parameters=("weight",), frees=3, saves=(2, 1), differentiable=3),  # nn.Linear(3, 2, bias=False)
    "LinearCrossEntropyLoss": Layer(inputs=2, parameters=("linear.weight",), frees=5, saves=(4, 5, 1), differentiable=5),  # nn.LinearCrossEntropyLoss(3, 4)
    "LocalResponseNorm": Layer(frees=1, saves=(1,), differentiable=1),  # nn.LocalResponseNorm(2)
    "LogSigmoid": Layer(frees=1, saves=(1,), differentiable=1),  # nn.LogSigmoid()
    "LogSoftmax": Layer(frees=1, result=1, differentiable=1),  # nn.LogSoftmax(-1)
    "MSELoss": Layer(inputs=2, frees=3, saves=(3, 3), differentiable=3),  # nn.MSELoss()
    "MarginRankingLoss": Layer(inputs=3, frees=3, differentiable=3),  # nn.MarginRankingLoss()
    "MaxPool1d": Layer(frees=1, saves=(1,), differentiable=1, attached=1),  # nn.MaxPool1d(2)
    "MaxPool2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.MaxPool2d(2)
    "MaxPool3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.MaxPool3d(2)
    "MaxUnpool1d": Layer(inputs=2, frees=1, saves=(0, 1), differentiable=1, attached=1),  # nn.MaxUnpool1d(2)
    "MaxUnpool2d": Layer(inputs=2, frees=1, saves=(0, 1), differentiable=1),  # nn.MaxUnpool2d(2)
    "MaxUnpool3d": Layer(inputs=2, frees=1, saves=(0, 1), differentiable=1),  # nn.MaxUnpool3d(2)
    "Mish": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Mish()
    "MultiLabelMarginLoss": Layer(inputs=2, frees=1, saves=(1, 1), differentiable=1),  # nn.MultiLabelMarginLoss()
    "MultiLabelSoftMarginLoss": Layer(inputs=2, frees=3, saves=(1, 1), differentiable=3),  # nn.MultiLabelSoftMarginLoss()
    "MultiMarginLoss": Layer(inputs=2, frees=1, saves=(1, 1), differentiable=1),  # nn.MultiMarginLoss()
    "MultiheadAttention": Layer(parameters=("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"), frees=15, saves=(2, 1, 0, 7), differentiable=31, outputs=2, attached=1),  # nn.MultiheadAttention(4, 2)
    "MultiheadAttention.batch_first": Layer(parameters=("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"), frees=15, saves=(2, 1, 0, 7), differentiable=31, outputs=2, attached=1),  # nn.MultiheadAttention(4, 2, batch_first=True)
    "MultiheadAttention.cross": Layer(inputs=3, parameters=("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"), frees=63, saves=(8, 8, 8, 7, 0, 31), differentiable=127, outputs=2, attached=1),  # nn.MultiheadAttention(4, 2)
    "MultiheadAttention.noweights": Layer(parameters=("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"), frees=15, saves=(2, 1, 0, 7), differentiable=31, attached=1),  # nn.MultiheadAttention(4, 2)
    "NLLLoss": Layer(inputs=2, frees=1, saves=(1, 1), differentiable=1),  # nn.NLLLoss()
    "NLLLoss2d": Layer(inputs=2, frees=1, saves=(1, 1), differentiable=1),  # nn.NLLLoss2d()
    "PReLU": Layer(parameters=("weight",), frees=3, saves=(3, 3), differentiable=3),  # nn.PReLU()
    "PairwiseDistance": Layer(inputs=2, frees=3, result=3, differentiable=3),  # nn.PairwiseDistance()
    "PixelShuffle": Layer(differentiable=1),  # nn.PixelShuffle(2)
    "PixelUnshuffle": Layer(differentiable=1),  # nn.PixelUnshuffle(2)
    "PoissonNLLLoss": Layer(inputs=2, frees=3, saves=(2, 1), differentiable=3),  # nn.PoissonNLLLoss()
    "RMSNorm": Layer(parameters=("weight",), frees=3, saves=(1, 1), differentiable=3),  # nn.RMSNorm(3)
    "RNN.sequence": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 63), differentiable=63, outputs=2),  # nn.RNN(3, 4)
    "RNN.sequence.batch_first": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 63), differentiable=63, outputs=2),  # nn.RNN(3, 4, batch_first=True)
    "RNN.sequence.batch_first.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1, 31), differentiable=31, outputs=2),  # nn.RNN(3, 4, batch_first=True)
    "RNN.sequence.batched": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(0, 8, 1, 63), differentiable=63, outputs=2),  # nn.RNN(3, 4, batch_first=True)
    "RNN.sequence.batched.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(0, 1, 31), differentiable=31, outputs=2),  # nn.RNN(3, 4, batch_first=True)
    "RNN.sequence.bidirectional": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"), frees=1023, saves=(68, 136, 1, 63, 0, 0, 1, 963), differentiable=1023, outputs=2),  # nn.RNN(3, 4, bidirectional=True)
    "RNN.sequence.bidirectional.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l0_reverse", "weight_hh_l0_reverse", "bias_ih_l0_reverse", "bias_hh_l0_reverse"), frees=511, saves=(34, 1, 31, 0, 0, 1, 481), differentiable=511, outputs=2),  # nn.RNN(3, 4, bidirectional=True)
    "RNN.sequence.layers": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=1023, saves=(4, 136, 1, 63, 0, 0, 63, 1023), differentiable=1023, outputs=2),  # nn.RNN(3, 4, 2)
    "RNN.sequence.layers.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=511, saves=(2, 1, 31, 0, 0, 31, 511), differentiable=511, outputs=2),  # nn.RNN(3, 4, 2)
    "RNN.sequence.nobias": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0"), frees=15, saves=(4, 8, 1, 15), differentiable=15, outputs=2),  # nn.RNN(3, 4, bias=False)
    "RNN.sequence.nobias.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0"), frees=7, saves=(2, 1, 7), differentiable=7, outputs=2),  # nn.RNN(3, 4, bias=False)
    "RNN.sequence.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1, 31), differentiable=31, outputs=2),  # nn.RNN(3, 4)
    "RNN.sequence.unbatched": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 63), differentiable=63, outputs=2, attached=3),  # nn.RNN(3, 4)
    "RNN.sequence.unbatched.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1, 31), differentiable=31, outputs=2, attached=3),  # nn.RNN(3, 4)
    "RNN.single": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 2), differentiable=63, outputs=2),  # nn.RNN(3, 4)
    "RNN.single.batch_first": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=63, saves=(4, 8, 1, 2), differentiable=63, outputs=2),  # nn.RNN(3, 4, batch_first=True)
    "RNN.single.batch_first.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1), differentiable=31, outputs=2),  # nn.RNN(3, 4, batch_first=True)
    "RNN.single.layers": Layer(inputs=2, parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=1023, saves=(4, 136, 1, 2, 0, 0, 63, 2), differentiable=1023, outputs=2),  # nn.RNN(3, 4, 2)
    "RNN.single.layers.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0", "weight_ih_l1", "weight_hh_l1", "bias_ih_l1", "bias_hh_l1"), frees=511, saves=(2, 1, 0, 0, 0, 31), differentiable=511, outputs=2),  # nn.RNN(3, 4, 2)
    "RNN.single.nostate": Layer(parameters=("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), frees=31, saves=(2, 1), differentiable=31, outputs=2),  # nn.RNN(3, 4)
    "RNNCell": Layer(inputs=2, parameters=("weight_ih", "weight_hh", "bias_ih", "bias_hh"), frees=63, saves=(4, 8, 1, 2), result=63, differentiable=63),  # nn.RNNCell(3, 4)
    "RNNCell.nostate": Layer(parameters=("weight_ih", "weight_hh", "bias_ih", "bias_hh"), frees=31, saves=(2, 1), result=31, differentiable=31),  # nn.RNNCell(3, 4)
    "RReLU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.RReLU()
    "ReLU": Layer(frees=1, result=1, differentiable=1),  # nn.ReLU()
    "ReLU.inplace": Layer(frees=1, result=1, differentiable=1, same=True),  # nn.ReLU(inplace=True)
    "ReLU6": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ReLU6()
    "ReflectionPad1d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ReflectionPad1d(2)
    "ReflectionPad2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ReflectionPad2d(2)
    "ReflectionPad3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ReflectionPad3d(2)
    "ReplicationPad1d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ReplicationPad1d(2)
    "ReplicationPad2d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ReplicationPad2d(2)
    "ReplicationPad3d": Layer(frees=1, saves=(1,), differentiable=1),  # nn.ReplicationPad3d(2)
    "SELU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.SELU()
    "SiLU": Layer(frees=1, saves=(1,), differentiable=1),  # nn.SiLU()
    "SiLU.inplace": Layer(frees=1, differentiable=1, same=True),  # nn.SiLU(inplace=True)
    "Sigmoid": Layer(frees=1, result=1, differentiable=1),  # nn.Sigmoid()
    "SmoothL1Loss": Layer(inputs=2, frees=3, saves=(3, 3), differentiable=3),  # nn.SmoothL1Loss()
    "SoftMarginLoss": Layer(inputs=2, frees=1, saves=(1, 1), differentiable=1),  # nn.SoftMarginLoss()
    "Softmax": Layer(frees=1, result=1, differentiable=1),  # nn.Softmax(-1)
    "Softmax2d": Layer(frees=1, result=1, differentiable=1),  # nn.Softmax2d()
    "Softmin": Layer(frees=1, result=1, differentiable=1),  # nn.Softmin(-1)
    "Softplus": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Softplus()
    "Softshrink": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Softshrink()
    "Softsign": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Softsign()
    "Tanh": Layer(frees=1, result=1, differentiable=1),  # nn.Tanh()
    "Tanhshrink": Layer(frees=1, differentiable=1),  # nn.Tanhshrink()
    "Threshold": Layer(frees=1, saves=(1,), differentiable=1),  # nn.Threshold(0.1, 0.0)
    "Transformer": Layer(inputs=2, parameters=("encoder.layers.0.self_attn.in_proj_weight", "encoder.layers.0.self_attn.in_proj_bias", "encoder.layers.0.self_attn.out_proj.weight", "encoder.layers.0.self_attn.out_proj.bias", "encoder.layers.0.linear1.weight", "encoder.layers.0.linear1.bias", "encoder.layers.0.linear2.weight", "encoder.layers.0.linear2.bias", "encoder.layers.0.norm1.weight", "encoder.layers.0.norm1.bias", "encoder.layers.0.norm2.weight", "encoder.layers.0.norm2.bias", "encoder.norm.weight", "encoder.norm.bias", "decoder.layers.0.self_attn.in_proj_weight", "decoder.layers.0.self_attn.in_proj_bias", "decoder.layers.0.self_attn.out_proj.weight", "decoder.layers.0.self_attn.out_proj.bias", "decoder.layers.0.multihead_attn.in_proj_weight", "decoder.layers.0.multihead_attn.in_proj_bias", "decoder.layers.0.multihead_attn.out_proj.weight", "decoder.layers.0.multihead_attn.out_proj.bias", "decoder.layers.0.linear1.weight", "decoder.layers.0.linear1.bias", "decoder.layers.0.linear2.weight", "decoder.layers.0.linear2.bias", "decoder.layers.0.norm1.weight", "decoder.layers.0.norm1.bias", "decoder.layers.0.norm2.weight", "decoder.layers.0.norm2.bias", "decoder.layers.0.norm3.weight", "decoder.layers.0.norm3.bias", "decoder.norm.weight", "decoder.norm.bias"), frees=68719476735, saves=(4, 65536, 1, 0, 13, 0, 3133, 0, 3325, 0, 3133, 3133, 16381, 16381, 65533, 65533, 2, 0, 196610, 0, 806354943, 0, 809500671, 0, 4043309055, 0, 4093640703, 0, 806289410, 806289410, 4043309055, 4043309055, 17179869183, 17179869183, 68719476735, 68719476735), differentiable=68719476735),  # nn.Transformer(4, 2, 1, 1, 8)
    "TransformerDecoder": Layer(inputs=2, parameters=("layers.0.self_attn.in_proj_weight", "layers.0.self_attn.in_proj_bias", "layers.0.self_attn.out_proj.weight", "layers.0.self_attn.out_proj.bias", "layers.0.multihead_attn.in_proj_weight", "layers.0.multihead_attn.in_proj_bias", "layers.0.multihead_attn.out_proj.weight", "layers.0.multihead_attn.out_proj.bias", "layers.0.linear1.weight", "layers.0.linear1.bias", "layers.0.linear2.weight", "layers.0.linear2.bias", "layers.0.norm1.weight", "layers.0.norm1.bias", "layers.0.norm2.weight", "layers.0.norm2.bias", "layers.0.norm3.weight", "layers.0.norm3.bias"), frees=1048575, saves=(4, 64, 1, 0, 13, 0, 49215, 0, 49407, 0, 246783, 0, 249855, 0, 49213, 49213, 246783, 246783, 1048575, 1048575), differentiable=1048575),  # nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8), 1)
    "TransformerDecoderLayer": Layer(inputs=2, parameters=("self_attn.in_proj_weight", "self_attn.in_proj_bias", "self_attn.out_proj.weight", "self_attn.out_proj.bias", "multihead_attn.in_proj_weight", "multihead_attn.in_proj_bias", "multihead_attn.out_proj.weight", "multihead_attn.out_proj.bias", "linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias", "norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias", "norm3.weight", "norm3.bias"), frees=1048575, saves=(4, 64, 1, 0, 13, 0, 49215, 0, 49407, 0, 246783, 0, 249855, 0, 49213, 49213, 246783, 246783, 1048575, 1048575), differentiable=1048575),  # nn.TransformerDecoderLayer(4, 2, 8)
    "TransformerEncoder": Layer(parameters=("layers.0.self_attn.in_proj_weight", "layers.0.self_attn.in_proj_bias", "layers.0.self_attn.out_proj.weight", "layers.0.self_attn.out_proj.bias", "layers.0.linear1.weight", "layers.0.linear1.bias", "layers.0.linear2.weight", "layers.0.linear2.bias", "layers.0.norm1.weight", "layers.0.norm1.bias", "layers.0.norm2.weight", "layers.0.norm2.bias"), frees=8191, saves=(2, 1, 0, 7, 0, 1567, 0, 1663, 0, 1567, 1567, 8191, 8191), differentiable=8191),  # nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 1)
    "TransformerEncoderLayer": Layer(parameters=("self_attn.in_proj_weight", "self_attn.in_proj_bias", "self_attn.out_proj.weight", "self_attn.out_proj.bias", "linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias", "norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias"), frees=8191, saves=(2, 1, 0, 7, 0, 1567, 0, 1663, 0, 1567, 1567, 8191, 8191), differentiable=8191),  # nn.TransformerEncoderLayer(4, 2, 8)
    "TripletMarginLoss": Layer(inputs=3, frees=7, differentiable=7),  # nn.TripletMarginLoss()
    "TripletMarginWithDistanceLoss": Layer(inputs=3, frees=7, differentiable=7),  # nn.TripletMarginWithDistanceLoss()
    "Unflatten": Layer(differentiable=1, view=True),  # nn.Unflatten(1, (3, 1))
    "Unfold": Layer(differentiable=1),  # nn.Unfold(2)
    "Upsample": Layer(differentiable=1),  # nn.Upsample(scale_factor=2)
    "UpsamplingBilinear2d": Layer(differentiable=1),  # nn.UpsamplingBilinear2d(scale_factor=2)
    "UpsamplingNearest2d": Layer(differentiable=1),  # nn.UpsamplingNearest2d(scale_factor=2)
    "ZeroPad1d": Layer(differentiable=1),  # nn.ZeroPad1d(2)
    "ZeroPad2d": Layer(differentiable=1),  # nn.ZeroPad2d(2)
    "ZeroPad3d": Layer(differentiable=1),  # nn.ZeroPad3d(2)
}

EXCEPTIONS: dict[str, tuple[str, ...]] = {
    "GRU.sequence": (
        "(0, 1, 2, 3, 4, 5): saves 1 is False",
        "(1, 2, 3, 4, 5): saves 1 is False",
    ),
    "GRU.sequence.batch_first": (
        "(0, 1, 2, 3, 4, 5): saves 1 is False",
        "(1, 2, 3, 4, 5): saves 1 is False",
    ),
    "GRU.sequence.batched": (
        "(0, 1, 2, 3, 4, 5): saves 1 is False",
        "(1, 2, 3, 4, 5): saves 1 is False",
    ),
    "GRU.sequence.bidirectional": (
        "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9): saves 1 is False",
        "(1, 2, 3, 4, 5, 6, 7, 8, 9): saves 1 is False",
    ),
    "GRU.sequence.layers": (
        "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9): saves 1 is False",
        "(1, 2, 3, 4, 5, 6, 7, 8, 9): saves 1 is False",
    ),
    "GRU.sequence.nobias": (
        "(0, 1, 2, 3): saves 1 is False",
        "(1, 2, 3): saves 1 is False",
        "(1, 3): saves 1 is False",
    ),
    "GRU.sequence.unbatched": (
        "(0, 1, 2, 3, 4, 5): saves 1 is False",
        "(1, 2, 3, 4, 5): saves 1 is False",
    ),
    "GRU.single": (
        "(0, 1, 2, 3, 4, 5): saves 1 is False",
        "(1, 2, 3, 4, 5): saves 1 is False",
    ),
    "GRU.single.batch_first": (
        "(0, 1, 2, 3, 4, 5): saves 1 is False",
        "(1, 2, 3, 4, 5): saves 1 is False",
    ),
    "GRU.single.layers": (
        "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9): saves 1 is False",
        "(1, 2, 3, 4, 5, 6, 7, 8, 9): saves 1 is False",
    ),
    "MultiheadAttention.cross": (
        "(0, 1, 2, 3, 4, 5, 6): saves 3 is False",
        "(0, 3, 4, 5, 6): saves 3 is False",
        "(1, 3, 4, 5, 6): saves 3 is False",
        "(2, 3, 4, 5, 6): saves 3 is False",
    ),
    "RNN.sequence": (
        "(0, 1, 2, 3, 4, 5): saves 1 is False",
        "(1, 2, 3, 4, 5): saves 1 is False",
    ),
    "RNN.sequence.batch_first": (
        "(0, 1, 2, 3, 4, 5): saves 1 is False",
        "(1, 2, 3, 4, 5): saves 1 is False",
    ),
    "RNN.sequence.batched": (
        "(0, 1, 2, 3, 4, 5): saves 1 is False",
        "(1, 2, 3, 4, 5): saves 1 is False",
    ),
    "RNN.sequence.bidirectional": (
        "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9): saves 1 is False",
        "(1, 2, 3, 4, 5, 6, 7, 8, 9): saves 1 is False",
    ),
    "RNN.sequence.layers": (
        "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9): saves 1 is False",
        "(1, 2, 3, 4, 5, 6, 7, 8, 9): saves 1 is False",
    ),
    "RNN.sequence.nobias": (
        "(0, 1, 2, 3): saves 1 is False",
        "(1, 2, 3): saves 1 is False",
        "(1, 3): saves 1 is False",
    ),
    "RNN.sequence.unbatched": (
        "(0, 1, 2, 3, 4, 5): saves 1 is False",
        "(1, 2, 3, 4, 5): saves 1 is False",
    ),
    "RNN.single": (
        "(0, 1, 2, 3, 4, 5): saves 1 is False",
        "(1, 2, 3, 4, 5): saves 1 is False",
    ),
    "RNN.single.batch_first": (
        "(0, 1, 2, 3, 4, 5): saves 1 is False",
        "(1, 2, 3, 4, 5): saves 1 is False",
    ),
    "RNN.single.layers": (
        "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9): saves 1 is False",
        "(1, 2, 3, 4, 5, 6, 7, 8, 9): saves 1 is False",
    ),
    "Transformer": (
        "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35): saves 20 is False",
        "(0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35): saves 20 is False",
        "(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35): saves 20 is False",
        "(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35): saves 20 is False",
    ),
    "TransformerDecoder": (
        "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19): saves 6 is False",
        "(0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19): saves 6 is False",
        "(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19): saves 6 is False",
        "(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19): saves 6 is False",
    ),
    "TransformerDecoderLayer": (
        "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19): saves 6 is False",
        "(0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19): saves 6 is False",
        "(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19): saves 6 is False",
        "(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19): saves 6 is False",
    ),
}
"""Sets of operands that require grad together, for which ORing the masks is wrong."""

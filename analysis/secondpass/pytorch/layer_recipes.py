"""Layers to measure: a constructor and the inputs of one call, as text (the words of an input are those of recipes.py).

An entry is `key: (expression of the layer, call or "", input, ...)`. The call names the layer `m` and its inputs a, b,
...; "" stands for `m(a, b, ...)`. Layers not named here are tried with the templates below.
"""

from __future__ import annotations

CONSTRUCTORS: tuple[str, ...] = ("", "2", "1", "1, 0.5", "2, 2", "2, scale_factor=2")
"""Constructor arguments tried in this order on every layer class."""

INPUTS: tuple[tuple[str, ...], ...] = (
    ("1x2x4x4",),
    ("1x2x4",),
    ("1x2x4x4x4",),
    ("2x3",),
    ("1x4x4x4",),
    ("2x3", "2x3"),
    ("2x3", "2:long"),
    ("2x3", "2x3", "2x3"),
    ("2x3", "2x3:long"),
)
"""Inputs tried in this order on every constructed layer."""

_SEQUENCE = ("5x1x3", "1x1x4")
_SINGLE = ("1x1x3", "1x1x4")
_LAYERS = ("1x1x3", "2x1x4")


def _recurrent() -> dict[str, tuple[str, ...]]:
    """RNN, GRU and LSTM by structure: sequence length, number of layers, initial state given or not, batch first."""
    entries: dict[str, tuple[str, ...]] = {}
    for name in ("RNN", "GRU", "LSTM"):
        states = 2 if name == "LSTM" else 1
        call = "m(a, (b, c))" if states == 2 else "m(a, b)"
        for variant, arguments, (x, h) in (
            ("single", "3, 4", _SINGLE),
            ("sequence", "3, 4", _SEQUENCE),
            ("single.layers", "3, 4, 2", _LAYERS),
            ("sequence.layers", "3, 4, 2", ("5x1x3", "2x1x4")),
            ("single.batch_first", "3, 4, batch_first=True", ("1x1x3", "1x1x4")),
            ("sequence.batch_first", "3, 4, batch_first=True", ("1x5x3", "1x1x4")),
            ("sequence.batched", "3, 4, batch_first=True", ("2x5x3", "1x2x4")),
            ("sequence.bidirectional", "3, 4, bidirectional=True", ("5x1x3", "2x1x4")),
            ("sequence.nobias", "3, 4, bias=False", _SEQUENCE),
            ("sequence.unbatched", "3, 4", ("5x3", "1x4")),
        ):
            entries[f"{name}.{variant}"] = (f"nn.{name}({arguments})", call, x, *[h] * states)
            entries[f"{name}.{variant}.nostate"] = (f"nn.{name}({arguments})", "m(a)", x)
        packed = "nn.utils.rnn.pack_padded_sequence(a, [5])"
        state = ", (b, c)" if states == 2 else ", b"
        entries[f"{name}.packed"] = (f"nn.{name}(3, 4)", f"unpacked(m({packed}{state}))", "5x1x3", *["1x1x4"] * states)
        cell = f"{name}Cell"
        call = "m(a, (b, c))" if states == 2 else "m(a, b)"
        entries[cell] = (f"nn.{cell}(3, 4)", call, "1x3", *["1x4"] * states)
        entries[f"{cell}.nostate"] = (f"nn.{cell}(3, 4)", "m(a)", "1x3")
    return entries


LAYERS: dict[str, tuple[str, ...]] = {
    **_recurrent(),
    # float64 LSTMs have no fused kernel on the CPU and save as selectively as RNN and GRU
    "LSTM.single.double": ("nn.LSTM(3, 4).double()", "m(a, (b, c))", "1x1x3:double", *["1x1x4:double"] * 2),
    "LSTM.sequence.double": ("nn.LSTM(3, 4).double()", "m(a, (b, c))", "5x1x3:double", *["1x1x4:double"] * 2),
    "Linear": ("nn.Linear(3, 2)", "", "4x3"),
    "Linear.nobias": ("nn.Linear(3, 2, bias=False)", "", "4x3"),
    "Linear.3d": ("nn.Linear(3, 2)", "", "2x4x3"),
    "Linear.3d.nobias": ("nn.Linear(3, 2, bias=False)", "", "2x4x3"),
    "Linear.1d": ("nn.Linear(3, 2)", "", "3"),
    "Bilinear": ("nn.Bilinear(3, 4, 2)", "", "2x3", "2x4"),
    "Conv1d": ("nn.Conv1d(2, 2, 2)", "", "1x2x4"),
    "Conv2d": ("nn.Conv2d(2, 2, 2)", "", "1x2x4x4"),
    "Conv2d.nobias": ("nn.Conv2d(2, 2, 2, bias=False)", "", "1x2x4x4"),
    "Conv3d": ("nn.Conv3d(2, 2, 2)", "", "1x2x4x4x4"),
    "ConvTranspose1d": ("nn.ConvTranspose1d(2, 2, 2)", "", "1x2x4"),
    "ConvTranspose2d": ("nn.ConvTranspose2d(2, 2, 2)", "", "1x2x4x4"),
    "ConvTranspose3d": ("nn.ConvTranspose3d(2, 2, 2)", "", "1x2x4x4x4"),
    "LazyLinear": ("nn.LazyLinear(2)", "", "4x3"),
    "LazyConv1d": ("nn.LazyConv1d(2, 2)", "", "1x2x4"),
    "LazyConv2d": ("nn.LazyConv2d(2, 2)", "", "1x2x4x4"),
    "LazyConv3d": ("nn.LazyConv3d(2, 2)", "", "1x2x4x4x4"),
    "LazyConvTranspose1d": ("nn.LazyConvTranspose1d(2, 2)", "", "1x2x4"),
    "LazyConvTranspose2d": ("nn.LazyConvTranspose2d(2, 2)", "", "1x2x4x4"),
    "LazyConvTranspose3d": ("nn.LazyConvTranspose3d(2, 2)", "", "1x2x4x4x4"),
    "LazyBatchNorm1d": ("nn.LazyBatchNorm1d()", "", "4x3"),
    "LazyBatchNorm2d": ("nn.LazyBatchNorm2d()", "", "2x2x4x4"),
    "LazyBatchNorm3d": ("nn.LazyBatchNorm3d()", "", "2x2x4x4x4"),
    "LazyInstanceNorm1d": ("nn.LazyInstanceNorm1d()", "", "1x2x4"),
    "LazyInstanceNorm2d": ("nn.LazyInstanceNorm2d()", "", "1x2x4x4"),
    "LazyInstanceNorm3d": ("nn.LazyInstanceNorm3d()", "", "1x2x4x4x4"),
    "BatchNorm1d": ("nn.BatchNorm1d(3)", "", "4x3"),
    "BatchNorm1d.plain": ("nn.BatchNorm1d(3, affine=False)", "", "4x3"),
    "BatchNorm2d": ("nn.BatchNorm2d(2)", "", "1x2x4x4"),
    "BatchNorm3d": ("nn.BatchNorm3d(2)", "", "1x2x4x4x4"),
    "InstanceNorm1d": ("nn.InstanceNorm1d(2)", "", "1x2x4"),
    "InstanceNorm2d": ("nn.InstanceNorm2d(2)", "", "1x2x4x4"),
    "InstanceNorm2d.affine": ("nn.InstanceNorm2d(2, affine=True)", "", "1x2x4x4"),
    "InstanceNorm3d": ("nn.InstanceNorm3d(2)", "", "1x2x4x4x4"),
    "LayerNorm": ("nn.LayerNorm(3)", "", "2x3"),
    "LayerNorm.plain": ("nn.LayerNorm(3, elementwise_affine=False)", "", "2x3"),
    "RMSNorm": ("nn.RMSNorm(3)", "", "2x3"),
    "GroupNorm": ("nn.GroupNorm(1, 2)", "", "1x2x4"),
    "LocalResponseNorm": ("nn.LocalResponseNorm(2)", "", "1x2x4"),
    "Embedding": ("nn.Embedding(4, 3)", "", "2:long"),
    "EmbeddingBag": ("nn.EmbeddingBag(4, 3)", "", "1x2:long"),
    "PReLU": ("nn.PReLU()", "", "2x3"),
    "ReLU.inplace": ("nn.ReLU(inplace=True)", "", "2x3"),
    "LeakyReLU.inplace": ("nn.LeakyReLU(inplace=True)", "", "2x3"),
    "ELU.inplace": ("nn.ELU(inplace=True)", "", "2x3"),
    "SiLU.inplace": ("nn.SiLU(inplace=True)", "", "2x3"),
    "Dropout.inplace": ("nn.Dropout(0.5, inplace=True)", "", "2x3"),
    "Dropout.zero": ("nn.Dropout(0.0)", "", "2x3"),
    "Softmax": ("nn.Softmax(-1)", "", "2x3"),
    "LogSoftmax": ("nn.LogSoftmax(-1)", "", "2x3"),
    "Softmin": ("nn.Softmin(-1)", "", "2x3"),
    "Threshold": ("nn.Threshold(0.1, 0.0)", "", "2x3"),
    "Flatten": ("nn.Flatten()", "", "1x2x4"),
    "Flatten.same": ("nn.Flatten()", "", "2x3"),
    "Unflatten": ("nn.Unflatten(1, (3, 1))", "", "2x3"),
    "Fold": ("nn.Fold((4, 4), 2)", "", "1x8x9"),
    "Upsample": ("nn.Upsample(scale_factor=2)", "", "1x2x4"),
    "UpsamplingBilinear2d": ("nn.UpsamplingBilinear2d(scale_factor=2)", "", "1x2x4x4"),
    "UpsamplingNearest2d": ("nn.UpsamplingNearest2d(scale_factor=2)", "", "1x2x4x4"),
    "FractionalMaxPool2d": ("nn.FractionalMaxPool2d(2, 2)", "", "1x2x4x4"),
    "FractionalMaxPool3d": ("nn.FractionalMaxPool3d(2, 2)", "", "1x2x4x4x4"),
    "AdaptiveAvgPool2d": ("nn.AdaptiveAvgPool2d(2)", "", "1x2x4x4"),
    "AdaptiveAvgPool2d.one": ("nn.AdaptiveAvgPool2d(1)", "", "1x2x4x4"),
    "MaxUnpool1d": ("nn.MaxUnpool1d(2)", "", "1x2x2", "1x2x2:long"),
    "MaxUnpool2d": ("nn.MaxUnpool2d(2)", "", "1x2x2x2", "1x2x2x2:long"),
    "MaxUnpool3d": ("nn.MaxUnpool3d(2)", "", "1x2x2x2x2", "1x2x2x2x2:long"),
    "MultiheadAttention": ("nn.MultiheadAttention(4, 2)", "m(a, a, a)", "2x1x4"),
    "MultiheadAttention.noweights": ("nn.MultiheadAttention(4, 2)", "m(a, a, a, need_weights=False)", "2x1x4"),
    "MultiheadAttention.cross": ("nn.MultiheadAttention(4, 2)", "m(a, b, c)", "2x1x4", "2x1x4", "2x1x4"),
    "MultiheadAttention.batch_first": ("nn.MultiheadAttention(4, 2, batch_first=True)", "m(a, a, a)", "1x2x4"),
    "TransformerEncoderLayer": ("nn.TransformerEncoderLayer(4, 2, 8)", "", "2x1x4"),
    "TransformerDecoderLayer": ("nn.TransformerDecoderLayer(4, 2, 8)", "", "2x1x4", "2x1x4"),
    "TransformerEncoder": ("nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 1)", "", "2x1x4"),
    "TransformerDecoder": ("nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8), 1)", "", "2x1x4", "2x1x4"),
    "Transformer": ("nn.Transformer(4, 2, 1, 1, 8)", "", "2x1x4", "2x1x4"),
    # losses
    "MSELoss": ("nn.MSELoss()", "", "2x3", "2x3"),
    "L1Loss": ("nn.L1Loss()", "", "2x3", "2x3"),
    "CrossEntropyLoss": ("nn.CrossEntropyLoss()", "", "2x3", "2:long"),
    "CrossEntropyLoss.soft": ("nn.CrossEntropyLoss()", "", "2x3", "2x3"),
    "NLLLoss": ("nn.NLLLoss()", "", "2x3", "2:long"),
    "CTCLoss": ("nn.CTCLoss()", "m(a, b, (4,), (2,))", "4x1x3", "1x2:long:one"),
    "CosineEmbeddingLoss": ("nn.CosineEmbeddingLoss()", "", "2x3", "2x3", "2:buffer"),
    "MarginRankingLoss": ("nn.MarginRankingLoss()", "", "3", "3", "3:buffer"),
    "GaussianNLLLoss": ("nn.GaussianNLLLoss()", "", "2x3", "2x3", "2x3"),
    "TripletMarginLoss": ("nn.TripletMarginLoss()", "", "2x3", "2x3", "2x3"),
    "TripletMarginWithDistanceLoss": ("nn.TripletMarginWithDistanceLoss()", "", "2x3", "2x3", "2x3"),
    "NLLLoss2d": ("nn.NLLLoss2d()", "", "1x2x4x4", "1x4x4:long"),
    "MultiMarginLoss": ("nn.MultiMarginLoss()", "", "2x3", "2:long"),
    "AdaptiveLogSoftmaxWithLoss": ("nn.AdaptiveLogSoftmaxWithLoss(4, 3, [1])", "", "2x4", "2:long"),
    "LinearCrossEntropyLoss": ("nn.LinearCrossEntropyLoss(3, 4)", "", "2x3", "2:long"),
}
"""Layers that no template constructs, and the variants `Name.variant`. Eval mode is measured for each as `Key.eval`."""

EXCLUDED: frozenset[str] = frozenset(
    {
        *("Module", "Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict", "Container"),
        *("DataParallel", "SyncBatchNorm", "RNNBase", "RNNCellBase", "RNN", "GRU", "LSTM"),
    }
)
"""Containers (their contents run one by one), base classes, and the recurrent layers, which are listed by structure."""

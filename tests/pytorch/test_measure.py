"""The generated PyTorch facts: re-measured on the installed PyTorch, and held to what is known from elsewhere."""

from __future__ import annotations

import ast
import inspect
import zlib
from types import ModuleType

import pytest
import torch
from secondpass.pytorch import layer_recipes, layers, measure, operations, optimizer_table, recipes
from secondpass.pytorch.layers import LAYERS
from secondpass.pytorch.operations import OPERATIONS
from secondpass.pytorch.optimizer_table import OPTIMIZERS
from torch import nn


def words(text: str) -> list[str]:
    """The names in a block of text."""
    return text.split()


SAVES_NOTHING = words(
    """
    add add.scalar add.rscalar sub sub.scalar sub.rscalar neg sum sum.dim mean mean.dim cumsum trace diff view reshape
    flatten ravel unflatten transpose T permute movedim squeeze unsqueeze expand repeat tile repeat_interleave clone
    contiguous to double half cpu cat stack hstack vstack chunk split unbind select getitem.basic getitem.slice narrow
    unfold diagonal diag tril triu flip roll floor ceil round trunc frac sign pad interpolate pixel_shuffle
    nn.functional.unfold fold adaptive_avg_pool2d.one dropout.eval dropout.zero copy_ add_ sub_ neg_ zero_ fill_
    bernoulli normal poisson lerp.scalar remainder.scalar
    """
)

FREES = words(
    """
    mul mul.scalar mul.rscalar div div.scalar div.rscalar pow pow.scalar pow.rscalar exp log sqrt sin tanh sigmoid relu
    abs max max.dim min sort topk std var prod prod.dim getitem.index getitem.list getitem.mask gather index_select
    where masked_fill clamp softmax log_softmax cross_entropy mse_loss l1_loss nll_loss linear conv2d matmul mm bmm
    einsum embedding layer_norm batch_norm.train scaled_dot_product_attention dropout.train norm mul_ mul_.scalar div_
    setitem.basic setitem.index setitem.list setitem.mask index_put_ norm cdist lstm_cell gru_cell
    """
)

CUTS = words(
    """
    detach data argmax argmin gt lt eq isnan zeros_like ones_like int long bool multinomial one_hot argsort tensor
    new_tensor randn_like zeros rand Parameter Variable
    """
)

CRITICAL_LAYERS = words(
    """
    Linear Linear.3d Linear.nobias Conv2d Embedding LayerNorm BatchNorm1d Dropout Dropout.eval ReLU Softmax MSELoss
    CrossEntropyLoss RNNCell GRUCell LSTMCell RNN.single RNN.sequence GRU.single LSTM.single LSTM.sequence
    MultiheadAttention Flatten Identity
    """
)

pytestmark = pytest.mark.filterwarnings("ignore")


def calls(module: ModuleType) -> dict[str, tuple[str, ...]]:
    """The measured call after each entry of a generated table."""
    found = {}
    for line in inspect.getsource(module).splitlines():
        if line.startswith('    "') and ")," in line and "  # " in line:
            key, _, rest = line.strip().partition(": ")
            found[ast.literal_eval(key)] = tuple(rest.rpartition("  # ")[2].rstrip("\n").split(" | "))
    return found


def sample(names: list[str], count: int) -> list[str]:
    """`count` names, spread by their hash, the same on every machine."""
    return sorted(names, key=lambda name: zlib.crc32(name.encode()))[:count]


CALLS = calls(operations)
LAYER_CALLS = calls(layers)


def test_every_entry_names_its_call() -> None:
    assert CALLS.keys() == OPERATIONS.keys()
    assert LAYER_CALLS.keys() == LAYERS.keys()


def test_nothing_was_lost() -> None:
    assert len(OPERATIONS) > 1070
    assert len(LAYERS) > 230
    assert not recipes.OPERATIONS.keys() - OPERATIONS.keys()
    assert not layer_recipes.LAYERS.keys() - LAYERS.keys()
    kinds = {
        name for name in dir(nn) if inspect.isclass(getattr(nn, name)) and issubclass(getattr(nn, name), nn.Module)
    }
    assert not kinds - layer_recipes.EXCLUDED - {key.partition(".")[0] for key in LAYERS}


@pytest.mark.parametrize("name", sorted({*SAVES_NOTHING, *FREES, *CUTS, *sample(list(OPERATIONS), 60)}))
def test_operation_measured_again(name: str) -> None:
    operation, wrong = measure.measure_operation(name, CALLS[name])
    assert operation == OPERATIONS[name]
    assert wrong == operations.EXCEPTIONS.get(name, ())


@pytest.mark.parametrize("key", sorted({*CRITICAL_LAYERS, *sample([k for k in LAYERS if "ransformer" not in k], 15)}))
def test_layer_measured_again(key: str) -> None:
    layer, wrong = measure.measure_layer(LAYER_CALLS[key], not key.endswith(".eval"))
    assert layer == LAYERS[key]
    assert wrong == layers.EXCEPTIONS.get(key, ())


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "RMSprop", "LBFGS"])
def test_optimizer_measured_again(name: str) -> None:
    assert measure.measure_optimizer(getattr(torch.optim, name)) == OPTIMIZERS[name]
    assert OPTIMIZERS[name].bumps


@pytest.mark.parametrize("name", SAVES_NOTHING)
def test_saves_nothing(name: str) -> None:
    facts = OPERATIONS[name]
    assert (facts.frees, facts.saves, facts.result) == (0, (), 0)
    assert facts.differentiable


@pytest.mark.parametrize("name", FREES)
def test_frees(name: str) -> None:
    assert OPERATIONS[name].frees


@pytest.mark.parametrize("name", CUTS)
def test_cuts(name: str) -> None:
    assert OPERATIONS[name].differentiable == 0


def test_masks_of_well_known_operations() -> None:
    mul, linear, exp = OPERATIONS["mul"], OPERATIONS["linear"], OPERATIONS["exp"]
    assert (mul.frees, mul.saves) == (0b11, (0b10, 0b01))
    # input and weight save each other; the bias alone saves and frees nothing
    assert (linear.frees, linear.saves, linear.differentiable) == (0b011, (0b10, 0b01), 0b111)
    assert (exp.frees, exp.saves, exp.result) == (1, (), 1)
    assert OPERATIONS["max.dim"].constants == 0b10
    assert OPERATIONS["split"].outputs == 0
    assert OPERATIONS["contiguous"].same and not OPERATIONS["contiguous.copy"].same
    assert OPERATIONS["transpose"].view and not OPERATIONS["clone"].view
    assert OPERATIONS["linear.3d"].attached
    # the in-place call is itself the change that its backward complains about
    assert OPERATIONS["mul_.self"].saves == (1,)


def first_failing_iteration(key: str) -> int:
    """In which iteration of `retain_graph=True` plus a step with carried states the masks say that a weight was
    changed."""
    layer = LAYERS[key]
    states = sum(1 << k for k in range(1, layer.inputs))
    parameters = sum(1 << layer.inputs + k for k in range(len(layer.parameters)))
    for iteration, needing_grad in ((1, parameters), (2, parameters | states)):
        saves = layer.saves[layer.inputs : layer.inputs + len(layer.parameters)]
        if any(mask & needing_grad for mask in saves):
            return iteration + 1
    return 0


def carry(layer: nn.Module, x: torch.Tensor, state: object) -> int:
    """Run the same loop for real: the iteration whose backward raises."""
    optimizer = torch.optim.SGD(layer.parameters(), 0.1)
    for iteration in range(1, 5):
        result = layer(x, state)
        state = result[1] if isinstance(result, tuple) and not isinstance(layer, nn.LSTMCell) else result
        out = result[0] if isinstance(result, tuple) else result
        try:
            out.sum().backward(retain_graph=True)
        except RuntimeError as error:
            assert "modified by an inplace operation" in str(error)
            return iteration
        optimizer.step()
    return 0


@pytest.mark.parametrize("kind", ["RNN", "GRU", "LSTM"])
@pytest.mark.parametrize("variant", ["single", "sequence", "single.layers", "Cell"])
def test_carried_state_raises_in_the_iteration_the_masks_say(kind: str, variant: str) -> None:
    torch.manual_seed(0)
    cell = variant == "Cell"
    depth = 2 if variant.endswith("layers") else 1
    layer = getattr(nn, f"{kind}Cell")(3, 4) if cell else getattr(nn, kind)(3, 4, depth)
    x = torch.rand(1, 3) if cell else torch.rand(5 if variant == "sequence" else 1, 1, 3)
    zeros = torch.zeros(1, 4) if cell else torch.zeros(depth, 1, 4)
    state = (zeros, zeros) if kind == "LSTM" else zeros
    predicted = first_failing_iteration(f"{kind}Cell" if cell else f"{kind}.{variant}")
    assert predicted == carry(layer, x, state)
    if cell:
        assert predicted == 3
    if kind == "LSTM" and not cell:
        assert predicted == 2


@pytest.mark.parametrize("table", sorted(measure.TABLES))
def test_tables_say_how_to_make_them(table: str) -> None:
    module = {"operations.py": operations, "layers.py": layers, "optimizer_table.py": optimizer_table}[table]
    assert module.__doc__ is not None
    assert f"measured on torch {torch.__version__}" in module.__doc__
    assert "python -m secondpass.pytorch.measure --write" in module.__doc__
    assert (module.__file__ or "").endswith(table)

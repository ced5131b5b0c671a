"""GPyTorch: kernels, means, models and marginal likelihoods, as far as graphs are concerned.

A kernel called on points gives a lazy covariance without a graph; what is computed from it (`to_dense()`,
`cholesky()`, ...) is kept on that object and is the same tensor the next time (measured on GPyTorch 1.15.2).
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from secondpass.machine.native import Native
from secondpass.machine.values import MISSING, Class, Obj, Tensor, Unknown, V
from secondpass.pytorch.modules import Module, parameters
from secondpass.pytorch.operands import OPAQUE, operands_in, parameter, perform

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

KEPT = frozenset("to_dense evaluate evaluate_kernel cholesky root_decomposition root_inv_decomposition svd".split())
"""What a lazy covariance computes once."""
COMPUTED = frozenset(
    "diagonal diag sum mean matmul mul logdet inv_quad inv_quad_logdet solve inv_matmul add_jitter add_diagonal".split()
)


class Covariance(Native):
    """A lazy matrix over a kernel's parameters and the points that it was called on."""

    name = "linear_operator.LinearOperator"

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name in KEPT:
            kept = obj.attrs.get(f"@{name}")
            if kept is None:
                kept = obj.attrs[f"@{name}"] = perform(m, name, obj.attrs["@of"], site, OPAQUE)
                m.hold(kept, "attribute", site)
            return kept
        if name in COMPUTED:
            return perform(m, name, [*obj.attrs["@of"], *operands_in(args)], site, OPAQUE)
        return Unknown("opaque", name)


COVARIANCE = Class("LinearOperator", [], {}, Covariance())


class Kernel(Module):
    """`gpytorch.kernels.*`: hyperparameters of its own, and those of the kernels that it is made of."""

    name = "gpytorch.kernels.Kernel"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        super().init(m, obj, args, kwargs, site)
        obj.attrs["raw"] = parameter(m)
        for i, value in enumerate((*args, *kwargs.values())):
            if type(value) is Obj:
                obj.attrs[f"base_kernel{i or ''}"] = value

    def forward(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        made = Obj(COVARIANCE)
        made.attrs["@of"] = [*(t for _, t in parameters(obj)), *operands_in(args)]
        return made

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        own = super().attribute(m, obj, name, site)
        return Unknown("opaque", name) if own is MISSING and not name.startswith("_") else own


class Mean(Kernel):
    """`gpytorch.means.*` and likelihoods: a value at each point."""

    name = "gpytorch.means.Mean"

    def forward(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return perform(m, "mean", [*(t for _, t in parameters(obj)), *operands_in(args)], site, OPAQUE)


class Model(Module):
    """`gpytorch.models.*`: the user's `forward`, called as a module is."""

    name = "gpytorch.models.GP"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        super().init(m, obj, args, kwargs, site)
        if len(args) == 3:
            obj.attrs["likelihood"] = args[2]

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        own = super().attribute(m, obj, name, site)
        return Unknown("opaque", name) if own is MISSING and not name.startswith("_") else own

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        own = super().method(m, obj, name, args, kwargs, site)
        return Unknown("opaque", name) if own is MISSING else own


class Likelihood(Kernel):
    """`gpytorch.mlls.*`: a number from what a model returns; its parameters are the model's and the likelihood's."""

    name = "gpytorch.mlls.MarginalLogLikelihood"

    def forward(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        behind = [t for value in args for t in _behind(value)]
        return perform(m, "mll", [*(t for _, t in parameters(obj)), *behind], site, OPAQUE)


def _behind(value: V) -> list[Tensor]:
    """The tensors that a distribution of this file is over."""
    return list(value.attrs["@of"]) if type(value) is Obj and "@of" in value.attrs else operands_in([value])


class Normal(Native):
    """`gpytorch.distributions.MultivariateNormal(mean, covariance)`."""

    name = "gpytorch.distributions.MultivariateNormal"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        obj.attrs["@of"] = [t for value in (*args, *kwargs.values()) for t in _behind(value)]

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if name in ("rsample", "log_prob", "entropy"):
            return perform(m, name, [*obj.attrs["@of"], *operands_in(args)], site, OPAQUE)
        return Tensor() if name == "sample" else Unknown("opaque", name)

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        if name in ("mean", "loc", "variance", "stddev", "covariance_matrix"):
            obj.attrs[name] = perform(m, name, obj.attrs["@of"], site, OPAQUE)
            return obj.attrs[name]
        return Unknown("opaque", name)


FAMILIES: tuple[tuple[re.Pattern[str], Native], ...] = (
    (re.compile(r"^gpytorch\.kernels\.[A-Z]\w*Kernel$"), Kernel()),
    (re.compile(r"^gpytorch\.means\.[A-Z]\w*Mean$"), Mean()),
    (re.compile(r"^gpytorch\.likelihoods\.[A-Z]\w*Likelihood$"), Mean()),
    (re.compile(r"^gpytorch\.models\.(?:\w+\.)*(?:ExactGP|ApproximateGP|GP)$"), Model()),
    (re.compile(r"^gpytorch\.mlls\.(?:\w*Likelihood|\w*ELBO)$"), Likelihood()),
    (re.compile(r"^gpytorch\.distributions\.MultivariateNormal$"), Normal()),
)


def native(path: str) -> Native | None:
    """The behaviour of a class of GPyTorch by its path."""
    if not path.startswith("gpytorch."):
        return None
    return next((found for pattern, found in FAMILIES if pattern.match(path)), None)

"""`torch.distributions`: `sample` cuts, `rsample`, `log_prob` and `entropy` keep the history of the parameters."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from secondpass.machine.native import Native
from secondpass.machine.values import MISSING, Obj, Tensor, Unknown, V
from secondpass.pytorch.operands import OPAQUE, as_tensor, perform
from secondpass.pytorch.operations import OPERATIONS

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

NORMALISED = (
    "Categorical",
    "OneHotCategorical",
    "Multinomial",
    "RelaxedOneHotCategorical",
    "OneHotCategoricalStraightThrough",
)
"""Distributions that normalise their parameters when they are made: that is a node all their methods share."""
NAMES: dict[str, tuple[str, ...]] = {
    "Normal": ("loc", "scale"),
    "LogNormal": ("loc", "scale"),
    "Laplace": ("loc", "scale"),
    "Gumbel": ("loc", "scale"),
    "Cauchy": ("loc", "scale"),
    "Uniform": ("low", "high"),
    "Beta": ("concentration1", "concentration0"),
    "Gamma": ("concentration", "rate"),
    "Dirichlet": ("concentration",),
    "MultivariateNormal": ("loc", "covariance_matrix", "precision_matrix", "scale_tril"),
    "Exponential": ("rate",),
    "Poisson": ("rate",),
    "HalfNormal": ("scale",),
    "StudentT": ("df", "loc", "scale"),
    "Independent": ("base_dist",),
    "TransformedDistribution": ("base_dist",),
}


class Distribution(Native):
    """One family of distributions."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.name = f"torch.distributions.{kind}"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        names = NAMES.get(self.kind, ("probs", "logits"))
        for name, value in [*zip(names, args, strict=False), *kwargs.items()]:
            obj.attrs[name] = value
        if self.kind in ("Independent", "TransformedDistribution"):
            base = obj.attrs.get("base_dist")
            obj.attrs["@params"] = list(base.attrs.get("@params", [])) if type(base) is Obj else []
            return
        # A number in place of a tensor still takes its operand's place.
        params = [as_tensor(v) or Tensor() for k, v in obj.attrs.items() if k in names]
        if self.kind in NORMALISED:
            params = [perform(m, "log_softmax", [t], site) for t in params]
        obj.attrs["@params"] = params

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        params: list[Tensor] = obj.attrs.get("@params", [])
        if name in ("sample", "sample_n"):
            return Tensor()
        if name in ("rsample", "rsample_n"):
            if not OPERATIONS.get(f"distributions.{self.kind}.rsample", OPAQUE).differentiable:
                return Tensor()
            return self._operation(m, "rsample", params, site)
        if name in ("log_prob", "cdf", "icdf"):
            value = as_tensor(args[0]) if args else None
            return self._operation(m, name, [*params, *([value] if value is not None else [])], site)
        if name in ("entropy", "perplexity"):
            return self._operation(m, name, params, site)
        if name == "expand":
            return obj
        return MISSING

    def _operation(self, m: Machine, name: str, operands: list[Tensor], site: ast.AST) -> V:
        fact = OPERATIONS.get(f"distributions.{self.kind}.{name}", OPAQUE)
        return perform(m, f"{self.kind}.{name}", operands, site, fact if fact.operands >= len(operands) else OPAQUE)

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        params: list[Tensor] = obj.attrs.get("@params", [])
        if name in ("mean", "mode", "loc") and "loc" in obj.attrs:
            return obj.attrs["loc"]
        if name in ("stddev", "scale") and "scale" in obj.attrs:
            return obj.attrs["scale"]
        if name in ("mean", "stddev", "variance", "probs", "logits", "mode", "param_shape"):
            return perform(m, name, params, site, OPAQUE) if params else Tensor()
        if name in ("batch_shape", "event_shape", "support"):
            return Unknown("number", name)
        return MISSING


def kl_divergence(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`kl_divergence(p, q)`."""
    params = [t for d in args if type(d) is Obj for t in d.attrs.get("@params", [])]
    return perform(m, "kl_divergence", params, site, OPAQUE) if params else Unknown("data")


_KINDS = (
    "Normal LogNormal Laplace Gumbel Cauchy Uniform Beta Gamma Dirichlet MultivariateNormal Exponential "
    "Poisson HalfNormal StudentT Independent TransformedDistribution Bernoulli Categorical "
    "OneHotCategorical Multinomial Geometric Binomial RelaxedBernoulli RelaxedOneHotCategorical "
    "OneHotCategoricalStraightThrough VonMises Weibull Pareto Chi2 HalfCauchy LowRankMultivariateNormal "
    "MixtureSameFamily ContinuousBernoulli NegativeBinomial"
).split()
CLASSES: dict[str, Native] = {f"torch.distributions.{k}": Distribution(k) for k in _KINDS}
for _k in _KINDS:
    CLASSES[f"torch.distributions.{_k.lower()}.{_k}"] = CLASSES[f"torch.distributions.{_k}"]

"""A check and its failure: the measured error, and the remedy."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import torch
from torch import Tensor

from lab.base.problems import problem_of

Need = Literal["plugin", "causal", "bidirectional", "gradient", "counting", "labels", "source", "matching"]


@dataclass(frozen=True)
class Failure:
    """A failed check of an architecture.

    Args:
        architecture: The name of the architecture, or of the plugin if the host refuses it.
        case: The task and config ("causal-defaults"); "" for the plugin.
        check: The name of the check.
        measured: The measured error.
        remedy: What to change in the author's code; None if it raised an error that only its author can explain.
        trace: The traceback as text, if the code raised.
    """

    architecture: str
    case: str
    check: str
    measured: str
    remedy: str | None
    trace: str | None = None

    def __str__(self) -> str:
        tested = f"{self.architecture} ({self.case})" if self.case else self.architecture
        measured = self.measured if self.measured.endswith("?") else f"{self.measured}."
        change = f"\nChange: {self.remedy}." if self.remedy else ""
        return f"{tested} fails the check {self.check}: {measured}{change}"


class Broken(Exception):
    """An exception for a failed check: the measured error, and the remedy."""

    def __init__(self, measured: str, remedy: str) -> None:
        super().__init__(measured)
        self.measured, self.remedy = measured, remedy


@dataclass(frozen=True)
class Check:
    """One requirement on an architecture.

    Args:
        name: The name of its test.
        title: The requirement, in one sentence.
        needs: The kinds of models that it applies to; all of them must match. "plugin" is for plugins as loaded,
            "labels" for models of classes or numbers, "source" for those that read a source and write.
        after: The check that must pass first: if it fails, this one would be misleading.
        run: A function that examines a case and raises Broken.
    """

    name: str
    title: str
    needs: frozenset[Need]
    after: str | None
    run: Callable[[Any], None]


CHECKS: dict[str, Check] = {}
"""Every check by name, the most basic first."""

_Run = TypeVar("_Run", bound=Callable[[Any], None])


def check(*needs: Need, after: str | None = "shape") -> Callable[[_Run], _Run]:
    """Register a function as a check, with its name and docstring."""

    def add(run: _Run) -> _Run:
        name = run.__name__.replace("_", "-")
        title = (run.__doc__ or "").strip().partition("\n")[0]
        CHECKS[name] = Check(name, title, frozenset(needs), after, run)
        return run

    return add


@contextlib.contextmanager
def remedied(what: str, remedy: str, text: str = "") -> Iterator[None]:
    """Raise Broken with this remedy for an exception of the author's code whose message contains the text."""
    try:
        yield
    except Broken:
        raise
    except Exception as error:
        if text not in str(error).lower():
            raise
        raise Broken(f"{what}: {describe_error(error)}", remedy) from error


def describe_error(error: BaseException) -> str:
    """Return an exception's message and the line of the author's code that caused it ("average.py, line 57")."""
    return replace(problem_of(error, plugin="the author's"), plugin=None).line().rstrip(".")


def require(holds: bool, measured: str, remedy: str) -> None:
    """Raise Broken unless the condition holds."""
    if not holds:
        raise Broken(measured, remedy)


def require_shape(found: Any, what: str, axes: str, shape: tuple[int, ...]) -> None:
    """Raise Broken unless `found` is a tensor of this shape; `axes` names its axes ("(B, T, V)")."""
    gives = f"the shape {tuple(found.shape)}" if isinstance(found, Tensor) else f"a {type(found).__name__}"
    right = isinstance(found, Tensor) and tuple(found.shape) == shape
    require(right, f"{what} returns {gives} instead of {axes} = {shape}", f"return a tensor {axes} there")


def require_finite(values: Tensor, what: str) -> None:
    """Raise Broken if a value is NaN or infinite."""
    remedy = "look for a division by zero, a logarithm of zero, or a row in which everything is masked"
    require(bool(values.isfinite().all()), f"{what} returns values that are not finite", remedy)


def require_same(found: Tensor, expected: Tensor, what: str, remedy: str) -> None:
    """Raise Broken unless both are equal: to 1e-8 in float64, which separates bugs from rounding, else to 1e-4."""
    shapes = tuple(found.shape), tuple(expected.shape)
    require(shapes[0] == shapes[1], f"{what}: the shape is {shapes[0]} instead of {shapes[1]}", remedy)
    if not found.numel():
        return
    limit = tolerance(found, expected)
    wrong = ~((found - expected).abs() <= limit)  # NaN is wrong too
    if wrong.any():
        error = (found - expected).abs().max().item()
        where = ""
        if wrong.ndim > 1:
            positions = wrong.transpose(0, 1).flatten(1).any(dim=1).nonzero()
            where = f", first at position {positions[0].item()}"
        raise Broken(f"{what}: they differ by {error:.2g}{where}", remedy)


def tolerance(found: Tensor, expected: Tensor) -> float:
    """Return the largest difference that counts as a rounding error."""
    exact = found.dtype == expected.dtype == torch.float64
    return (1e-8 if exact else 1e-4) * max(1.0, expected.abs().max().item())

"""A check and its failure: what was measured, and what to change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import torch
from torch import Tensor

if TYPE_CHECKING:
    from lab.testing.subject import Subject

Need = Literal["causal", "bidirectional", "gradient", "counting"]


@dataclass(frozen=True)
class Failure:
    """One check that an architecture did not pass.

    Args:
        architecture: Its name.
        case: For which task and config ("causal-defaults").
        check: Name of the check.
        measured: What was seen.
        remedy: What to change in the architecture's code.
        trace: The traceback as text, where the code raised.
    """

    architecture: str
    case: str
    check: str
    measured: str
    remedy: str
    trace: str | None = None

    def __str__(self) -> str:
        return (
            f"{self.architecture} ({self.case}) fails the check {self.check}: {self.measured}.\nChange: {self.remedy}."
        )


class Broken(Exception):
    """Raised by a check: what was measured, and what to change."""

    def __init__(self, measured: str, remedy: str) -> None:
        super().__init__(measured)
        self.measured, self.remedy = measured, remedy


@dataclass(frozen=True)
class Check:
    """One thing that an architecture must hold.

    Args:
        name: What its test is called.
        title: What must hold, in one sentence.
        needs: The kinds of models it looks at; all of these must apply.
        remedy: What to change where the architecture's code raises.
        run: Looks at a subject and raises Broken.
    """

    name: str
    title: str
    needs: frozenset[Need]
    remedy: str
    run: Callable[[Subject], None]


CHECKS: dict[str, Check] = {}
"""Every check by name, in the order in which they are best read."""


def check(*needs: Need, remedy: str) -> Callable[[Callable[[Subject], None]], Callable[[Subject], None]]:
    """Makes a check of a function, whose name and docstring it takes."""

    def add(run: Callable[[Subject], None]) -> Callable[[Subject], None]:
        name = run.__name__.replace("_", "-")
        title = (run.__doc__ or "").strip().partition("\n")[0]
        CHECKS[name] = Check(name, title, frozenset(needs), remedy, run)
        return run

    return add


def require(holds: bool, measured: str, remedy: str) -> None:
    """Raises Broken unless it holds."""
    if not holds:
        raise Broken(measured, remedy)


def require_same(found: Tensor, expected: Tensor, what: str, remedy: str) -> None:
    """Raises Broken unless both are equal: to 1e-8 in float64, which tells a bug from rounding, else to 1e-4."""
    shapes = tuple(found.shape), tuple(expected.shape)
    require(shapes[0] == shapes[1], f"{what}: the shape is {shapes[0]} where {shapes[1]} is expected", remedy)
    if not found.numel():
        return
    limit = tolerance(found, expected)
    wrong = ~((found - expected).abs() <= limit)  # NaN is wrong as well
    if wrong.any():
        error = (found - expected).abs().max().item()
        place = ""
        if wrong.ndim > 1:
            positions = wrong.transpose(0, 1).flatten(1).any(dim=1).nonzero()
            place = f", first at position {positions[0].item()}"
        raise Broken(f"{what}: they differ by {error:.2g}{place}", remedy)


def tolerance(found: Tensor, expected: Tensor) -> float:
    """Differences up to this are rounding."""
    exact = found.dtype == expected.dtype == torch.float64
    return (1e-8 if exact else 1e-4) * max(1.0, expected.abs().max().item())

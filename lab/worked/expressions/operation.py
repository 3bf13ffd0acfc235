"""The operations of expressions: values, derivatives, local formulas, and how many operations on numbers each takes.

What is counted: each sum, difference, product, quotient, comparison and each call of an elementary function is one
operation, whatever it is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lab.worked.expressions.values import Array, Value

Partial = Callable[..., Any]
"""(value, *arguments) → derivative of the value with respect to one argument, entry by entry."""


class Operation:
    """An operation with a value; it has no derivative unless a subclass gives one.

    Args:
        name: Its name in expressions.
        arity: The least and the greatest number of arguments.
        compute: Computes the value.
        python: The same in Python with numpy as np: a template of the arguments {0}, {1}, or {all}.
        summary: What it is, in a few words.
        count: The operations on numbers for (value, *arguments); None takes one for each number of the value.
    """

    differentiable = False

    def __init__(
        self,
        name: str,
        arity: tuple[int, int],
        compute: Callable[..., Any],
        python: str,
        summary: str,
        count: Callable[..., int] | None = None,
    ) -> None:
        self.name, self.arity, self.python, self.summary = name, arity, python, summary
        self._compute, self._count = compute, count

    def value(self, *arguments: Value) -> Value:
        """Return the value.

        Raises:
            ValueError: The shapes do not fit.
            TypeError: A text was given where numbers are needed, or the other way round.
            IndexError: There is no such entry.
        """
        result: Value = self._compute(*arguments)
        return result

    def count(self, value: Any, arguments: Sequence[Any]) -> int:
        """Return the operations on numbers that the value takes."""
        return int(np.size(value)) if self._count is None else self._count(value, *arguments)

    def adjoint(self, number: int, adjoint: Array, value: Array, arguments: Sequence[Array]) -> Array:
        """Return what an argument receives of the adjoint of the value.

        Args:
            number: The number of the argument.
            adjoint: The adjoint of the value, of its shape.
            value: The value.
            arguments: The values of the arguments.
        """
        raise NotImplementedError

    def adjoint_rule(self, number: int, count: int) -> str:
        """Return the formula of `adjoint`: a template of {g} (the adjoint), {out}, and arguments {0}, {1}."""
        raise NotImplementedError

    def adjoint_count(self, number: int, value: Array, arguments: Sequence[Array]) -> int:
        """Return the operations of `adjoint`."""
        raise NotImplementedError

    def tangent(self, tangents: Sequence[Array | None], value: Array, arguments: Sequence[Array]) -> Array:
        """Return the tangent of the value.

        Args:
            tangents: Those of the arguments; None where it is zero because nothing varies.
            value: The value.
            arguments: The values of the arguments.
        """
        raise NotImplementedError

    def tangent_rule(self, active: Sequence[bool]) -> str:
        """Return the formula of `tangent`: a template of tangents {d0}, {d1}, of {out}, and arguments {0}, {1}."""
        raise NotImplementedError

    def tangent_count(self, active: Sequence[bool], value: Array, arguments: Sequence[Array]) -> int:
        """Return the operations of `tangent`."""
        raise NotImplementedError


def summed_to(gradient: Array, shape: tuple[int, ...]) -> Array:
    """Sum a gradient over the axes along which an argument of this shape was repeated."""
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1 and gradient.shape[axis] != 1:
            gradient = gradient.sum(axis=axis, keepdims=True)
    return gradient


@dataclass(frozen=True)
class Slope:
    """The derivative of an operation that acts entry by entry.

    Args:
        rule: Its formula; "1" and "−1" are not multiplied.
        compute: Computes it.
        count: Operations for each entry.
    """

    rule: str
    compute: Partial
    count: int = 0

    @property
    def is_one(self) -> bool:
        """Whether it is 1 everywhere, so that nothing is multiplied."""
        return self.rule == "1"

    def times(self, factor: str) -> str:
        """Return the formula of its product with a factor."""
        if self.rule in ("1", "−1"):
            return self.rule[:-1] + factor
        loose = any(sign in self.rule for sign in (" + ", " − ")) and not self.rule.startswith("(")
        return f"{factor}·({self.rule})" if loose else f"{factor}·{self.rule}"

    @property
    def product_count(self) -> int:
        """Operations for each entry of the product with a number."""
        return self.count + (not self.is_one)


class Elementwise(Operation):
    """An operation that acts entry by entry; shapes that differ are repeated as numpy does.

    Args:
        name: Its name.
        compute: Computes the value.
        python: The Python template.
        summary: What it is.
        slopes: The derivative with respect to each argument.
    """

    differentiable = True

    def __init__(self, name: str, compute: Callable[..., Any], python: str, summary: str, *slopes: Slope) -> None:
        super().__init__(name, (len(slopes), len(slopes)), compute, python, summary)
        self.slopes = slopes

    def adjoint(self, number: int, adjoint: Array, value: Array, arguments: Sequence[Array]) -> Array:
        """Return the adjoint times the derivative, summed where the argument was repeated."""
        slope = self.slopes[number]
        product = adjoint if slope.is_one else adjoint * slope.compute(value, *arguments)
        return summed_to(np.broadcast_to(product, value.shape), arguments[number].shape)

    def adjoint_rule(self, number: int, count: int) -> str:
        """Return the formula of the adjoint."""
        del count
        return self.slopes[number].times("{g}")

    def adjoint_count(self, number: int, value: Array, arguments: Sequence[Array]) -> int:
        """Count the products, and the sums where the argument was repeated."""
        return value.size * self.slopes[number].product_count + value.size - arguments[number].size

    def tangent(self, tangents: Sequence[Array | None], value: Array, arguments: Sequence[Array]) -> Array:
        """Return the sum of the tangents times the derivatives."""
        total = np.zeros(value.shape)
        for slope, tangent in zip(self.slopes, tangents, strict=True):
            if tangent is not None:
                total = total + (tangent if slope.is_one else tangent * slope.compute(value, *arguments))
        return total

    def tangent_rule(self, active: Sequence[bool]) -> str:
        """Return the formula of the tangent."""
        terms = [slope.times(f"{{d{n}}}") for n, slope in enumerate(self.slopes) if active[n]]
        return " + ".join(terms).replace("+ −", "− ")

    def tangent_count(self, active: Sequence[bool], value: Array, arguments: Sequence[Array]) -> int:
        """Count the products and their sum."""
        del arguments
        products = sum(slope.product_count for slope, is_active in zip(self.slopes, active, strict=True) if is_active)
        return int(value.size * (products + sum(active) - 1))


class ArrayOperation(Operation):
    """An operation on whole arrays whose derivative is given by two functions.

    Args:
        name: Its name.
        arity: The least and the greatest number of arguments.
        compute: Computes the value.
        python: The Python template.
        summary: What it is.
        back: (number, adjoint, value, arguments) → what the argument receives.
        ahead: (tangents, value, arguments) → the tangent of the value.
        back_rule: The formula of `back` by the number of the argument; the last is used for all others. {arg} is the
            argument, {n} its number.
        ahead_rule: The formula of one term of `ahead`: {d} is the tangent of one argument.
        count: Operations of the value.
        back_count: Operations of `back`, of (number, value, arguments).
        ahead_count: Operations of one term of `ahead`, of (number, value, arguments).
    """

    differentiable = True

    def __init__(
        self,
        name: str,
        arity: tuple[int, int],
        compute: Callable[..., Any],
        python: str,
        summary: str,
        *,
        back: Callable[[int, Array, Array, Sequence[Array]], Array],
        ahead: Callable[[Sequence[Array | None], Array, Sequence[Array]], Array],
        back_rule: tuple[str, ...],
        ahead_rule: tuple[str, ...],
        count: Callable[..., int],
        back_count: Callable[[int, Array, Sequence[Array]], int],
        ahead_count: Callable[[int, Array, Sequence[Array]], int],
    ) -> None:
        super().__init__(name, arity, compute, python, summary, count)
        self._back, self._ahead = back, ahead
        self._back_rule, self._ahead_rule = back_rule, ahead_rule
        self._back_count, self._ahead_count = back_count, ahead_count

    def adjoint(self, number: int, adjoint: Array, value: Array, arguments: Sequence[Array]) -> Array:
        """Return what an argument receives."""
        return self._back(number, adjoint, value, arguments)

    def adjoint_rule(self, number: int, count: int) -> str:
        """Return the formula of the adjoint."""
        del count
        rule = self._back_rule[min(number, len(self._back_rule) - 1)]
        return rule.replace("{arg}", f"{{{number}}}").replace("{n}", str(number))

    def adjoint_count(self, number: int, value: Array, arguments: Sequence[Array]) -> int:
        """Return the operations of the adjoint."""
        return self._back_count(number, value, arguments)

    def tangent(self, tangents: Sequence[Array | None], value: Array, arguments: Sequence[Array]) -> Array:
        """Return the tangent of the value."""
        return self._ahead(tangents, value, arguments)

    def tangent_rule(self, active: Sequence[bool]) -> str:
        """Return the formula of the tangent, a sum over the arguments that vary."""
        rules = self._ahead_rule
        terms = [
            rules[min(n, len(rules) - 1)].replace("{d}", f"{{d{n}}}").replace("{arg}", f"{{{n}}}")
            for n, is_active in enumerate(active)
            if is_active
        ]
        return " + ".join(terms)

    def tangent_count(self, active: Sequence[bool], value: Array, arguments: Sequence[Array]) -> int:
        """Return the operations of the tangent."""
        terms = sum(self._ahead_count(n, value, arguments) for n, is_active in enumerate(active) if is_active)
        return terms + value.size * (sum(active) - 1)

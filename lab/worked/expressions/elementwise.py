"""Operations that act entry by entry, with the derivative with respect to each argument."""

from __future__ import annotations

from math import erf
from typing import Any

import numpy as np

from lab.worked.expressions.operation import Elementwise, Slope


def sigmoid(x: Any) -> Any:
    """Return 1 / (1 + exp(−x)), which overflows nowhere."""
    return 0.5 * (1 + np.tanh(0.5 * np.asarray(x)))


def _erf(x: Any) -> Any:
    return np.vectorize(erf, otypes=[float])(x)


def _gelu(x: Any) -> Any:
    return x * 0.5 * (1 + _erf(x / np.sqrt(2)))


def _gelu_slope(_: Any, x: Any) -> Any:
    return 0.5 * (1 + _erf(x / np.sqrt(2))) + x * np.exp(-x * x / 2) / np.sqrt(2 * np.pi)


def _power_of_base(value: Any, x: Any, y: Any) -> Any:
    del value
    return y * np.power(x, y - 1)


def _power_of_exponent(value: Any, x: Any, y: Any) -> Any:
    del y
    return np.where(value == 0, 0.0, value * np.log(np.where(x > 0, x, np.nan)))


ONE = Slope("1", lambda value, *_: np.ones_like(value))
MINUS = Slope("−1", lambda value, *_: -np.ones_like(value))
LN2, LN10 = float(np.log(2)), float(np.log(10))

ELEMENTWISE = (
    Elementwise("add", lambda x, y: x + y, "{0} + {1}", "sum", ONE, ONE),
    Elementwise("subtract", lambda x, y: x - y, "{0} - {1}", "difference", ONE, MINUS),
    Elementwise(
        "multiply",
        lambda x, y: x * y,
        "{0} * {1}",
        "product",
        Slope("{1}", lambda _, _x, y: y),
        Slope("{0}", lambda _, x, _y: x),
    ),
    Elementwise(
        "divide",
        lambda x, y: x / y,
        "{0} / {1}",
        "quotient",
        Slope("(1 / {1})", lambda _, _x, y: 1 / y, 1),
        Slope("(−{out} / {1})", lambda out, _x, y: -out / y, 2),
    ),
    Elementwise(
        "power",
        np.power,
        "{0} ** {1}",
        "power",
        Slope("({1}·{0}^({1} − 1))", _power_of_base, 3),
        Slope("({out}·log({0}))", _power_of_exponent, 2),
    ),
    Elementwise("copy", lambda x: x + 0, "{0}", "the same value under another name", ONE),
    Elementwise("negate", lambda x: -x, "-{0}", "negative", MINUS),
    Elementwise("exp", np.exp, "np.exp({0})", "exponential", Slope("{out}", lambda out, _: out)),
    Elementwise("log", np.log, "np.log({0})", "natural logarithm", Slope("(1 / {0})", lambda _, x: 1 / x, 1)),
    Elementwise(
        "log2",
        np.log2,
        "np.log2({0})",
        "logarithm to base 2",
        Slope("(1 / ({0}·log(2)))", lambda _, x: 1 / (x * LN2), 2),
    ),
    Elementwise(
        "log10",
        np.log10,
        "np.log10({0})",
        "logarithm to base 10",
        Slope("(1 / ({0}·log(10)))", lambda _, x: 1 / (x * LN10), 2),
    ),
    Elementwise(
        "sqrt", np.sqrt, "np.sqrt({0})", "square root", Slope("(1 / (2·{out}))", lambda out, _: 1 / (2 * out), 2)
    ),
    Elementwise("sin", np.sin, "np.sin({0})", "sine", Slope("cos({0})", lambda _, x: np.cos(x), 1)),
    Elementwise("cos", np.cos, "np.cos({0})", "cosine", Slope("(−sin({0}))", lambda _, x: -np.sin(x), 2)),
    Elementwise(
        "tanh", np.tanh, "np.tanh({0})", "hyperbolic tangent", Slope("1 − {out}^2", lambda out, _: 1 - out**2, 2)
    ),
    Elementwise(
        "sigmoid",
        sigmoid,
        "sigmoid({0})",
        "1 / (1 + exp(−x))",
        Slope("{out}·(1 − {out})", lambda out, _: out * (1 - out), 2),
    ),
    Elementwise(
        "relu",
        lambda x: np.maximum(x, 0),
        "np.maximum({0}, 0)",
        "max(x, 0); slope 0 at 0",
        Slope("({0} > 0)", lambda _, x: np.asarray(x > 0, float), 1),
    ),
    Elementwise(
        "softplus",
        lambda x: np.logaddexp(x, 0),
        "np.logaddexp({0}, 0)",
        "log(1 + exp(x))",
        Slope("sigmoid({0})", lambda _, x: sigmoid(x), 1),
    ),
    Elementwise(
        "silu",
        lambda x: x * sigmoid(x),
        "silu({0})",
        "x·sigmoid(x)",
        Slope("slope of silu at {0}", lambda _, x: sigmoid(x) * (1 + x * (1 - sigmoid(x))), 5),
    ),
    Elementwise(
        "gelu",
        _gelu,
        "gelu({0})",
        "x·Φ(x), exact",
        Slope("slope of gelu at {0}", _gelu_slope, 8),
    ),
    Elementwise(
        "abs", np.abs, "np.abs({0})", "absolute value; slope 0 at 0", Slope("sign({0})", lambda _, x: np.sign(x), 1)
    ),
)

"""The arithmetic of the explorables: the chain rule, softmax, attention in the plane, rotations, gates and formats."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lab.worked.expressions.arrays import softmax
from lab.worked.expressions.values import Array
from lab.worked.formats import Format


class RunningProduct(NamedTuple):
    """The probability of a text, token by token.

    Args:
        products: The product of the probabilities up to each token.
        bits: The surprisal of each token, −log2 q.
        perplexity: 2 to the mean of the bits.
    """

    products: Array
    bits: Array
    perplexity: float


def running_product(q: Array) -> RunningProduct:
    """Return the chain rule of a text whose tokens have the conditional probabilities q (n,), each above 0."""
    bits = np.asarray(-np.log2(q), np.float64)
    return RunningProduct(np.asarray(np.cumprod(q), np.float64), bits, float(2 ** bits.mean()))


def at_temperature(logits: Array, temperature: float) -> Array:
    """Return softmax(logits / temperature); at 0 all goes to the largest logit."""
    if temperature == 0:
        return np.asarray(np.arange(len(logits)) == np.argmax(logits), np.float64)
    return np.asarray(softmax(logits / temperature))


def entropy_bits(p: Array) -> float:
    """Return the entropy of a distribution in bits."""
    used = p[p > 0]
    return float(-np.sum(used * np.log2(used)))


class Attended(NamedTuple):
    """Attention of one query.

    Args:
        scores: q·k / √2 for each key.
        weights: Their softmax.
        output: The weighted mean of the values, (2,).
    """

    scores: Array
    weights: Array
    output: Array


def attend(query: Array, keys: Array, values: Array) -> Attended:
    """Return scaled dot-product attention of a query (2,) to keys (n, 2) with values (n, 2)."""
    scores = keys @ query / np.sqrt(keys.shape[1])
    weights = np.asarray(softmax(scores))
    return Attended(scores, weights, weights @ values)


def rotated(x: Array, position: float, frequency: float) -> Array:
    """Return a pair of channels (2,) rotated to a position, by position · frequency radians."""
    cos, sin = np.cos(position * frequency), np.sin(position * frequency)
    return np.array([x[0] * cos - x[1] * sin, x[0] * sin + x[1] * cos])


class CellStep(NamedTuple):
    """One step of an LSTM cell.

    Args:
        c: The new cell state f·c + i·g.
        h: The output o·tanh(c).
    """

    c: float
    h: float


def cell_step(c: float, *, forget: float, admit: float, candidate: float, emit: float) -> CellStep:
    """Return a step of an LSTM cell with given gates.

    Args:
        c: The cell state before.
        forget: f, the share of it that stays.
        admit: i, the share of the candidate that is added.
        candidate: g, between −1 and 1.
        emit: o, the share of the state that is seen.
    """
    new = forget * c + admit * candidate
    return CellStep(new, emit * float(np.tanh(new)))


def nucleus(p: Array, share: float) -> Array:
    """Return which tokens are in the nucleus: the fewest of the most probable with this total probability, as bools."""
    order = np.argsort(-p, kind="stable")
    before = np.cumsum(p[order]) - p[order]
    inside = np.zeros(len(p), bool)
    inside[order] = before < share - 1e-12
    inside[order[0]] = True
    return inside


def neighbours(number_format: Format, x: float, most: int = 400) -> tuple[Array, float]:
    """Return the numbers of a format near x.

    Args:
        number_format: The format.
        x: A number above 0.
        most: Most numbers that are returned.

    Returns:
        Those within a sixteenth of x, from the least, or none if there are more than `most`; and the distance of two
        of them at x.
    """
    step, finest = (
        max(number_format.epsilon * 2.0 ** float(np.floor(np.log2(at))), number_format.smallest)
        for at in (x, x * 15 / 16)
    )
    if x / 8 / step > most:
        return np.zeros(0), step
    first, last = np.ceil(x * 15 / 16 / finest), np.floor(x * 17 / 16 / finest)
    with np.errstate(over="ignore"):
        found = np.unique(number_format.rounding(np.arange(first, last + 1) * finest))
    return found[np.isfinite(found) & (found <= x * 17 / 16) & (found >= x * 15 / 16)], step


def clock_hands(positions: Array, channels: int, base: float = 10_000.0) -> Array:
    """Return the angles of the pairs of channels of sinusoidal positions: the hands of a clock, the fastest first.

    Args:
        positions: (n,) positions.
        channels: d, an even number of channels.
        base: The base of the wavelengths.

    Returns:
        (n, d / 2) radians: position / base^(2i / d), of which the encoding holds sine and cosine.

    Source: Vaswani et al. 2017, section 3.5.
    """
    frequencies = base ** (-np.arange(0, channels, 2) / channels)
    return np.asarray(positions[:, None] * frequencies)


def clock_product(offsets: Array, channels: int, base: float = 10_000.0) -> Array:
    """Return the product of the encodings of two positions by their offset (n,), which is all that it depends on."""
    return np.asarray(np.cos(clock_hands(offsets, channels, base)).sum(axis=1))


def modes_response(decays: Array, angles: Array, weights: Array, length: int) -> Array:
    """Return what the modes of a diagonal state space remember of an impulse: each a decaying, turning term.

    Args:
        decays: (m,) factors |a| by which a mode shrinks a step.
        angles: (m,) radians by which it turns a step.
        weights: (m,) factors c·b with which it is written and read.
        length: The number of steps.

    Returns:
        (m, length): c·b · Re(a^t) for t from 0; the kernel of the state space is the sum over the modes.

    Source: Gu, Goel and Ré 2022, section 2; Gupta et al. 2022, equation 5.
    """
    t = np.arange(length)
    return np.asarray(weights[:, None] * decays[:, None] ** t * np.cos(angles[:, None] * t))


class Routed(NamedTuple):
    """Points that were routed to experts.

    Args:
        probabilities: (n, e) softmax of the router's logits.
        taken: (n, e) whether an expert takes a point: among its best k, and within the capacity.
        dropped: (n,) how many of its k experts were full.
        load: (e,) shares of the n·k assignments that each expert takes.
        balance: The auxiliary loss e · Σ f·P, 1 for an even router, where f are the shares of all assignments before
            the capacity, and P the mean probabilities.
    """

    probabilities: Array
    taken: NDArray[np.bool_]
    dropped: NDArray[np.int64]
    load: Array
    balance: float


def routed(points: Array, experts: Array, *, sharpness: float, count: int, capacity: float) -> Routed:
    """Route points to experts by their product with the direction of each.

    Args:
        points: (n, 2).
        experts: (e, 2), the rows of the router's matrix.
        sharpness: A factor of the logits.
        count: k, the experts that a point asks.
        capacity: The most points of an expert over its even share n·k / e; points come in their order.

    Source: Fedus, Zoph and Shazeer 2022, equations 1 to 6.
    """
    n, e = len(points), len(experts)
    probabilities = np.asarray(softmax(sharpness * points @ experts.T), np.float64)
    best = np.argsort(-probabilities, axis=1, kind="stable")[:, :count]
    most = int(np.ceil(capacity * n * count / e)) if n else 0
    taken = np.zeros((n, e), bool)
    dropped = np.zeros(n, np.int64)
    asked = np.zeros(e)
    for rank in range(count):
        for point in range(n):
            expert = best[point, rank]
            asked[expert] += 1
            if taken[:, expert].sum() < most:
                taken[point, expert] = True
            else:
                dropped[point] += 1
    total = max(1, n * count)
    balance = float(e * (asked / total) @ probabilities.mean(axis=0)) if n else 1.0
    return Routed(probabilities, taken, dropped, taken.sum(axis=0) / total, balance)

"""The arithmetic of examples that no single formula gives: loops, searches, draws, and texts.

Each function takes the inputs of its example by name and returns the values of those of its steps that begin with an
arrow. The Python snippet of an example holds the source of its function, so each stands on numpy alone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np


def whole(number: Any, most: int) -> int:
    """Return a whole number.

    Raises:
        ValueError: It is not whole, below 1, or above `most`.
    """
    if not 1 <= number <= most or int(number) != number:
        raise ValueError(f"{float(number):g} is not a whole number from 1 to {most}")
    return int(number)


def permuted_axes(shape: Any, **_: Any) -> dict[str, Any]:
    """Return the permutation of Y[i, j, k, l] = X[k, i, l, j], and check it on every entry."""
    X = np.arange(whole(np.prod(shape), 10_000)).reshape(np.asarray(shape, int))
    right, printed = "kilj", "ijkl"
    axes = [right.index(axis) for axis in printed]  # which axis of X each axis of Y is
    inverse = [printed.index(axis) for axis in right]
    Y = np.transpose(X, axes)
    entries = itertools.product(*map(range, Y.shape))
    equal = all(Y[i, j, k, m] == X[k, i, m, j] for i, j, k, m in entries)
    return {
        "right": axes, "printed_as_argument": inverse,
        "shape_if_printed_is_the_argument": np.transpose(X, inverse).shape, "result_shape": Y.shape,
        "equal": float(equal),
    }  # fmt: skip


def least_of_activations(**_: Any) -> dict[str, Any]:
    """Return where SiLU and GELU are least: the roots of their slopes, by Newton's method on a difference."""

    def silu_slope(x: float) -> float:
        s = 1 / (1 + math.exp(-x))
        return s * (1 + x * (1 - s))

    def gelu_slope(x: float) -> float:
        return 0.5 * (1 + math.erf(x / math.sqrt(2))) + x * math.exp(-x * x / 2) / math.sqrt(2 * math.pi)

    def root(slope: Callable[[float], float], x: float) -> float:
        for _ in range(50):
            h = 1e-6
            x -= slope(x) * 2 * h / (slope(x + h) - slope(x - h))
        return x

    return {"silu_least_at": root(silu_slope, -1.3), "gelu_least_at": root(gelu_slope, -0.8)}


def descend(X: Any, y: Any, W1: Any, b1: Any, W2: Any, b2: Any, eta: Any, **_: Any) -> dict[str, Any]:
    """Return the mean loss of a network of ReLU and sigmoid over ten steps of gradient descent on all samples."""
    losses = []
    for _step in range(11):
        Z = X @ W1.T + b1
        A = np.maximum(Z, 0)
        p = 1 / (1 + np.exp(-(A @ W2 + b2)))
        losses.append(np.mean(-(y * np.log(p) + (1 - y) * np.log(1 - p))))
        delta2 = (p - y) / len(y)
        delta1 = delta2[:, None] * W2 * (Z > 0)
        W1, b1 = W1 - eta * delta1.T @ X, b1 - eta * delta1.sum(axis=0)
        W2, b2 = W2 - eta * delta2 @ A, b2 - eta * delta2.sum()
    return {"steps_0_to_10": losses}


def two_true_gradients(X: Any, y: Any, W1: Any, b1: Any, W: Any, b2: Any, eta: Any, **_: Any) -> dict[str, Any]:
    """Return the gradient of the output weights before and after a step of gradient descent on all parameters."""
    gradients = []
    for _step in range(2):
        Z = X @ W1.T + b1
        A = np.maximum(Z, 0)
        delta2 = (1 / (1 + np.exp(-(A @ W + b2))) - y) / len(y)
        delta1 = delta2[:, None] * W * (Z > 0)
        gradients.append(delta2 @ A)
        W1, b1 = W1 - eta * delta1.T @ X, b1 - eta * delta1.sum(axis=0)
        W, b2 = W - eta * gradients[-1], b2 - eta * delta2.sum()
    return {"true_g1": gradients[0], "true_g2": gradients[1]}


def mean_over_masks(h: Any, W: Any, b: Any, p: Any, **_: Any) -> dict[str, Any]:
    """Return the mean of W @ (h·mask) + b over all masks that drop each entry with probability p."""
    mean = 0.0
    whole(len(h), 12)
    for mask in itertools.product((0.0, 1.0), repeat=len(h)):
        chance = np.prod([1 - p if each else p for each in mask])
        mean += chance * (W @ (h * np.array(mask)) + b)
    return {"mean_z_over_all_masks": mean}


def perceptron(X: Any, labels: Any, eta: Any, **_: Any) -> dict[str, Any]:
    """Run the perceptron's rule from zero until no sample is wrong, and find the direction of the greatest margin.

    The margin is that of the samples with a constant 1 for the bias: the shortest w with y·(w @ x) ≥ 1 for all, which
    is found by trying every set of samples for which that is an equation.
    """
    samples = np.column_stack([X, np.ones(whole(len(X), 30))])
    whole(samples.shape[1], 4)
    w, updates, passes, wrong = np.zeros(samples.shape[1]), [], 0, True
    while wrong and passes < 1000:
        wrong, passes = False, passes + 1
        for number, (x, label) in enumerate(zip(samples, labels, strict=True), start=1):
            if label * (w @ x) <= 0:
                w, wrong = w + eta * label * x, True
                updates.append(number)
    signed, best = samples * labels[:, None], None
    for size in range(1, samples.shape[1] + 1):
        for rows in itertools.combinations(signed, size):
            A = np.array(rows)
            shortest = A.T @ np.linalg.lstsq(A @ A.T, np.ones(size), rcond=None)[0]
            fits = np.all(signed @ shortest >= 1 - 1e-9)
            if fits and (best is None or np.linalg.norm(shortest) < np.linalg.norm(best)):
                best = shortest
    length = np.nan if best is None else np.linalg.norm(best)
    direction = np.full(len(w), np.nan) if best is None else best / length
    return {
        "updates_at_samples": updates, "passes": passes, "w": w[:-1], "b": w[-1],
        "margin_with_bias": 1 / length, "best_direction": direction,
    }  # fmt: skip


def largest_weights(d_k: Any, keys: Any, draws: Any, seed: Any, **_: Any) -> dict[str, Any]:
    """Return the mean largest weight of attention over random queries and keys, without and with scaling."""
    random = np.random.default_rng(int(seed))
    width, count = whole(d_k, 4096), whole(keys, 1024)
    plain: list[Any] = []
    scaled: list[Any] = []
    for _draw in range(whole(draws, 1000)):
        k = random.standard_normal((count, width))
        q = random.standard_normal(width)
        for scores, found in ((k @ q, plain), (k @ q / np.sqrt(d_k), scaled)):
            e = np.exp(scores - scores.max())
            found.append(e.max() / e.sum())
    return {"mean_largest_weight_unscaled": np.mean(plain), "mean_largest_weight_scaled": np.mean(scaled)}


def nearest_positions(d: Any, searched_to: Any, **_: Any) -> dict[str, Any]:
    """Return the offsets at which a turn, or the whole code of a position, comes nearest to its start."""
    offsets = np.arange(1, whole(searched_to, 200_000) + 1)
    turned = np.abs((offsets + np.pi) % (2 * np.pi) - np.pi)

    def first(most: int) -> tuple[float, float]:
        at = int(np.argmin(turned[:most]))
        return float(offsets[at]), float(turned[at])

    def nearest(width: int) -> tuple[float, float]:
        squares = np.zeros(len(offsets))
        for pair in range(width // 2):  # |sin and cos of two angles|² = 2 − 2·cos of their difference = 4·sin² of half
            squares += 4 * np.sin(offsets * 10000 ** (-2 * pair / width) / 2) ** 2
        at = int(np.argmin(squares))
        return float(offsets[at]), float(np.sqrt(squares[at]))

    small, large = nearest(whole(d[0], 1024)), nearest(whole(d[1], 1024))
    return {
        "nearest_return_of_pair_0": first(100), "again_closer": first(1000), "exactly": "never",
        "d4_nearest_offset": small[0], "d4_distance": small[1], "d512_nearest_offset": large[0],
        "d512_distance": large[1],
    }  # fmt: skip


def rotary_scores(q: Any, k: Any, pairs: Any, base: Any, **_: Any) -> dict[str, Any]:
    """Return scores of a query and a key that are turned by their positions, pair of entries by pair."""
    frequencies = base ** (-2 * np.arange(len(q) // 2) / len(q))

    def turned(x: Any, position: float) -> Any:
        cos, sin = np.cos(position * frequencies), np.sin(position * frequencies)
        even, odd = x[0::2], x[1::2]
        return np.column_stack([even * cos - odd * sin, even * sin + odd * cos]).ravel()

    scores = [turned(q, query) @ turned(k, key) for key, query in pairs]
    key, query = pairs[0]
    return {"scores": scores, "score_if_query_and_key_change_places": turned(q, key) @ turned(k, query)}


def corrupted_spans(text: str, spans: Any, **_: Any) -> dict[str, Any]:
    """Replace spans of a text by sentinels, as T5 does, and write what is to be predicted."""
    sentinels = [f"[{letter}]" for letter in "XYZABCDEFGH"]
    source, target, corrupted = text, [], 0
    for sentinel, span in zip(sentinels, spans, strict=False):
        source = source.replace(span, sentinel, 1)
        target += [sentinel, span]
        corrupted += len(span.split())
    written = " ".join([*target, sentinels[len(spans)]]) + "."
    return {
        "words": len(text.split()), "corrupted": corrupted, "input": source, "target": written,
        "input_tokens": len(source.split()), "target_tokens": len(written.split()),
    }  # fmt: skip


def filtered_words(words: Any, p: Any, k: Any, top_p: Any, **_: Any) -> dict[str, Any]:
    """Return the words that greedy decoding, top-k and nucleus sampling leave, with their new probabilities."""
    order = np.argsort(-p, kind="stable")
    falling = p[order]
    top = whole(k, len(p))
    nucleus = int(np.searchsorted(np.cumsum(falling), top_p - 1e-12) + 1)  # the word that reaches top_p stays
    names = [words[at] for at in order]
    return {
        "top_k": tuple(names[:top]), "top_k_renormalised": falling[:top] / falling[:top].sum(),
        "nucleus": tuple(names[:nucleus]), "nucleus_mass": falling[:nucleus].sum(),
        "nucleus_renormalised": falling[:nucleus] / falling[:nucleus].sum(), "greedy": names[0],
    }  # fmt: skip


PROCEDURES: Mapping[str, Callable[..., dict[str, Any]]] = {
    one.__name__: one
    for one in (
        permuted_axes, least_of_activations, descend, two_true_gradients, mean_over_masks, perceptron, largest_weights,
        nearest_positions, rotary_scores, corrupted_spans, filtered_words,
    )
}  # fmt: skip
"""The procedures by name."""

"""Checks of the results of a source of examples before they are used, so that errors name their cause."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

import numpy as np

from lab.api import Drawn, Examples, LabError

_CHECKED = 16  # examples


def check_examples(examples: Any) -> None:
    """Check the result of a source's factory.

    Raises:
        LabError: It is not Examples, or one of its fields is wrong; the problem names the field, the value, what is
            allowed and what to do. The caller adds the plugin.
    """
    if not isinstance(examples, Examples):
        _refuse(f"the corpus gave a {type(examples).__name__}", "a lab.api.Text or Examples", "Return one of them")
    if not isinstance(examples.name, str) or not examples.name.strip():
        _refuse(f"Examples.name is {examples.name!r}", "a name for display", "Name the source")
    _check_symbols(examples.symbols)
    if not _is_integer(examples.longest) or examples.longest < 2:
        _refuse(f"Examples.longest is {examples.longest!r}", "a whole number ≥ 2", "Give the tokens of the longest one")
    if not _is_integer(examples.length) or examples.length < 1:
        _refuse(f"Examples.length is {examples.length!r}", "a whole number ≥ 1", "Give the greatest trained length")
    entropy = examples.entropy
    if not isinstance(entropy, int | float) or not math.isfinite(entropy) or entropy < 0:
        _refuse(f"Examples.entropy is {entropy!r}", "a finite number ≥ 0, nats per scored token", "Compute it")
    try:
        json.dumps(dict(examples.facts), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        _refuse(f"Examples.facts is not plain data: {error}", "what JSON can hold", "Write text, numbers, lists, dicts")
    numbers = np.arange(_CHECKED)
    for split in ("train", "validation"):
        first = examples.draw(numbers, 0, split)
        _check_drawn(first, examples, split)
        again = examples.draw(numbers[::-1], 0, split)
        if not (np.array_equal(first.tokens, again.tokens[::-1]) and np.array_equal(first.scored, again.scored[::-1])):
            remedy = "Make each example depend only on its own number, the seed and the split: lab.api.uniforms"
            _refuse("draw returns other examples when they are requested in another order", "a pure function", remedy)


def _check_symbols(symbols: Any) -> None:
    remedy = "Give symbols=('a', 'b', …); symbol i is the label of token i"
    if not isinstance(symbols, tuple) or not symbols or not all(isinstance(symbol, str) for symbol in symbols):
        _refuse(f"Examples.symbols is a {type(symbols).__name__}", "a tuple of str", remedy)
    if "" in symbols or len(set(symbols)) < len(symbols):
        _refuse("Examples.symbols holds an empty symbol, or one twice", "different symbols", remedy)
    several = [symbol for symbol in symbols if len(symbol) > 1]
    if any(" " in symbol[:-1] or not symbol.endswith(" ") for symbol in several):
        what = "a symbol of several characters does not end in its only space"
        _refuse(what, "'k12 ', so that a text has only one reading", remedy)


def _check_drawn(drawn: Any, examples: Examples, split: str) -> None:
    wanted, V = (_CHECKED, examples.longest), len(examples.symbols)
    if not isinstance(drawn, Drawn):
        _refuse(f"draw gives a {type(drawn).__name__}", "a lab.api.Drawn", "Return Drawn(tokens, scored)")
    tokens, scored = drawn.tokens, drawn.scored
    if not isinstance(tokens, np.ndarray) or tokens.dtype != np.int64 or tokens.shape != wanted:
        what = f"draw gives tokens {getattr(tokens, 'dtype', '')} {getattr(tokens, 'shape', type(tokens).__name__)}"
        _refuse(what, f"int64 {wanted}", "Fill short rows with -1 up to `longest`")
    if not isinstance(scored, np.ndarray) or scored.dtype != np.bool_ or scored.shape != wanted:
        what = f"draw gives scored {getattr(scored, 'dtype', '')} {getattr(scored, 'shape', type(scored).__name__)}"
        _refuse(what, f"bool {wanted}", "Mark each token that is predicted")
    if tokens.min() < -1 or tokens.max() >= V:
        _refuse(
            f"draw gives tokens from {tokens.min()} to {tokens.max()}", f"-1 to {V - 1}", "Number the symbols from 0"
        )
    if (np.diff(tokens >= 0, axis=1) & (tokens[:, 1:] >= 0)).any() or (tokens[:, 0] < 0).any():
        _refuse("draw gives a row with a gap", "-1 only after the end", "Put the tokens of a row next to each other")
    if scored[:, 0].any() or scored[tokens < 0].any():
        _refuse("draw scores the first token of a row, or one after its end", "others", "Score what can be predicted")
    if not scored.any():
        _refuse(f"no token of {_CHECKED} {split} examples is scored", "some in each example", "Score the answers")


def _is_integer(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _refuse(what: str, allowed: str, remedy: str) -> NoReturn:
    raise LabError(what, allowed=allowed, remedy=remedy)

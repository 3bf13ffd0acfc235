"""Text of the Markov chain that a file's own letters make: Shannon's approximations to a language."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lab.api import ENTROPY_RATE, BadInput, ModelConfig, Text, setting

LARGEST = 16 << 20
"""Bytes of a file that a chain may be fitted to."""

_FIELD = "corpus.chain.path"


class FittedChain(ModelConfig):
    """A chain that is counted in a text."""

    kind: Literal["fitted"] = setting("fitted", help="The probabilities are shares counted in a text.")
    path: str = setting(min_length=1, help="A UTF-8 text file; its end is followed by its beginning when it is read.")


def fitted_text(config: FittedChain, order: int, length: int, random: np.random.Generator) -> Text:
    """A stretch of the chain of maximum likelihood for a text.

    The text is read in a circle. So every context in it goes on, the chain is one class, and its stationary law is
    the share of each context: the entropy rate is H(order + 1 characters) − H(order characters), of the shares.

    Args:
        config: Where the text lies.
        order: Characters of a context.
        length: Characters to draw.
        random: What to draw them with.

    Raises:
        BadInput: There is no text to be had there.
    """
    fitted = _read(config.path)
    letters, codes = np.unique(np.frombuffer(fitted.encode("utf-32-le"), np.uint32), return_inverse=True)
    contexts = _contexts(codes, order)
    rate = _entropy(contexts * len(letters) + codes) - _entropy(contexts)
    positions = _walk(contexts, length, random)
    text = letters[codes[positions]].astype(np.uint32).tobytes().decode("utf-32-le")
    facts = {"fitted_to": Path(config.path).name, "contexts": int(contexts.max()) + 1, "letters": len(letters)}
    return Text(text, "fitted Markov chain", facts=facts, floors={ENTROPY_RATE: max(0.0, rate)})


def _walk(contexts: NDArray[np.int64], length: int, random: np.random.Generator) -> list[int]:
    """Places of the fitted text in the order they are read: the next one has the context that the last one left."""
    N = len(contexts)
    order = np.argsort(contexts, kind="stable")
    first = np.searchsorted(contexts[order], np.arange(int(contexts.max()) + 2))
    after = np.roll(contexts, -1)  # the context behind each place
    begin, count = first[after].tolist(), (first[after + 1] - first[after]).tolist()
    place, positions = int(random.integers(N)), []
    by_context = order.tolist()
    for draw in random.random(length).tolist():
        positions.append(place)
        place = by_context[begin[place] + int(draw * count[place])]
    return positions


def _contexts(codes: NDArray[np.int64], order: int) -> NDArray[np.int64]:
    """(N,) the number of the context of `order` characters before each place, from 0 without gaps."""
    V = int(codes.max()) + 1
    contexts = np.zeros_like(codes)
    for back in range(1, order + 1):
        _, contexts = np.unique(contexts * V + np.roll(codes, back), return_inverse=True)
    return contexts


def _entropy(numbers: NDArray[np.int64]) -> float:
    _, counts = np.unique(numbers, return_counts=True)
    p = counts / len(numbers)
    return float(-(p * np.log(p)).sum())


def _read(path: str) -> str:
    try:
        place = Path(path).expanduser()
        size = place.stat().st_size
        if size > LARGEST:
            raise BadInput(
                f"has {size / 2**20:.0f} MiB",
                field=_FIELD,
                value=path,
                allowed=f"at most {LARGEST >> 20} MiB",
                remedy="Take a part of it: a chain of so few letters is known from less",
            )
        text = place.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BadInput(
            "there is no such file", field=_FIELD, value=path, remedy=f"Relative paths start from {Path.cwd()}"
        ) from None
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise BadInput(what, field=_FIELD, value=path, remedy="Choose a text file") from None
    except UnicodeDecodeError as error:
        what = f"is not UTF-8: byte 0x{error.object[error.start]:02X} at offset {error.start}"
        raise BadInput(what, field=_FIELD, value=path, remedy="Save it again as UTF-8 plain text") from None
    except (ValueError, RuntimeError) as error:  # a NUL in the path; "~nobody"
        raise BadInput(f"is no path: {error}", field=_FIELD, value=path, remedy="Choose a file") from None
    if not text or text.isspace():
        raise BadInput("holds no text", field=_FIELD, value=path, remedy="Choose a file with some text")
    return text

"""Text of a Markov chain fitted to the letters of a file: Shannon's approximations to a language."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lab.api import ENTROPY_RATE, BadInput, ModelConfig, Text, setting
from lab.base.files.reading import read_text

LARGEST = 16 << 20
"""Largest size in bytes of a file that a chain may be fitted to."""

_FIELD = "corpus.chain.path"


class FittedChain(ModelConfig):
    """A chain counted in a text."""

    kind: Literal["fitted"] = setting("fitted", help="The probabilities are frequencies counted in a text.")
    path: str = setting(min_length=1, help="A UTF-8 text file, read as a circle: its start follows its end.")


def fitted_text(config: FittedChain, order: int, length: int, random: np.random.Generator) -> Text:
    """Return a text of the maximum-likelihood chain for a file.

    The file is read as a circle. So every context in it has a successor, the chain is one class, and its stationary law
    is the share of each context: the entropy rate is H(order + 1 characters) − H(order characters) of the shares.

    Args:
        config: The path of the file.
        order: Characters of a context.
        length: The number of characters to draw.
        random: The generator.

    Raises:
        BadInput: The file cannot be read as text.
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
    """Return positions in the file in reading order: the context before each one is that after the last one."""
    N = len(contexts)
    order = np.argsort(contexts, kind="stable")
    first = np.searchsorted(contexts[order], np.arange(int(contexts.max()) + 2))
    after = np.roll(contexts, -1)  # the context after each position
    begin, count = first[after].tolist(), (first[after + 1] - first[after]).tolist()
    position, positions = int(random.integers(N)), []
    by_context = order.tolist()
    for draw in random.random(length).tolist():
        positions.append(position)
        position = by_context[begin[position] + int(draw * count[position])]
    return positions


def _contexts(codes: NDArray[np.int64], order: int) -> NDArray[np.int64]:
    """Return the number of the context of `order` characters before each position, (N,), from 0 without gaps."""
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
        file = Path(path).expanduser()
        size = file.stat().st_size
        if size > LARGEST:
            raise BadInput(
                f"has {size / 2**20:.0f} MiB",
                field=_FIELD,
                value=path,
                allowed=f"at most {LARGEST >> 20} MiB",
                remedy="Use a part of it: a smaller file suffices for a chain",
            )
        text = read_text(file, LARGEST).replace("\r\n", "\n").replace("\r", "\n")
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
        raise BadInput(f"is not a path: {error}", field=_FIELD, value=path, remedy="Choose a file") from None
    if not text or text.isspace():
        raise BadInput("holds no text", field=_FIELD, value=path, remedy="Choose a file with some text")
    return text

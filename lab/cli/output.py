"""Output of the command line: results on standard output, progress and problems on standard error."""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from lab.base import Problem
from lab.base.notices import Notice

INFINITE = "infinite: the model gives probability 0 to some tokens of the text"
"""The text for an infinite loss."""
BELOW_ENTROPY = (
    "the validation loss is {:.1f} standard errors below the entropy of the source, where no model comes on average: "
    "by chance, or because the model sees what it predicts"
)
READS_LATER = "the model sees the tokens it predicts, so its loss cannot be compared"
"""The line below the loss of a model that reads the tokens it is to predict."""

_SHARES = {
    "accuracy": "of the targets",
    "faultless": "of the examples",
    "exact match": "of the examples, as greedy decoding writes them",
}
"""The total that each of the lab's own metrics is a share of."""


def part_label(part: object) -> str:
    """Return the part of the validation text that an evaluation read: "all of the validation text", "8192 targets"."""
    return "all of the validation text" if part == "all" else str(part)


def loss_line(loss: float, unit: str, perplexity: float | None, bits_per_byte: float | None) -> str:
    """Return a loss with its unit, and the figures that follow from it: "1.5 nats per token, perplexity 4.48"."""
    figures = f"{loss:.4f} {unit}"
    figures += "" if perplexity is None else f", perplexity {perplexity:.2f}"
    return figures + ("" if bits_per_byte is None else f", {bits_per_byte:.3f} bits per byte")


def metric_lines(metrics: Mapping[str, float | None]) -> list[str]:
    """Return a line for each metric of an evaluation, aligned with the losses."""
    return [
        f"{name:<16} {f'{value:.1%} {_SHARES[name]}' if name in _SHARES else f'{value:.4f}'}"
        for name, value in metrics.items()
        if value is not None
    ]


def make_streams_usable() -> None:
    """Make the standard streams accept every text: unknown characters are escaped, closed streams discard output."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - stays open
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def printable(text: str) -> str:
    """Return a stranger's text in one line, with escapes for the characters that a terminal obeys or hides."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in text
    )


def print_json(result: dict[str, Any]) -> None:
    """Print a JSON object on one line, without NaN; in ASCII if the output is not UTF-8."""
    takes_all = (sys.stdout.encoding or "utf-8").lower() in ("utf-8", "utf8")
    print(json.dumps(result, allow_nan=False, ensure_ascii=not takes_all))


def print_problem(problem: Problem, *, as_json: bool = False) -> None:
    """Print a problem as one line on standard error, and with `as_json` as JSON on standard output too.

    `LAB_TRACE=1` prints the traceback below it.
    """
    print(f"lm-lab: {problem.line()}", file=sys.stderr)
    if problem.trace and os.environ.get("LAB_TRACE", "") not in ("", "0"):
        print(problem.trace, file=sys.stderr)
    if as_json:
        print_json({"problem": problem.as_dict()})


class Progress:
    """A line of progress: rewritten in place on a terminal, elsewhere printed again now and then.

    Args:
        stream: The stream that is written to.
        every: Seconds between two lines if the stream is not a terminal.
    """

    def __init__(self, stream: TextIO | None = None, every: float = 10.0) -> None:
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._every = every
        self._last = time.monotonic()
        self._shown = ""

    def show(self, line: str, *, now: bool = False) -> None:
        """Show the line; if the stream is not a terminal, only every few seconds or if `now`."""
        if self._terminal:
            if line != self._shown:
                width = shutil.get_terminal_size().columns - 1
                self._stream.write("\r\x1b[K" + line[:width])
                self._stream.flush()
        elif now or time.monotonic() - self._last >= self._every:
            self._last = time.monotonic()
            print(line, file=self._stream, flush=True)
        self._shown = line

    def notice(self, notice: Notice) -> None:
        """Show a notice above the line."""
        shown = self._shown
        self.clear()
        print(f"lm-lab: {notice.problem.line()}", file=self._stream, flush=True)
        if self._terminal and shown:
            self.show(shown)

    def clear(self) -> None:
        """Remove the line."""
        if self._terminal and self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
        self._shown = ""

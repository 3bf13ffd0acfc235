"""Output of the command line: results on standard output, progress and problems on standard error."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import struct
import sys
import time
from collections.abc import Callable, Mapping
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

_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029"
_ORDER = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # characters that turn the order around
_HIDDEN = "\xad\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff"
_JOINERS = "\u200c\u200d"  # which Persian, Indic scripts and emoji need between two characters that are not ASCII
_OBEYED = re.compile(
    f"[{_CONTROL}{_ORDER}{_HIDDEN}]|(?<![^\x00-\x7f])[{_JOINERS}]|[{_JOINERS}](?=[\x00-\x7f{_JOINERS}]|$)"
)
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


def visible(text: str) -> str:
    """Return a text with escapes for the characters that a terminal obeys or hides, except for line ends and tabs."""
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def print_text(text: str = "", *, end: str = "\n", error: bool = False, exact: bool = False) -> None:
    """Print a text whose control and hidden characters are made visible: names and texts may be those of strangers.

    Args:
        text: The text.
        end: Printed after it.
        error: True to print on standard error, which is never a reason to fail: the terminal may be closed.
        exact: True to print it unchanged if the output is not a terminal.
    """
    if error:
        with contextlib.suppress(OSError):
            print(visible(text), end=end, file=sys.stderr, flush=True)
    else:
        print(text if exact and not sys.stdout.isatty() else visible(text), end=end, flush=exact)


def print_picture(text: str) -> None:
    """Print a picture of the lab's own with the colours that its control characters give."""
    print(text)


def print_json(result: dict[str, Any]) -> None:
    """Print a JSON object on one line, without NaN; in ASCII if the output is not UTF-8."""
    takes_all = (sys.stdout.encoding or "utf-8").lower() in ("utf-8", "utf8")
    text = json.dumps(result, allow_nan=False, ensure_ascii=not takes_all)
    print(_OBEYED.sub(lambda found: _json_escape(found[0]), text))


def _json_escape(letter: str) -> str:
    return "".join(f"\\u{unit:04x}" for (unit,) in struct.iter_unpack(">H", letter.encode("utf-16-be")))


def print_problem(problem: Problem, *, as_json: bool = False) -> None:
    """Print a problem as one line on standard error, and with `as_json` as JSON on standard output too.

    `LAB_TRACE=1` prints the traceback below it; without that variable the line names it.
    """
    print_text(f"lm-lab: {problem_line(problem)}{_trace_below(problem)}", error=True)
    if as_json:
        print_json({"problem": problem.as_dict()})


def problem_line(problem: Problem) -> str:
    """Return a problem as one line, which says how to get its traceback if it has one that is not printed."""
    offers = problem.trace and not _shows_traces()
    return f"{problem.line()} LAB_TRACE=1 prints the traceback." if offers else problem.line()


def _shows_traces() -> bool:
    return os.environ.get("LAB_TRACE", "") not in ("", "0")


def _trace_below(problem: Problem) -> str:
    return f"\n{problem.trace.rstrip()}" if problem.trace and _shows_traces() else ""


class Progress:
    """A line of progress: rewritten in place on a terminal, elsewhere printed again now and then.

    Attributes:
        line: Returns the line of a notice's problem; the window sets it to one in its language.

    Args:
        stream: The stream that is written to.
        every: Seconds between two lines if the stream is not a terminal.
    """

    def __init__(self, stream: TextIO | None = None, every: float = 10.0) -> None:
        self.line: Callable[[Problem], str] = problem_line
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._every = every
        self._last = time.monotonic()
        self._shown = ""

    def show(self, line: str, *, now: bool = False) -> None:
        """Show the line; if the stream is not a terminal, only every few seconds or if `now`."""
        line = visible(line)
        if self._terminal:
            if line != self._shown:
                width = shutil.get_terminal_size().columns - 1
                self._write("\r\x1b[K" + line[:width])
        elif now or time.monotonic() - self._last >= self._every:
            self._last = time.monotonic()
            self._write(f"{line}\n")
        self._shown = line

    def notice(self, notice: Notice) -> None:
        """Show a notice above the line."""
        shown = self._shown
        self.clear()
        self._write(visible(f"lm-lab: {self.line(notice.problem)}{_trace_below(notice.problem)}") + "\n")
        if self._terminal and shown:
            self.show(shown)

    def clear(self) -> None:
        """Remove the line."""
        if self._terminal and self._shown:
            self._write("\r\x1b[K")
        self._shown = ""

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError):  # the terminal is closed, and the work goes on
            self._stream.write(text)
            self._stream.flush()

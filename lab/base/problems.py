"""Problems: what went wrong, as data that the command line and the window show."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

LONGEST_VALUE, LONGEST_TEXT = 300, 4000
"""Most characters of a value or a field in a problem, and of a sentence; of longer ones the middle is left out."""


@dataclass(frozen=True)
class Problem:
    """One thing that went wrong, described for the user. Whatever was given is echoed in part: it may be endless.

    Args:
        what: One sentence that describes what is wrong.
        field: The recipe path, option or file it is about ("training.batch_size"), if any.
        value: The given value, as text.
        allowed: What would be accepted.
        remedy: What to do next.
        plugin: The plugin whose code failed, if it was a plugin's.
        trace: The traceback as text. The exception itself is never stored: it holds the tensors of its frames.
    """

    what: str
    field: str | None = None
    value: str | None = None
    allowed: str | None = None
    remedy: str | None = None
    plugin: str | None = None
    trace: str | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            longest = LONGEST_VALUE if name in ("field", "value") else LONGEST_TEXT
            if name != "trace" and value is not None and len(value) > longest:
                object.__setattr__(self, name, f"{value[: longest // 2]} … {value[-longest // 4 :]}")

    def line(self, translate: Callable[[str], str] = str) -> str:
        """Return the problem as one line: field, value, sentence, what is allowed, remedy.

        Args:
            translate: Translates a message, what is allowed, and the words between them.
        """
        head = translate(self.what.rstrip("."))
        if self.field:
            head = f"{self.field}{'' if self.value is None else f' = {_shown(self.value)}'}: {head}"
        if self.plugin:
            head = f"{translate('plugin')} {self.plugin}: {head}"
        parts = [head]
        if self.allowed:
            parts.append(f"{translate('Allowed')}: {translate(self.allowed.rstrip('.'))}")
        if self.remedy:
            parts.append(translate(self.remedy.rstrip(".")))
        sentence = " ".join(". ".join(parts).split())
        return sentence if sentence.endswith(("?", "!")) else sentence + "."

    def as_dict(self) -> dict[str, Any]:
        """Return the fields that are not None, for JSON."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def _shown(value: str) -> str:
    """Return a value for use in a line: quoted if its white space or control characters would be lost."""
    return value if value.isprintable() and value == value.strip() and value else repr(value)


class LabError(Exception):
    """An error that has a Problem to show. Command line: exit status 1.

    Args:
        problem: One sentence that describes what is wrong, or a complete problem.
        field: What it is about: the name of a setting, a path in the recipe, an option, a file.
        value: The given value.
        allowed: What would be accepted.
        remedy: What to do next.
        plugin: The plugin whose code failed.
    """

    def __init__(
        self,
        problem: Problem | str,
        *,
        field: str | None = None,
        value: object = None,
        allowed: object = None,
        remedy: str | None = None,
        plugin: str | None = None,
    ) -> None:
        if not isinstance(problem, Problem):
            given, accepted = (None if one is None else str(one) for one in (value, allowed))
            problem = Problem(problem, field, given, accepted, remedy, plugin)
        self.problem = problem
        super().__init__(problem.line())


class BadInput(LabError):
    """An input that cannot be used. Command line: exit status 2."""


def problem_from_dict(stored: Mapping[str, Any]) -> Problem:
    """Return the problem that a file or another process stored (Problem.as_dict), without unknown fields."""
    known = {one.name for one in fields(Problem)}
    values = {name: str(value) for name, value in stored.items() if name in known and value is not None}
    return Problem(**{"what": "it failed", **values})


def problem_of(error: BaseException, *, plugin: str | None = None, doing: str | None = None) -> Problem:
    """Return an exception as a problem, with its trace as text and without its frames.

    Args:
        error: Any exception; a LabError keeps its own problem.
        plugin: The plugin whose code raised it.
        doing: What the lab was doing, put before the text of a foreign exception.
    """
    if isinstance(error, LabError):
        problem = error.problem
        return replace(problem, plugin=plugin) if plugin and problem.plugin is None else problem
    trace = "".join(traceback.format_exception(error))
    try:
        text = ": ".join(filter(None, (type(error).__name__, str(error))))
    except Exception:  # noqa: BLE001 - str() of a foreign exception is foreign code
        text = type(error).__name__
    location = _location(error) if plugin else None
    text = f"{text.rstrip('.')} ({location})" if location else text
    return Problem(f"{doing} failed: {text}" if doing else text, plugin=plugin, trace=trace)


def _location(error: BaseException) -> str | None:
    """Return where a plugin raised, "average.py, line 12": the innermost frame of neither the lab nor a library."""
    frames = traceback.extract_tb(error.__traceback__)
    lab = str(Path(__file__).parents[1]) + os.sep
    own = [
        frame
        for frame in frames
        if not frame.filename.startswith((lab, sys.base_prefix, "<")) and "site-packages" not in frame.filename
    ]
    return f"{Path(own[-1].filename).name}, line {own[-1].lineno}" if own else None


@contextlib.contextmanager
def attributed(plugin: str | None, doing: str) -> Iterator[None]:
    """Turn any exception that a plugin's code raises inside, also SystemExit, into a LabError that names the plugin.

    A LabError keeps its own problem, and KeyboardInterrupt passes through.
    """
    try:
        yield
    except (LabError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001 - foreign code may raise anything
        raise LabError(problem_of(error, plugin=plugin, doing=doing)) from None

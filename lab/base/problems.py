"""Problems: what went wrong, as data that the command line and the window show."""

from __future__ import annotations

import contextlib
import opcode
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


_modules: dict[str, str] = {}  # the plugins of third parties, by the names of their modules


def note_module(module: str, plugin: str) -> None:
    """Note which plugin a module and all below it belong to, so that what fails in it names that plugin."""
    _modules[module] = plugin


def is_third_party(plugin: str) -> bool:
    """Return True if a module was noted for a plugin."""
    return plugin in _modules.values()


def plugin_of(module: str) -> str | None:
    """Return the third-party plugin that a module ("mine", "mine.layers") belongs to; None if it is nobody's."""
    while module:
        if module in _modules:
            return _modules[module]
        module = module.rpartition(".")[0]
    return None


def failing_plugin(error: BaseException, otherwise: str | None = None) -> str | None:
    """Return the plugin whose code an exception comes from: that of the innermost frame of a third-party plugin.

    Args:
        error: Any exception.
        otherwise: The plugin whose code was called, returned if no frame is a third party's.
    """
    owners = [plugin_of(frame.f_globals.get("__name__") or "") for frame, _ in traceback.walk_tb(error.__traceback__)]
    return next((owner for owner in reversed(owners) if owner is not None), otherwise)


def remedy_for(plugin: str) -> str:
    """Return the remedy for a plugin whose code fails."""
    return f"Repair it, or turn it off: lm-lab plugins disable {plugin}"


def wrong_result(part: object, what: str) -> Exception:
    """Return the error for a wrong result of a part: a LabError that names its third-party plugin, else a ValueError.

    Args:
        part: An object, which belongs to the plugin that its class belongs to.
        what: One sentence that describes what is wrong.
    """
    plugin = plugin_of(type(part).__module__)
    return LabError(what, plugin=plugin, remedy=remedy_for(plugin)) if plugin else ValueError(what)


def problem_of(error: BaseException, *, plugin: str | None = None, doing: str | None = None) -> Problem:
    """Return an exception as a problem, with its trace as text and without its frames.

    A problem of a third-party plugin's code names that plugin, whichever one was called, and has a remedy.

    Args:
        error: Any exception; a LabError keeps its own problem.
        plugin: The plugin whose code was called.
        doing: What the lab was doing, put before the text of a foreign exception.
    """
    named = failing_plugin(error, plugin)
    if isinstance(error, LabError):
        problem = error.problem
        return replace(problem, plugin=named) if plugin and problem.plugin is None else problem
    trace = "".join(traceback.format_exception(error))
    try:
        text = ": ".join(filter(None, (type(error).__name__, str(error))))
    except Exception:  # noqa: BLE001 - str() of a foreign exception is foreign code
        text = type(error).__name__
    location = _location(error) if named else None
    text = f"{text.rstrip('.')} ({location})" if location else text
    remedy = remedy_for(named) if named and is_third_party(named) else None
    return Problem(f"{doing} failed: {text}" if doing else text, plugin=named, remedy=remedy, trace=trace)


def is_interrupt(error: BaseException) -> bool:
    """Return True if an exception is a Ctrl+C of the user, and not a KeyboardInterrupt that a plugin raises."""
    last = error.__traceback__
    if not isinstance(error, KeyboardInterrupt) or last is None:
        return isinstance(error, KeyboardInterrupt)
    while last.tb_next is not None:
        last = last.tb_next
    # a signal arrives between two instructions of any kind; only code that raises by itself stands at a `raise`
    raises = last.tb_frame.f_code.co_code[last.tb_lasti] == opcode.opmap["RAISE_VARARGS"]
    return not (raises and plugin_of(last.tb_frame.f_globals.get("__name__") or ""))


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

    A LabError keeps its own problem, and Ctrl+C of the user passes through.
    """
    try:
        yield
    except (LabError, GeneratorExit):
        raise
    except BaseException as error:
        if is_interrupt(error):
            raise
        raise LabError(problem_of(error, plugin=plugin, doing=doing)) from None

"""Problems in the language of the window, by the English messages that the engine makes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from lab.base.folders import resources
from lab.base.problems import Problem
from lab.widgets.core.i18n import language, localized, tr, tr_registered

MESSAGES = (
    # of the system
    "No such file or directory",
    "Permission denied",
    "No space left on device",
    "Read-only file system",
    "Is a directory",
    "Not a directory",
    "File exists",
    "File name too long",
    "Input/output error",
    "Disk quota exceeded",
    "Too many open files",
    "Cannot allocate memory",
    # parts of messages
    "a multiple of {n}",
    "at least {n} long",
    "at most {n} long",
    "its import",
    "matching {pattern}",
    "number",
    "one of {choices}",
    "or nothing",
    "whole number",
)
"""Messages that stand in no problem of the engine as they are; the others are in the file of `templates`."""
_NUMBER = re.compile(r"\d[\d,]*(\.\d+)?( [kMGT])?")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_MESSAGES_INSIDE = ("doing", "what", "why")
"""Values that are messages even if they are a single word; others may be names."""
_TITLES = ("doing", "title")
"""Values that may be the title of a card."""
_DEEPEST = 4
"""Most messages within one another: "cannot be read: {why}"."""


@dataclass(frozen=True)
class Template:
    """A message of the engine with its values in braces.

    Args:
        source: The English text.
        pieces: What stands before, between and after the values.
    """

    source: str
    pieces: tuple[str, ...]

    def values(self, message: str) -> dict[str, str] | None:
        """Return the values in a message by name; None if the message is another one."""
        first, *middle = self.pieces
        if not middle:
            return {} if message == first else None
        if not message.startswith(first) or not message.endswith(middle[-1]):
            return None
        if not all(piece in message for piece in middle[:-1]):
            return None
        found = _pattern(self.source).fullmatch(message)
        return None if found is None else found.groupdict()


@cache
def templates() -> tuple[tuple[Template, ...], frozenset[str]]:
    """Return the messages with values, those with the most text of their own first, and the messages without values.

    `packaging/translations.py update` finds them in the source of the engine.
    """
    file = resources() / "translations" / "messages.txt"
    lines = [*MESSAGES, *file.read_text(encoding="utf-8").splitlines()]
    found = [Template(line, tuple(_PLACEHOLDER.split(line)[::2])) for line in lines]
    found.sort(key=lambda template: -sum(map(len, template.pieces)))
    plain = frozenset(template.source for template in found if len(template.pieces) == 1)
    return tuple(template for template in found if len(template.pieces) > 1), plain


def problem_line(problem: Problem) -> str:
    """Return a problem as one line, like `Problem.line`, in the language of the window as far as it is translated."""
    return problem.line(message_text if language.code != "en" else str)


def capitalized(text: str) -> str:
    """Return a text that starts with a capital letter, unless it starts with a name such as "story.txt"."""
    first = text.partition(" ")[0].rstrip(".,:;")
    return text if any(letter in "._-/\\" or letter.isdigit() for letter in first) else text[:1].upper() + text[1:]


def message_text(message: str) -> str:
    """Return a message of the engine in the language of the window; one that is not known is not changed."""
    return _message_text(message, language.code)


@lru_cache(maxsize=256)  # the status line asks twice a second, and a message is compared with hundreds of templates
def _message_text(message: str, _language: str) -> str:
    labels = {"Allowed": tr("Allowed"), "plugin": tr("plugin")}  # between the parts of a problem
    return labels.get(message) or _translated(message) or _translated_parts(message) or message


def _translated_parts(message: str) -> str | None:
    """Return what is allowed, "whole number, 1 ≤ x ≤ 64", or two sentences, of which the first is known."""
    for separator in (", ", ". ", "; "):
        first, *others = message.split(separator)
        known = _translated(first) if others else None
        if known is not None:
            return separator.join((known, *(_translated(part) or part for part in others)))
    return None


def _translated(message: str, depth: int = 0) -> str | None:
    numbered, plain = templates()
    if message in plain:
        return tr_registered(message)
    if depth == _DEEPEST:
        return None
    for template in numbered:
        values = template.values(message)
        if values is not None:
            shown = {name: _value(name, value, depth + 1) for name, value in values.items()}
            return tr_registered(template.source).format(**shown)
    return None


def _value(name: str, text: str, depth: int) -> str:
    if _NUMBER.fullmatch(text):
        return localized(text)
    found = _translated(text, depth) if " " in text or name in _MESSAGES_INSIDE else None
    return found or (tr_registered(text) if name in _TITLES else text)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    pieces = _PLACEHOLDER.split(template)
    parts = [f"(?P<{one}>.+)" if at % 2 else re.escape(one) for at, one in enumerate(pieces)]
    return re.compile("".join(parts), re.DOTALL)

"""The language of a page: its texts, and the separators of its numbers. English, unless the caller has another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from lab.base import units


class Counting(Protocol):
    """A translation of a text that depends on a number."""

    def __call__(self, one: str, many: str, n: int, /) -> str:
        """Return the text for `n`, in which "{n}" is replaced."""


def _counted(one: str, many: str, n: int, /) -> str:
    return (one if n == 1 else many).replace("{n}", f"{n:,}")


@dataclass(frozen=True)
class Words:
    """A language.

    Args:
        code: Its code.
        text: Translates a text with placeholders in braces; an unknown one stays as it is.
        counted: Translates a text that depends on a number.
        number: Changes the separators of numbers that Python formatted.
        message: Translates a message of the engine.
    """

    code: str = "en"
    text: Callable[[str], str] = str
    counted: Counting = _counted
    number: Callable[[str], str] = str
    message: Callable[[str], str] = str


_words: ContextVar[Words] = ContextVar("words")
ENGLISH = Words()


@contextmanager
def written_in(words: Words) -> Iterator[None]:
    """Write what is written in this context in a language."""
    token = _words.set(words)
    try:
        yield
    finally:
        _words.reset(token)


def words() -> Words:
    """Return the language in which is written."""
    return _words.get(ENGLISH)


def tr(message: str, **values: object) -> str:
    """Return a text of the page.

    Args:
        message: The English text, with placeholders in braces.
        **values: The values of the placeholders.
    """
    text = words().text(message)
    return text.format(**values) if values else text


def tr_n(one: str, many: str, n: int) -> str:
    """Return a text that depends on a number: "1 run", "{n} runs"."""
    return words().counted(one, many, n)


def tr_name(name: str) -> str:
    """Return a name that a run or a card gives, such as that of a series; an unknown one stays as it is."""
    return words().text(name) if name else name


def number(text: str) -> str:
    """Return a number that Python formatted with the separators of the language."""
    return words().number(text)


def duration(seconds: float) -> str:
    """Return a duration: "3 min 05 s", "154 days"."""
    if seconds >= 2 * units.DAY:
        return tr_n("1 day", "{n} days", round(seconds / units.DAY))
    return number(units.duration(seconds))

"""Small stand-ins, in an exported script, for the parts of the lab that its training does without.

Every name here takes the place of the lab's own of that name; the text of this module is what the script holds.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from lab.base.torch_lock import seed_torch


class BadInput(Exception):
    """What was given cannot be used. In the lab it carries a whole problem, with a field and a remedy."""

    def __init__(self, what: str, **about: Any) -> None:
        super().__init__("; ".join([what, *(f"{name}: {value}" for name, value in about.items())]))


class ModelConfig:
    """Settings as attributes. In the lab they are declared, checked and described too."""

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)


@dataclass(frozen=True)
class Mixer:
    """What a stack of a mixer needs to know of it."""

    key: str
    build: Callable[..., Any]
    kind: str


def load(factory: Callable[..., Any]) -> Callable[..., Any]:
    """The factory. In the lab it may also be named by a string."""
    return factory


@contextlib.contextmanager
def within(field: str) -> Iterator[None]:
    """Nothing. In the lab it completes the field that a problem names."""
    del field
    yield


@contextlib.contextmanager
def own_draws(*numbers: int, device: str = "cpu") -> Iterator[None]:
    """Seeds torch from `numbers`. In the lab, which trains in one thread of several, it takes a lock as well."""
    seed_torch(*numbers, device=device)
    yield

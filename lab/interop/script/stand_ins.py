"""Small replacements, in an exported script, of what its training does not need of the lab.

Every name here replaces the lab's own of that name; the script holds the text of this module.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from lab.base.torch_lock import seed_torch


class BadInput(Exception):
    """An input that cannot be used. In the lab it has a Problem with a field and a remedy."""

    def __init__(self, what: str, **about: Any) -> None:
        super().__init__("; ".join([what, *(f"{name}: {value}" for name, value in about.items())]))


class ModelConfig:
    """Settings as attributes. In the lab they are declared, validated and described, too."""

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)


@dataclass(frozen=True)
class Mixer:
    """What a stack of a mixer needs to know of the mixer."""

    key: str
    build: Callable[..., Any]
    kind: str


def load(factory: Callable[..., Any]) -> Callable[..., Any]:
    """Return the factory. In the lab it may also be named by a string."""
    return factory


@contextlib.contextmanager
def within(field: str) -> Iterator[None]:
    """Do nothing. In the lab it prefixes the field of a problem."""
    del field
    yield


@contextlib.contextmanager
def own_draws(*numbers: int, device: str = "cpu") -> Iterator[None]:
    """Seed torch from `numbers`. In the lab, which trains in several threads, it takes a lock, too."""
    seed_torch(*numbers, device=device)
    yield

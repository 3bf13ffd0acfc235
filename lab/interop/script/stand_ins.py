"""Small replacements for parts of the lab that the training of an exported script does not need in full.

Every name here replaces the lab's own name; the script contains the text of this module.
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


def wrong_result(part: object, what: str) -> Exception:
    """Return the error for a wrong result of a part. In the lab it names the part's plugin, too."""
    del part
    return ValueError(what)


class ModelConfig:
    """Settings as attributes. In the lab they are declared, validated and described, too."""

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)


@dataclass(frozen=True)
class Mixer:
    """The data of a mixer that a stack needs."""

    key: str
    build: Callable[..., Any]
    kind: str


def load(factory: Callable[..., Any]) -> Callable[..., Any]:
    """Return the factory. In the lab a string may name it, too."""
    return factory


@contextlib.contextmanager
def field_prefix(field: str) -> Iterator[None]:
    """Do nothing. In the lab it prefixes the field of a problem."""
    del field
    yield


@contextlib.contextmanager
def own_draws(*numbers: int, device: str = "cpu") -> Iterator[None]:
    """Seed torch from `numbers`. In the lab, which trains in several threads, it takes a lock, too."""
    seed_torch(*numbers, device=device)
    yield

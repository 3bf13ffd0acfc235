"""Checks of every kind of card: the host accepts it, and its settings are stored, read and never changed."""

from __future__ import annotations

from typing import Any

from lab.api import ModelConfig
from lab.host.card_checks import check_card
from lab.testing.check import require
from lab.testing.registration_case import KINDS, USES, RegistrationCase, registration_check

WITHOUT_SETTINGS = ("interventions", "views", "checkpoint_formats")
"""Kinds of cards whose settings no recipe stores."""


@registration_check(*KINDS, name="card", after=None)
def card(case: RegistrationCase) -> None:
    """The host accepts the card, and its settings survive being stored."""
    check_card(case.kind, case.card, plugin="")
    config = case.config()
    again = type(config).read(config.stored())
    lost = [name for name in type(config).model_fields if getattr(again, name) != getattr(config, name)]
    remedy = "use whole numbers, numbers, text, choices, lists and nested configs"
    require(not lost, f"the settings {', '.join(lost)} come back changed from a recipe", remedy)


@registration_check(*(kind for kind in KINDS if kind not in WITHOUT_SETTINGS), name="settings")
def settings(case: RegistrationCase) -> None:
    """The config is read where the object is made or used, and never changed."""
    config, read = watched(case.config())
    if not type(config).model_fields:
        return
    before = config.model_dump()
    read.clear()
    USES[case.kind](case, config)
    names = ", ".join(type(config).model_fields)
    remedy = "pass the config on to the object, as in build=lambda config, …: Mine(config, …), and read its fields"
    require(bool(read), f"none of its settings is ever read: {names}", remedy)
    remedy = "store computed values outside the config, which belongs to the recipe"
    require(config.model_dump() == before, "its config is changed while it is used", remedy)


def watched(config: ModelConfig) -> tuple[ModelConfig, set[str]]:
    """Return a copy of the config, and a set that collects the names read from it."""
    found: set[str] = set()

    def find(self: Any, name: str) -> Any:
        if not name.startswith("__") or name == "__dict__":  # "__dict__" is all of it: dict(config) reads it
            found.add(name)
        return super(kind, self).__getattribute__(name)

    kind: Any = type(type(config).__name__, (type(config),), {"__getattribute__": find, "__module__": __name__})
    again: ModelConfig = kind.read(config.model_dump())
    return again, found

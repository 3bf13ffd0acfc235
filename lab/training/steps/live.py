"""Live settings of a config: their names and values, and how they are changed during a training."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from lab.api import ModelConfig, settings_of
from lab.base import BadInput


def not_live(path: str, live: list[str]) -> BadInput:
    """Return the error for changing a setting that is not live."""
    return BadInput(
        "cannot change while a run trains",
        field=path,
        allowed=", ".join([*live, "live settings of architecture and training.optimizer"]),
        remedy="Start a new run with the changed value",
    )


def changed(config: Any, name: str, value: Any, field: str) -> tuple[Any, Any]:
    """Change a live setting of a config; return its old and new value.

    Raises:
        BadInput: There is no such setting, it is not live, or the value is not allowed.
    """
    before = config
    for part in name.split("."):
        before = getattr(before, part, None)
    config.change(name, value, field=field)
    return before, operator.attrgetter(name)(config)


def live_settings(config: Any) -> dict[str, Any]:
    """Return the live settings of a config by name, with dotted names in nested configs."""
    found: dict[str, Any] = {}
    for setting in settings_of(type(config), nested=False):
        value = getattr(config, setting.name)
        if isinstance(value, ModelConfig):  # a group, or the selected variant of a union
            found |= {f"{setting.name}.{name}": inner for name, inner in live_settings(value).items()}
        elif setting.live:
            found[setting.name] = value
    return found


def set_again(config: Any, values: Mapping[str, Any]) -> None:
    """Set the values that `live_settings` returned.

    Those that are 0 come last: of some, such as the weights of a mixture, one is always above 0.
    """
    for name, value in sorted(values.items(), key=lambda one: one[1] == 0):
        config.change(name, value)

"""Cards that a recipe names, with their settings: one, or a list of one kind."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict

from lab.api import setting


class Choice(BaseModel):
    """A registered card by name, with its settings. Only the card's own config can check the settings."""

    model_config = ConfigDict(extra="allow", frozen=True)

    name: str = setting(help="Name of the card.", min_length=1)
    version: int | None = setting(None, ge=1, help="Version of the card's config that the settings were written for.")

    @property
    def settings(self) -> dict[str, Any]:
        """The settings without the name."""
        return dict(self.__pydantic_extra__ or {})


def _choices(given: Any) -> Any:
    """Return a list of choices, where a bare name becomes a choice without settings; refuse duplicate names."""
    if not isinstance(given, list | tuple):
        return given
    choices = [{"name": choice} if isinstance(choice, str) else choice for choice in given]
    names = [choice.get("name") if isinstance(choice, dict) else getattr(choice, "name", None) for choice in choices]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"{twice} is listed twice")
    return choices


Choices: TypeAlias = Annotated[list[Choice], BeforeValidator(_choices)]
"""Cards of one kind, each at most once: `["reports", {name = "influence", positions = 8}]`."""

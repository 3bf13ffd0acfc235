"""Fonts and sizes of widgets that follow the size of the type."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from lab.widgets.core.theme import interface_font, themes, token_font

W = TypeVar("W", bound=QWidget)
_followers: WeakKeyDictionary[QWidget, Callable[[Any], object]] = WeakKeyDictionary()


def follow_type(widget: W, fit: Callable[[W], object]) -> None:
    """Fit a widget to the size of the type, now and whenever the size changes.

    Args:
        widget: The widget.
        fit: Sets what depends on the size of the type; called with the widget, which it must not hold.
    """
    _followers[widget] = fit
    fit(widget)


def _fit_all() -> None:
    for widget, fit in list(_followers.items()):
        if isValid(widget):
            fit(widget)


themes.resized.connect(_fit_all)  # a label stores its size hint, with its least width, until its font changes
themes.changed.connect(_fit_all)


class Font:
    """A font as an attribute of a class, in the selected size of the type.

    Args:
        role: A key of lab.widgets.core.theme.SIZES.
        tokens: Whether it is the monospaced font of tokens.
        strong: Whether it is semi-bold.
    """

    def __init__(self, role: str = "text", *, tokens: bool = False, strong: bool = False) -> None:
        self._key = (role, tokens, strong)

    def __get__(self, instance: object, owner: type | None = None) -> QFont:
        """Return the font."""
        return _made(*self._key, themes.scale)[0]


class Metrics(Font):
    """The metrics of a font as an attribute of a class, in the selected size of the type."""

    def __get__(self, instance: object, owner: type | None = None) -> QFontMetricsF:  # type: ignore[override]
        """Return the metrics."""
        return _made(*self._key, themes.scale)[1]


@lru_cache(maxsize=64)
def _made(role: str, tokens: bool, strong: bool, _scale: float) -> tuple[QFont, QFontMetricsF]:
    font = token_font(role) if tokens else interface_font(role)
    if strong:
        font.setWeight(QFont.Weight.DemiBold)
    return font, QFontMetricsF(font)

"""The base of views that draw fewer axes than a reading has: one axis becomes a choice."""

from __future__ import annotations

from typing import Self

import numpy as np
from PySide6.QtWidgets import QWidget

from lab.widgets.core.controls import MenuButton
from lab.widgets.core.i18n import tr
from lab.widgets.maps.colours import Numbers
from lab.widgets.maps.layout import NameLabel
from lab.widgets.readings.axes import POSITIONS, short_name, unit_at
from lab.widgets.readings.base import ReadingView

CHOICE_FIRST = ("quantity", "head")
"""Axes that become the choice if a reading has them, since their indices are best viewed one at a time."""
SCALES = ("lag", "bin")
"""Axes that lines run along, which become a choice last."""


class ChoosingView(ReadingView):
    """The base of views of a slice of a reading: of one axis more than the view draws, the user picks an index.

    A subclass sets `drawn`, overrides `show_slice`, and puts its widgets into `body`.
    """

    drawn = 2
    """The number of axes that it draws."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choice = MenuButton(tr("Shown"), [("0", "1")], self._on_choice, steady=True)
        self.add_option(self._choice)
        self._choice.hide()
        self._all: tuple[Numbers, tuple[str, ...], str] | None = None
        self._choice_axis = ""  # the axis that is the choice
        self._keys: list[str] = []  # of the available slices: the name of each quantity, or its index
        self._selected = ""  # the key of the selected slice; the shown reading may lack it
        self.decimals: int | None = None
        """The number of decimals of the values of the slice; None for three significant digits."""

    @property
    def choice(self) -> str:
        """The key of the selected slice: the name of a quantity, or an index as text; "" until one is selected."""
        return self._selected

    @choice.setter
    def choice(self, key: str) -> None:
        self._selected = key  # shown once it is available

    def show_slice(self, values: Numbers, axes: tuple[str, ...], unit: str, full_values: Numbers, caption: str) -> None:
        """Draw the selected slice.

        Args:
            values: One dimension for each axis, float32.
            axes: At most `drawn` axes.
            unit: Unit of the values.
            full_values: All values that share the scale.
            caption: The layer and the choice, as text.
        """
        raise NotImplementedError

    def show_values(self, values: Numbers, axes: tuple[str, ...], unit: str) -> None:
        """Draw the selected slice of values."""
        self._all = (values, axes, unit)
        self._choice.setVisible(len(axes) > self.drawn)
        text = self._offer(values, axes)
        slice_, left = self.sliced(values, axes)
        alone = "quantity" in axes and "quantity" not in left  # quantities have nothing in common
        self.decimals = None
        if alone and self.shown is not None:
            number = int(self._choice.value)
            self.limits = self.limits_at(number)
            own = unit_at(self.shown, number)
            is_large = np.abs(slice_[np.isfinite(slice_)]).max(initial=0) >= 1
            self.decimals = 1 if own and is_large else None  # as all its values have one unit
            unit = self.shown_unit = own or unit
        caption = " · ".join(filter(None, (self.where, text)))
        self.show_slice(slice_, left, unit, slice_ if alone else values, caption)

    def sliced(self, values: Numbers, axes: tuple[str, ...]) -> tuple[Numbers, tuple[str, ...]]:
        """Return the selected slice."""
        if len(axes) <= self.drawn:
            return values, axes
        axis = _choice_among(values.shape, axes)
        number = min(int(self._choice.value), values.shape[axis] - 1)
        return np.take(values, number, axis=axis), axes[:axis] + axes[axis + 1 :]

    def choose_as(self, other: Self) -> None:
        """Show the slice that is selected in another view."""
        self._selected = other._selected  # shown once it is available
        super().choose_as(other)

    def _offer(self, values: Numbers, axes: tuple[str, ...]) -> str:
        """Offer the available slices; return the label of the selected one."""
        if len(axes) <= self.drawn:
            self._choice_axis = ""
            return ""
        axis = _choice_among(values.shape, axes)
        self._choice_axis = axes[axis]
        name = short_name(axes[axis])
        labels = self.labels_of(axes[axis], values.shape[axis])
        named = axes[axis] == "quantity" and isinstance(labels[0], NameLabel)
        text = [str(each) if named else f"{name} {each}" for each in labels]
        self._choice.set_choices([(str(number), each) for number, each in enumerate(text)])
        own = self.axis_labels.get("quantity", ()) if axes[axis] == "quantity" else ()
        self._keys = [str(each) for each in (own if len(own) == len(text) else range(len(text)))]
        known = self._keys.index(self._selected) if self._selected in self._keys else 0
        number = self.index_among(len(text)) if axes[axis] == "head" else known
        self._choice.show_value(str(number))
        return text[number]

    def set_head(self, head: int) -> None:
        """Show a head, where one at a time is shown."""
        super().set_head(head)
        if self._choice_axis == "head" and self._all is not None:
            self.show_values(*self._all)

    def _on_choice(self, choice: str) -> None:
        if self._choice_axis == "head":
            self.pick_index(int(choice))
        else:
            self._selected = self._keys[int(choice)]
        if self._all is not None:
            self.show_values(*self._all)
        self.picked.emit()


def _choice_among(shape: tuple[int, ...], axes: tuple[str, ...]) -> int:
    """Return the axis that becomes a choice: quantities, heads, else the shortest that is neither text nor scale."""
    first = next((axis for axis in CHOICE_FIRST if axis in axes), None)
    if first is not None:
        return axes.index(first)
    return min(range(len(axes)), key=lambda axis: (axes[axis] in SCALES, axes[axis] in POSITIONS, shape[axis]))

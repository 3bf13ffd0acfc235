"""The menu of starting points: the quick start, presets of the architecture, their sizes, baselines, equal sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from lab.api import Size
from lab.base.problems import Problem
from lab.host import Plugins
from lab.recipes import quick_start_name
from lab.shell.session.draft import Draft, origin_label, quick_start
from lab.widgets.core.controls import ChoiceBox, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.core.theme import px
from lab.widgets.forms.row_parts import WAY_BACK


class PresetMenu(QWidget):
    """A row with the name of the preset from which the draft started, its size, and a menu of others.

    Args:
        width: The width of its title in pixels, at a size of the type of 100 percent.
        draft: The draft, which a selected preset, size or baseline changes.
        plugins: The plugins that provide the architectures.

    Attributes:
        runs: Returns key and label of each run whose number of parameters the draft may be given.
    """

    same_size_wanted = Signal(str)
    """The key of a run; the draft is to have as many parameters."""
    refused = Signal(object)
    """The Problem of a preset, size or baseline that the draft cannot have."""

    def __init__(self, width: int, draft: Draft, plugins: Plugins) -> None:
        super().__init__()
        self._draft, self._plugins = draft, plugins
        self._sizes: Sequence[Size] = ()
        self.runs: Callable[[], tuple[tuple[str, str], ...]] = tuple
        self.menu = QMenu(self)
        self.size_menu = QMenu(tr("Size"), self)
        self.size_menu.triggered.connect(self._select_size)
        self.menu.triggered.connect(self._take)
        self.menu.aboutToShow.connect(self.refresh)
        self.box = _Face(self.menu)
        name = label(tr("Preset"))
        follow_type(name, lambda name: name.setFixedWidth(px(width)))
        name.setBuddy(self.box)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, WAY_BACK, 2)
        row.setSpacing(0)
        row.addWidget(name)
        row.addWidget(self.box, 1)
        self._shown: tuple[Any, ...] = ()

    def refresh(self) -> None:
        """Show the starting point of the draft, and offer others."""
        draft, architecture = self._draft, self._draft.recipe.architecture.name
        card, origin = self._plugins.cards("architectures").get(architecture), draft.origin
        title = architecture if card is None else tr_registered(card.title)
        presets = () if card is None else tuple(card.presets)
        sizes: Sequence[Size] = () if card is None else card.sizes.get(origin, ())
        settings = draft.card("architecture").config.stored() if sizes else {}
        current = next((size for size in sizes if size.settings.items() <= settings.items()), None)
        names, baseline = draft.baselines()
        runs = self.runs()
        shown = (origin, title, presets, tuple(size.name for size in sizes), current, names, baseline, runs)
        if shown == self._shown:
            return
        self._shown, self._sizes = shown, sizes
        face = [origin_label(origin) or tr("custom")]
        face += [tr_registered(current.name) if current else tr("custom size")] if sizes else []
        face = [tr_registered(baseline)] if baseline else face
        self.box.show_text(" · ".join(face))
        hints = [tr("Presets of {title}, their sizes, and baselines", title=title)]
        if card is not None and origin in card.preset_notes:
            hints.append(tr_registered(card.preset_notes[origin]))
        self.box.setToolTip("\n".join(hints))
        self.menu.clear()
        self.size_menu.clear()
        self._head(tr("Start"))
        quick = quick_start_name()
        self._add(self.menu, tr("quick start"), ("preset", quick), origin == quick)
        if presets:
            self._head(tr("Presets of {title}", title=title))
        for name in sorted(presets, key=str.lower):
            self._add(self.menu, origin_label(name), ("preset", name), origin == name)
        if sizes:
            self._head(tr("Sizes of {preset}", preset=origin_label(origin)))
            self.size_menu.setTitle(tr("Size: {size}", size=tr_registered(current.name) if current else tr("custom")))
            self.menu.addMenu(self.size_menu)
            for index, size in enumerate(sizes):
                self._add(self.size_menu, _label(size), ("size", index), size is current)
        if names:
            self._head(tr("Baselines to compare with"))
        for name in names:
            action = self._add(
                self.menu,
                tr_registered(name)[:1].upper() + tr_registered(name)[1:],
                ("baseline", name),
                name == baseline,
            )
            if name == baseline:
                action.setToolTip(tr("Back to the original model"))

        if runs:
            self._head(tr("Same number of parameters as"))
        for key, text in runs:
            self._add(self.menu, text, ("same size", key), checked=False)

    def search_text(self) -> str:
        """Return the texts by which a filter finds the row: its title and what its menu offers."""
        return " ".join([tr("Preset"), tr("Size"), *(action.text() for action in self.menu.actions())])

    def _head(self, text: str) -> None:
        if self.menu.actions():
            self.menu.addSeparator()
        self.menu.addAction(text).setEnabled(False)

    def _add(self, menu: QMenu, text: str, data: tuple[str, Any], checked: bool) -> QAction:
        action = menu.addAction(text.replace("&", "&&"))
        action.setData(data)
        action.setCheckable(True)
        action.setChecked(checked)
        return action

    def _take(self, action: QAction) -> None:
        data = action.data()
        if data is None:
            return
        kind, value = data
        if kind == "preset":
            self._take_preset(value)
        elif kind == "baseline":
            self._report(self._draft.take_baseline(value))
        elif kind == "same size":
            self.same_size_wanted.emit(value)
        self._shown = ()  # the check marks that Qt changed are set again

    def _select_size(self, action: QAction) -> None:
        """Take a size; Qt reports the actions of a submenu to its parent only when it was opened there."""
        _, value = action.data()
        self._report(self._draft.apply({"architecture": self._sizes[value].settings}))
        self._shown = ()

    def _take_preset(self, name: str) -> None:
        if name == quick_start_name():
            self._report(self._draft.take(quick_start(), name))
        else:
            card = self._plugins.card("architectures", self._draft.recipe.architecture.name)
            self._report(self._draft.take_preset(name, card.presets[name]))

    def _report(self, problem: Problem | None) -> None:
        if problem is not None:
            self.refused.emit(problem)


class _Face(ChoiceBox):
    """A field that looks like a choice and opens a menu."""

    def __init__(self, menu: QMenu) -> None:
        super().__init__()
        self._menu = menu
        self.addItem("")

    def show_text(self, text: str) -> None:
        """Show another text."""
        self.setItemText(0, text)
        self.setAccessibleName(tr("Preset: {name}", name=text))

    def showPopup(self) -> None:
        """Open the menu below the field."""
        self._menu.setMinimumWidth(self.width())
        self._menu.popup(self.mapToGlobal(self.rect().bottomLeft()))


def _label(size: Size) -> str:
    name, paper = tr_registered(size.name), size.source.partition(",")[0]
    return tr("{size} · {paper}", size=name, paper=paper) if paper else name

"""The headings and groups of the form: made when they are opened, filtered, and open again the next time."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.base.problems import LabError
from lab.base.settings import change_section, read_section
from lab.shell.recipe.outline import DATA, MODEL, TRAINING, GroupOutline
from lab.shell.runtime.background import Background
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.forms.groups import Group, Section

SECTION = "form"
"""The section of the settings with the open groups."""
BUDGET = 0.01
"""Seconds for which the rows of groups that pass a filter are made between two rounds of events."""


class GroupsView(QWidget):
    """The headings with their groups.

    Args:
        fill: Returns the widgets of a group when it is opened.
        background: Stores which groups are open, in a thread; None stores it at once.
    """

    filled = Signal()
    """Rows were added or removed."""

    def __init__(self, fill: Callable[[GroupOutline], Sequence[QWidget]], background: Background | None = None) -> None:
        super().__init__()
        self._fill, self._background = fill, background
        self._outline: list[GroupOutline] = []
        self._available: set[str] = set()  # the groups with settings that have an effect
        self._shown: set[str] | None = None  # the groups that pass the filter; None without a filter
        self._marked: set[str] = set()  # the groups that are open while parts of them are marked
        self._following = False  # True while a program opens and closes groups
        self._to_open: list[str] = []  # the groups that pass the filter, and whose rows are not made yet
        self._opening = QTimer(self, interval=0)
        self._opening.timeout.connect(self._open_next)
        stored = read_section(SECTION).get("open", [])
        self._open = {key for key in stored if isinstance(key, str)} if isinstance(stored, list) else set[str]()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        self.headings: dict[str, Section] = {}
        self.groups: dict[str, Section] = {}
        self._spare = QWidget(self)  # the parent of rows that are in no group
        self._spare.hide()
        titles = {
            DATA: (tr("Data"), tr("Settings of the corpus and the tokenizer.")),
            MODEL: (tr("Model"), tr("Settings of the architecture.")),
            TRAINING: (tr("Training"), tr("How the model is trained, evaluated and recorded.")),
        }
        for key, (title, help_text) in titles.items():
            heading = self.headings[key] = Section(title, help_text, strong=True)
            heading.toggled.connect(self._toggled)
            rows.addWidget(heading)

    def show_outline(self, outline: list[GroupOutline]) -> None:
        """Take other groups, which `show_groups` then shows; the rows of open ones are asked for again."""
        self._outline, self._available, self._to_open = list(outline), set(), []
        for key, section in self.groups.items():
            self.headings[key.partition("/")[0]].rows.removeWidget(section)
            self._empty(section)
            section.hide()
            section.deleteLater()
        self.groups = {}

    def open(self, key: str) -> None:
        """Open a group and its heading, as the user would."""
        heading = self.headings[key.partition("/")[0]]
        heading.set_open(True)
        if key in self.groups:
            self.groups[key].set_open(True)

    def open_while_marked(self, keys: set[str]) -> None:
        """Open groups and their headings until they are no longer named; what the user opened stays open."""
        if keys != self._marked:
            self._marked = keys
            self._follow()

    def show_groups(self, available: set[str], passing: set[str] | None) -> None:
        """Show groups.

        Args:
            available: The keys of the groups with settings that have an effect.
            passing: The keys of those that pass the filter, which are shown open; None without a filter.
        """
        if (available, passing) != (self._available, self._shown):
            self._available, self._shown = available, passing
            self._follow()

    def show_facts(self, facts: Mapping[str, tuple[str, int]]) -> None:
        """Show the summary and the number of differing settings of headings and groups, by key."""
        for key, section in (*self.headings.items(), *self.groups.items()):
            text, count = facts.get(key, ("", 0))
            section.head.show_summary(text)
            section.head.show_count(count)

    def _follow(self) -> None:
        """Open and close headings and groups according to the filter, or to what the user opened.

        A filter may pass nearly all groups: those without rows are opened one after the other, between events.
        """
        self._following, self._to_open = True, []
        for name, heading in self.headings.items():
            keys = [group.key for group in self._outline if group.heading == name]
            passing = [key for key in keys if key in self._available and (self._shown is None or key in self._shown)]
            heading.setVisible(bool(passing))
            is_open = bool(passing) and (self._shown is not None or self._stands_open(name))
            heading.set_open(is_open)
            if is_open:
                self._make_groups(name)
            for key in keys:
                if key in self.groups:
                    self.groups[key].setVisible(key in passing)
                    wanted = self._stands_open(key) if self._shown is None else key in passing
                    if wanted and self._shown is not None and not self.groups[key].rows.count():
                        self._to_open.append(key)
                    else:
                        self.groups[key].set_open(wanted)
        self._following = False
        self.filled.emit()
        if self._to_open:
            self._opening.start()

    def _stands_open(self, key: str) -> bool:
        """Return True if a heading or group is open without a filter."""
        return key in self._open or any(f"{opened}/".startswith(f"{key}/") for opened in self._marked)

    def _open_next(self) -> None:
        """Open groups that pass the filter for a short time, at least one."""
        end = time.monotonic() + BUDGET
        self._following = True
        while self._to_open:
            self.groups[self._to_open.pop(0)].set_open(True)
            if time.monotonic() >= end:
                break
        self._following = False
        if not self._to_open:
            self._opening.stop()
            self.filled.emit()

    def _toggled(self, is_open: bool) -> None:
        sections = {**self.headings, **self.groups}
        key = next(key for key, section in sections.items() if section is self.sender())
        if is_open and key in self.headings:
            self._make_groups(key)
        if is_open and key in self.groups:
            self._fill_group(key)
        if not self._following:
            self._remember(key, is_open)
            self.filled.emit()

    def _make_groups(self, name: str) -> None:
        """Make the heads of the groups under a heading, which are filled when they open."""
        for group in self._outline:
            if group.heading == name and group.key not in self.groups:
                section = self.groups[group.key] = Section(tr_registered(group.title))
                section.toggled.connect(self._toggled)
                self.headings[name].rows.addWidget(section)
                section.setVisible(group.key in self._available)
                if self._shown is None and self._stands_open(group.key):
                    following, self._following = self._following, True
                    section.set_open(True)
                    self._following = following

    def _fill_group(self, key: str) -> None:
        section = self.groups[key]
        if section.rows.count():
            return
        group = next(one for one in self._outline if one.key == key)
        for widget in self._fill(group):
            if group.is_nested and isinstance(widget, Group):
                widget.head.hide()  # the group has a head of its own
            section.rows.addWidget(widget)

    def _empty(self, section: Section) -> None:
        """Take the rows out of a group, so that they are not deleted with it."""
        while (item := section.rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.setParent(self._spare)

    def _remember(self, key: str, is_open: bool) -> None:
        self._open = self._open | {key} if is_open else self._open - {key}
        if self._background is None:
            self._store()
        else:
            self._background.run(tr("Storing open groups"), self._store, _ignore, _ignore)

    def _store(self, _: object = None) -> None:
        """Store which groups are open now; any thread may call it."""
        with contextlib.suppress(LabError):  # it is not stored; the reason was reported already
            change_section(SECTION, lambda section: {**section, "open": sorted(self._open)})


def _ignore(_: object) -> None:
    """Ignore the end of storing."""

"""The form: the settings of a config as knobs, derived from its declaration and validated by the config itself."""

from __future__ import annotations

import contextlib
import copy
import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pydantic import BaseModel
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from lab.api import ModelConfig, Setting, settings_of, without_effect
from lab.base import BadInput, LabError, Problem
from lab.widgets.core.controls import widgets_in
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import message_text
from lab.widgets.forms.browse import PickRun
from lab.widgets.forms.groups import Group
from lab.widgets.forms.help_strip import HelpStrip
from lab.widgets.forms.rows import UNKNOWN, Knob, plain_value
from lab.widgets.forms.translated import translated

__all__ = ["Form", "HelpStrip"]


class Form(QWidget):
    """The form of one config.

    Nested tables of values have the format of `ModelConfig.stored()`. The form has no margins and no scroll area, and
    fits into 212 pixels.

    Args:
        config: The config.
        prefix: Its path in a recipe ("architecture"), put before the names of fields in problems.
        leave_out: Fields that are shown elsewhere. Fields that name cards are always left out.
        scattered: Whether another widget lays out the rows, with `row`; they are then made when it asks for them.
        pick_run: Makes the buttons by which runs are picked; see Knob.
        parent: Its parent.
    """

    edited = Signal(str, object)
    """Dotted path within the config and the new plain value, once per finished valid edit.

    The value of a switched variant or group is the complete table, which replaces the old one."""
    invalid = Signal()
    """`problems` changed: entries became valid or invalid."""
    focused = Signal(object)
    """The Setting that has the focus, or None."""
    wanted = Signal(str)
    """A row of a scattered form is about to be shown; its name. Open the group that holds it."""

    def __init__(
        self,
        config: type[ModelConfig],
        *,
        prefix: str = "",
        leave_out: Sequence[str] = (),
        scattered: bool = False,
        pick_run: PickRun | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._pick_run = pick_run
        self._config, self._prefix, self._left_out = config, prefix, frozenset(leave_out)
        self._scattered = scattered
        self._settings: dict[tuple[type[BaseModel], str], tuple[Setting, ...]] = {}  # by config and prefix
        self._top: dict[str, QWidget] = {}  # the rows of the config's own fields, by name
        self._filter: Collection[str] | None = None  # the names of the fields that are shown; None for all
        self._values: dict[str, Any] = {}
        self._base: dict[str, Any] = {}
        self._refused: dict[str, Any] = {}
        self._problems: dict[str, Problem] = {}
        self._marked: Collection[str] = ()  # the dotted names of the settings with a mark
        self._knobs: dict[str, Knob] = {}
        self._groups: dict[str, Group] = {}
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        if not scattered:
            self._fill(self._rows, config, "")
        self.show_values({}, {})

    # -------------------------------------------------------------------------------------------------- contents

    def show_values(self, values: Mapping[str, Any], base: Mapping[str, Any]) -> None:
        """Show values and mark differences, without emitting a signal; focus, cursor and an unfinished entry stay.

        Args:
            values: The values of all fields; missing ones have their defaults.
            base: The values of the preset.
        """
        self._values = _completed(self._config, values)
        self._base = _completed(self._config, base)
        self._show_all()

    def values(self) -> dict[str, Any]:
        """Return the shown values; for an invalid entry the last valid value."""
        return copy.deepcopy(self._values)

    @property
    def problems(self) -> dict[str, Problem]:
        """Problems of invalid entries, by path with the prefix."""
        return {self._full_path(path): problem for path, problem in self._problems.items()}

    def show_problem(self, path: str, problem: Problem | None) -> bool:
        """Show a problem that the engine found with a field, until its next edit.

        Args:
            path: Path of the field, with or without the prefix; an element of a list stands for the list.
            problem: The problem; None removes it.

        Returns:
            True if the form has the field.
        """
        keys = self._inner(path).split(".")
        if problem is not None and keys[0] not in self._top and any(one.name == keys[0] for one in self.settings()):
            self.wanted.emit(keys[0])
        found = (".".join(keys[:length]) for length in range(len(keys), 0, -1))
        name = next((each for each in found if each in self._knobs), None)
        if name is None:
            return False
        if problem is not None:
            self._open_above(name)
        self._knobs[name].show_problem(problem or self._problems.get(name))
        return True

    def differing(self) -> list[str]:
        """Return the dotted paths of the settings that differ from the preset, from top to bottom.

        Settings without effect are left out.
        """
        return list(self._differing(self._config, "", self._values, self._base))

    def settings(self) -> tuple[Setting, ...]:
        """Return the fields of the config that the form shows, in order; those of nested configs are in theirs."""
        return self._fields(self._config, "")

    def nested(self) -> Iterator[Setting]:
        """Yield all settings that the form shows with its present values, dotted, with those of nested configs."""
        yield from self._nested(self._config, "", self._values)

    def without_effect(self) -> frozenset[str]:
        """Return the names of the config's fields that have no effect with the present values."""
        return without_effect(self._config, self._values)

    def row(self, name: str) -> QWidget:
        """Return the row of one of the config's own fields; in a scattered form it is made at the first call."""
        self.make_rows([name])
        return self._top[name]

    def make_rows(self, names: Collection[str]) -> None:
        """Make the rows of some of the config's own fields that are not made yet; see `row`."""
        missing = [one for one in self.settings() if one.name in names and one.name not in self._top]
        for setting in missing:
            self._make_row(setting).setParent(self)  # until it is laid out, so that it never is a window
        if missing:
            self._show_all()

    def show_only(self, names: Collection[str] | None) -> None:
        """Show only the rows of these fields of the config; None shows all that have an effect."""
        self._filter = names
        self._show_all()

    def discard(self) -> None:
        """Delete a scattered form and its rows."""
        self.hide()
        for widget in self._top.values():
            widget.setParent(self)
        self.deleteLater()

    def mark(self, paths: Collection[str]) -> list[Knob]:
        """Mark the rows of settings, also those that are made later, and take the mark from all others.

        Args:
            paths: Their paths, with or without the prefix; those of other forms are ignored.

        Returns:
            The marked rows that are made.
        """
        self._marked = {self._inner(path) for path in paths}
        for name, knob in self._knobs.items():
            knob.set_marked(name in self._marked)
        return [knob for knob in self._knobs.values() if knob.is_marked]

    def reveal(self, path: str) -> None:
        """Open the groups above a field, scroll to it and give it the focus."""
        name = self._inner(path)
        if self._scattered:
            self.wanted.emit(name.partition(".")[0])
        knob, group = self._knobs.get(name), self._groups.get(name)
        if knob is None and group is None:
            return
        self._open_above(name)
        target: QWidget = knob.control if knob is not None else group.head if group is not None else self
        above: QWidget | None = knob or target  # the rows of a scattered form stand outside it
        while above is not None and not isinstance(above, QScrollArea):
            if (layout := above.layout()) is not None:
                layout.activate()
            above = above.parentWidget()
        target.setFocus(Qt.FocusReason.TabFocusReason)
        if isinstance(above, QScrollArea):
            scroll = partial(above.ensureWidgetVisible, knob or target, 0, 40)
            scroll()
            QTimer.singleShot(0, target, scroll)  # once more when rows that were made now have their places

    # -------------------------------------------------------------------------------------------------- construction

    def _fields(self, config: type[BaseModel], at: str) -> tuple[Setting, ...]:
        found = self._settings.get((config, at))
        if found is None:
            found = self._settings[config, at] = tuple(self._shown_fields(config, at))
        return found

    def _shown_fields(self, config: type[BaseModel], at: str) -> Iterator[Setting]:
        for setting in translated(config, at):
            variant_tag = config is not self._config and setting.name == f"{at}kind" and len(setting.choices) == 1
            cards = [inner for inner in (setting.config,) if inner and not issubclass(inner, ModelConfig)]
            if not (setting.name in self._left_out or variant_tag or cards or setting.element in ("group", "union")):
                yield setting

    def _fill(self, rows: QVBoxLayout, config: type[BaseModel], at: str) -> None:
        for setting in self._fields(config, at):
            rows.addWidget(self._make_row(setting))

    def _make_row(self, setting: Setting) -> QWidget:
        made: QWidget
        if setting.kind not in ("group", "union"):
            made = self._make_knob(setting, "")
        else:
            group = made = self._groups[setting.name] = Group(setting)
            group.focused.connect(self.focused)
            if setting.kind == "union" or setting.optional:
                group.own.addWidget(self._make_knob(setting, tr("Kind") if setting.kind == "union" else tr("Used")))
        if "." not in setting.name:
            self._top[setting.name] = made
        return made

    def _make_knob(self, setting: Setting, name: str) -> Knob:
        knob = self._knobs[setting.name] = Knob(setting, name, self._pick_run)
        knob.given.connect(self._take)
        knob.back.connect(self._go_back)
        knob.cancelled.connect(self._cancel)
        knob.focused.connect(self.focused)
        knob.set_marked(setting.name in self._marked)
        return knob

    def _show_all(self) -> None:
        rebuilt = self._show(self._config, "", self._values, self._base)
        if rebuilt and not self._scattered:
            self._put_in_order()
        differing = self.differing()
        for path, group in self._groups.items():
            group.head.show_count(sum(each == path or each.startswith(f"{path}.") for each in differing))

    def _show(
        self,
        config: type[BaseModel],
        at: str,
        table: Mapping[str, Any],
        base: Mapping[str, Any] | None,
        width: int | None = None,
    ) -> bool:
        """Show a table of settings.

        Args:
            config: The config of the table.
            at: What the names of its settings start with.
            table: The values.
            base: The preset's values; None if the preset has no such table.
            width: The width of the stack in which it is nested; None for no stack.

        Returns:
            True if knobs were added or removed.
        """
        rebuilt = False
        own = table.get("width")
        width = own if isinstance(own, int) else width
        unused = without_effect(config, table)
        if not at and self._filter is not None:
            unused |= {one.name for one in self._fields(config, at)} - set(self._filter)
        automatic = self._automatic(config, at, table, width)
        for setting in self._fields(config, at):
            path, name = setting.name, setting.name.removeprefix(at)
            value, preset = table.get(name), UNKNOWN if base is None else base.get(name)
            if path in self._knobs and self._knobs[path].show_value(value, preset, automatic.get(name)):
                self._forget(path)
            if path not in self._groups:
                if path in self._knobs:
                    self._knobs[path].setVisible(name not in unused)
                continue
            group, shown = self._groups[path], self._refused.get(path, value)
            group.setVisible(name not in unused)
            inner = setting.inside(shown) if isinstance(shown, Mapping) and name not in unused else None
            if group.config is not inner:
                self._rebuild(group, inner)
                rebuilt = True
            if inner is not None and isinstance(shown, Mapping):
                same = isinstance(preset, Mapping) and setting.inside(preset) is inner
                rebuilt |= self._show(inner, f"{path}.", shown, preset if same else None, width)  # type: ignore[arg-type]
        return rebuilt

    def _automatic(
        self, config: type[BaseModel], at: str, table: Mapping[str, Any], width: int | None
    ) -> dict[str, Any]:
        """Return the values in use of the settings with an automatic value, by name; made rows alone are asked for."""
        properties = {
            setting.name.removeprefix(at): setting.auto
            for setting in self._fields(config, at)
            if isinstance(setting.auto, str) and setting.name in self._knobs and not table.get(setting.name[len(at) :])
        }
        if not properties or not issubclass(config, ModelConfig):
            return {}
        try:
            read = config.read({name: value for name, value in table.items() if name != "version"})
        except BadInput:
            return {}
        found = {}
        for name, wanted in properties.items():
            with contextlib.suppress(ArithmeticError, ValueError, LabError):  # the settings do not fit each other
                value = getattr(read, wanted)
                found[name] = value if not callable(value) else None if width is None else value(width)
        return found

    def _differing(
        self, config: type[BaseModel], at: str, table: Mapping[str, Any], base: Mapping[str, Any] | None
    ) -> Iterator[str]:
        idle = without_effect(config, table)
        for setting in self._fields(config, at):
            name = setting.name.removeprefix(at)
            if name in idle or base is None:
                continue
            value, preset = table.get(name), base.get(name)
            if plain_value(setting, value) != plain_value(setting, preset) and not (
                setting.kind == "group" and not setting.optional
            ):
                yield setting.name
            inner = setting.inside(value) if isinstance(value, Mapping) else None
            if inner is not None and isinstance(preset, Mapping) and setting.inside(preset) is inner:
                yield from self._differing(inner, f"{setting.name}.", value, preset)  # type: ignore[arg-type]

    def _nested(self, config: type[BaseModel], at: str, table: Mapping[str, Any]) -> Iterator[Setting]:
        idle = without_effect(config, table)
        for setting in self._fields(config, at):
            name = setting.name.removeprefix(at)
            if name in idle:
                continue
            yield setting
            value = table.get(name)
            inner = setting.inside(value) if isinstance(value, Mapping) else None
            if inner is not None:
                yield from self._nested(inner, f"{setting.name}.", value)  # type: ignore[arg-type]

    def _rebuild(self, group: Group, config: type[BaseModel] | None) -> None:
        """Replace the knobs of a group by those of a config."""
        path = group.setting.name
        for names in (self._knobs, self._groups, self._refused):
            for removed in [name for name in names if name.startswith(f"{path}.")]:
                self._forget(removed)
                names.pop(removed, None)
        group.clear()
        group.config = config
        if config is not None:
            self._fill(group.rows, config, f"{path}.")

    def _put_in_order(self) -> None:
        """Set the tab order from top to bottom, also for knobs that were added later."""
        order: list[QWidget] = []
        knobs: dict[str, Knob] = {}
        self._collect(self._rows, order, knobs)
        self._knobs = knobs
        for one, following in itertools.pairwise(order):
            QWidget.setTabOrder(one, following)

    def _collect(self, rows: QVBoxLayout, order: list[QWidget], knobs: dict[str, Knob]) -> None:
        for widget in widgets_in(rows):
            if isinstance(widget, Knob):
                knobs[widget.setting.name] = widget
                order += widget.controls
            elif isinstance(widget, Group):
                order.append(widget.head)
                self._collect(widget.own, order, knobs)
                self._collect(widget.rows, order, knobs)

    # -------------------------------------------------------------------------------------------------- editing

    def _take(self, path: str, value: Any) -> None:
        """Apply an entry if the config accepts it, and earlier refused entries that become valid by it."""
        before_problems = dict(self._problems)
        before = self._values
        preset = _at(self._base, path)
        if isinstance(value, dict) and isinstance(preset, dict) and preset.get("kind") == value.get("kind"):
            value = copy.deepcopy(preset)
        self._refused.pop(path, None)
        self._refused[path] = value
        accepted = self._settle(path)
        for each in accepted:
            if each in self._knobs:
                self._knobs[each].accept(_at(self._values, each))
        for each, problem in self._problems.items():
            if each in self._knobs:
                self._knobs[each].show_problem(problem)
        self._show_all()
        if before_problems != self._problems:
            self.invalid.emit()
        for each in accepted:
            new = _at(self._values, each)
            within = any(each.startswith(f"{table}.") for table in accepted)
            if new != _at(before, each) and not within:
                self.edited.emit(each, copy.deepcopy(new))

    def _settle(self, path: str) -> list[str]:
        """Apply refused entries that the config accepts now, and return their paths.

        Each one must be valid by itself, so that listeners can apply them one after the other. Only a variant or group
        that was switched on is applied together with the entries made in it since.
        """
        table = next((each for each in self._refused if path.startswith(f"{each}.")), path)
        family = {each: value for each, value in self._refused.items() if f"{each}.".startswith(f"{table}.")}
        if len(family) > 1 and self._accepts(family) is None:
            for each in family:
                self._forget(each)
            return list(family)
        accepted = []
        for each in (path, *(other for other in list(self._refused) if other != path)):
            problem = self._accepts({each: self._refused[each]})
            if problem is None:
                accepted.append(each)
                self._forget(each)
            else:
                self._problems[each] = self._at_entry(problem, each)
        return accepted

    def _accepts(self, entries: Mapping[str, Any]) -> Problem | None:
        """Set entries and return None if the config accepts them; otherwise return the problem."""
        trial = copy.deepcopy(self._values)
        for path, value in entries.items():
            _put(trial, path, copy.deepcopy(value))
        try:
            stored = self._config.read(trial, field=self._prefix).stored()
        except BadInput as error:
            return error.problem
        values = copy.deepcopy(self._values)
        for path in entries:
            _put(values, path, _at(stored, path))
        self._values = values
        return None

    def _at_entry(self, problem: Problem, path: str) -> Problem:
        """Return a problem as that of the entry that caused it, also if a rule between fields failed."""
        full_path = self._full_path(path)
        of_list = path in self._knobs and self._knobs[path].setting.kind == "list"
        if not problem.field or of_list or f"{full_path}.".startswith(f"{problem.field}."):
            return replace(problem, field=full_path, value=problem.value or str(self._refused[path]))
        if problem.field.startswith(f"{full_path}."):  # a variant or group was switched on and lacks a value
            return replace(problem, what=f"{self._title_inside(path, problem.field)} {message_text(problem.what)}")
        return replace(problem, what=f"{problem.field} {message_text(problem.what)}", field=full_path)

    def _title_inside(self, path: str, field: str) -> str:
        """Return the title of a field of the variant or group that an entry switched on; its path where it has none."""
        group, table = self._groups.get(path), self._refused[path]
        config = group.setting.inside(table) if group is not None and isinstance(table, Mapping) else None
        fields = () if config is None else translated(config, f"{path}.")
        return next((one.title for one in fields if one.name == self._inner(field)), field)

    def _go_back(self, path: str) -> None:
        self._cancel(path)
        self._take(path, copy.deepcopy(_at(self._base, path)))

    def _cancel(self, path: str) -> None:
        """Discard an entry and show the last valid value."""
        before_problems = dict(self._problems)
        self._forget(path)
        self._knobs[path].accept(_at(self._values, path))
        self._show_all()
        if before_problems != self._problems:
            self.invalid.emit()

    def _forget(self, path: str) -> None:
        self._refused.pop(path, None)
        self._problems.pop(path, None)

    # -------------------------------------------------------------------------------------------------- paths

    def _full_path(self, path: str) -> str:
        return f"{self._prefix}.{path}" if self._prefix else path

    def _inner(self, path: str) -> str:
        return path.removeprefix(f"{self._prefix}.") if self._prefix else path

    def _open_above(self, path: str) -> None:
        if self._scattered:
            self.wanted.emit(path.partition(".")[0])
        for name, group in self._groups.items():
            if path == name or path.startswith(f"{name}."):
                group.set_open(True)


def _completed(config: type[BaseModel], table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table of settings with defaults for the missing ones."""
    values = dict(table)
    for setting in settings_of(config, nested=False):
        name, default = setting.name, setting.default
        if name not in values and default is not None:
            if isinstance(default, ModelConfig):
                values[name] = {"version": default.version, **default.stored()}
            elif not isinstance(default, BaseModel):
                values[name] = list(default) if isinstance(default, tuple) else copy.deepcopy(default)
        nested: Any = values.get(name, {} if setting.kind == "group" and not setting.optional else None)
        inner = setting.inside(nested) if isinstance(nested, Mapping) else None
        if inner is not None and issubclass(inner, ModelConfig):
            values[name] = _completed(inner, nested)
    return values


def _at(table: Any, path: str) -> Any:
    """Return the value at a dotted path; None if there is none."""
    for key in path.split("."):
        table = table.get(key) if isinstance(table, Mapping) else None
    return table


def _put(table: dict[str, Any], path: str, value: Any) -> None:
    """Set the value at a dotted path; None removes it."""
    *above, last = path.split(".")
    for key in above:
        table = table.setdefault(key, {})
    if value is None:
        table.pop(last, None)
    else:
        table[last] = value

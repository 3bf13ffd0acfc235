"""The configuration: the form of the draft, the costs of a run, and the button that starts it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from lab.api import ModelConfig, Setting, without_effect
from lab.base.problems import LabError, Problem
from lab.host import Plugins
from lab.recipes import QUICK_START, Edit, Recipe, Training
from lab.recipes.recipe import Readings
from lab.shell.recipe.card_section import NAME, CardSection
from lab.shell.recipe.costs import Costs, limit_label
from lab.shell.recipe.groups_view import GroupsView
from lab.shell.recipe.learning_rate_curve import LearningRateCurve, sampled
from lab.shell.recipe.outline import (
    CARDS,
    DATA,
    MODEL,
    NUMBERS,
    TRAINING,
    Field,
    GroupOutline,
    basic_numbers,
    matches,
    outline,
    shown_fields,
)
from lab.shell.recipe.preset_menu import PresetMenu
from lab.shell.recipe.start_question import StartQuestion
from lab.shell.recipe.summaries import Wording, summary
from lab.shell.runtime.background import Background
from lab.shell.session.corpus_labels import corpus_name
from lab.shell.session.draft import BranchPoint, Draft, origin_label, quick_start
from lab.widgets.core.controls import Button, follow_in_tab_order, label, plain_tip
from lab.widgets.core.i18n import counted, inside, number_text, tr, tr_n, tr_registered
from lab.widgets.core.side_panel import SidePanel
from lab.widgets.forms.form import Form, HelpStrip
from lab.widgets.forms.translated import translated

TITLES = {
    "corpus": "Corpus",
    "tokenizer": "Tokenizer",
    "architecture": "Architecture",
    "objective": "Objective",
    "training.optimizer": "Optimizer",
    "training.schedule": "Schedule",
}
"""Titles of the choices of cards, in the order of the form."""

PLAIN: dict[str, tuple[type[ModelConfig], tuple[str, ...]]] = {
    "training": (Training, ("optimizer", "schedule", "edits")),
    "readings": (Readings, ("probes",)),
}
"""Parts of the recipe with settings of their own: their config, and the fields of it that are not in the form."""

LISTED = 12
"""Most scheduled edits that are listed."""

FULL, LOW = 660, 600
"""Heights of the panel in pixels from which the help strip has its full height, and from which it is shown at all."""
STRIP, LOW_STRIP = 96, 62
"""Heights of the help strip in pixels."""


class DraftPanel(SidePanel):
    """The side panel of Train: the form of the draft, the costs, and the button that starts a run.

    Args:
        draft: The draft.
        plugins: The plugins that provide the cards.
        start: Starts a run of the draft.
        background: Stores which groups are open, in a thread; None stores it at once.
    """

    def __init__(
        self, draft: Draft, plugins: Plugins, start: Callable[[], object], background: Background | None = None
    ) -> None:
        super().__init__(tr("Next run"), tr("Configuration of the next run; runs that exist keep theirs"), scrolls=True)
        self._draft, self._plugins = draft, plugins
        self._outline: list[GroupOutline] = []
        self._numbers: list[Field] = []
        self._question: StartQuestion | None = None
        self._limited = draft.recipe  # the recipe to which the limits apply
        self._reported: tuple[Recipe, Problem] | None = None  # a draft, and the problem that the engine reported for it
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._refresh_if_shown)
        self._is_stale = False
        self._spare = QWidget(self)  # the parent of rows that stand nowhere now
        self._spare.hide()
        self._make_head()
        self._counts = False
        self._wait = ""  # the run that has to finish first
        hint = tr("Show the corpus, its statistics and tokens (Ctrl+Shift+T)")
        self.show_corpus = Button(hint=hint, icon_name="eye")
        self._sections = self._make_sections()
        self.presets = PresetMenu(NAME, self._take_preset, self._take_size, self._take_baseline)
        self._curve = LearningRateCurve()
        self._curve.setParent(self._spare)
        self._slots = {path: QVBoxLayout() for path in NUMBERS}
        self.groups = GroupsView(self._fill_group, background)
        self.groups.filled.connect(self._rows_changed)
        self._lay_out()
        self._make_foot(start)
        draft.changed.connect(self._draft_changed)
        self.refresh()

    def _make_head(self) -> None:
        self.filter = _FilterField()
        self.filter.textChanged.connect(self._filter_changed)
        self.only = Button(hint=tr("Show only what differs"), icon_name="filter")
        self.only.setCheckable(True)
        self.only.toggled.connect(self._filter_changed)
        self.head.addWidget(self.filter, 1)
        self.head.addWidget(self.only)

    def _make_sections(self) -> dict[str, CardSection | Form]:
        """Make the choice of each card, and the forms of the recipe's own settings."""
        made: dict[str, CardSection | Form] = {}
        for field, title in TITLES.items():
            button = self.show_corpus if field == "corpus" else None
            section = made[field] = CardSection(field, tr(title), self._draft, self._plugins, button)
            section.edited.connect(self._edited)
            section.wanted.connect(self._open_group_of)
            section.described.connect(self._describe)
            section.form_changed.connect(self._forms_changed)
        for field, (config, omitted) in PLAIN.items():
            form = made[field] = Form(config, prefix=field, leave_out=omitted, scattered=True, parent=self)
            form.hide()
            form.edited.connect(self._edited_plain)
            form.wanted.connect(self._want)
        for one in made.values():
            if isinstance(one, CardSection):
                one.setParent(self._spare)
            one.focused.connect(self._focus)
            one.invalid.connect(self._count)
        return made

    def _lay_out(self) -> None:
        self.rows.setSpacing(0)
        for field in CARDS:
            self.rows.addWidget(self._section(field))
        self.rows.addWidget(self.presets)
        for slot in self._slots.values():
            slot.setContentsMargins(0, 0, 0, 0)
            self.rows.addLayout(slot)
        self.rows.addSpacing(4)
        self.rows.addWidget(self.groups)
        self._nothing = label(tr("No setting matches."), "dim")
        self._nothing.hide()
        self.rows.addWidget(self._nothing)
        self.rows.addStretch()

    def _make_foot(self, start: Callable[[], object]) -> None:
        self.help = HelpStrip()
        self.costs = Costs()
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self.start_button = Button(tr("Start new run"), role="primary", icon_name="start")
        self.start_button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.start_button.clicked.connect(start)
        self.branch = _Inherited(tr("Start with new weights instead"), self._draft.clear_branch_point)
        self.schedule = _Inherited(tr("Start without these edits"), self._remove_edits)
        for widget in (self.help, self.costs, self._problem, self.branch, self.schedule, self.start_button):
            self.foot.addWidget(widget)

    # ------------------------------------------------------------------------------------------------------- refreshing

    def showEvent(self, event: QShowEvent) -> None:
        """Show what has changed while the panel was hidden."""
        super().showEvent(event)
        if self._is_stale:
            self.refresh()

    def _refresh_if_shown(self) -> None:
        self._is_stale = not self.isVisible()
        if not self._is_stale:
            self.refresh()

    def refresh(self) -> None:
        """Show the current draft."""
        self._is_stale = False
        recipe, base = self._draft.recipe, self._draft.base
        if self._reported is not None and self._reported[0] != recipe:
            self.forget_problem()
        for field, section in self._sections.items():
            if isinstance(section, CardSection):
                section.refresh()
            else:
                section.show_values(getattr(recipe, field).stored(), getattr(base, field).stored())
        self._show_outline()
        self._offer_presets()
        self._apply_filter()
        self._show_facts()
        self._count()

    def _filter_changed(self, _: object) -> None:
        self._later.start()

    def _draft_changed(self) -> None:
        if self._draft.recipe is not self._limited:  # another base leaves the limits as they are
            self._limited = self._draft.recipe
            self.costs.forget_limits()
        self._later.start()

    def _forms_changed(self) -> None:
        self._outline = []  # the rows of the card are gone

    def _show_outline(self) -> None:
        """Arrange the settings of the present cards in groups."""
        counts = self._is_counting()
        if self._outline and self._counts == counts:
            return
        self._counts = counts
        settings = {field: form.settings() for field, form in self._forms()}
        titles = {"architecture": self._card_title("architecture")}
        self._outline = outline(settings, titles, counts=counts)
        self._numbers = list(basic_numbers(settings, counts=counts))
        rows = {field.path: self._row(field) for field in self._numbers}
        for path, slot in self._slots.items():
            item, new = slot.itemAt(0), rows.get(path)
            old = item.widget() if item is not None else None
            if old is not None and old is not new:
                slot.removeWidget(old)
                old.setParent(self._spare)
            if new is not None and old is not new:
                slot.addWidget(new)
        self.groups.show_outline(self._outline)

    def _fill_group(self, group: GroupOutline) -> list[QWidget]:
        """Return the rows of a group that is opened."""
        choice: list[QWidget] = [self._section(group.choice)] if group.choice else []
        curve: list[QWidget] = [self._curve] if group.choice == "training.schedule" else []
        forms = dict(self._forms())
        names: dict[str, list[str]] = {}
        for field in group.fields:
            names.setdefault(field.section, []).append(field.setting.name)
        for section, wanted in names.items():
            forms[section].make_rows(wanted)
        return [*choice, *curve, *(self._row(field) for field in group.fields)]

    def _rows_changed(self) -> None:
        """Put rows that were made into the tab order, and sum them up."""
        body = self.rows.parentWidget()
        if body is not None:
            follow_in_tab_order(self.only, body)
        self._show_facts()

    def _apply_filter(self) -> None:
        """Show the settings that match the filter, or that differ, or all."""
        typed, only = self.filter.text().strip(), self.only.isChecked()
        passing: set[str] | None = None
        cards = set(CARDS)
        if typed or only:
            differing = {f"{field}.{path}" for field, form in self._forms() for path in form.differing()}
            nested = {field: list(form.nested()) for field, form in self._forms()}
            passing = shown_fields(self._outline, nested, typed, differing if only else None)
            passing |= {
                field.path
                for field in self._numbers
                if matches(typed, field.path, field.setting) and (not only or field.path in differing)
            }
            cards = {field for field in TITLES if self._card_passes(field, typed, only=only)}
        for field, form in self._forms():
            names = None if passing is None else [path.removeprefix(f"{field}.") for path in passing]
            form.show_only(names)
        for field in TITLES:
            self._section(field).setVisible(passing is None or field in cards)
        self.presets.setVisible(passing is None)
        idle = {f"{field}.{name}" for field, form in self._forms() for name in form.without_effect()}
        available = {
            group.key for group in self._outline if group.choice or any(one.path not in idle for one in group.fields)
        }
        if passing is None:
            self.groups.show_groups(available, None)
        else:
            keys = {
                group.key
                for group in self._outline
                if group.choice in cards or any(field.path in passing for field in group.fields)
            }
            self.groups.show_groups(available, keys)
        self._nothing.setVisible(passing is not None and not (passing or cards))

    def _card_passes(self, field: str, typed: str, *, only: bool) -> bool:
        section = self._section(field)
        text = f"{tr_registered(TITLES[field])} {field} {self._card_title(field)}".lower()
        return all(word in text for word in typed.lower().split()) and (section.differs or not only)

    def _show_facts(self) -> None:
        """Show the summary and the number of differences of every heading and group."""
        facts: dict[str, tuple[str, int]] = {}
        counts = dict.fromkeys((DATA, MODEL, TRAINING), 0)
        values = {field: form.values() for field, form in self._forms()}
        idle = {field: form.without_effect() for field, form in self._forms()}
        differing = [f"{field}.{path}" for field, form in self._forms() for path in form.differing()]
        for group in self._outline:
            count = sum(f"{path}.".startswith(f"{field.path}.") for path in differing for field in group.fields)
            count += bool(group.choice and self._section(group.choice).differs)
            counts[group.heading] += count
            fields = [one for one in group.fields if one.setting.name not in idle[one.section]]
            of_group = {one.setting.name: values[one.section].get(one.setting.name) for one in fields}
            first = self._card_title(group.choice) if group.choice else ""
            settings = [one.setting for one in fields]
            if group.is_nested and fields and fields[0].setting.config is not None:
                of_group = dict(of_group[fields[0].setting.name] or {})
                without = without_effect(fields[0].setting.config, of_group)
                settings = [one for one in translated(fields[0].setting.config) if one.name not in without]
            facts[group.key] = summary(settings, of_group, first, Wording(counted, inside)), count
        model = [one for one in self._settings_of("architecture") if one.name not in idle.get("architecture", ())]
        titles = ("objective",) if self._counts else ("training.optimizer", "training.schedule")
        summaries = {
            DATA: ", ".join(text for key, (text, _) in facts.items() if key.startswith(DATA) and text),
            MODEL: summary(model, values.get("architecture", {}), wording=Wording(counted, inside)),
            TRAINING: ", ".join([self._card_title(titles[0]), *(inside(self._card_title(one)) for one in titles[1:])]),
        }
        facts |= {heading: (summaries[heading], counts[heading]) for heading in counts}
        self.groups.show_facts(facts)
        self._show_curve()

    def _show_curve(self) -> None:
        """Draw the learning rate over the steps, if the group of the schedule is open."""
        group = self.groups.groups.get(f"{TRAINING}/Schedule")
        if group is None or not group.is_open:
            return
        try:
            schedule, optimizer = self._draft.card("training.schedule"), self._draft.card("training.optimizer")
            steps = self._draft.recipe.training.steps
            rates = sampled(schedule.make(steps), steps, float(optimizer.config.learning_rate)) if steps else []
        except (LabError, AttributeError, TypeError, ValueError):  # a plugin's code; a start reports it
            rates, steps = [], 0
        self._curve.show_rates(rates, steps)

    def _offer_presets(self) -> None:
        card = self._plugins.cards("architectures").get(self._draft.recipe.architecture.name)
        presets = tuple(card.presets) if card is not None else ()
        sizes = card.sizes.get(self._draft.origin, ()) if card is not None else ()
        title = tr_registered(card.title) if card is not None else self._draft.recipe.architecture.name
        settings = self._draft.card("architecture").config.stored() if sizes else {}
        self.presets.offer(self._draft.origin, title, presets, sizes, settings, self._draft.baselines())

    def _count(self) -> None:
        if not hasattr(self, "start_button"):
            return
        changes = self._draft.changes()
        branch_point = self._draft.branch_point
        title = tr("Start new run") if branch_point is None else tr("Start branch")
        if changes:
            how_many = tr_n("1 change", "{n} changes", len(changes))
            title = tr("{what} ({changes})", what=title, changes=how_many)
        self.branch.show_text("" if branch_point is None else _branch_label(branch_point))
        self.schedule.show_text(*_edits_label(self._draft.recipe.training.edits))
        self.start_button.set_face(title, "start", self._start_hint(list(changes)))
        reported = None if self._reported is None else self._reported[1]
        self._show_at_foot(next(iter(self.problems.values()), reported))

    def _start_hint(self, changes: Sequence[str]) -> str:
        """Return what a start does: on which text, with which changes, and what it waits for."""
        what = tr("no changes")
        if changes:
            counted, paths = tr_n("1 change", "{n} changes", len(changes)), ", ".join(changes)
            what = tr("{count} ({paths})", count=counted, paths=paths)
        lines = [
            tr("Trains on {corpus}.", corpus=corpus_name(self._draft)),
            tr("Compared with {name}: {what}.", name=origin_label(self._draft.base_name), what=what),
        ]
        if self._wait:
            lines.append(tr("It waits until {run} has finished.", run=self._wait))
        return "\n".join(lines)

    def show_wait(self, run: str) -> None:
        """Say what the next run waits for.

        Args:
            run: The name of the run that has to finish first; "" for none.
        """
        if run != self._wait:
            self._wait = run
            self._count()

    # ---------------------------------------------------------------------------------------------------------- parts

    def _section(self, field: str) -> CardSection:
        section = self._sections[field]
        assert isinstance(section, CardSection)
        return section

    def _forms(self) -> Iterator[tuple[str, Form]]:
        """Yield the forms of all parts of the recipe, by path."""
        for field, section in self._sections.items():
            form = section.form if isinstance(section, CardSection) else section
            if form is not None:
                yield field, form

    def _settings_of(self, field: str) -> tuple[Setting, ...]:
        return next((form.settings() for name, form in self._forms() if name == field), ())

    def _row(self, field: Field) -> QWidget:
        return next(form for name, form in self._forms() if name == field.section).row(field.setting.name)

    def _card_title(self, field: str) -> str:
        try:
            return tr_registered(self._draft.card(field).card.title)
        except LabError:
            return ""

    def _is_counting(self) -> bool:
        card = self._plugins.cards("architectures").get(self._draft.recipe.architecture.name)
        return card is not None and card.learns == "counting"

    def _open_group_of(self, path: str) -> None:
        """Open the group that holds a setting, or the choice of a card; a filter that hides it ends."""
        if self.filter.text() or self.only.isChecked():
            self.filter.clear()
            self.only.setChecked(False)
            self._apply_filter()
        for group in self._outline:
            if group.choice == path or any(field.path == path for field in group.fields):
                self.groups.open(group.key)

    def _want(self, name: str) -> None:
        field = next(name for name, section in self._sections.items() if section is self.sender())
        self._open_group_of(f"{field}.{name}")

    # -------------------------------------------------------------------------------------------------------- problems

    @property
    def problems(self) -> dict[str, Problem]:
        """The problems of invalid settings, by path."""
        problems: dict[str, Problem] = {}
        for _, form in self._forms():
            problems |= form.problems
        return problems

    def show_problem(self, problem: Problem) -> None:
        """Show a problem of the engine at its field and above the button, until the draft changes."""
        self.forget_problem()
        self._reported = self._draft.recipe, problem
        self._show_at_field(problem.field or "", problem)
        self._show_at_foot(problem)

    def forget_problem(self) -> None:
        """Remove the problem that the engine reported for the draft."""
        if self._reported is not None:
            self._show_at_field(self._reported[1].field or "", None)
            self._reported = None
            self._count()

    def _show_at_foot(self, problem: Problem | None) -> None:
        self._problem.setText("" if problem is None else problem.line())
        self._problem.setVisible(problem is not None)

    def _show_at_field(self, path: str, problem: Problem | None) -> None:
        for field, section in self._sections.items():
            inside = path.startswith(f"{field}.") and not isinstance(section, CardSection)
            if inside and section.show_problem(path.removeprefix(f"{field}."), problem):
                return
            if isinstance(section, CardSection) and section.show_problem(path, problem):
                return

    def has_field(self, path: str) -> bool:
        """Return True if the form has the field of a path."""
        return path in self._sections or any(path == field for field, _ in self.settings())

    def reveal(self, path: str) -> None:
        """Open the groups above a field, scroll to it and give it the focus."""
        for field, section in sorted(self._sections.items(), key=lambda item: -len(item[0])):
            if isinstance(section, CardSection) and path in (field, f"{field}.name"):
                self._open_group_of(field)
                section.select()
                return
            form = section.form if isinstance(section, CardSection) else section
            if path.startswith(f"{field}.") and form is not None:
                form.reveal(path.removeprefix(f"{field}."))
                return

    def settings(self) -> list[tuple[str, str]]:
        """Return (path, title) of every setting of the draft, for the palette."""
        return [
            (f"{field}.{setting.name}", setting.title)
            for field, form in self._forms()
            for setting in form.nested()
            if setting.kind != "group" or setting.optional
        ]

    def ask_before(self, start: Callable[[], object]) -> None:
        """Call `start`, after a question if the run would not fit this machine."""
        reasons = [limit_label(limit) for limit in self.costs.limits if limit.asks]
        if not reasons:
            start()
            return
        if self._question is None:
            self._question = StartQuestion(self.window())
        self._question.ask("\n".join(reasons), start)

    # ---------------------------------------------------------------------------------------------------------- edits

    def _edited_plain(self, path: str, value: object) -> None:
        sender = self.sender()
        field = next(name for name, section in self._sections.items() if section is sender)
        self._edited(f"{field}.{path}", value)

    def _edited(self, path: str, value: object) -> None:
        problem = self._draft.edit(path, value)
        if problem is not None:
            self.show_problem(problem)
            self._later.start()  # the choice of a card shows the draft's again

    def _remove_edits(self) -> None:
        self._edited("training.edits", None)

    def _take_preset(self, name: str) -> None:
        if name == QUICK_START:
            problem = self._draft.take(quick_start(), name)
        else:
            card = self._plugins.card("architectures", self._draft.recipe.architecture.name)
            preset: Mapping[str, Any] = card.presets[name]
            problem = self._draft.take_preset(name, preset)
        if problem is not None:
            self.show_problem(problem)

    def _take_size(self, settings: Mapping[str, Any]) -> None:
        problem = self._draft.apply({"architecture": settings})
        if problem is not None:
            self.show_problem(problem)

    def _take_baseline(self, name: str) -> None:
        problem = self._draft.take_baseline(name)
        if problem is not None:
            self.show_problem(problem)

    def _focus(self, setting: Setting | None) -> None:
        self.help.show_setting(setting)

    def _describe(self, sentence: str, facts: str) -> None:
        self.help.show_text(sentence, facts)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the help strip the height that leaves enough for the form."""
        super().resizeEvent(event)
        self.help.setVisible(self.height() >= LOW)
        self.help.set_least(STRIP if self.height() >= FULL else LOW_STRIP)


class _FilterField(QLineEdit):
    """The field of the filter; Esc clears it."""

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText(tr("Filter"))
        self.setAccessibleName(tr("Filter the settings by name, path or description"))
        self.setToolTip(tr("Filter the settings by name, path or description"))
        self.setClearButtonEnabled(True)
        self.setMaxLength(80)
        self.setProperty("role", "small")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clear the field with Esc."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class _Inherited(QWidget):
    """A line that describes what the next run inherits from another one, with a button that removes it.

    Args:
        hint: Tool tip of the button.
        remove: Removes the inheritance from the draft.
    """

    def __init__(self, hint: str, remove: Callable[[], object]) -> None:
        super().__init__()
        self.text = label("", "note")
        self.text.setWordWrap(True)
        self.remove = Button(hint=hint, icon_name="close")
        self.remove.clicked.connect(remove)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.text, 1)
        row.addWidget(self.remove, 0, Qt.AlignmentFlag.AlignTop)

    def show_text(self, text: str, tip: str = "") -> None:
        """Show another text; "" hides the line."""
        self.text.setText(text)
        self.text.setToolTip(plain_tip(tip) if tip else "")
        self.setVisible(bool(text))


def _branch_label(branch_point: BranchPoint) -> str:
    return tr("Branch from {run} at step {step}", run=branch_point.name, step=number_text(branch_point.step))


def _edits_label(edits: Sequence[Edit]) -> tuple[str, str]:
    """Return a text with the number of scheduled edits, and a list of them."""
    if not edits:
        return "", ""
    first, count = number_text(edits[0].step), len(edits)
    text = tr_n("1 scheduled edit at step {first}", "{n} scheduled edits from step {first}", count, first=first)
    lines = [
        tr("step {step}: {path} = {value}", step=number_text(edit.step), path=edit.path, value=edit.value)
        for edit in edits[:LISTED]
    ]
    return text, "\n".join([*lines, *(["…"] if count > LISTED else [])])

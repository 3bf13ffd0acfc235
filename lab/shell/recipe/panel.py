"""The configuration: the form of the draft, the costs of a run, and the button that starts it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget
from shiboken6 import isValid

from lab.base.problems import Problem
from lab.host import Plugins
from lab.recipes import Recipe
from lab.shell.recipe.card_section import NAME
from lab.shell.recipe.costs import Costs, limit_label
from lab.shell.recipe.facts import Part, facts_of
from lab.shell.recipe.filtering import Filter, Passing, passing
from lab.shell.recipe.groups_view import GroupsView
from lab.shell.recipe.inherited import InheritedLine
from lab.shell.recipe.limits import Limit, RunCost, limits_of
from lab.shell.recipe.outline import CARDS, NUMBERS, TRAINING, Field, GroupOutline, basic_numbers, outline
from lab.shell.recipe.preset_menu import PresetMenu
from lab.shell.recipe.schedule.editor import ScheduleEditor, rate_plan
from lab.shell.recipe.sections import Sections
from lab.shell.recipe.start_question import StartQuestion
from lab.shell.recipe.summaries import Wording
from lab.shell.runtime.background import Background
from lab.shell.session.corpus.labels import corpus_name
from lab.shell.session.draft import Draft, origin_label
from lab.widgets.core.controls import Button, follow_in_tab_order, label, widgets_in
from lab.widgets.core.i18n import counted, inside, tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.widgets.core.search_field import SearchField
from lab.widgets.core.side_panel import SidePanel
from lab.widgets.forms.form import HelpStrip
from lab.widgets.forms.translated import translated

PRESET = "preset"
"""The key of the row of presets among the choices that a filter shows."""
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
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._refresh_if_shown)
        self._rows_marked: list[QWidget] = []
        self._scrolling = QTimer(self, singleShot=True, interval=0)
        self._scrolling.timeout.connect(self._scroll_to_marked)
        self._is_stale = True
        self._spare = QWidget(self)  # the parent of rows that stand nowhere now
        self._spare.hide()
        self._make_head()
        self._counts = False
        self._wait = ""  # the run that has to finish first
        hint = tr("Show the corpus, its statistics and tokens (Ctrl+Shift+T)")
        self.show_corpus = Button(hint=hint, icon_name="eye")
        self.sections = self._make_sections()
        self.presets = PresetMenu(NAME, draft, plugins)
        self.presets.refused.connect(self.show_problem)
        self.schedule_editor = ScheduleEditor(draft)
        self.schedule_editor.setParent(self._spare)
        self._slots = {path: QVBoxLayout() for path in NUMBERS}
        self.groups = GroupsView(self._fill_group, background)
        self.groups.filled.connect(self._rows_changed)
        self._lay_out()
        self._make_foot(start)
        draft.changed.connect(self._draft_changed)

    def _make_head(self) -> None:
        hint = tr("Filter the settings by name, path or description")
        self.filter = SearchField(tr("Filter"), hint)
        self.filter.setToolTip(hint)
        self.filter.setMaxLength(80)
        self.filter.textChanged.connect(self._filter_changed)
        self.only = Button(hint=tr("Show only what differs"), icon_name="filter")
        self.only.setCheckable(True)
        self.only.toggled.connect(self._filter_changed)
        self.head.addWidget(self.filter, 1)
        self.head.addWidget(self.only)

    def _make_sections(self) -> Sections:
        sections = Sections(self._draft, self._plugins, self.show_corpus, self, self._spare)
        sections.edited.connect(self._edited)
        sections.wanted.connect(self._open_group_of)
        sections.form_changed.connect(self._forms_changed)
        sections.invalid.connect(self._show_first_problem)
        return sections

    def _lay_out(self) -> None:
        self.rows.setSpacing(0)
        for field in CARDS:
            self.rows.addWidget(self.sections.choices[field])
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
        self.sections.focused.connect(self.help.show_setting)
        self.sections.described.connect(self.help.show_text)
        self.costs = Costs()
        self.find_button = Button(tr("Find settings…"), hint=tr("Try learning rates, batch sizes and more on a copy"))
        self.costs.tools.addWidget(self.find_button)
        self.costs.computed.connect(self._show_curve)
        self.costs.hints.taken.connect(self._draft.edit)
        self.costs.hints.revealed.connect(self.reveal)
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self.start_button = Button(tr("Start new run"), role="primary", icon_name="start")
        self.start_button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.start_button.clicked.connect(start)
        self.note = label("", "note")
        self.note.setWordWrap(True)
        self.note.hide()
        self.branch = InheritedLine(tr("Start with new weights instead"), self._draft.clear_branch_point)
        self.schedule = InheritedLine(tr("Start without these edits"), self._remove_edits)
        for widget in (self.help, self.costs, self._problem, self.note, self.branch, self.schedule, self.start_button):
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
        for _ in self.refresh_gradually():
            pass

    def refresh_gradually(self) -> Iterator[None]:
        """Show the current draft, in two pieces."""
        self._is_stale = False
        if self._reported is not None and self._reported[0] != self._draft.recipe:
            self.forget_problem()
        self.sections.refresh()
        self._show_outline()
        self.presets.refresh()
        yield
        self._apply_filter()
        self._show_facts()
        self._show_changes()
        self._show_first_problem()

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
        settings = {field: form.settings() for field, form in self.sections.forms().items()}
        titles = {"architecture": self.sections.card_title("architecture")}
        self._outline = outline(settings, titles, counts=counts)
        self._numbers = list(basic_numbers(settings, counts=counts))
        rows = {field.path: self.sections.row(field) for field in self._numbers}
        for path, slot in self._slots.items():
            old, new = next(iter(widgets_in(slot)), None), rows.get(path)
            if old is not None and old is not new:
                slot.removeWidget(old)
                old.setParent(self._spare)
            if new is not None and old is not new:
                slot.addWidget(new)
        self.groups.show_outline(self._outline)

    def _fill_group(self, group: GroupOutline) -> list[QWidget]:
        """Return the rows of a group that is opened."""
        choice: list[QWidget] = [self.sections.choices[group.choice]] if group.choice else []
        curve: list[QWidget] = [self.schedule_editor] if group.choice == "training.schedule" else []
        forms = self.sections.forms()
        names: dict[str, list[str]] = {}
        for field in group.fields:
            names.setdefault(field.section, []).append(field.setting.name)
        for section, wanted in names.items():
            forms[section].make_rows(wanted)
        return [*choice, *curve, *(self.sections.row(field) for field in group.fields)]

    def _rows_changed(self) -> None:
        """Put rows that were made into the tab order, and sum them up."""
        body = self.rows.parentWidget()
        if body is not None:
            follow_in_tab_order(self.only, body)
        self._show_facts()

    def _apply_filter(self) -> None:
        """Show the settings that match the filter, or that differ, or all."""
        found, forms = self._passing(), self.sections.forms()
        for field, form in forms.items():
            form.show_only(None if found is None else [path.removeprefix(f"{field}.") for path in found.fields])
        for field, choice in self.sections.choices.items():
            choice.setVisible(found is None or field in found.choices)
        self.presets.setVisible(found is None or PRESET in found.choices)
        idle = {f"{field}.{name}" for field, form in forms.items() for name in form.without_effect()}
        available = {
            group.key for group in self._outline if group.choice or any(one.path not in idle for one in group.fields)
        }
        self.groups.show_groups(available, None if found is None else found.groups)
        self._nothing.setVisible(found is not None and not (found.fields or found.choices))

    def _passing(self) -> Passing | None:
        """Return what passes the filter; None if it is empty."""
        typed, only = self.filter.text().strip(), self.only.isChecked()
        if not (typed or only):
            return None
        limit = Filter(typed, set(self.sections.differing()) if only else None)
        nested = {field: list(form.nested()) for field, form in self.sections.forms().items()}
        choices = self.sections.titles() | {PRESET: self.presets.search_text()}
        return passing(limit, self._outline, self._numbers, nested, choices)

    def _show_facts(self) -> None:
        """Show the summary and the number of differences of every heading and group."""
        parts = {
            field: Part(form.settings(), form.values(), form.without_effect())
            for field, form in self.sections.forms().items()
        }
        titles = {field: self.sections.card_title(field) for field in self.sections.choices}
        wording = Wording(counted, inside, translated)
        self.groups.show_facts(facts_of(self._outline, parts, titles, self.sections.differing(), wording))
        self._show_curve()

    def _show_curve(self) -> None:
        """Draw the learning rate over the steps, if the group of the schedule is open."""
        group = self.groups.groups.get(f"{TRAINING}/Schedule")
        if group is None or not group.is_open:
            return
        steps = self.costs.steps if self._draft.recipe.training.budget else None
        self.schedule_editor.show_plan(rate_plan(self._draft, steps))

    def _show_changes(self) -> None:
        """Show on the button how many changes the user made, and above it what the next run inherits."""
        changes = self._draft.edited()
        branch_point = self._draft.branch_point
        title = tr("Start new run") if branch_point is None else tr("Start branch")
        if changes:
            how_many = tr_n("1 change", "{n} changes", len(changes))
            title = tr("{what} ({changes})", what=title, changes=how_many)
        self.note.setText(self._draft.note)
        self.note.setVisible(bool(self._draft.note))
        self.branch.show_branch_point(branch_point)
        self.schedule.show_edits(self._draft.recipe.training.edits)
        self.start_button.set_face(title, "start", self._start_hint(changes))

    def _start_hint(self, changes: Sequence[str]) -> str:
        """Return what a start does: on which text, with which changes, and behind which run it is queued."""
        draft = self._draft
        lines = [
            tr("Trains on {corpus}.", corpus=corpus_name(draft)),
            self._comparison(draft.original_name, changes),
        ]
        if draft.base is not draft.original:  # the run with which the dots compare
            lines.append(self._comparison(draft.base_name, self.sections.differing()))
        if self._wait:
            lines.append(tr("It is queued behind {run}.", run=self._wait))
        return "\n".join(lines)

    def _comparison(self, name: str, paths: Sequence[str]) -> str:
        """Return how the draft compares with a recipe or run from which the settings of these paths differ."""
        what = tr("no changes")
        if paths:
            count, titles = tr_n("1 change", "{n} changes", len(paths)), ", ".join(self.sections.titles_of(paths))
            what = tr("{count} ({titles})", count=count, titles=titles)
        return tr("Compared with {name}: {what}.", name=origin_label(name), what=what)

    def show_wait(self, run: str) -> None:
        """Say behind which run the next one is queued.

        Args:
            run: The name of the run that has to finish first; "" for none.
        """
        if run != self._wait:
            self._wait = run
            self._show_changes()

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

    # -------------------------------------------------------------------------------------------------------- problems

    def show_problem(self, problem: Problem) -> None:
        """Show a problem of the engine at its field and above the button, until the draft changes."""
        self.forget_problem()
        self._reported = self._draft.recipe, problem
        self.sections.show_problem(problem.field or "", problem)
        self._show_at_foot(problem)

    def forget_problem(self) -> None:
        """Remove the problem that the engine reported for the draft."""
        if self._reported is not None:
            self.sections.show_problem(self._reported[1].field or "", None)
            self._reported = None
            self._show_first_problem()

    def _show_first_problem(self) -> None:
        """Show the problem of an entry above the button, or that of the engine."""
        reported = None if self._reported is None else self._reported[1]
        self._show_at_foot(next(iter(self.sections.problems.values()), reported))

    def _show_at_foot(self, problem: Problem | None) -> None:
        self._problem.setText("" if problem is None else problem_line(problem))
        self._problem.setVisible(problem is not None)

    def reveal(self, path: str) -> None:
        """Open the groups above a field, scroll to it and give it the focus."""
        self.sections.reveal(path)

    def mark(self, paths: Collection[str]) -> None:
        """Mark settings, open their groups until they are no longer marked, and scroll to the first of them.

        Args:
            paths: Their paths in the recipe; none removes all marks.
        """
        if self._is_stale and paths:
            self.refresh()
        self.groups.open_while_marked(
            {group.key for group in self._outline if any(_holds(group, path) for path in paths)}
        )
        self._rows_marked = self.sections.mark(paths)
        self._scrolling.start()

    def _scroll_to_marked(self) -> None:
        """Scroll to the first marked row, once the rows that were made now have their positions."""
        seen = [row for row in self._rows_marked if isValid(row) and row.isVisible()]
        if seen:
            self.scroll_to(min(seen, key=lambda row: row.mapTo(self, QPoint(0, 0)).y()))

    def show_checking(self, checking: bool) -> None:
        """Say on the button that a start waits for the cost of the run, or what it starts."""
        self.start_button.setEnabled(not checking)
        if checking:
            self.start_button.set_face(tr("Computing its cost…"), "start", tr("It starts as soon as that is known"))
        else:
            self._show_changes()

    def ask_before(self, start: Callable[[], object]) -> None:
        """Call `start`, after a question if the run would not fit this machine."""
        self._ask(self.costs.limits, start)

    def ask_about(self, cost: RunCost, start: Callable[[], object]) -> None:
        """Call `start`, after a question if a run of this cost would not fit this machine."""
        self._ask(limits_of(cost), start)

    def _ask(self, limits: Sequence[Limit], start: Callable[[], object]) -> None:
        reasons = [limit_label(limit) for limit in limits if limit.asks]
        if not reasons:
            start()
            return
        if self._question is None:
            self._question = StartQuestion(self.window())
        self._question.ask("\n".join(reasons), start)

    # ---------------------------------------------------------------------------------------------------------- edits

    def _edited(self, path: str, value: object) -> None:
        problem = self._draft.edit(path, value)
        if problem is not None:
            self.show_problem(problem)
            self._later.start()  # the choice of a card shows the draft's again

    def _remove_edits(self) -> None:
        self._edited("training.edits", None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the help strip the height that leaves enough for the form."""
        super().resizeEvent(event)
        self.help.set_wanted(self.height() >= LOW)
        self.help.set_least(STRIP if self.height() >= FULL else LOW_STRIP)


def _holds(group: GroupOutline, path: str) -> bool:
    """Return True if a group holds the row of a setting, also inside a nested config, or the choice of a card."""
    rows = [field.path for field in group.fields]
    return path == f"{group.choice}.name" or any(f"{path}.".startswith(f"{row}.") for row in rows)

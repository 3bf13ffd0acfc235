"""The page Inspect: the inside of a model on a text, now or at a recorded step, in cards."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.base.notices import Notice
from lab.base.problems import LabError, Problem
from lab.host import Plugins
from lab.shell.actions.entry import Entry as PaletteEntry
from lab.shell.actions.entry import Kind
from lab.shell.inspect.ablation.measurement import Ablations
from lab.shell.inspect.cards import InspectCards
from lab.shell.inspect.comparison import INFLUENCE, Comparison
from lab.shell.inspect.explanations import COMBINED, explanation_of
from lab.shell.inspect.film import FilmExport
from lab.shell.inspect.gallery.collect import sentences_of
from lab.shell.inspect.gallery.entries import QUESTIONS, Entry, answered
from lab.shell.inspect.gallery.labels import question_label
from lab.shell.inspect.gallery.question_bar import QuestionBar
from lab.shell.inspect.inspection_view import MAPS, InspectionView, importance, title_of_card, view_of
from lab.shell.inspect.lengths_card import Lengths
from lab.shell.inspect.model import InspectModel, Request, Result, State
from lab.shell.inspect.offers import AT_FIRST, Offers
from lab.shell.inspect.panel import InspectPanel
from lab.shell.inspect.probes import inspect_model, offered
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider, model_name
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.snapshots import Snapshots
from lab.widgets.core.card import Card
from lab.widgets.core.i18n import number_text, tr, tr_registered
from lab.widgets.core.messages import problem_line
from lab.widgets.core.splitter import Splitter
from lab.workbench.access.inspection import Inspection
from lab.workbench.access.model_access import ModelAccess
from lab.workbench.access.text_use import TextUse
from lab.workbench.analysis.snapshots import widened

REFRESH = 500
"""Milliseconds between two checks of whether to inspect the model again."""
STAGE = 150
"""Milliseconds between two updates of what is being read."""
AFTER_EDIT = 500
"""Milliseconds without an edit of the draft after which its untrained model is inspected."""


class InspectPlace(QWidget):
    """The cards of Inspect. Its state is in `model`; this starts the work and shows its results.

    Args:
        registry: The runs.
        model_provider: Provides the model.
        background: Brings work off the main thread.
        plugins: Where plugins' own views are found.
    """

    arranged = Signal()
    """Cards were made or moved."""
    part_requested = Signal(str)
    """The user wants to see a part of the model in its drawing, as `lab.api.Explanation.parts` names it."""
    equations_requested = Signal(object)
    """The user wants to see the equations of the first of some parts that has any; their names."""

    def __init__(
        self, registry: RunRegistry, model_provider: ModelProvider, background: Background, plugins: Plugins
    ) -> None:
        super().__init__()
        self._registry, self._model_provider = registry, model_provider
        self._background, self._plugins = background, plugins
        self.model = InspectModel()
        self.panel = InspectPanel(self.model)
        self.snapshots = Snapshots(background, self)
        self.comparison = Comparison(self.model.comparison, registry, background, plugins, self)
        self._lengths = Lengths(registry, background, plugins, self)
        self._offers = Offers(self.model, self.snapshots, self._lengths, plugins)
        self._ablations = Ablations(registry, model_provider, background, plugins, self)
        self.all = InspectCards(plugins, self._lengths, self._ablations, model_provider, background)
        self._film = FilmExport(self, registry, background, self.panel.timeline, lambda: self.all.subject)
        self.splitters: dict[str, Splitter] = {"inspect": self.all}
        self.questions = QuestionBar()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.questions)
        layout.addWidget(self.all, 1)
        self._timer = QTimer(self, interval=REFRESH)
        self._timer.timeout.connect(self._refresh)
        self._edited = QTimer(self, singleShot=True, interval=AFTER_EDIT)
        self._edited.timeout.connect(self._follow_draft)
        self._stages = QTimer(self, interval=STAGE)
        self._stages.timeout.connect(self._show_stage)
        model_provider.draft.changed.connect(self._draft_changed)
        self.panel.step_selected.connect(self._select_step)
        self.panel.pin_clicked.connect(self._toggle_pin)
        self.panel.comparison_selected.connect(self._compare)
        self.comparison.changed.connect(self._show_comparison)
        self.snapshots.list_changed.connect(self._offer_steps)
        self.snapshots.loaded.connect(self._show_loaded)
        self.panel.text_submitted.connect(self.ask)
        self.panel.block_selected.connect(self._show_cards)
        self.panel.readings_selected.connect(self._switch_readings)
        self.panel.gallery.switched.connect(self._switch)
        self.panel.restored.connect(self._show_view)
        self.questions.selected.connect(self._select_view)
        registry.selection_changed.connect(self._select_run)
        registry.list_changed.connect(self._offer_runs)
        registry.ended.connect(self._run_ended)
        self._lengths.changed.connect(self._offer_readings)
        self.all.below.wrapped.connect(self.arranged)
        self.all.enlarged.connect(self.arranged)
        self.all.block_picked.connect(self.panel.select_block)
        self.all.part_requested.connect(self.part_requested)
        self.all.equations_requested.connect(self.equations_requested)
        self._ablations.now_requested.connect(self.panel.timeline.now.click)
        self._show_nothing()

    def begin(self) -> None:
        """Note that models can be used now."""
        self.model.start()
        self._show_nothing()
        if self.isVisible():
            self.ask()

    def close_down(self) -> None:
        """Inspect nothing any more."""
        self.model.close()
        self.snapshots.close_down()
        self.comparison.close_down()
        self._ablations.close()
        self._timer.stop()
        self._stages.stop()
        self._edited.stop()

    def entries(self) -> list[PaletteEntry]:
        """Return an entry of the palette for each question, and for each reading and probe; Inspect must be open.

        Its terms are the sentences of its explanation, and the names of the quantities that it has.
        """
        found: dict[str, tuple[str, str, Callable[[], object]]] = {
            f"question {view}": (question_label(view), "", partial(self._select_view, view)) for view in QUESTIONS
        }
        for key in COMBINED:
            terms = sentences_of(explanation_of(key, "", self._plugins))
            found[f"reading {key[0]}"] = title_of_card(key), terms, partial(self.panel.want_readings, [key])
        if not self.model.probes.offers:  # nothing was inspected yet
            self._offer_probes(self._registry.selected)
        for entry in self._offers.entries():
            terms = ". ".join([*self._offers.quantities_of(entry), entry.sentences])
            found[f"reading {' '.join(entry.identity)}"] = entry.title, terms, partial(self._switch, entry, True)
        where = tr("Inspect")
        return [
            PaletteEntry(f"inspect {key}", title, where, show, terms, Kind.PLACE)
            for key, (title, terms, show) in found.items()
        ]

    def on_notice(self, notice: Notice) -> None:
        """Show an uncaught error in the card of the view that raised it."""
        if notice.level == "error":
            self.all.on_uncaught(notice.problem)

    # -------------------------------------------------------------------------------------------------------- requests

    def showEvent(self, event: Any) -> None:
        """Start inspecting."""
        super().showEvent(event)
        self._timer.start()
        self._find_snapshots()
        self.ask()

    def hideEvent(self, event: Any) -> None:
        """Stop inspecting while it is hidden."""
        super().hideEvent(event)
        self._timer.stop()
        self._stages.stop()
        self._edited.stop()
        self.panel.timeline.stop()

    def ask(self) -> None:
        """Show the snapshot of the selected step if there is one, else inspect the model on the probe text."""
        model = self.model
        self._model_provider.choose("inspect", untrained=model.is_untrained)
        if not model.is_ready:
            if model.state is State.NOT_READY:
                self.all.show_message(tr("The model is inspected as soon as torch is loaded."))
            return
        if not self.isVisible():
            return
        self._ablations.follow(model.step if model.is_recorded else None)
        if model.is_recorded:
            self._show_snapshot()
            return
        subject, run = self._model_provider.current("inspect")
        if not self._can_read(subject):
            return
        title = tr("Inspecting {name}", name=self._model_provider.name("inspect"))
        is_other = not model.is_source(subject if run is None else run)
        self._offer_probes(run)
        self._show_gallery()
        on, spare = model.probes.on, model.probes.spare
        if model.comparison.run is not None and INFLUENCE not in on:
            on = [*on, INFLUENCE]
        enough = AT_FIRST - (run is not None)  # a run has its sample
        request = model.request(subject, run, time.perf_counter(), probes=on, spare=spare, enough=enough)
        if is_other:
            self._show_stage()
            self._stages.start()
        taken, failed = partial(self._take, request), partial(self._fail, request)
        self._background.run(title, partial(inspect_model, request), taken, failed, replaces="inspect")
        self._show_newest()

    def _can_read(self, access: ModelAccess) -> bool:
        """Show what the model reads; return False if that is no text, so that there is nothing to inspect it on."""
        try:
            use = access.text_use
        except LabError:  # of a plugin that is missing, which the inspection reports
            return True
        self.panel.show_use(use)
        self.model.reads_rows = use.is_of_rows
        reasons = {
            TextUse.CAPTIONS: tr("This model writes captions of images. Readings need a text that a model reads."),
        }
        if use in reasons:
            self.model.refuse_kind()
            self._show_gallery()
            self._arrange()
            self.all.show_message(reasons[use])
        return use not in reasons

    def _offer_probes(self, run: RunModel | None) -> None:
        """Offer the probes for the model of a run, or of the draft."""
        recipe = (run or self._model_provider.draft).recipe
        self.model.probes.offer(offered(self._plugins, recipe, tr_registered), recipe.architecture.name)

    def _show_stage(self) -> None:
        """Show what is being read of a model until something of it is shown."""
        request = self.model.last_request
        if self.model.state is not State.LOADING or request is None:
            self._stages.stop()
            return
        stages, probes = request.stages, self._plugins.cards("probes")
        number = len(stages)
        if number > 1 and stages[-1] in probes:
            doing = tr("probe {n}: {title}", n=number - 1, title=tr_registered(probes[stages[-1]].title))
        else:
            doing = tr("reading the model and what it reports on the probe text")
        title = tr("Inspecting {name}", name=self._model_provider.name("inspect"))
        self.all.show_message(f"{title} …\n{doing}")

    def _show_newest(self) -> None:
        """Show the newest snapshot of the run until its model has been inspected, or inspected again."""
        found = self.snapshots.at(self.snapshots.steps[-1]) if self.snapshots.steps else None
        if isinstance(found, Inspection) and (self.model.lacks_now() or self.model.is_newer(self._view_of(found))):
            self._show(found)
        self._show_step()

    def _show_step(self) -> None:
        """Show the step of what is shown as now, and how far the run is ahead of it."""
        if self.model.shown is not None and self.model.step is None and self.model.is_of_run:
            self.panel.show_step(self.model.shown.inspection.step)

    def _try_again(self) -> None:
        """Inspect the model again after a problem."""
        self.model.forget_source()
        self.ask()

    def _refresh(self) -> None:
        """Inspect the model again while it trains, rarely enough not to slow it down."""
        self.comparison.refresh()
        self._show_step()
        run = self._registry.selected
        if run is None or not run.works:
            return
        now = time.perf_counter()
        if self.model.is_search_due(now):
            self._find_snapshots()
        if self.model.is_due(now):
            self.ask()

    def _draft_changed(self) -> None:
        if self._registry.selected is None and self.isVisible():
            self._edited.start()

    def _follow_draft(self) -> None:
        if self._registry.selected is None and not self.model.is_source(self._model_provider.current("inspect")[0]):
            self.ask()

    def _run_ended(self, run: RunModel) -> None:
        """Inspect what was saved at the end of the training."""
        if run is self._registry.selected:
            self._find_snapshots()
            if self.model.step is None:
                self.ask()

    def _select_run(self) -> None:
        run = self._registry.selected
        if not self.model.select_run(run):  # only other curves are shown
            return
        if self.model.comparison.run is None or self.model.comparison.run is run:
            self.comparison.pin(None)
        self.panel.timeline.stop()
        self.panel.timeline.show_pin("")
        self.panel.timeline.show_status("")
        self._offer_runs()
        self.snapshots.follow(run)
        self._offer_steps()
        self._find_snapshots()
        self.ask()

    def _switch(self, entry: Entry, on: bool) -> None:
        """Switch an entry of the gallery for the user."""
        model = self.model
        if entry.is_probe and not model.is_recorded:
            model.switch_probe(entry.identity[0], on)
            self._switch_readings()
            self.ask()
            return
        keys = [(entry.identity[0], entry.identity[1:])]
        for key in model.cards_of_probe(entry.identity[0]) if entry.is_probe else keys:
            model.readings.switch(key, on)
        self._switch_readings()

    def _select_view(self, view: str) -> None:
        """Show the cards that answer a question; what they need of the model is read."""
        model = self.model
        model.select_view(view)
        self._show_view()
        if not model.is_recorded and model.is_probe_missing():
            self.ask()
        self._switch_readings()
        self._show_answering_map()
        self.arranged.emit()  # the tab key leads to the selected button alone

    def _show_view(self) -> None:
        """Show which question is selected."""
        self.questions.show_selected(self.model.readings.view)
        self._show_gallery()

    def _show_answering_map(self) -> None:
        """Show the map that answers the selected question in the card that has several, as soon as there is one."""
        name = self._offers.answering_map()
        self.all.show_map(name)
        self.model.lacks_map = not name and self.model.readings.view in QUESTIONS

    def _show_gallery(self) -> None:
        """Show what can be shown, and the questions that it answers."""
        entries = self._offers.entries()
        self.panel.gallery.show_entries(entries, self.model.readings.view)
        if self.model.readings.offered:  # else the questions of the last model stay until this one has been read
            self.questions.offer(answered(entries))

    def _take(self, request: Request, result: Result) -> None:
        """Show what was found in a model, unless something else was requested meanwhile."""
        if not self.model.requests.is_current(request.number):
            return
        started = time.thread_time()
        if self.model.is_awaited(request):
            self.model.probes.decide(result.kinds)
            self._show(result.inspection, result)
        work = None if result.work is None else result.work + time.thread_time() - started  # with that of showing it
        self.model.requests.end(request.number, time.perf_counter(), work)
        self._show_newest()  # the run may have recorded a later step meanwhile
        if self.model.shown is not None and not self.model.readings.selected:
            self._arrange()  # nothing is being read any more

    def _fail(self, request: Request, problem: Problem) -> None:
        is_awaited = self.model.is_awaited(request)
        self.model.requests.fail(request.number, time.perf_counter())
        if is_awaited:
            self._show_problem(request, problem)

    # ------------------------------------------------------------------------------------------------------- snapshots

    def _find_snapshots(self) -> None:
        if self.model.run is not None and self.isVisible():
            self.model.start_search(time.perf_counter())
            self.snapshots.find()

    def _offer_steps(self) -> None:
        """Offer the recorded steps; where the selected one is gone, the model is inspected as it is now."""
        is_gone = self.model.offer_steps([] if self.model.run is None else self.snapshots.steps)
        self.panel.show_steps()
        self.panel.timeline.show_notes(*self.snapshots.status())
        if is_gone:
            self._select_step()

    def _select_step(self) -> None:
        self.snapshots.select(self.model.step)
        if self.model.step is None and self.model.shown is not None:
            self.comparison.follow(self.model.shown, None, self.model.probes.on)  # both sides leave the step at once
        self.ask()

    def _show_loaded(self) -> None:
        if self.model.is_recorded and self.model.shown_step != self.model.step:
            self._show_snapshot()
        else:
            before = self.model.shown
            self._show_newest()
            if self.model.shown is not None and self.model.shown is before:
                self._show_cards()  # with the colour scale of more snapshots

    def _show_snapshot(self) -> None:
        """Show the snapshot of the selected step; one that is still being read is shown when it comes."""
        step = self.model.step
        found = None if step is None or not self.model.is_ready else self.snapshots.at(step)
        self.panel.timeline.wait(found is None)
        if isinstance(found, Inspection):
            self._show(found)
        elif found is not None and self.model.refuse_snapshot():
            message = tr(
                "The snapshot of step {step} cannot be shown. {why}",
                step=number_text(step or 0),
                why=problem_line(found),
            )
            self.all.show_message(message)
            self._find_snapshots()  # it may be gone

    def _toggle_pin(self) -> None:
        """Pin what is shown, or unpin what is pinned."""
        pinned = self.comparison.toggle_pin(self.model.shown)
        self.panel.timeline.show_pin("" if pinned is None else pinned.step_label)
        self._offer_runs()

    def _offer_runs(self) -> None:
        """Offer the runs to compare with; one that is gone is not compared any more."""
        self.panel.offer_runs(*self.comparison.offered_runs())

    def _compare(self) -> None:
        """Compare with the run that was selected, or with none."""
        self.panel.timeline.show_pin("")
        self.comparison.select(self.panel.compared_run)
        self.panel.want_readings([MAPS])
        self.ask()

    # --------------------------------------------------------------------------------------------------------- showing

    def _show_nothing(self) -> None:
        message = tr("Inspect a model on the probe text: attention, states and other readings.")
        self.all.show_message(message, tr("Inspect the model"), self.ask)

    def _show(self, inspection: Inspection, result: Result | None = None) -> None:
        """Show an inspection in the cards."""
        model = self.model
        run = self._view_of(inspection)
        if result is not None:
            new = model.learn_probes(result, run)
            views = self._plugins.cards("views")
            model.readings.want(sorted(new, key=lambda key: importance(key, views=views))[:AT_FIRST])
        model.show(run)
        self.panel.show_problem(model.comparison.problem)
        self.comparison.follow(run, model.step if model.is_recorded else None, model.probes.on)
        self.panel.show_step(inspection.step)
        self.panel.show_read(len(inspection.labels), inspection.given)
        self._offer_readings()
        self.panel.offer_blocks(sorted({one.layer for one in inspection.readings if one.layer is not None}))
        self._show_cards()
        self.all.show_map(model.new_map)
        model.new_map = ""
        if self.model.lacks_map:
            self._show_answering_map()

    def _view_of(self, inspection: Inspection) -> InspectionView:
        name = model_name(self._registry.selected, inspection.step)
        return view_of(inspection, name, self._plugins.cards("views"))

    def _offer_readings(self) -> None:
        """Offer the cards of what is shown, and those of what else is known of its run."""
        if self.model.shown is not None:
            recipe = (self.model.run or self._model_provider.draft).recipe
            self._offers.update(recipe.architecture.name)
            self.all.architecture = recipe.architecture.name
            self._show_gallery()
            self._arrange()

    def _show_problem(self, request: Request, problem: Problem) -> None:
        if self.model.refuse(request):
            self._show_gallery()
            self._arrange()
            self.all.show_message(problem_line(problem), tr("Try again"), self._try_again)
        is_shown = self.model.shown is not None
        self.panel.show_problem(problem if is_shown or self.model.text else None)

    def _show_comparison(self) -> None:
        """Show what is compared, or why it cannot be."""
        self.panel.show_problem(self.model.comparison.problem)
        self._show_cards()

    def _switch_readings(self) -> None:
        self._show_gallery()
        self._arrange()
        self._show_cards()

    def _arrange(self) -> None:
        readings = self.model.readings
        if self.all.arrange(
            readings.offered, readings.selected, self._offers.answers, self._offers.reason_for_nothing()
        ):
            self.arranged.emit()

    def _show_cards(self) -> None:
        shown, run = self.model.shown, self.model.run
        if shown is None:
            return
        limits = widened(self.snapshots.limits, self.comparison.limits)
        if self.snapshots.at(shown.inspection.step) is not shown.inspection:  # it is no snapshot
            limits = widened(limits, shown.limits)
        samples = () if run is None else run.samples
        pinned, block = self.model.comparison.view, self.model.block
        self.all.show_inspection(shown, pinned, block, limits, samples, self.snapshots.inspections)

    @property
    def cards(self) -> list[Card]:
        """The cards that are shown."""
        return self.all.shown

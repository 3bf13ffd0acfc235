"""A closed window, card or overlay leaves no widget, object or timer behind."""

import gc
from collections import Counter
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
from sights import AXES, Scene, kinds_of_the_lab, make_run, reading_card, settle
from sights_class import LESSON, handed_in

from lab.api import Explanation
from lab.base.jobs import running_jobs
from lab.base.problems import Problem
from lab.host import Plugins
from lab.recipes import Link, Recipe, gallery, write_link
from lab.runs import RunFolder
from lab.runs.metrics.gauges import UPDATE_RATIO
from lab.shell.actions.palette import CommandPalette
from lab.shell.actions.registry import Actions
from lab.shell.actions.shortcuts_page import ShortcutsPage
from lab.shell.classroom.collecting_panel import CollectingPanel
from lab.shell.classroom.hand_in_dialog import HandInDialog
from lab.shell.classroom.hand_out_dialog import HandOutDialog
from lab.shell.classroom.opened_dialog import OpenedDialog
from lab.shell.classroom.table_page import ClassTable
from lab.shell.compare.place import ComparePlace
from lab.shell.corpus.place import DataPlace
from lab.shell.doctor.page import DoctorPage
from lab.shell.examples.explorables.page import MAKERS
from lab.shell.examples.graph.page import GraphPage
from lab.shell.examples.page import WorkedExamplesPage
from lab.shell.finders.dialog import FinderDialog
from lab.shell.help.page import HelpPage
from lab.shell.home.model import HomeModel
from lab.shell.home.place import HomePlace
from lab.shell.home.recent import RecentRuns
from lab.shell.home.recipes_card import RecipesCard
from lab.shell.inspect.ablation.card import AblationCard
from lab.shell.inspect.ablation.measurement import Ablations
from lab.shell.inspect.inspection_view import key_of_view
from lab.shell.inspect.lengths_card import Lengths, LengthsCard
from lab.shell.inspect.reading_card import ReadingCard
from lab.shell.inspect.sample_card import SampleCard
from lab.shell.learn.place import LearnPlace
from lab.shell.links.open_dialog import LinkDialog
from lab.shell.links.share_dialog import ShareDialog
from lab.shell.measurements.dialog import MeasurementDialog
from lab.shell.play.next_card import NextCard
from lab.shell.recipe.costs import CostDetails, Costs
from lab.shell.recipe.start_question import StartQuestion
from lab.shell.runs.panel import RunsPanel
from lab.shell.runs.pretrained_dialog import PretrainedDialog
from lab.shell.runs.question import RunQuestion
from lab.shell.runs.table import RunsTable
from lab.shell.session.comparison.evaluator import SameTextEvaluator
from lab.shell.session.findings import KnownFindings, Remedies
from lab.shell.session.runs.durations import Durations
from lab.shell.session.session import Session
from lab.shell.tour.controller import Tour
from lab.shell.tour.model import STOPS
from lab.shell.tour.pointer import Pointer
from lab.shell.train.equations import EquationsPanel
from lab.shell.train.finding_line import FindingLine
from lab.shell.train.gauges.findings_card import FindingsCard
from lab.shell.train.gauges.map_card import GaugeCard
from lab.shell.train.gauges.ridges_card import RidgesCard
from lab.shell.train.gauges.times_card import StepTimeCard
from lab.shell.train.loss_card import LossCard
from lab.shell.train.model_card import ModelCard
from lab.shell.train.model_drawing import ModelDrawing
from lab.shell.train.place import SamplesCard
from lab.shell.train.series_card import NORM, SeriesCard
from lab.shell.window.close_dialog import ClosingPanel
from lab.widgets.charts.chart import Crosshair
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import themes
from lab.widgets.figures.map import BarsFigure
from lab.widgets.figures.table import DataTable
from lab.widgets.formulas.explanation import ExplanationPanel
from lab.workbench.doctor import Finding, Result


def living():
    """Return the number of Qt widgets, and of objects of the lab's window by class."""
    for _ in range(3):  # what one round frees may have held what the next one does
        settle()
        gc.collect()
    ours = ("lab.widgets.", "lab.shell.", "lab_moe.views.", "lab_ngram.views.")
    kinds = (type(one) for one in gc.get_objects())
    found = Counter(kind.__name__ for kind in kinds if str(kind.__module__).startswith(ours))
    found["widgets of Qt"] = len(QApplication.allWidgets())
    return found


def active_timers():
    gc.collect()
    return [
        one for one in gc.get_objects() if issubclass(type(one), QTimer) and shiboken6.isValid(one) and one.isActive()
    ]


def left_by(make_and_end):
    """Make and end something twice, and return what has grown since the first time."""
    make_and_end()
    before = living()
    make_and_end()
    return living() - before


@pytest.fixture(autouse=True)
def only_what_the_test_makes():
    """Hide what exists already from the collector and the counts: each look at it all takes a tenth of a second."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def session():
    made = Session(Plugins(safe_mode=True))
    yield made
    made.close()
    made.deleteLater()


def card(kind):
    def make(session, _):
        return Card("Made up") if kind is Card else SamplesCard(session.registry, session.drawing)

    return make


def loss(session, window):
    evaluator = SameTextEvaluator(session.registry, session.background, window)
    finding = FindingLine(session.registry, KnownFindings(), Remedies(session.workbench, session.registry))
    return LossCard(session.registry, session.drawing, Crosshair(window), session.start, evaluator, finding)


def series(session, window):
    return SeriesCard(session.registry, session.drawing, Crosshair(window), NORM)


def findings(session, _):
    return FindingsCard(session.registry, session.drawing, KnownFindings(), str)


def model(session, _):
    drawing = ModelDrawing(session.draft, session.registry, session.background, session.workbench.structure)
    return ModelCard(drawing, session.plugins, str, None)


def reading(session, _):
    return reading_card(AXES[0], session.plugins)


def routing(session, _):
    key = key_of_view(session.plugins.card("views", "routing"))
    return ReadingCard(key, session.plugins, "routing", session.model_provider, session.background)


def written(*_):
    return SampleCard()


def table(session, window):
    panel = RunsPanel(session.registry, session.background, session.start, session.stop)
    window.setCentralWidget(panel)
    transfers, background, question = session.transfers, session.background, RunQuestion(window)
    RunsTable(panel, session.registry, transfers, background, session.plugins, question, window).toggle()


def lengths(session, window):
    return LengthsCard(Lengths(session.registry, session.background, session.plugins, window))


def ablations(session, window):
    provider, background = session.model_provider, session.background
    return AblationCard(Ablations(session.registry, provider, background, session.plugins, window))


def home_place(session, window):
    window.setCentralWidget(HomePlace(session))


def recipes(*_):
    return RecipesCard(HomeModel(gallery()), Durations(gallery().recordings))


def recent(*_):
    return RecentRuns()


def compare_place(session, window):
    evaluator = SameTextEvaluator(session.registry, session.background, window)
    place = ComparePlace(
        session.registry,
        session.drawing,
        evaluator,
        lambda: None,
        session.background,
        session.plugins,
        lambda: session.studies,
    )
    window.setCentralWidget(place)
    for number in (1, 2):
        place.open_page(number)
        settle()


def learn_place(session, window):
    place = LearnPlace(session, window)
    window.setCentralWidget(place)
    window.show()
    for key in ("lessons", "class"):
        place.open_page(key)
        settle()
    settle(lambda: bool(place.lessons.model.found))
    while running_jobs():
        settle()
    place.close_down()


def explorable(kind, session, window):
    return kind()


def examples_page(session, window):
    page = WorkedExamplesPage(session.background)
    window.setCentralWidget(page)
    window.show()
    settle(lambda: page._computed is not None)


def graph_page(session, window):
    window.setCentralWidget(GraphPage(session.registry, session.plugins, session.background))
    window.show()
    settle()


def data_place(session, window):
    assert session.draft.apply({"corpus": {"name": "text", "text": "the cat sat on the mat. " * 40}}) is None
    place = DataPlace(session, lambda field: None, lambda: None)
    window.setCentralWidget(place)
    for key in ("choose", "statistics", "tokens", "merges"):
        place.open_tab(key)
        settle()
    while running_jobs():  # what reads for a place that is gone holds what it read until it ends
        settle()


def pretrained(session, window):
    dialogue = PretrainedDialog(window, session)
    dialogue.inspect(Path("a folder that is not there"))
    settle(lambda: "config.json" in dialogue._refused.text())


OF_DATA = (
    "lab.shell.corpus.picker.",
    "lab.shell.corpus.statistics.",
    "lab.shell.corpus.merges",
    "lab.shell.corpus.tokens",
)
"""Modules of cards that stand on the tabs of Data."""


def explained(_, window):
    explanation = Explanation(shows="What is shown", how="Read it from left to right.", question="work")
    button = Button("?", parent=window)
    button.show()
    panel = ExplanationPanel(button, "A card", explanation)
    panel.show_over(panel)


def equations(session, window):
    button = Button("equations", parent=window)
    button.show()
    panel = EquationsPanel(button, session.plugins.card("architectures", "gru"), None, str, str, str, str)
    panel.show_over(panel)


def shared(session, window):
    dialogue = ShareDialog(window, session.background)
    dialogue.share("A recipe", lambda job: write_link(Link(session.draft.recipe)))
    settle(lambda: dialogue.link)


def help_page(session, window):
    HelpPage(window, session.background, tuple).show_page("using/window")
    while running_jobs():  # what reads for a page that is gone holds what it read until it ends
        settle()


def doctor(session, window):
    page = DoctorPage(window, session.background, session.plugins)
    with patch(
        "lab.shell.doctor.page.examine", lambda subject, started: iter([Result("Clock", (Finding("it"),), 0.1)])
    ):
        page.open()
        settle(page.again.isVisible)
    while running_jobs():
        settle()


def all_figures(_, window):
    costs = Costs()
    window.setCentralWidget(costs)
    costs.opener.setChecked(True)


def pointer(session, window):
    targets = {stop.key: lambda: (window,) for stop in STOPS}
    Tour(window, targets, str, session.background).start()


def data_table(_, window):
    DataTable(BarsFigure("Load", "expert", "tokens", ("1", "2"), np.ones(2)), window).open()


def hand_in(session, window):
    HandInDialog(window, session.background).ask("A run", RunFolder(Path("run"), "", {}))


def class_table(session, window):
    page = ClassTable(window, session.background, CollectingPanel(window, session.background))
    page.open()
    page._take(handed_in())


CARDS = {
    Card: card(Card),
    SamplesCard: card(SamplesCard),
    LossCard: loss,
    SeriesCard: series,
    ModelCard: model,
    ReadingCard: reading,
    SampleCard: written,
    LengthsCard: lengths,
    AblationCard: ablations,
    RecipesCard: recipes,
    RecentRuns: recent,
    NextCard: lambda session, _: NextCard(str),
    FindingsCard: findings,
    GaugeCard: lambda session, _: GaugeCard(session.registry, session.drawing, UPDATE_RATIO),
    RidgesCard: lambda session, _: RidgesCard(session.registry, session.drawing, session.background),
    StepTimeCard: lambda session, _: StepTimeCard(session.registry, session.drawing),
    **{kind: partial(explorable, kind) for kind in MAKERS.values()},
}
"""How each kind of card is made, of a session and a window."""


def measurements(session, window):
    MeasurementDialog(window, session.registry, session.plugins, session.background).open()


OVERLAYS = {
    ExplanationPanel: explained,
    EquationsPanel: equations,
    CommandPalette: lambda _, window: CommandPalette(Actions(window), window).toggle(),
    ShortcutsPage: lambda _, window: ShortcutsPage(Actions(window), window).toggle(),
    HelpPage: help_page,
    DoctorPage: doctor,
    ShareDialog: shared,
    HandInDialog: hand_in,
    HandOutDialog: lambda session, window: HandOutDialog(window, session.background, session.plugins).ask(Recipe()),
    OpenedDialog: lambda session, window: OpenedDialog(window, session).open(LESSON),
    CollectingPanel: lambda session, window: CollectingPanel(window, session.background).open(Path()),
    ClassTable: class_table,
    LinkDialog: lambda session, window: LinkDialog(window, session).open(""),
    StartQuestion: lambda _, window: StartQuestion(window).ask("It needs 90 GB.", str),
    CostDetails: all_figures,
    DataTable: data_table,
    ClosingPanel: lambda _, window: ClosingPanel(window).ask([]),
    RunQuestion: lambda _, window: RunQuestion(window).show_message("No checkpoint", "There is none yet."),
    FinderDialog: lambda session, window: FinderDialog(window, session.draft, session.background).open(),
    MeasurementDialog: measurements,
    PretrainedDialog: pretrained,
    Pointer: pointer,
    RunsTable: table,
}
"""How each panel over the window is made, of a session and a window, and shown."""
PLACES = {
    ComparePlace: compare_place, DataPlace: data_place, HomePlace: home_place, LearnPlace: learn_place,
    WorkedExamplesPage: examples_page, GraphPage: graph_page,
}  # fmt: skip
"""How each place that reads in the background is made, of a session and a window, and shown."""


def test_every_kind_of_card_and_of_panel_over_the_window_is_here():
    kinds = {kind for kind in kinds_of_the_lab() if issubclass(kind, Card | Overlay)}
    assert {kind for kind in kinds if not kind.__module__.startswith(OF_DATA)} | {ReadingCard} == {
        *CARDS, *OVERLAYS,
    }  # fmt: skip


@pytest.mark.parametrize("make", [*CARDS.values(), routing], ids=[*(kind.__name__ for kind in CARDS), "with a foot"])
def test_a_closed_card_is_deleted_while_its_session_continues(session, make):
    def make_and_end():
        window = QMainWindow()
        made = make(session, window)
        window.setCentralWidget(made)
        window.resize(500, 300)
        window.show()
        settle()
        made.show_empty("Nothing yet.", "Start", session.start)
        made.show_broken(Problem("no", trace="trace"))
        settle()
        window.close()
        window.deleteLater()

    assert not left_by(make_and_end)


@pytest.mark.parametrize(
    "kind",
    [kind if kind is not DataPlace else pytest.param(kind, marks=pytest.mark.long) for kind in (*OVERLAYS, *PLACES)],
    ids=lambda kind: kind.__name__,
)
def test_a_closed_overlay_or_place_is_deleted_while_its_session_continues(session, kind, qtbot):
    def make_and_end():
        window = QMainWindow()
        window.resize(1100, 640)
        window.show()
        {**OVERLAYS, **PLACES}[kind](session, window)
        settle()
        assert window.findChild(kind).isVisible()
        qtbot.waitUntil(lambda: not session.background._tasks, timeout=60_000)  # they continue when it is closed
        window.close()
        window.deleteLater()

    assert not left_by(make_and_end)


def test_a_closed_window_is_deleted_with_its_content(lab_home):
    make_run("rope", curves=True)

    def make_and_end():
        scene = Scene()
        scene.be_ready()
        settle(lambda: len(scene.session.registry.runs) == 1)
        scene.select("rope")
        scene.look()
        scene.write()
        scene.window.command_palette.toggle()
        scene.window.close()
        scene.close()

    assert not left_by(make_and_end)
    assert active_timers() == []


@pytest.mark.long
@pytest.mark.timeout(120)
def test_windows_that_are_opened_and_closed_in_both_themes_leave_nothing(lab_home):
    make_run("rope", curves=True)

    def make_and_end():
        scene = Scene()
        scene.be_ready()
        settle(lambda: len(scene.session.registry.runs) == 1)
        for mode in ("light", "dark"):
            themes.choose(mode)
            for place in ("home", "train", "inspect", "play"):
                scene.place(place)
        scene.close()

    assert not left_by(make_and_end)
    assert active_timers() == []

"""A window as `lm-lab` opens it, or one place of it, with small recipes; afterwards its end is awaited."""

import shutil
import sys
from functools import partial

import pytest
import torch
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QHBoxLayout, QLineEdit, QMainWindow, QWidget
from shiboken6 import isValid

from lab.host import Plugins
from lab.runs import MetricWriter, RunFolder, new_run_folder
from lab.shell.actions.registry import Actions
from lab.shell.inspect.place import InspectPlace
from lab.shell.play.filter_list import FilterList
from lab.shell.play.panel import PlayPanel
from lab.shell.play.place import PlayPlace
from lab.shell.play.text.pages import TextPages
from lab.shell.runs.commands import register_runs_commands
from lab.shell.runs.controller import RunsController
from lab.shell.runtime.background import Background
from lab.shell.runtime.formulas import typeset_formulas
from lab.shell.runtime.window_state import WindowState
from lab.shell.session.comparison.evaluator import SameTextEvaluator
from lab.shell.session.findings import KnownFindings, Remedies
from lab.shell.session.queue_commands import register_queue_commands
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.session import Session
from lab.shell.session.snapshots import Snapshots
from lab.shell.train.finding_line import FindingLine
from lab.shell.train.gauges.page import GaugesPage
from lab.shell.train.live_strip import LiveStrip
from lab.shell.train.loss_card import LossCard
from lab.shell.train.model_card import ModelCard
from lab.shell.train.model_drawing import ModelDrawing
from lab.shell.train.place import TrainPlace
from lab.shell.window import shutdown
from lab.shell.window.main_window import Window
from lab.widgets.charts.crosshair import Crosshair
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.theme import themes
from lab.widgets.forms.form import Form
from lab.workbench import Workbench

torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def in_its_own_folder(tmp_path, monkeypatch, file_plugins_forgotten):
    """Work in an empty folder, and forget the modules of file plugins at the end."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def unhurried(unhurried_training):
    """Slow endless runs down."""


@pytest.fixture
def quick_turns():
    """Switch threads as quickly as the application does, so that a computing thread does not block the window."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.0005)
    yield
    sys.setswitchinterval(before)


@pytest.fixture
def plain_window(qtbot):
    """Show a window of the smallest size with only a focused text field."""
    made = QMainWindow()
    made.resize(1100, 640)
    made.field = QLineEdit()
    made.setCentralWidget(made.field)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitActive(made)
    made.field.setFocus()
    return made


@pytest.fixture
def open_window(qapp, qtbot, monkeypatch, small, quick_turns):
    """Open a window, by default one that is ready, whose draft is the tiny transformer and which shows Train.

    With `place=None` it shows what it restored, with `draft=False` its draft is the restored one, too.
    With `gradually=True` only Home is made at first, as at a start of the application.
    """
    left, opened = [], []
    monkeypatch.setattr(shutdown.os, "_exit", left.append)

    def open_window(
        *assignments,
        ready=True,
        size=(1600, 1000),
        enable=(),
        plugins=None,
        place="train",
        draft=True,
        gradually=False,
    ):
        found = plugins or Plugins.from_environment(enable=enable, later=True)
        memory = WindowState()
        memory.load()
        session = Session(found)
        if draft:  # before the form is made, which would be made twice
            assert session.draft.take(small(*assignments), "small") is None
            memory.draft = {}
        with themes.undressed(qapp):  # as the application makes it
            window = Window(session, memory, gradually=gradually)
        window.session.setParent(window)
        opened.append(window)
        window.resize(*size)
        if place is not None and window.place == "home":
            window.show_place(place)
        window.show()
        if ready:
            qtbot.waitUntil(lambda: window.session.warm_up.ready)
        return window

    yield open_window
    for window in filter(isValid, opened):
        close(window, qtbot)
    assert left == []


@pytest.fixture
def open_session(qtbot, small, quick_turns):
    """Open a session without a window, by default one that is ready and whose draft is the tiny transformer."""
    opened = []

    def open_session(*assignments, ready=True, enable=()):
        session = Session(Plugins.from_environment(enable=enable, later=True))
        opened.append(session)
        assert session.draft.take(small(*assignments), "small") is None
        if ready:
            session.begin()
            qtbot.waitUntil(lambda: session.warm_up.ready)
        return session

    yield open_session
    for session in opened:
        session.shut_down()
        session.workbench.close()
        session.close()
        session.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


class TrainPage(QWidget):
    """Train alone, without the form of the configuration."""

    def __init__(self, session):
        super().__init__()
        self.session, background = session, session.background
        snapshots = Snapshots(background, self)
        drawing = ModelDrawing(session.draft, session.registry, background, session.workbench.structure)
        model = ModelCard(drawing, session.plugins, lambda path: None, partial(typeset_formulas, background))
        live = LiveStrip(session.registry, session.plugins, session.change_live)
        self.evaluator = SameTextEvaluator(session.registry, background, self)
        remedies = Remedies(session.workbench, session.registry)
        finding = FindingLine(session.registry, KnownFindings(), remedies)
        loss = LossCard(session.registry, session.drawing, Crosshair(self), session.start, self.evaluator, finding)
        gauges = GaugesPage(session.registry, session.drawing, background, finding.findings, remedies.apply)
        self.place = self.train = TrainPlace(session.registry, session.drawing, loss, snapshots, model, live, gauges)
        session.warm_up.done.connect(drawing.begin)
        QHBoxLayout(self).addWidget(self.train)

    def close_down(self):
        """End the evaluation."""
        self.evaluator.cancel()


class Page(QWidget):
    """Inspect or Play alone beside its panel."""

    def __init__(self, name, session):
        super().__init__()
        self.session, plugins = session, session.plugins
        if name == "play":
            self.panel = self.play_panel = PlayPanel(plugins, FilterList(plugins))
            self.place = PlayPlace(
                session.registry, session.model_provider, session.background, self.panel, TextPages()
            )
        else:
            self.place = InspectPlace(session.registry, session.model_provider, session.background, plugins)
            self.panel = self.place.panel
        setattr(self, name, self.place)
        session.warm_up.done.connect(self.place.begin)
        layout = QHBoxLayout(self)
        layout.addWidget(self.place, 1)
        layout.addWidget(self.panel)
        self.panel.setFixedWidth(300)

    def close_down(self):
        """End the work of the place."""
        self.place.close_down()


@pytest.fixture
def open_page(open_session, qapp, qtbot):
    """Open Train, Inspect or Play without the window around it; its draft is the tiny transformer."""
    opened = []

    def open_page(name, *assignments, enable=(), size=(1500, 950), visible=True):
        session = open_session(*assignments, ready=False, enable=enable)
        with themes.undressed(qapp):  # it is quicker where no other window is open
            page = TrainPage(session) if name == "train" else Page(name, session)
        opened.append(page)
        page.resize(*size)
        page.setVisible(visible)
        session.begin()
        qtbot.waitUntil(lambda: session.warm_up.ready)
        return page

    yield open_page
    for page in opened:
        page.close_down()
        page.close()
        page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


class RunsWindow(QMainWindow):
    """The list of runs beside an empty centre, over which the table and the questions open."""

    def __init__(self, session):
        super().__init__()
        self.session = session
        self.setMinimumSize(1100, 640)
        self.setCentralWidget(QWidget())
        self.runs_controller = RunsController(self, session, session.start, lambda figures, start: start())
        self.runs = self.runs_controller.panel
        self.commands = Actions(self)
        register_runs_commands(self.commands, self.runs_controller)
        register_queue_commands(self.commands, session.queue_commands)
        session.registry.selection_changed.connect(self.commands.refresh)
        dock = QDockWidget(self)
        dock.setWidget(self.runs_controller.side)
        self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)


@pytest.fixture
def open_runs(open_session, qtbot):
    """Open the runs in a window without places, by default with the tiny transformer as the draft."""
    opened = []

    def open_runs(*assignments):
        session = open_session(*assignments, ready=False)
        window = RunsWindow(session)
        opened.append(window)
        window.resize(1600, 1000)
        window.show()
        qtbot.waitActive(window)
        session.begin()
        qtbot.waitUntil(lambda: session.warm_up.ready)
        return window

    yield open_runs
    for window in opened:
        window.close()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def close(window, qtbot):
    """Close a window like a person who confirms everything, and delete it."""
    ended = []
    window.closed.connect(lambda: ended.append(True))
    if not window.shutdown.ended:
        window.shutdown.close()
        qtbot.waitUntil(lambda: bool(ended))
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def reopen(open_window, qtbot):
    """Close and delete a window, and open another one, which shows what it restores."""

    def reopen(window):
        close(window, qtbot)
        return open_window(place=None, draft=False)

    return reopen


@pytest.fixture
def plugin(lab_home):
    """Write a plugin of one file, and return its name, by which it can be enabled."""

    def plugin(name, code):
        file = lab_home / "plugins" / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code.lstrip())
        return name

    return plugin


@pytest.fixture
def window(open_window):
    """A window that is ready."""
    return open_window()


@pytest.fixture
def until(qtbot):
    """Wait until something is true, with the window alive."""

    def until(true, **options):
        qtbot.waitUntil(lambda: bool(true()), **options)

    return until


@pytest.fixture
def click(qtbot):
    """Click a button like a person: it must be visible, enabled and inside the window."""

    def click(button):
        assert button.isVisible(), f"{button.text()} is not seen"
        assert button.isEnabled(), f"{button.text()} is not enabled"
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    return click


@pytest.fixture
def button():
    """Return the visible button with this text."""

    def button(inside, words):
        found = [one for one in inside.findChildren(QAbstractButton) if one.text() == words and one.isVisible()]
        assert len(found) == 1, f"{len(found)} buttons say {words}"
        return found[0]

    return button


@pytest.fixture
def switch(qtbot):
    """Click an entry of the gallery of Inspect, which is found by its title."""

    def switch(page, title):
        rows = page.inspect.panel.gallery.list
        (at,) = (at for at, row in enumerate(rows.rows) if getattr(row, "title", "") == title)
        qtbot.mouseClick(
            rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualRect(rows.model().index(at)).center()
        )

    return switch


@pytest.fixture
def knob(qtbot):
    """Return the visible control of a setting by its path in the recipe."""

    def knob(window, path):
        window.draft_panel.reveal(path)  # this makes the rows of its group
        for form in window.draft_panel.findChildren(Form):
            prefix = f"{form._prefix}."
            if path.startswith(prefix) and path.removeprefix(prefix) in form._knobs:
                return form._knobs[path.removeprefix(prefix)]
        raise AssertionError(f"no knob of {path}")

    return knob


@pytest.fixture
def enter(qtbot, knob):
    """Type an entry into the form, and finish it with Return."""

    def enter(window, path, words):
        window.show_place("train")
        window.draft_panel.reveal(path)
        field = knob(window, path).control
        qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
        field.selectAll()
        qtbot.keyClicks(field, words)
        qtbot.keyClick(field, Qt.Key.Key_Return)

    return enter


@pytest.fixture
def saved_run(small, lab_home):
    """Write the folder of a finished run without training, and return its path."""

    def saved_run(title="An old run", *, state="finished", losses=(3.0, 2.0, 1.5), recipe=None):
        made = (recipe or small()).with_values({"title": title})
        folder = RunFolder.create(new_run_folder(made.architecture.name), made.to_toml(), {"floors": {"unigram": 2.8}})
        with MetricWriter(folder.metrics_file) as writer:
            writer.append((step, "train loss", loss) for step, loss in enumerate(losses, start=1))
        folder.update(state=state, step=len(losses), summary={"train_loss": losses[-1] if losses else None})
        return folder.path

    return saved_run


@pytest.fixture(scope="session")
def trained_once(tmp_path_factory):
    """Train a recipe to its end in a home of its own, once for all tests, and return the run's folder."""
    folders = {}

    def trained_once(recipe):
        text = recipe.to_toml()
        if text not in folders:
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("LAB_HOME", str(tmp_path_factory.mktemp("trained")))
                workbench = Workbench()
                run = workbench.start(recipe)
                run.wait_out()
                workbench.close()
            assert run.problem is None
            folders[text] = run.path
        return folders[text]

    return trained_once


@pytest.fixture
def trained_run(trained_once, small, lab_home):
    """Put a run of the tiny transformer, or of another recipe, that ended into the test's home; return its folder."""

    def trained_run(*assignments, recipe=None, name=None):
        folder = trained_once((recipe or small()).with_assignments(*assignments))
        home = folder.parents[1].name  # runs that started in the same second have one name in several homes
        return shutil.copytree(folder, lab_home / "runs" / (name or f"{folder.name}-{home}"))

    return trained_run


@pytest.fixture
def registry(qtbot):
    """A list of runs without a window."""
    workbench, background = Workbench(), Background()
    made = RunRegistry(workbench, background)
    yield made
    made.close()
    background.close()
    workbench.close()


@pytest.fixture
def evaluator(registry):
    """The evaluator of the runs in that list."""
    return SameTextEvaluator(registry, registry._background, registry)


@pytest.fixture
def card(registry, evaluator, qtbot):
    """The loss card of the runs in that list, drawn on request."""
    finding = FindingLine(registry, KnownFindings(), Remedies(registry._workbench, registry))
    made = LossCard(registry, Drawing(registry), Crosshair(registry), lambda: None, evaluator, finding)
    qtbot.addWidget(made)
    made.resize(1000, 500)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def grown(until):
    """Wait until the selected run has made some more steps."""

    def grown(window, steps=3):
        first = window.session.selected.step
        until(lambda: window.session.selected.step >= first + steps)

    return grown


@pytest.fixture
def running(open_window, click, until):
    """A window whose run makes steps, and does not end by itself."""

    def running(*assignments, **options):
        window = open_window("training.steps=1000000", *assignments, **options)
        click(window.top.start)
        until(lambda: window.session.selected is not None and window.session.selected.step > 2)
        until(lambda: window.top.start.text() == "Pause")
        return window

    return running


@pytest.fixture
def running_page(open_page, until):
    """Open Train, Inspect or Play with a run that makes steps, and does not end by itself."""

    def running_page(name, *assignments, **options):
        page = open_page(name, "training.steps=1000000", *assignments, visible=False, **options)
        page.session.start()
        until(lambda: page.session.selected is not None and page.session.selected.step > 2)
        page.show()
        return page

    return running_page

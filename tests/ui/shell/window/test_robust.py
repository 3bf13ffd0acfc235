"""The window with slow plugins, large texts, many clicks, full disks and damaged files stays responsive and reports."""

import errno
import json
import pkgutil
import shutil
import sys
import threading

import pytest
from PySide6.QtCore import Qt

from lab.base.files import writing
from lab.base.folders import settings_file
from lab.runs import list_runs
from lab.shell.runtime import watchdog as watchdog_module

BEATS = 10
"""Beats of the window's watchdog that show that the window handles its events."""
SLOW = '''
"""A token mixer whose forward pass ends when a test lets it, or holds Python for a while."""
import ctypes
import threading

import torch

from lab.api import Mixer, ModelConfig, hookimpl, setting
from lab.layers import TokenMixer


free, entered = threading.Event(), threading.Event()
free.set()


class SlowConfig(ModelConfig):
    how: str = setting("sleep", help="sleep, loop in Python, or hold Python.")


def take(how):
    if how == "hold":
        ctypes.PyDLL(None).usleep(600_000)
    elif not free.is_set():
        entered.set()
        while how == "loop" and not free.is_set():
            sum(range(100))
        free.wait()


class Slow(TokenMixer):
    def __init__(self, slot):
        super().__init__()
        self.config = slot.config
        self.weight = torch.nn.Parameter(torch.ones(slot.width))

    def forward(self, x):
        take(self.config.how)
        return x * self.weight


@hookimpl
def lab_register_mixers(register):
    register(Mixer(name="slow", title="Slow", kind="token", config=SlowConfig, build=Slow))
'''


@pytest.fixture
def slow(open_window, plugin, click, until):
    """A window whose run uses a slow plugin, and that plugin."""
    plugins = []

    def slow(how):
        window = open_window("training.steps=1000000", enable=[plugin("slow", SLOW)])
        plugins.append(sys.modules["lab_plugin_slow"])
        model = {"name": "slow", "layers": 1, "width": 16, "slow": {"how": how}}
        short = {"sample_tokens": 0, "evaluate_every": 0}
        assert window.session.draft.apply({"architecture": model, "readings": {"tokens": 0}, "training": short}) is None
        click(window.top.start)
        until(lambda: window.session.state == "running", timeout=100_000)
        return window, plugins[0]

    yield slow
    for made in plugins:
        made.free.set()


@pytest.fixture
def computing(slow, until):
    """A window whose run is in a forward pass that does not end by itself, and the event that lets it end."""

    def computing(how):
        window, plugin = slow(how)
        plugin.free.clear()
        until(plugin.entered.is_set)
        return window, plugin.free

    return computing


@pytest.fixture
def beats(until):
    """Wait until a window has handled its events for some time."""

    def beats(window, count=BEATS):
        window.watchdog.measure()
        until(lambda: len(window.watchdog.gaps()) >= count, timeout=10_000)

    return beats


@pytest.mark.parametrize("how", [pytest.param("sleep", marks=pytest.mark.long), "loop"])
def test_a_forward_pass_that_does_not_end_blocks_neither_the_window_nor_its_buttons(
    computing, beats, how, click, until
):
    window, free = computing(how)
    step = window.session.selected.step
    beats(window)
    click(window.top.stop)
    beats(window)
    assert window.session.selected.step == step
    free.set()
    until(lambda: window.session.selected.state == "stopped")


@pytest.mark.long
def test_a_forward_pass_that_holds_the_gil_is_named_by_the_watchdog(slow, until, reported, monkeypatch):
    monkeypatch.setattr(watchdog_module, "REST", 0.0)
    slow("hold")
    until(lambda: any(problem.plugin == "slow" for problem in reported))
    problem = next(problem for problem in reported if problem.plugin == "slow")
    assert "the main thread was blocked" in problem.what
    assert "slow.py" in problem.what


def big_corpus(folder, megabytes):
    """Write a text of the given number of megabytes."""
    file = folder / "big.txt"
    line = "the cat sat on the mat. a dog ran to the hat. no cat sits on a dog.\n" * 1000
    with file.open("w", encoding="utf-8") as opened:
        for _ in range(megabytes * 2**20 // len(line) + 1):
            opened.write(line)
    return file


@pytest.fixture
def held(monkeypatch):
    """Let a function wait, in a thread, until the test releases it: held(name) returns (entered, free)."""
    made = []

    def held(name):
        entered, free = threading.Event(), threading.Event()
        made.append(free)
        place, _, attribute = name.rpartition(".")
        work = getattr(pkgutil.resolve_name(place), attribute)

        def wait(*given, **named):
            assert threading.current_thread() is not threading.main_thread()
            entered.set()
            free.wait()
            return work(*given, **named)

        monkeypatch.setattr(name, wait)
        return entered, free

    yield held
    for free in made:
        free.set()


def test_a_text_that_is_read_and_encoded_does_not_block_the_window(window, tmp_path, held, beats, click, until):
    reading, encoding = (
        held("lab.text.corpora.files.text_of"),
        held("lab.text.tokenizers.units.CharacterTokenizer.encode"),
    )
    path = str(big_corpus(tmp_path, 1))
    assert window.session.draft.apply({"corpus": None}, {"corpus": {"name": "file", "path": path}}) is None
    click(window.top.start)
    for entered, free in (reading, encoding):
        until(entered.is_set)
        beats(window)
        until(lambda: window.session.selected is not None and window.session.selected.state == "preparing")
        free.set()
    until(lambda: window.session.state == "running")


@pytest.mark.long
@pytest.mark.timeout(240)
def test_the_window_handles_its_events_while_a_text_of_two_hundred_megabytes_is_prepared(
    window, tmp_path, click, until
):
    window.watchdog.measure()
    window.session.open_paths([str(big_corpus(tmp_path, 200))])
    click(window.top.start)
    until(lambda: window.session.state == "running")
    gaps = window.watchdog.gaps()
    assert max(gaps) < sum(gaps) / 4  # no part of the preparation holds the window for long


@pytest.mark.long
def test_resizing_while_a_run_trains_changes_nothing_but_the_size(running, grown, qtbot):
    window = running()
    for size in ((1100, 640), (1600, 1000), (1499, 700), (1500, 700), (2400, 1300), (1100, 1200)) * 3:
        window.resize(*size)
        qtbot.waitUntil(lambda: window.train.width() > 0 and window.width() == size[0])  # noqa: B023
    for place in ("inspect", "play", "train"):
        window.show_place(place)
        for width, height in ((1100, 640), (1700, 900)):
            window.resize(width, height)
            grown(window, steps=1)
    grown(window)
    assert window.session.state == "running"


def next_beat(window, qtbot):
    """Let the window handle its events until the next beat of its watchdog."""
    beats = len(window.watchdog.gaps())
    qtbot.waitUntil(lambda: len(window.watchdog.gaps()) > beats)


def click_wildly(window, qtbot, times):
    """Click Start, Step and Stop in turn as often as possible, without waiting."""
    states = set()
    for turn in range(times):
        for button in (window.top.start, window.draft_panel.start_button, window.top.step, window.top.stop):
            if button.isEnabled() and (button is not window.draft_panel.start_button or turn % 10 == 0):
                qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        if turn % 5 == 0:
            next_beat(window, qtbot)
        states |= {run.state for run in window.session.registry.runs}
    return states


def ended_well(window, until):
    """Stop everything, and check that list, disk and buttons agree."""
    registry = window.session.registry
    for _ in range(200):
        for run in list(registry.working):
            registry.select(run.key)
            window.session.stop()
        if not registry.working:
            break
    until(lambda: not registry.working)
    until(lambda: all(run.active is None for run in registry.runs))
    folders, problems = list_runs()
    assert problems == []
    assert {folder.path for folder in folders} == {run.path for run in registry.runs}
    assert {folder.status().state for folder in folders} <= {"stopped", "finished"}
    until(lambda: window.top.start.text() == "Start new run")
    assert not window.top.stop.isEnabled()


def test_thirty_rounds_of_rapid_clicking_leave_a_consistent_state(open_window, qtbot, until):
    window = open_window("training.steps=30")
    click_wildly(window, qtbot, 30)
    ended_well(window, until)


@pytest.mark.long
@pytest.mark.timeout(240)
def test_a_thousand_rounds_of_rapid_clicking_leave_a_consistent_state(open_window, qtbot, until):
    window = open_window("training.steps=10", "readings.tokens=0", "training.evaluate_every=0")
    click_wildly(window, qtbot, 1000)
    ended_well(window, until)


class FullDisk:
    """A disk that accepts a number of files and refuses all others."""

    def __init__(self, free, monkeypatch):
        self.free = free
        self.write = writing._write_synced
        monkeypatch.setattr(writing, "_write_synced", self)

    def __call__(self, path, data):
        self.free -= 1
        if self.free < 0:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        self.write(path, data)


@pytest.mark.parametrize("free", [*(pytest.param(files, marks=pytest.mark.long) for files in (0, 2, 6)), 4])
def test_a_full_disk_at_start_or_end_is_reported_and_the_window_continues(
    open_window, click, until, reported, monkeypatch, free
):
    window = open_window("training.steps=20")
    FullDisk(free, monkeypatch)
    click(window.top.start)

    def state():
        """Return the state of the selected run; "" without one."""
        return getattr(window.session.selected, "state", "")

    until(lambda: reported or window.draft_panel._problem.isVisible() or state() == "finished")
    until(lambda: not window.session.registry.working)
    until(window.top.start.isEnabled)
    monkeypatch.undo()
    words = " ".join([window.draft_panel._problem.text(), *(problem.line() for problem in reported)])
    assert "No space left on device" in words
    click(window.top.start)
    until(lambda: state() in ("running", "finished"))


def test_damaged_settings_are_reported_and_unwritable_ones_do_not_prevent_closing(
    open_window, monkeypatch, until, reported
):
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    settings_file().write_text('{"window": {"version": 1, "geometry": "everywhere"}}')
    window = open_window()
    assert window.place == "train"
    assert window.isVisible()
    assert reported
    reported.clear()
    FullDisk(0, monkeypatch)
    window.close()
    until(lambda: not window.isVisible())
    monkeypatch.undo()
    assert any("No space left on device" in problem.line() for problem in reported)


@pytest.mark.parametrize(
    "place", ["inspect", *(pytest.param(key, marks=pytest.mark.long) for key in ("play", "train"))]
)
def test_a_run_folder_that_is_deleted_while_it_trains_breaks_nothing(running_page, until, reported, place):
    page = running_page(place)
    shutil.rmtree(page.session.selected.path)
    page.hide()
    page.show()
    until(lambda: not page.session.background._tasks)
    page.session.stop()
    until(lambda: not page.session.registry.working)
    until(lambda: len(reported) > 0)


@pytest.mark.long
def test_opened_files_are_remembered_and_offered_again(open_window, tmp_path, until):
    (tmp_path / "mine.txt").write_text("the cat sat on the mat\n" * 50)
    window = open_window()
    window.session.open_paths([str(tmp_path / "mine.txt")])
    until(lambda: window._state.recent)
    window.close()
    until(lambda: not window.isVisible())
    stored = json.loads(settings_file().read_text())
    assert str(tmp_path / "mine.txt") in stored["window"]["recent"]
    again = open_window()
    again.command_palette.toggle()
    assert str(tmp_path / "mine.txt") in [entry.detail for entry in again.command_palette._entries]


def test_closing_waits_for_a_slow_plugin_without_blocking(computing, beats, until):
    window, free = computing("sleep")
    window.shutdown.close()
    beats(window)
    assert window.isVisible()
    free.set()
    until(lambda: not window.isVisible())

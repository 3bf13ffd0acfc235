"""Charts are exported by context menu, button and palette; failures are reported with a remedy."""

import csv
import os
import stat
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from lab.base.notices import listen
from lab.base.settings import read_section
from lab.runs import MetricWriter, RunFolder
from lab.shell.runtime.export_files import ExportFiles, file_name
from lab.widgets.figures.export import SCALE
from lab.widgets.figures.view import ExportButton, forms

LOSSES = tuple(3 / step + 1 / 3 for step in range(1, 60))
pops_up = pytest.mark.qt_log_ignore("This plugin does not support")  # a platform without a screen, of menus


@pytest.fixture
def trained(open_page, saved_run, until):
    """Train with a run on disk, and the files of its charts."""
    page = open_page("train")
    page.exports = ExportFiles(page, page.session.background, lambda: page.train.cards)
    return show_run(page, saved_run, until)


@pytest.fixture
def trained_window(open_window, saved_run, until):
    """The window of the lab that shows a run on disk."""
    return show_run(open_window(), saved_run, until)


def show_run(window, saved_run, until):
    run = RunFolder.open(saved_run("Größe", losses=LOSSES))
    with MetricWriter(run.metrics_file) as writer:
        writer.append((step, "gradient norm", loss / 7) for step, loss in enumerate(LOSSES, start=1))
    window.session.open_path(str(run.path))
    until(lambda: window.train.loss.chart.exported() is not None)
    return window


@pytest.fixture
def reports():
    """Return the messages of the reported notices."""
    found = []
    silence = listen(lambda notice: found.append((notice.level, notice.problem.line())))
    yield found
    silence()


@pytest.fixture
def answer(monkeypatch):
    """Answer the file dialog with a file, and return what it offered."""
    offered = []

    def answer(file, kind=""):
        def ask(parent, title, start, kinds, selected):
            offered.append((Path(start), kinds.split(";;"), selected))
            return str(file), next((one for one in kinds.split(";;") if kind and kind in one), selected)

        monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
        return offered

    return answer


def ask_for(view, form):
    """Right-click a view and select a format."""
    where = QPoint(view.width() // 2, view.height() // 2)
    QApplication.sendEvent(view, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, view.mapToGlobal(where)))
    menu = next(menu for menu in view.findChildren(QMenu) if menu.isVisible())
    inner = next(action.menu() for action in menu.actions() if action.text() == "Export")
    inner.aboutToShow.emit()
    action = next(action for action in inner.actions() if action.data() == form)
    assert action.isEnabled()
    action.trigger()
    menu.close()


def press_once_visible(qtbot, menu, keys):
    """Press keys in a menu once it is visible, each in a turn of its own of the events that the menu handles."""
    timer, left = QTimer(menu, interval=10), list(keys)

    def press():
        if menu.isVisible():
            key = left.pop(0)
            if not left:
                timer.stop()
            qtbot.keyClick(menu, key)

    timer.timeout.connect(press)
    timer.start()


def reported(reports, level):
    return [words for which, words in reports if which == level]


def table(file):
    with file.open(encoding="utf-8", newline="") as rows:
        return list(csv.reader(rows))


@pops_up
def test_a_chart_is_written_in_every_format(trained, answer, reports, until, tmp_path):
    chart = trained.train.loss.chart
    for form in forms():
        file = tmp_path / f"Verlust – 損失.{form}"
        answer(file)
        ask_for(chart, form)
        until(file.exists)
    until(lambda: len(reported(reports, "info")) == len(forms()))
    assert reported(reports, "info")[0] == f"Saved Verlust – 損失.png in {tmp_path}."
    picture = QImage(str(tmp_path / "Verlust – 損失.png"))
    assert picture.width() == SCALE * max(720, chart.width())
    assert picture.text("Title") == "Loss · Größe"
    root = ET.parse(tmp_path / "Verlust – 損失.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert (tmp_path / "Verlust – 損失.pdf").read_bytes().startswith(b"%PDF")
    values = [
        float(y)
        for kind, name, _, y in table(tmp_path / "Verlust – 損失.csv")
        if "smoothed" not in name and kind == "line"
    ]
    assert tuple(values) == LOSSES
    compile((tmp_path / "Verlust – 損失.py").read_text(encoding="utf-8"), "script", "exec")
    assert reported(reports, "error") == []


@pytest.mark.long
@pops_up
def test_the_button_of_a_card_opens_the_menu_for_the_keyboard_and_the_command_exports_that_card_of_its_window(
    trained_window, open_window, answer, reports, until, qtbot, tmp_path
):
    (button,) = trained_window.train.loss.findChildren(ExportButton)
    offered = answer(tmp_path / "loss.csv")
    keys = [*[Qt.Key.Key_Down] * 5, Qt.Key.Key_Return]
    press_once_visible(qtbot, button.menu(), keys)
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    until(lambda: (tmp_path / "loss.csv").exists())
    assert offered[0][2] == "Table (CSV) (*.csv)"
    (action,) = (one for one in trained_window.commands.all() if one.command.key == "file.export")
    assert action.text() == "Export chart or map…"
    answer("")
    (button,) = trained_window.train.norm.findChildren(ExportButton)
    until(button.isVisible)
    trained_window.exports.export_current()
    button.setFocus()
    until(button.hasFocus)
    trained_window.exports.export_current()
    assert [start.name for start, _, _ in offered[-2:]] == ["Loss - Größe.png", "Gradient norm - Größe.png"]
    other, count = open_window(ready=False), len(offered)
    reports.clear()
    other.exports.export_current()
    assert reported(reports, "info") == ["There is nothing to export here yet."]
    answer(tmp_path / "other.csv")
    ask_for(trained_window.train.loss.chart, "csv")
    until(lambda: (tmp_path / "other.csv").exists())
    assert len(offered) == count + 1
    assert other.exports.current_view() is None


@pops_up
def test_the_typed_suffix_determines_the_format_and_the_folder_is_remembered_while_it_exists(
    trained, answer, reports, until, tmp_path
):
    chart = trained.train.loss.chart
    answer("")
    ask_for(chart, "csv")  # cancelled
    assert reports == []
    assert read_section("exports") == {}
    answer(tmp_path / "loss.PDF")
    ask_for(chart, "png")
    until(lambda: (tmp_path / "loss.PDF").exists())
    assert (tmp_path / "loss.PDF").read_bytes().startswith(b"%PDF")
    (tmp_path / "v1.5.csv").write_text("mine")
    answer(tmp_path / "v1.5", "CSV")  # without a suffix it gets that of the format, and replaces nothing
    ask_for(chart, "png")
    until(lambda: (tmp_path / "v1.5 2.csv").exists())
    assert (tmp_path / "v1.5.csv").read_text() == "mine"
    folder = tmp_path / "figures"
    folder.mkdir()
    offered = answer(folder / "one.csv")
    ask_for(chart, "csv")
    until((folder / "one.csv").exists)
    until(lambda: len(reported(reports, "info")) == 3)
    ask_for(chart, "csv")
    assert offered[-1][0] == folder / "Loss - Größe.csv"
    until(lambda: len(reported(reports, "info")) == 4)
    (folder / "one.csv").unlink()
    folder.rmdir()
    answer("")
    ask_for(chart, "csv")
    assert offered[-1][0].parent == Path.home()


@pytest.mark.skipif(not Path("/dev/full").exists() or os.geteuid() != 0, reason="mounts a small disk")
@pops_up
def test_a_full_disk_is_reported_and_leaves_nothing_behind(trained, answer, reports, until, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(disk)], check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        answer(disk / "loss.png")
        ask_for(trained.train.loss.chart, "png")
        until(lambda: reported(reports, "error"))
        assert list(disk.iterdir()) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    (words,) = reported(reports, "error")
    assert "No space left on device" in words
    assert "Make room there or choose another folder" in words


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="nothing is forbidden here")
@pops_up
def test_a_read_only_folder_is_reported(trained, answer, reports, until, tmp_path):
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    answer(folder / "loss.csv")
    ask_for(trained.train.loss.chart, "csv")
    until(lambda: reported(reports, "error"))
    assert "another folder" in reported(reports, "error")[0]


@pops_up
def test_a_missing_folder_is_reported_and_without_matplotlib_what_to_install(
    trained, answer, reports, until, tmp_path, monkeypatch
):
    answer(tmp_path / "gone" / "loss.csv")
    ask_for(trained.train.loss.chart, "csv")
    until(lambda: reported(reports, "error"))
    assert "another folder" in reported(reports, "error")[0]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    answer(tmp_path / "loss.svg")
    ask_for(trained.train.loss.chart, "svg")
    until(lambda: len(reported(reports, "error")) == 2)
    assert 'pip install "lm-lab[figures]"' in reported(reports, "error")[1]
    assert not (tmp_path / "loss.svg").exists()


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Loss · Small", "Loss - Small"),
        ("a/b\\c:d*e?f\"g<h>i|j", "a b c d e f g h i j"),
        ("..", "chart"),
        ("", "chart"),
        ("x" * 500, "x" * 100),
        ("ü 学\n习", "ü 学 习"),
    ],
)  # fmt: skip
def test_a_title_becomes_a_file_name_allowed_on_every_system(title, name):
    assert file_name(title) == name

"""A class in the window: a hand-out is shown before anything is done with it, runs are handed in and compared."""

import http.client
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMainWindow

from lab.base.folders import plugins_folder
from lab.base.settings import change_section
from lab.recipes import Recipe
from lab.runs import MetricWriter, RunFolder
from lab.shell.classroom.controller import ClassController
from lab.workbench.classroom.hand_in import hand_in
from lab.workbench.classroom.hand_out import read_hand_out, write_hand_out

TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 60
PLUGIN = '''"""A filter."""
from lab.api import Filter, NoSettings, hookimpl
LAB_API_VERSION = 2

@hookimpl
def lab_register_filters(register):
    register(Filter("marks", "Marks", lambda config: lambda logits, histories: logits, NoSettings, "Marks."))
'''


class ClassWindow(QMainWindow):
    """A window with nothing but what a class needs."""

    def __init__(self, session):
        super().__init__()
        self.session = session
        self.resize(1100, 640)
        self.classroom = ClassController(self, session)


@pytest.fixture
def window(open_session, qtbot):
    window = ClassWindow(open_session())
    window.show()
    qtbot.waitActive(window)
    yield window
    window.classroom.stop()
    window.close()
    window.deleteLater()


@pytest.fixture
def classroom(window):
    return window.classroom


@pytest.fixture
def handed(tmp_path):
    """Hand in a run that ends with a loss to a folder, which the table shows."""
    folder = tmp_path / "class"

    def handed(student, loss):
        run = RunFolder.create(tmp_path / "runs" / student, Recipe().to_toml(), {"name": f"run of {student}"})
        with MetricWriter(run.metrics_file) as writer:
            writer.append([(step, "validation loss", loss + 100 - step) for step in (50, 100)])
        run.append_sample({"step": 100, "text": f"said by {student}"})
        run.update(state="finished", step=100, summary={"parameters": 1000, "part": "all"})
        hand_in(run, student, str(folder))

    change_section("class", lambda section: {"folder": str(folder)})
    folder.mkdir()
    return handed


@pytest.fixture
def lesson(window, tmp_path):
    """What a teacher handed out, with a plugin."""
    (tmp_path / "animals.txt").write_text(TEXT)
    (tmp_path / "marks.py").write_text(PLUGIN)
    recipe = Recipe(title="Animals").with_values({"corpus": {"name": "file", "path": str(tmp_path / "animals.txt")}})
    file, page = tmp_path / "lesson.lmlab", "# Train\n<b>it</b> ![](/etc/passwd)"
    write_hand_out(file, recipe, window.session.plugins, instructions=page, with_plugins=[tmp_path / "marks.py"])
    return file


def cells(table):
    return [[table.item(row, column).text() for column in range(3)] for row in range(table.rowCount())]


def test_a_hand_out_is_shown_and_becomes_the_configuration_when_that_is_agreed(
    window, classroom, lesson, click, until, lab_home
):
    before, opened = window.session.draft.recipe, classroom.opened
    window.session.open_paths([str(lesson)])
    until(opened.isVisible)
    assert "<b>it</b>" in opened.page.toPlainText()
    assert "animals.txt" in opened._held.text()
    assert window.session.draft.recipe is before
    assert not plugins_folder().exists()
    assert not (lab_home / "hand-outs").exists()
    click(opened.agree)
    until(lambda: window.session.draft.recipe.title == "Animals")
    assert opened.isHidden()
    assert Path(window.session.draft.recipe.corpus.settings["path"]).read_text() == TEXT
    assert not plugins_folder().exists()


def test_a_plugin_is_shown_with_its_hash_and_enabled_when_it_is_trusted(window, classroom, lesson, click, until, qtbot):
    opened = classroom.opened
    window.session.open_paths([str(lesson)])
    until(opened.isVisible)
    (entry,) = read_hand_out(lesson).plugins
    assert f"marks.py (not enabled), SHA-256 {entry.sha256}" in opened._plugins.text()
    with qtbot.waitSignal(classroom.plugins_changed):
        click(opened.trust)
    assert "marks.py (enabled)" in opened._plugins.text()
    assert "marks" in window.session.plugins.cards("filters")
    assert not opened.trust.isEnabled()


def test_the_configuration_is_handed_out(window, classroom, tmp_path, monkeypatch, click, until):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "lesson"), ""))
    classroom.ask_hand_out()
    dialog = classroom.hand_out
    dialog.page.setPlainText("Train it.")
    click(dialog.agree)
    until(dialog.isHidden)
    assert read_hand_out(tmp_path / "lesson.lmlab").instructions == "Train it."


def test_the_dialog_says_what_the_file_will_hold(window, classroom, tmp_path, until):
    dialog, text = classroom.hand_out, tmp_path / "animals.txt"
    classroom.ask_hand_out()
    until(lambda: "It will contain" in dialog._held.text())
    assert dialog._held.text().splitlines() == [
        "It will contain the settings of the form and your instructions.",
        "The corpus Pasted text needs no file.",
    ]
    text.write_text(TEXT)
    dialog.ask(Recipe().with_values({"corpus": {"name": "file", "path": str(text)}}))
    until(lambda: "animals.txt" in dialog._held.text())
    assert "the text animals.txt (2.8 kB)" in dialog._held.text()
    dialog.ask(Recipe().with_values({"corpus": {"name": "file", "path": str(tmp_path)}}))
    until(dialog._refused.isVisible)
    assert "is a folder, which no hand-out holds" in dialog._refused.text()
    assert dialog._held.isHidden()


def test_table_and_hand_out_say_what_they_are_for_and_lead_to_the_help(classroom, until, click, qtbot):
    classroom.show_table()
    assert "Here you compare what your class has trained" in classroom.table._state.text()
    assert "Select the folder into which your class hands in" in classroom.table._state.text()
    for dialog in (classroom.table, classroom.hand_out):
        with qtbot.waitSignal(classroom.help_requested):
            click(dialog.explain)
        dialog.shut()
        classroom.ask_hand_out()


def test_a_run_is_handed_in_to_a_folder(classroom, tmp_path, click, until):
    run = RunFolder.create(tmp_path / "runs" / "r", Recipe().to_toml(), {"name": "r"})
    dialog = classroom.hand_in
    dialog.ask("r", run)
    assert not dialog.agree.isEnabled()
    dialog.name.setText("Ada")
    dialog.to.setText("http://127.0.0.1:9/none")
    click(dialog.agree)
    until(lambda: dialog._refused.isVisible())
    dialog.to.setText(str(tmp_path / "in"))
    click(dialog.agree)
    until(dialog.isHidden)
    assert [file.name for file in (tmp_path / "in").iterdir()] == ["Ada - r.lmlab"]


def test_what_fails_after_a_dialog_was_closed_is_told_by_a_notice(window, classroom, lesson, click, until, reported):
    window.session.open_paths([str(lesson)])
    dialog = classroom.opened
    until(dialog.isVisible)
    lesson.write_bytes(b"another file")
    click(dialog.agree)
    dialog.shut()
    until(lambda: reported)
    assert Path(reported[0].value) == lesson


def test_the_table_ranks_draws_and_shows_samples(classroom, handed, tmp_path, until, monkeypatch, click):
    for student, loss in (("Ada", 2.0), ("Bob", 1.0)):
        handed(student, loss)
    (tmp_path / "class" / "bad.lmlab").touch()
    page = classroom.table
    classroom.show_table()
    until(lambda: page.table.rowCount() == 3)
    assert [row[:2] for row in cells(page.table)] == [["1", "Bob"], ["2", "Ada"], ["", "bad"]]
    assert [line.name for line in page.chart._lines] == ["Ada", "Bob"]
    page.table.selectRow(1)
    assert [line.style for line in page.chart._lines] == ["main", "thin"]
    assert [sample._text.toPlainText() for sample in page._samples[:2]] == ["said by Ada", "said by Bob"]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "t.csv"), ""))
    click(page.export)
    until((tmp_path / "t.csv").exists)
    assert (tmp_path / "t.csv").read_text().count("\n") == 4


def test_the_page_on_the_network_is_off_until_it_is_started_and_ends_with_the_window(
    classroom, handed, tmp_path, click, until
):
    handed("Ada", 2.0)
    panel, page = classroom.collecting, classroom.table
    classroom.show_table()
    until(lambda: page.table.rowCount() == 1)
    click(page.collect)
    assert panel.collection is None
    click(panel.switch)
    until(lambda: panel.collection is not None)
    assert panel._address.text() == panel.collection.addresses[0]
    body = next((tmp_path / "class").glob("*.lmlab")).read_bytes()
    connection = http.client.HTTPConnection("127.0.0.1", panel.collection.port, timeout=20)
    connection.request("POST", f"/{panel.collection.token}", body)
    assert connection.getresponse().status == 201
    connection.close()
    until(lambda: page.table.rowCount() == 2)
    assert panel._state.text() == "1 run was handed in"
    port = panel.collection.port
    classroom.stop()
    with pytest.raises(ConnectionRefusedError):
        http.client.HTTPConnection("127.0.0.1", port, timeout=5).request("GET", "/")

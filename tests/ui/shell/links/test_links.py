"""Links in the window: shared from the configuration and from a run, and shown before they become the configuration."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow

from lab.recipes import Link, Recipe, read_link, write_link
from lab.recipes.qr_code import BORDER, qr_code
from lab.shell.links.controller import LinksController
from lab.widgets.core.theme import themes
from lab.widgets.maps.qr_view import SIDE
from lab.workbench.exchange import link as link_module
from lab.workbench.launch.known_corpora import path_of

STRANGE = Recipe().with_values({"title": "From far", "corpus": {"name": "markov"}, "architecture": {"layers": 3}})


class LinksWindow(QMainWindow):
    """A window with nothing but the dialogs of links."""

    def __init__(self, session):
        super().__init__()
        self.session = session
        self.setMinimumSize(1100, 640)
        self.links = LinksController(self, session)


@pytest.fixture
def dialogs(open_session, qtbot):
    """The dialogs of links over an empty window."""
    window = LinksWindow(open_session())
    window.show()
    qtbot.waitActive(window)
    yield window
    window.close()
    window.deleteLater()


@pytest.fixture
def opened(dialogs):
    """The dialog that opens links."""
    return dialogs.links.opened


@pytest.fixture
def link():
    """A link of another lab."""
    return write_link(Link(STRANGE))


@pytest.fixture
def shared(dialogs, until):
    """Share the configuration, and return the dialog with its link."""

    def shared():
        dialogs.links.share_draft()
        until(dialogs.links.shared.copy.isEnabled)
        return dialogs.links.shared

    return shared


@pytest.fixture
def of_a_file(dialogs, tmp_path, until):
    """Return the link of a configuration whose text is in a file that no run was trained on, and its file."""

    def of_a_file():
        file = tmp_path / "animals.txt"
        file.write_text("the cat sat on the mat. a dog ran to the hat.\n" * 60)
        corpus = {"name": "file", "path": str(file)}
        assert dialogs.session.draft.apply({"corpus": None}, {"corpus": corpus}) is None
        dialogs.links.share_draft()
        until(dialogs.links.shared.copy.isEnabled)
        dialogs.links.shared.shut()
        return dialogs.links.shared.link, file

    return of_a_file


def facts_of(dialog):
    return {name.text(): value.text() for name, value in dialog._facts if name.isVisible()}


def test_a_link_is_shown_and_fills_the_configuration_only_when_confirmed(dialogs, opened, link, click, until):
    before = dialogs.session.draft.recipe
    dialogs.session.open_path(link)
    assert opened.isVisible()
    assert facts_of(opened)["Title"] == "From far"
    assert facts_of(opened)["Training"] == "1,000 steps of 16 × 64 tokens, seed 0"
    assert "architecture · layers: 2 → 3" in opened._changes.text()
    until(lambda: "parameters" in facts_of(opened)["Size"])
    assert dialogs.session.draft.recipe is before
    click(opened.agree)
    assert opened.isHidden()
    assert dialogs.session.draft.recipe == STRANGE
    assert dialogs.session.registry.runs == []


def test_cancel_leaves_the_configuration_as_it_is(dialogs, opened, link, qtbot):
    before = dialogs.session.draft.recipe
    opened.open(link)
    qtbot.keyClick(opened, Qt.Key.Key_Escape)
    assert opened.isHidden()
    assert dialogs.session.draft.recipe is before


@pytest.mark.long
def test_a_link_given_while_the_lab_starts_is_shown_when_it_is_ready_and_others_are_pasted_and_dropped(
    open_window, link, qtbot, until
):
    window = open_window(ready=False)
    opened = window.links.opened
    window.session.open_paths([link])
    until(opened.isVisible)
    assert opened.agree.isEnabled()
    opened.shut()
    QApplication.clipboard().setText(f"  {link}\n")
    window._centre.setFocus()
    qtbot.keyClick(window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert opened.isVisible()
    assert facts_of(opened)["Title"] == "From far"
    opened.shut()
    dropped = QMimeData()
    dropped.setText(link)
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPoint(9, 9), Qt.DropAction.CopyAction, dropped, buttons, keys))
    assert opened.isVisible()
    assert window.session.draft.recipe.corpus.name == "text"  # the link itself did not become the corpus


@pytest.mark.parametrize(("text", "said"), [
    ("lmlab:1abc", "Copy the link again"),
    ("lmlab:9abc", "version 9, which this lab does not know"),
    ("hello", "is not a link of the lab"),
    (write_link(Link(Recipe().with_values({"architecture": {"name": "nowhere"}}))), "architecture.name = nowhere"),
])  # fmt: skip
def test_what_cannot_be_opened_is_one_problem_below_the_field(opened, text, said):
    opened.open(text)
    assert said in opened._refused.text()
    assert not opened.agree.isEnabled()
    assert not opened._grid.isVisible()


def test_a_text_that_is_not_here_is_asked_for_and_compared(dialogs, opened, of_a_file, monkeypatch, click, until):
    link, file = of_a_file()
    other = file.rename(file.with_name("other.txt"))
    opened.open(link)
    assert "animals.txt is not known on this machine" in opened._refused.text()
    assert not opened.agree.isEnabled()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(other), ""))
    other.write_text(other.read_text() + "and more")
    click(opened.choose)
    until(lambda: "another text" in opened._refused.text())
    click(opened.agree)
    assert path_of(dialogs.session.draft.recipe) == str(other)


def test_the_configuration_is_shared_with_its_qr_code(shared, dialogs, click):
    dialog = shared()
    assert read_link(dialog.link).recipe == dialogs.session.draft.ready()
    assert dialog.text.toPlainText() == dialog.link
    assert f"{len(dialog.link):,} bytes" in dialog._size.text()
    click(dialog.copy)
    assert QApplication.clipboard().text() == dialog.link


def test_a_run_is_shared_with_its_last_loss(dialogs, trained_run, until):
    dialogs.session.open_path(str(trained_run("training.steps=3")))
    run = dialogs.session.selected
    dialogs.links.share_run()
    until(dialogs.links.shared.copy.isEnabled)
    shared = read_link(dialogs.links.shared.link).run
    assert shared.step == run.step
    assert shared.validation_loss == pytest.approx(run.last_status.summary["validation_loss"], abs=1e-4)


def test_a_run_is_checked_for_the_paths_that_its_plugins_declare(dialogs, saved_run, until, monkeypatch):
    checked = []
    monkeypatch.setattr(link_module, "check_no_paths", lambda recipe, plugins: checked.append(plugins))
    dialogs.session.open_path(str(saved_run()))
    dialogs.links.share_run()
    until(dialogs.links.shared.copy.isEnabled)
    assert set(checked) == {dialogs.session.plugins}


def test_a_recipe_that_no_link_holds_is_refused_in_the_dialog(dialogs, until):
    text = "".join(map(chr, range(0x4E00, 0x4E00 + 4000)))
    assert dialogs.session.draft.apply({"corpus": {"name": "text", "text": text}}) is None
    dialogs.links.share_draft()
    until(dialogs.links.shared._refused.isVisible)
    assert "Share the recipe as a file" in dialogs.links.shared._refused.text()
    assert not dialogs.links.shared.copy.isEnabled()


@pytest.mark.parametrize("mode", ["dark", "light"])
def test_the_code_is_dark_on_a_light_plate_in_both_themes(shared, mode, until):
    themes.choose(mode)
    dialog = shared()
    image = dialog.picture.grab().toImage()
    code = qr_code(dialog.link)
    count, scale = len(code.rows), image.width() / SIDE
    module = image.width() // (count + 2 * BORDER)
    start = (image.width() - module * count) // 2
    seen = tuple(
        tuple(
            image.pixelColor(start + column * module + module // 2, start + row * module + module // 2).lightness() < 99
            for column in range(count)
        )
        for row in range(count)
    )
    assert seen == code.rows
    assert module >= 3 * scale
    assert image.pixelColor(image.width() // 2, 4).lightness() > 250


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_the_code_is_saved_as_vector_or_picture(shared, dialogs, tmp_path, monkeypatch, click, until, suffix):
    file = tmp_path / f"code{suffix}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    dialog = shared()
    click(dialog.save)
    until(file.exists)
    until(lambda: not dialogs.session.background._tasks)
    if suffix == ".svg":
        assert file.read_text() == qr_code(dialog.link).svg()
    else:
        assert not QImage(str(file)).isNull()

"""The text of Play as data: colours, branches, editing, undo, the table, the tree, its file, and exports."""

import csv
import json
import math
import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from lab.base.problems import LabError
from lab.shell.play.model import TextState
from lab.shell.play.text import controller
from lab.workbench.scoring.scores import score_text
from lab.workbench.texts.store import FILE, read_trees


@pytest.fixture
def play(open_page, until):
    """The place with a text of twelve tokens, written with a fixed seed."""
    page = open_page("play")
    play = page.play
    play.prompt.setPlainText("the ")
    play._panel._edit_length("tokens", 12)
    play._panel._edit_length("fixed_seed", True)
    play.generate()
    until(lambda: len(play.model.tokens) == 12 and not play.writing)
    return play


def branch(play, until, index=5):
    """Branch at a token, and wait for the end of the text; return it."""
    token = play.model.tokens[index]
    text = next(its for at, (_, its, _) in enumerate(token.alternatives) if at != token.drawn and its)
    play.text.choose(index)
    play.next_card.tokens.picked.emit(text)
    until(lambda: len(play.model.tokens) == index + 1 + 12 and not play.writing)
    return play.text.text()


def test_undo_and_redo_lead_from_branch_to_branch(play, until, click):
    first = play.text.text()
    second = branch(play, until)
    assert not play.pages.redo.isEnabled()
    click(play.pages.undo)
    assert play.text.text() == first
    assert not play.pages.undo.isEnabled()
    click(play.pages.redo)
    assert play.text.text() == second


def test_continue_goes_on_at_the_end_of_the_text(play, until, click):
    first = play.text.text()
    click(play.pages.go_on)
    until(lambda: len(play.model.tokens) == 24 and not play.writing)
    assert play.text.text().startswith(first)


def test_an_edit_anywhere_keeps_the_tokens_before_it_and_continue_goes_on_from_there(play, until, click, qtbot):
    click(play.pages.edit)
    editor = play.pages.editor
    assert editor.hasFocus()
    assert editor.toPlainText() == play.text.text()
    for _ in range(4):
        qtbot.keyClick(editor, Qt.Key.Key_Backspace)
    qtbot.keyClicks(editor, "eee")
    edited = editor.toPlainText()
    click(play.pages.go_on)
    until(lambda: len(play.model.tokens) == 8 + 1 + 12 and not play.writing)
    assert play.text.text().startswith(edited)
    assert play.text._tokens[8].is_typed
    play.text.choose(8)
    assert play.next_card.state == "empty"


def test_a_text_whose_prompt_was_edited_stays_and_can_be_continued(play, until, click):
    click(play.pages.edit)
    play.pages.editor.setPlainText("he the ")
    play.pages.editor.document().setModified(True)
    click(play.pages.edit)
    assert play.text.isVisible()
    assert play.text.text() == "he the "
    click(play.pages.go_on)
    until(lambda: len(play.model.tokens) == 12 and not play.writing)
    assert play.text.text().startswith("he the ")


def test_escape_leaves_the_editor_without_a_change(play, click, qtbot):
    before = play.text.text()
    click(play.pages.edit)
    qtbot.keyClicks(play.pages.editor, "!")
    qtbot.keyClick(play.pages.editor, Qt.Key.Key_Escape)
    assert play.text.isVisible()
    assert play.text.text() == before


def test_a_typed_part_that_the_vocabulary_lacks_is_named_and_the_text_stays(play, until, click):
    click(play.pages.edit)
    play.pages.editor.insertPlainText("Ω")
    click(play.pages.go_on)
    until(lambda: play._problem.isVisible())
    assert play.text.text().endswith("Ω")
    assert play.pages.undo.isEnabled()


@pytest.mark.parametrize("name", ["probability", "entropy", "rank"])
def test_colours_and_legend_follow_the_quantity(play, name):
    before = [play.text._ground(number) for number in range(12)]
    play.pages.quantity.pick(name)
    assert name in play.pages._legend.accessibleName().lower()
    assert [play.text._ground(number) for number in range(12)] != before


def test_every_token_has_its_entropy_and_its_rank(play):
    tokens = play.model.tokens
    assert all(0 < token.entropy < 8 and token.rank >= 1 for token in tokens)
    for token in tokens:
        if token.drawn is not None:
            assert token.rank <= token.drawn + 1


def test_the_table_has_a_row_for_each_token_and_a_click_selects_it_in_the_text(play, click, qtbot):
    click(play.pages.shows_table)
    table = play.pages.table
    rows = table.model()
    assert rows.rowCount() == 12
    assert rows.index(2, 5).data() == str(play.model.tokens[2].rank)
    where = table.visualRect(rows.index(3, 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert play.model.selected == 3
    play.text.choose(6)
    assert table.currentIndex().row() == 6


def items(play):
    """Return (text, depth) of the rows of the tree, from the top."""
    view, found = play.pages.tree.view, []

    def add(item, depth):
        found.append((item, depth))
        for at in range(item.childCount()):
            add(item.child(at), depth + 1)

    for at in range(view.topLevelItemCount()):
        add(view.topLevelItem(at), 0)
    return found


def test_the_tree_shows_what_branches_share_and_a_click_shows_its_text(play, until, click, qtbot):
    click(play.pages.shows_tree)
    first = play.text.text()
    branch(play, until)
    assert [depth for _, depth in items(play)] == [0, 1, 2, 2]
    view = play.pages.tree.view
    assert [item.text(1) for item, _ in items(play)] == ["", "5", "7", "13"]
    assert view.currentItem() is items(play)[3][0]
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualItemRect(items(play)[2][0]).center())
    assert play.text.text() == first
    assert play.pages.undo.isEnabled()


def test_a_part_of_the_tree_is_deleted_with_all_that_continues_it(play, until, click, qtbot):
    click(play.pages.shows_tree)
    branch(play, until)
    view = play.pages.tree.view
    view.setCurrentItem(items(play)[2][0])
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert [depth for _, depth in items(play)] == [0, 1, 2]
    view.setCurrentItem(items(play)[1][0])
    click(play.pages.tree.delete)
    assert [depth for _, depth in items(play)] == [0]
    assert not play.text.isVisible()


def test_two_texts_are_compared(play, until, click):
    click(play.pages.shows_tree)
    first = play.text.text()
    second = branch(play, until)
    assert not play.pages.tree.compare.isEnabled()
    for at in (2, 3):
        items(play)[at][0].setSelected(True)
    click(play.pages.tree.compare)
    comparison = play.pages.comparison
    assert comparison.isVisible()
    assert [text.text() for text in comparison.texts] == [first, second]
    assert comparison._where.text() == "5 common tokens at the start"
    assert [sentence.text().split(" tokens")[0] for sentence in comparison.sentences] == ["12", "18"]


@pytest.fixture
def of_run(open_page, trained_run, until):
    """A page with a run that is selected and can write; and the folder of the run."""
    folder = trained_run()
    page = open_page("play")
    page.session.registry.begin()
    until(lambda: page.session.registry.runs)
    page.session.registry.select(page.session.registry.runs[0].key)
    page.play.prompt.setPlainText("the ")
    page.play._panel._edit_length("tokens", 5)
    return page, folder


def test_what_is_written_with_a_run_is_kept_in_its_folder_and_shown_again(of_run, open_page, until):
    page, folder = of_run
    page.play.generate()
    until(lambda: len(page.play.model.tokens) == 5 and not page.play.writing)
    text = page.play.text.text()
    until(lambda: (folder / FILE).exists())
    assert [tree.text(1) for tree in read_trees(folder)] == [text]
    other = open_page("play")
    other.session.registry.begin()
    until(lambda: other.session.registry.runs)
    other.session.registry.select(other.session.registry.runs[0].key)
    until(lambda: other.play.text.text() == text)
    assert other.play.text._tokens[0].alternatives


def test_what_is_not_written_yet_is_written_as_the_window_closes(of_run, until):
    page, folder = of_run
    page.play.texts.save = lambda: None
    page.play.generate()
    until(lambda: len(page.play.model.tokens) == 5 and not page.play.writing)
    page.play.close_down()
    page.play.texts._write([(folder, [], 0)], None)  # a thread that comes too late
    assert len(read_trees(folder)) == 1


def test_what_could_not_be_saved_is_saved_as_the_window_closes(of_run, until, monkeypatch):
    page, folder = of_run
    refused = []

    def refuse(run, *_):
        refused.append(run)
        raise LabError("the disk is full")

    with monkeypatch.context() as change:
        change.setattr(controller, "write_trees", refuse)
        page.play.generate()
        until(lambda: refused and not page.play.texts._is_saving and not page.play.writing)
    page.play.close_down()
    assert len(read_trees(folder)) == 1


def test_nothing_is_said_of_the_texts_of_a_run_that_was_deleted(of_run, until, monkeypatch):
    page, folder = of_run
    said = []
    page.play.texts.save = lambda: None
    page.play.generate()
    until(lambda: len(page.play.model.tokens) == 5 and not page.play.writing)
    shutil.rmtree(folder)
    monkeypatch.setattr(controller, "notify", lambda *notice: said.append(notice))
    page.play.close_down()
    assert said == []
    assert not folder.exists()


def exported(play, monkeypatch, tmp_path, until, kind, name="text"):
    """Export the text, and return the content of the file."""
    file = tmp_path / f"{name}.{kind}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / name), ""))
    play.pages.export.pick(kind)
    until(file.exists)
    return file.read_text(encoding="utf-8")


def test_the_text_is_exported_as_table_data_and_page(play, monkeypatch, tmp_path, until):
    rows = list(csv.DictReader(exported(play, monkeypatch, tmp_path, until, "csv").splitlines()))
    whole = json.loads(exported(play, monkeypatch, tmp_path, until, "json"))
    page = exported(play, monkeypatch, tmp_path, until, "html")
    assert [float(row["probability"]) for row in rows] == [token.probability for token in play.model.tokens]
    assert whole["prompt"] + whole["text"] == play.text.text()
    assert whole["decoding"]["strategy"]["name"] == "sampling"
    assert float(rows[-1]["sum"]) == pytest.approx(whole["log_probability"])
    assert page.count("background:#") == 12 + 1  # and that of the page
    assert "<script" not in page


def test_a_file_without_a_suffix_never_replaces_another_one(play, monkeypatch, tmp_path, until):
    (tmp_path / "mine.csv").write_text("kept")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    play.pages.export.pick("csv")
    until((tmp_path / "mine 2.csv").exists)
    assert (tmp_path / "mine.csv").read_text() == "kept"


def test_what_is_shown_is_stored_with_the_place(play):
    play.pages.quantity.pick("rank")
    play.pages.shows_tree.setChecked(True)
    stored = play.state_dict()
    play.pages.quantity.pick("entropy")
    play.pages.shows_tree.setChecked(False)
    play.load_state_dict(stored)
    assert (play.pages.quantity.value, play.pages.tree.isVisible()) == ("rank", True)
    play.load_state_dict({"text": {"colour": "smell", "tree": 3, "table": None}})
    assert (play.pages.quantity.value, play.pages.tree.isVisible()) == ("rank", True)


def test_the_beams_of_a_text_are_branches_of_the_tree(play, until, click):
    strategies = play._panel._strategies
    strategies.setCurrentIndex(strategies.findData("beam-search"))
    play._panel._edit("width", 3)
    click(play.pages.shows_tree)
    click(play.generate_button)
    until(lambda: play.model.text_state is TextState.ENDED and len(play.model.tokens) == 12)
    tree, document = play.model.document.tree, play.model.document
    ends = [node for node, _ in tree.rows() if not tree.children(node.number)]
    assert len(ends) == 1 + 3  # the text of the fixture and the beams
    assert all(len(tree.pieces(node.number)) == 12 for node in ends)
    assert document.text == play.text.text()


@pytest.fixture
def two(open_page, trained_run, until):
    """The place with a text that a run wrote, and a second run that is shown."""
    page = open_page("play")
    session, play = page.session, page.play
    session.open_path(str(trained_run("training.steps=20")))
    until(lambda: session.selected is not None)
    first = session.selected
    play.prompt.setPlainText("the ")
    play._panel._edit_length("tokens", 12)
    play.generate()
    until(lambda: len(play.model.tokens) == 12 and not play.writing)
    return play, session, first


def test_the_text_is_coloured_by_the_difference_to_another_run_that_is_shown(two, trained_run, until):
    play, session, first = two
    play.pages.quantity.pick("difference")
    assert "Show a second run" in play.pages._difference_note.text()
    assert {token.shade for token in play.text._tokens} == {0.0}
    session.open_path(str(trained_run("training.steps=20", "training.seed=2")))
    until(lambda: len(session.registry.runs) == 2)
    session.registry.show([run.key for run in session.registry.runs], True)
    session.registry.select(first.key)
    until(lambda: any(play.pages.differences or ()))
    other = next(run for run in session.registry.runs if run is not first)
    assert other.name in play.pages._difference_note.text()
    score = score_text(other.source, "the " + "".join(token.text for token in play.model.tokens))
    bits = score.values.nats[4:] / math.log(2)
    own = [-math.log2(token.probability) for token in play.model.tokens]
    assert play.pages.differences == pytest.approx([a - b for a, b in zip(own, bits, strict=True)], abs=1e-4)
    assert [token.shade for token in play.text._tokens] == play.pages.differences
    assert "difference" in play.text._describe(3)
    play.pages.quantity.pick("surprisal")
    assert {token.shade for token in play.text._tokens} == {None}
    assert not play.pages._difference_note.isVisible()


def test_tokens_that_grow_have_no_difference_until_the_text_ends(two):
    play, _, _ = two
    play.pages.quantity.pick("difference")
    play.pages.add(play.model.tokens[:2])
    assert [token.shade for token in play.text._tokens[-2:]] == [0.0, 0.0]

"""The page Canvas of Play: offered for models of images, which say live what is drawn and why."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from lab.shell.play.pages import CANVAS, WRITE, PlayPages

SMALL = ("architecture.layers=1", "architecture.width=16", "architecture.heads=2")
DIGITS = ("corpus.name=digits", "corpus.rows=40", "tokenizer.name=none", "objective.name=classification",
          "architecture.name=vit", *SMALL)  # fmt: skip
SHAPES = ("corpus.name=shapes", "corpus.rows=90", "corpus.target=caption", "tokenizer.name=character",
          "objective.name=contrastive", "architecture.name=clip", "training.context_length=64", *SMALL)  # fmt: skip


@pytest.fixture
def open_canvas(open_page, until):
    """Open Play with the untrained model of a recipe, until the canvas knows its pictures."""
    made = []

    def open_canvas(assignments):
        page = open_page("play", *assignments)
        session = page.session
        pages = PlayPages(page.play, session.registry, session.model_provider, session.background)
        pages.resize(1200, 700)
        pages.begin()
        pages.show()
        page.play.use_changed.emit()
        until(lambda: pages.page == CANVAS)
        until(lambda: pages.canvas.form is not None and pages.canvas.found is not None)
        pages.session = session
        made.append((page, pages))
        return pages

    yield open_canvas
    for page, pages in made:
        pages.close_down()
        page.play.setParent(page)  # which closes it
        pages.close()
        pages.deleteLater()


def rows_of(page):
    model = page.bars.list.model()
    return [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())]


def drawn_stroke(page, qtbot):
    """Draw a stroke down the middle with the mouse."""
    room = page.pad.picture_rect()
    top, bottom = room.center().toPoint(), room.center().toPoint()
    top.setY(int(room.top() + room.height() * 0.2))
    bottom.setY(int(room.top() + room.height() * 0.8))
    qtbot.mousePress(page.pad, Qt.MouseButton.LeftButton, pos=top)
    qtbot.mouseMove(page.pad, bottom)
    qtbot.mouseRelease(page.pad, Qt.MouseButton.LeftButton, pos=bottom)


def test_what_is_drawn_is_classified_while_it_is_drawn_and_then_explained(open_canvas, until, qtbot, click):
    pages = open_canvas(DIGITS)
    page = pages.canvas
    assert page.pad.pixels.shape == (16, 16, 1)
    assert not page.prompts.isVisible()
    assert len(rows_of(page)) == 10
    before = page.found
    drawn_stroke(page, qtbot)
    until(lambda: page.found is not before and not page._worker.works and not page._is_stale)
    access, _ = page._model_provider.current("play")
    expected = access.classify_picture(page.pad.pixels)
    assert page.found.shares == expected.shares
    assert rows_of(page)[0].startswith(expected.ranked()[0][0])
    until(lambda: page.decision is not None and page.occlusion.isVisible())
    assert page.decision.name == expected.ranked()[0][0]
    np.testing.assert_array_equal(page.occlusion._values[0], page.decision.occlusion)
    assert page.gradient.isVisible()
    assert expected.ranked()[0][0] in page._why.text()
    click(page.empty)
    until(lambda: page.found.shares == before.shares)
    assert len(set(page.pad.pixels.ravel().tolist())) == 1


def test_a_stroke_ends_the_explanation_of_the_picture_before_and_the_problem_of_a_file(
    open_canvas, until, qtbot, tmp_path
):
    page = open_canvas(DIGITS).canvas
    page.open_file(tmp_path / "none.png")
    until(lambda: page._problem.isVisible())
    until(lambda: not page._worker.works and not page._settled.isActive() and not page._explainer.works)
    explained = []
    page._explainer.start(lambda _job: "of the picture before", explained.append)
    drawn_stroke(page, qtbot)
    assert not page._explainer.works
    until(lambda: page.decision is not None)
    assert explained == []
    assert page._problem.isHidden()


def test_examples_follow_one_another_and_say_what_they_show(open_canvas, until, click):
    page = open_canvas(DIGITS).canvas
    access, _ = page._model_provider.current("play")
    for number in range(2):
        click(page.example)
        pixels, name = access.example_picture(number)
        until(lambda: page._about.text().endswith(name) and not page._opener.works)  # noqa: B023
        assert (page.pad.pixels == pixels).all()


def test_a_picture_of_a_file_is_brought_to_the_size_of_the_run(open_canvas, until, tmp_path):
    Image = pytest.importorskip("PIL.Image")
    page = open_canvas(DIGITS).canvas
    Image.new("RGB", (50, 40), "white").save(tmp_path / "white.png")
    page.open_file(tmp_path / "white.png")
    until(lambda: page._about.text() == "white.png")
    assert (page.pad.pixels == 255).all()
    (tmp_path / "text.png").write_text("no picture")
    page.open_file(tmp_path / "text.png")
    until(lambda: page._problem.isVisible())
    assert "is no picture that can be read" in page._problem.text()


def test_a_run_on_captions_compares_the_picture_with_texts_that_can_be_edited(open_canvas, until, qtbot):
    page = open_canvas(SHAPES).canvas
    assert page.pad.pixels.shape == (24, 24, 3)
    assert page.prompts.isVisible()
    assert len(rows_of(page)) == len(page.form.captions) == 6
    page.colours.pick("red")
    drawn_stroke(page, qtbot)
    assert page.pad.pixels[12, 12].tolist() == [230, 51, 51]
    page.prompts.setPlainText("a red ring\na blue ring\n")
    until(lambda: page.found is not None and page.found.names == ("a red ring", "a blue ring"))
    page.prompts.setPlainText("a red ring")
    until(lambda: page._problem.isVisible())
    assert "at least two texts" in page._problem.text()


def test_another_model_of_other_pictures_gets_a_canvas_of_their_size(open_canvas, until):
    pages = open_canvas(DIGITS)
    pages.session.draft.apply({"corpus": {"size": 20}})
    pages.write._select_run()
    until(lambda: pages.canvas.form is not None and pages.canvas.form.shape == (20, 20, 1))
    assert pages.canvas.pad.pixels.shape == (20, 20, 1)


def test_a_model_of_texts_has_no_canvas(open_canvas, until):
    pages = open_canvas(DIGITS)
    assert offered(pages) == {CANVAS}
    named = {"tokenizer": "character", "architecture": "transformer", "objective": "causal"}
    text = {"corpus": {"name": "text", "text": "The cat sat on the mat. " * 60}}
    pages.session.draft.apply({**text, **{part: {"name": name} for part, name in named.items()}})
    pages.write._select_run()
    until(lambda: pages.page == WRITE and pages.write.prompt.toPlainText())
    assert CANVAS not in offered(pages)


def offered(pages):
    return {pages._buttons.id(button) for button in pages._buttons.buttons() if not button.isHidden()}

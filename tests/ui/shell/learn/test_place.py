"""The place Learn: lessons with a prediction before the run, the result over it, and the answers of a class."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMainWindow

from lab.lessons.answers import Answers, hand_in_answers, own_answers
from lab.lessons.reading import read_lesson
from lab.lessons.results import Outcome, store

VALUES = {"loss": {"1": 2.5, "2": 1.5, "3": 1.75}}
"""What was measured in the lesson."""


def draw(qtbot, pad, shares):
    """Draw a curve with the mouse through points at shares of the height."""
    area = pad._area()
    points = [QPoint(round(pad._x(i)), round(area.bottom() - s * area.height())) for i, s in enumerate(shares)]
    qtbot.mousePress(pad, Qt.MouseButton.LeftButton, pos=points[0])
    for point in points[1:]:
        qtbot.mouseMove(pad, point)
    qtbot.mouseRelease(pad, Qt.MouseButton.LeftButton, pos=points[-1])


def test_the_lessons_of_the_lab_are_listed_by_track(page, own):
    own()
    titles = [row.title for row in page().list.rows()]
    assert titles[0] == "Probability and n-grams"
    assert "What was never seen" in titles
    assert titles[-2:] == ["Mine", "Own lesson"]


def test_start_is_offered_once_a_curve_is_drawn_which_is_then_laid_under_the_result(page, own, qtbot):
    own()
    reader = page().reader
    assert not reader.run_row.start.isEnabled()
    assert not reader.run_row.show_result.isEnabled()
    assert not reader.prediction.commit.isEnabled()
    reader.scroll_area.ensureWidgetVisible(reader.prediction.pad)
    reader.prediction.pad.show_drawn({"1": 3.0, "2": 1.0, "3": 2.0}, is_open=True)
    reader.prediction.pad.changed.emit()
    reader.prediction.commit.click()
    assert reader.run_row.start.isEnabled()
    assert not reader.result.isVisibleTo(reader)
    reader.run_row.show_result.click()
    assert reader.prediction._outcome.text() == "Right. Your curve is 0.42 away on average."
    assert reader.result.isVisibleTo(reader)
    assert reader.prediction.pad._measured == VALUES["loss"]
    assert not reader.prediction.commit.isVisibleTo(reader)
    stored = own_answers().of("own-lesson")
    assert (stored.prediction, stored.seen) == ({"1": 3.0, "2": 1.0, "3": 2.0}, True)


def test_a_curve_is_drawn_with_the_mouse_and_moved_with_the_keys(page, own, qtbot):
    own()
    pad = page().reader.prediction.pad
    draw(qtbot, pad, [0.75, 0.25, 0.5])
    assert pad.drawn == pytest.approx({"1": 3.0, "2": 1.0, "3": 2.0}, abs=0.1)
    before = pad.drawn["3"]
    qtbot.keyClick(pad, Qt.Key.Key_Up)
    assert pad.drawn["3"] == pytest.approx(before + 0.08)
    qtbot.keyClick(pad, Qt.Key.Key_Left)
    qtbot.keyClick(pad, Qt.Key.Key_Down)
    assert pad.drawn["2"] < 1.0


@pytest.mark.parametrize(("typed", "verdict"), [("1.2", "Right."), ("3.5", "Not this time.")])
def test_a_number_is_typed(page, own, typed, verdict):
    own("number")
    reader = page().reader
    reader.prediction.number.setText("9")
    assert not reader.prediction.commit.isEnabled()
    reader.prediction.number.setText(typed)
    reader.prediction.commit.click()
    reader.run_row.show_result.click()
    assert reader.prediction._outcome.text() == f"{verdict} Predicted: {typed}. Measured: 1.5."


def test_large_numbers_of_a_result_are_written_in_full(page, own):
    folder = own("number")
    values = {"loss": {"1": 5177344.0, "2": 0.25, "3": 4.4e-07}}
    store(read_lesson(folder), {1: Outcome(values)}, folder / "results.json")
    reader = page().reader
    reader.prediction.number.setText("1")
    reader.prediction.commit.click()
    reader.run_row.show_result.click()
    shown = [one.text() for one in reader.result.findChildren(QLabel)]
    assert {"5,177,344", "0.25", "4.4e-07"} <= set(shown)


def test_an_option_is_picked(page, own):
    own("pick")
    reader = page().reader
    reader.prediction.options[1].click()
    reader.prediction.commit.click()
    reader.run_row.show_result.click()
    assert reader.prediction._outcome.text() == "Right. Predicted: Two. Measured: Two."


def test_the_prediction_can_be_changed_until_the_result_is_seen_and_begun_again_afterwards(page, own):
    own("pick")
    lessons = page()
    reader = lessons.reader
    for number in (0, 2):
        reader.prediction.options[number].click()
        reader.prediction.commit.click()
    assert lessons.model.prediction == "3"
    reader.run_row.show_result.click()
    lessons.model.predict("2")
    assert lessons.model.prediction == "3"
    reader.reset.click()
    assert lessons.model.prediction is None
    assert not reader.run_row.start.isEnabled()


def test_a_lesson_runs_in_the_window_and_its_runs_are_listed(page, own, until):
    own("number", recorded=False, text="the cat sat on the mat. " * 14)
    lessons = page()
    until(lambda: lessons._session.warm_up.ready)
    lessons.reader.prediction.number.setText("1")
    lessons.reader.prediction.commit.click()
    lessons.reader.run_row.start.click()
    assert lessons._work is not None
    assert lessons.reader.run_row.cancel.isVisibleTo(lessons)
    until(lambda: lessons._work is None)
    assert lessons.reader.prediction._outcome.text().startswith(("Right.", "Not this time."))
    assert len(lessons._session.registry.runs) == 3
    opened = []
    lessons.view_requested.connect(opened.append)
    lessons.reader.view.click()
    assert opened == ["train"]
    assert len(lessons._session.registry.shown) == 3


def test_answers_are_stored_and_handed_in(page, own, tmp_path):
    own("pick")
    lessons = page()
    reader = lessons.reader
    reader.prediction.options[1].click()
    reader.prediction.commit.click()
    reader.run_row.show_result.click()
    reader.questions.fields[1].setPlainText("The counts.")
    reader.questions.store()
    lessons.hand_in_to("Ada", tmp_path / "in")
    (file,) = (tmp_path / "in").iterdir()
    assert file.name == "Ada.answers"
    assert own_answers().of("own-lesson").answers == {"1": "The counts."}


def test_what_explains_the_result_comes_after_it_and_less_at_ten_minutes(page, own):
    own("pick")
    reader = page().reader
    assert not reader._texts["lesson"].isVisibleTo(reader)
    reader.prediction.options[1].click()
    reader.prediction.commit.click()
    reader.run_row.show_result.click()
    assert reader._texts["lesson"].isVisibleTo(reader)
    reader._take_depth("look")
    assert not reader._texts["lesson"].isVisibleTo(reader)
    assert reader.result.isVisibleTo(reader)


def test_html_is_shown_as_text_and_formulas_are_pictures_that_copy_as_latex(page, own, until):
    own()
    reader = page().reader
    look = reader._texts["look"]
    until(lambda: len(look._pictures) == 2)
    assert list(look.formulas) == ["x_1", "\\frac{1}{n}"]
    assert look.accessibleDescription() == "1: x sub 1; 2: 1 over n"
    assert not any(picture.image.isNull() for picture in look._pictures)
    cursor = look.textCursor()
    cursor.select(QTextCursor.SelectionType.Document)
    look.setTextCursor(cursor)
    assert "Look at $x_1$." in look.selected_text()
    assert "$\\frac{1}{n}$" in look.createMimeDataFromSelection().text()
    assert "<script>alert(1)</script>" in reader._texts["lesson"].toPlainText()


def test_a_symbol_that_is_pointed_at_is_marked_in_all_texts_and_explorables_of_the_lesson(
    page, own, until, monkeypatch
):
    folder = own("pick")
    (folder / "look.md").write_text("$T$ divides $\\frac{z}{T}$ but not $d$.\n\n![Softmax](explorable:softmax)")
    (folder / "lesson.md").write_text("The temperature $T$ again.")
    lessons = page()
    reader = lessons.reader
    look, lesson = reader._texts["look"], reader._texts["lesson"]
    until(lambda: len(look._pictures) == 3 and len(lesson._pictures) == 1)

    def marked(text):
        return [picture.marked(text._marked) != picture.image for picture in text._pictures]

    (card,) = look.explorables.cards
    area = look.formula_rect(0)
    QTest.mouseMove(look.viewport(), area.center().toPoint())
    until(lambda: reader.marks.symbol == "T")
    assert (marked(look), marked(lesson)) == ([True, True, False], [True])
    assert card.temperature.is_marked
    assert not card.logits[0].is_marked
    QTest.mouseMove(look.viewport(), QPoint(look.width() - 5, 5))
    until(lambda: reader.marks.symbol == "")
    placed = []
    monkeypatch.setattr(look, "formula_rect", lambda number: (placed.append(number), area)[1])
    assert look.symbol_at(area.center()) == "T"
    assert look.symbol_at(QPointF(look.width() - 5, 5)) == ""
    assert placed == [0]
    assert not any(marked(look) + marked(lesson))


def test_an_explorable_has_room_in_its_text_and_one_that_is_not_there_is_said(page, own, until):
    folder = own("pick")
    (folder / "look.md").write_text("Before.\n\n![Clock](explorable:sinusoids)\n\nAfter.")
    lessons = page()
    look = lessons.reader._texts["look"]
    (card,) = look.explorables.cards
    assert card.isVisible()
    top = look.document().documentLayout().blockBoundingRect(look.document().begin().next()).top()
    assert (card.x(), card.y()) == (0, int(top))
    assert card.geometry().bottom() < look.height()
    lessons.window_of_test.resize(1000, 700)
    until(lambda: card.width() == min(look.viewport().width(), 900))
    look.explorables.make = lambda key: None
    look.show_text("![Clock](explorable:nothing)", folder)
    assert look.toPlainText() == "There is no explorable “nothing” here."
    look.explorables.make = None
    look.show_text("See ![Clock](explorable:sinusoids) there.", folder)
    assert look.toPlainText() == "See Clock there."
    assert not look.explorables.cards


def test_texts_that_are_typeset_at_once_do_not_mix(page, own, until):
    folder = own("pick")
    for name in ("look", "lesson", "further", "teacher"):
        (folder / f"{name}.md").write_text(" and ".join(f"$x_{{{name}}} = {number}$" for number in range(12)))
    reader = page().reader
    texts = list(reader._texts.values())
    until(lambda: all(len(text._pictures) == 12 for text in texts))
    assert not any(picture.image.isNull() for text in texts for picture in text._pictures)
    heights = {picture.image.height() for picture in texts[0]._pictures}
    assert len(heights) == 1


def test_a_lesson_is_shown_again_when_its_file_changes(page, own, until):
    folder = own()
    lessons = page()
    file = folder / "lesson.toml"
    file.write_text(file.read_text().replace("Own lesson", "New title"))
    until(lambda: lessons.card.title == "New title")
    file.write_text("nonsense")
    until(lambda: lessons.card.title == "own-lesson")
    assert "is not TOML" in lessons.model.selected.problem.line()


def test_a_class_is_a_table_with_its_predictions_over_the_result(page, own, until, tmp_path):
    own()
    lessons = page()
    for number in range(30):
        curve = {"1": 3.0, "2": 1.0 + number / 20, "3": 2.0}
        given = Answers().with_lesson("own-lesson", prediction=curve, seen=True, answers={"1": f"Answer {number}"})
        hand_in_answers(given, f"Learner {number:02}", tmp_path / "in")
    (tmp_path / "in" / "Eve.answers").write_text("{")
    view = lessons.window_of_test.place.open_page("class")
    view.open_folder(tmp_path / "in")
    until(lambda: view.table.rowCount() == 30)
    assert view._count.text() == "30 files of answers · 1 cannot be read · 21 of 30 predicted right"
    assert view.pad._measured == VALUES["loss"]
    assert view.pad._band["2"][1] == pytest.approx(1.725)
    assert view.table.item(4, 3).text() == "Answer 4"
    assert "damaged" in view._damaged.text()
    view.save_csv(view._lessons["own-lesson"], tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_text().count("\n") == 32


def test_further_pages_are_added_and_made_when_they_are_opened(page, own):
    own()
    place = page().window_of_test.place
    made = []

    class Page(QMainWindow):
        def show_example(self, name):
            made.append(name)

    place.add_page("examples", "Worked examples", Page)
    place._show_example("perplexity-aba")
    assert made == ["perplexity-aba"]

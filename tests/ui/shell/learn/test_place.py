"""The place Learn: lessons with a prediction before the run, the result over it, and the answers of a class."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLabel, QMainWindow

from lab.base.folders import home
from lab.lessons.answers import Answers, hand_in_answers, own_answers
from lab.lessons.reading import read_lesson
from lab.lessons.results import Outcome, store
from lab.shell.learn.place import LearnPlace

LESSON = """\
format = 1
title = "Own lesson"
summary = "Counting needs smoothing."
track = "Mine"
minutes = 10
mistake = "None."

[[runs]]
name = "orders"
title = "Orders"
settings = ["corpus.name=text", "corpus.text={text}", "architecture.name=n-gram"]
along = "architecture.order"
values = [1, 2, 3]

[[measures]]
name = "loss"
title = "Loss"
runs = ["orders"]
figure = "validation loss"

{prediction}

[[checks]]
claim = "Context helps."
holds = ["loss[2] < loss[1]"]

[[questions]]
text = "Why?"
answer = "Because."

[view]
place = "train"
look = "Curves."
"""
CURVE = """[prediction]
kind = "curve"
text = "Draw it."
of = "loss"
high = 4.0
right = ["argmin(prediction) = argmin(loss)"]
explanation = "So it is."
"""
NUMBER = """[prediction]
kind = "number"
text = "How low?"
high = 4.0
answer = "min(loss)"
right = ["prediction < loss[1]"]
explanation = "So it is."
"""
PICK = """[prediction]
kind = "pick"
text = "Which?"
answer = "argmin(loss)"
right = ["prediction = argmin(loss)"]
explanation = "So it is."
options = [{ key = "1", label = "One" }, { key = "2", label = "Two" }, { key = "3", label = "Three" }]
"""
VALUES = {"loss": {"1": 2.5, "2": 1.5, "3": 1.75}}


@pytest.fixture
def own(lab_home):
    """Write a lesson of the user's own, with recorded results, and return its folder."""

    def own(prediction=CURVE, *, recorded=True, text="the cat sat on the mat. " * 14):
        folder = home() / "lessons" / "own-lesson"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "lesson.toml").write_text(LESSON.format(prediction=prediction, text=text))
        (folder / "look.md").write_text("Look at $x_1$.\n\n$$\\frac{1}{n}$$\n\nA [perplexity](term:perplexity).")
        (folder / "lesson.md").write_text("Explained <script>alert(1)</script>.")
        lesson = read_lesson(folder)
        if recorded:
            store(lesson, {1: Outcome(VALUES, 3.0)}, folder / "results.json")
        return folder

    return own


@pytest.fixture
def page(open_session, qtbot, until):
    """Open the page of lessons with the user's own lesson selected."""
    made = []

    def page():
        window = QMainWindow()
        session = open_session()
        window.place = LearnPlace(session, window)
        window.setCentralWidget(window.place)
        window.resize(1366, 768)
        made.append(window)
        window.show()
        qtbot.waitActive(window)
        lessons = window.place.lessons
        until(lambda: bool(lessons.model.found))
        lessons.select("own-lesson")
        until(lambda: not session.background._tasks)
        lessons.window_of_test = window
        return lessons

    yield page
    for window in made:
        window.place.close_down()
        window.close()
        window.deleteLater()


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
    own(NUMBER)
    reader = page().reader
    reader.prediction.number.setText("9")
    assert not reader.prediction.commit.isEnabled()
    reader.prediction.number.setText(typed)
    reader.prediction.commit.click()
    reader.run_row.show_result.click()
    assert reader.prediction._outcome.text() == f"{verdict} Predicted: {typed}. Measured: 1.5."


def test_large_numbers_of_a_result_are_written_in_full(page, own):
    folder = own(NUMBER)
    values = {"loss": {"1": 5177344.0, "2": 0.25, "3": 4.4e-07}}
    store(read_lesson(folder), {1: Outcome(values)}, folder / "results.json")
    reader = page().reader
    reader.prediction.number.setText("1")
    reader.prediction.commit.click()
    reader.run_row.show_result.click()
    shown = [one.text() for one in reader.result.findChildren(QLabel)]
    assert {"5,177,344", "0.25", "4.4e-07"} <= set(shown)


def test_an_option_is_picked(page, own):
    own(PICK)
    reader = page().reader
    reader.prediction.options[1].click()
    reader.prediction.commit.click()
    reader.run_row.show_result.click()
    assert reader.prediction._outcome.text() == "Right. Predicted: Two. Measured: Two."


def test_the_prediction_can_be_changed_until_the_result_is_seen_and_begun_again_afterwards(page, own):
    own(PICK)
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
    own(NUMBER, recorded=False, text="the cat sat on the mat. " * 14)
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
    own(PICK)
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
    own(PICK)
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
    assert not any(picture.isNull() for picture in look._pictures)
    cursor = look.textCursor()
    cursor.select(QTextCursor.SelectionType.Document)
    look.setTextCursor(cursor)
    assert "Look at $x_1$." in look.selected_text()
    assert "$\\frac{1}{n}$" in look.createMimeDataFromSelection().text()
    assert "<script>alert(1)</script>" in reader._texts["lesson"].toPlainText()


def test_texts_that_are_typeset_at_once_do_not_mix(page, own, until):
    folder = own(PICK)
    for name in ("look", "lesson", "further", "teacher"):
        (folder / f"{name}.md").write_text(" and ".join(f"$x_{{{name}}} = {number}$" for number in range(12)))
    reader = page().reader
    texts = list(reader._texts.values())
    until(lambda: all(len(text._pictures) == 12 for text in texts))
    assert not any(picture.isNull() for text in texts for picture in text._pictures)
    heights = {picture.height() for picture in texts[0]._pictures}
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

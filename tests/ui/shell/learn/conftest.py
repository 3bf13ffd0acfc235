"""A lesson of the user's own, and the page of lessons on which it is selected."""

from functools import partial

import pytest
from PySide6.QtWidgets import QMainWindow

from lab.base.folders import home
from lab.lessons.reading import read_lesson
from lab.lessons.results import Outcome, store
from lab.shell.examples.pages import make_explorable
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
PREDICTIONS = {"curve": CURVE, "number": NUMBER, "pick": PICK}
VALUES = {"loss": {"1": 2.5, "2": 1.5, "3": 1.75}}


@pytest.fixture
def own(lab_home):
    """Write a lesson of the user's own, with recorded results, and return its folder."""

    def own(prediction="curve", *, recorded=True, text="the cat sat on the mat. " * 14):
        folder = home() / "lessons" / "own-lesson"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "lesson.toml").write_text(LESSON.format(prediction=PREDICTIONS[prediction], text=text))
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
        window.place.make_explorable = partial(make_explorable, session.background)
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

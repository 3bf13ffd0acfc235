"""A lesson plays by itself: scene after scene, with pause and stop, and without touching the learner's answers."""

import pytest

from lab.lessons.answers import own_answers
from lab.lessons.collection import find_lessons
from lab.shell.learn.demonstration import SHORTEST, Demonstration, scenes


@pytest.fixture
def lesson():
    return next(one.lesson for one in find_lessons() if one.name == "never-seen")


def test_the_scenes_follow_the_depth_and_last_as_long_as_their_texts(lesson):
    kinds = {depth: [scene.kind for scene in scenes(lesson, depth)] for depth in ("look", "lesson", "further")}
    assert kinds["look"] == ["look", "predict", "run", "result"]
    assert kinds["lesson"][:5] == [*kinds["look"], "explain"]
    assert kinds["lesson"].count("question") == len([one for one in lesson.questions if one.depth != "further"])
    assert kinds["further"][-1] == "further"
    assert all(scene.seconds >= SHORTEST for scene in scenes(lesson, "further") if scene.kind != "run")
    longer = lesson.model_copy(update={"texts": {**lesson.texts, "lesson": "word " * 300}})
    assert next(scene.seconds for scene in scenes(longer, "lesson") if scene.kind == "explain") == 100


@pytest.fixture
def row(qtbot, lesson):
    made = Demonstration()
    qtbot.addWidget(made)
    made.seen, made.ends = [], []
    made.scene_changed.connect(lambda scene: made.seen.append(scene.kind))
    made.ended.connect(lambda: made.ends.append(True))
    made.start(scenes(lesson, "look"))
    return made


def pass_time(row, seconds):
    """Let time pass for a demonstration without waiting for it."""
    row._passed += seconds
    row._tick()


def test_scenes_follow_one_another_and_the_run_waits_for_its_end(row):
    pass_time(row, 1000)
    pass_time(row, 1000)
    pass_time(row, 1000)
    assert row.seen == ["look", "predict", "run"]
    row.go_on()
    pass_time(row, 1000)
    assert row.seen[-1] == "result"
    assert row.ends == [True]
    assert row.scene is None


def test_nothing_moves_while_it_is_paused_and_stop_ends_it(row):
    row.pause.setChecked(True)
    pass_time(row, 1000)
    assert row.seen == ["look"]
    row.pause.setChecked(False)
    pass_time(row, 1000)
    assert row.seen == ["look", "predict"]
    row.stop_button.click()
    row.stop()
    assert row.ends == [True]
    assert not row.isVisible()


def play(page, until):
    """Start the demonstration of the selected lesson, and pass to the run."""
    page.demonstrate()
    until(lambda: page.demonstration.scene is not None and page.demonstration.scene.kind == "look")
    page.demonstration.go_on()
    return page.demonstration


@pytest.mark.parametrize("kind", ["curve", "number", "pick"])
def test_a_demonstration_shows_result_and_answers_and_leaves_the_learner_s_own(page, own, until, kind):
    own(kind)
    lessons = page()
    reader, stored = lessons.reader, own_answers()
    row = play(lessons, until)
    assert lessons.model.prediction is not None
    row.go_on()
    assert row.scene.kind == "result"
    assert reader.result.isVisibleTo(reader)
    row.go_on()
    row.go_on()
    assert row.scene.kind == "question"
    assert reader.questions.answers[1].isVisibleTo(reader)
    assert not lessons.hand_in.isEnabled()
    reader.questions.fields[1].setPlainText("typed meanwhile")
    row.stop()
    reader.questions.store()
    assert lessons.model.prediction is None
    assert not reader.result.isVisibleTo(reader)
    assert own_answers() == stored


def test_a_lesson_without_a_result_is_trained_in_its_demonstration(page, own, until):
    own("number", recorded=False)
    lessons = page()
    until(lambda: lessons._session.warm_up.ready, timeout=60_000)
    row = play(lessons, until)
    row.go_on()
    assert row.scene.kind == "run"
    row.pause.setChecked(True)
    assert lessons._work.is_paused
    row.pause.setChecked(False)
    until(lambda: row.scene.kind == "result", timeout=60_000)
    assert lessons.model.score is not None
    row.stop()
    assert lessons.model.prediction is None


def test_another_lesson_ends_it_and_one_asked_for_early_waits_for_the_list(page, own, until):
    own()
    lessons = page()
    row = play(lessons, until)
    lessons.select("never-seen")
    assert row.scene is None
    found, lessons.model.found = lessons.model.found, ()
    lessons.demonstrate("never-seen")
    assert row.scene is None
    lessons._take(found)
    assert row.scene.kind == "look"
    row.stop()


def test_another_depth_ends_it_and_beginning_again_leaves_the_learner_s_own_answers(page, own, until):
    own()
    lessons = page()
    lessons.model.answer(1, "my own")
    row = play(lessons, until)
    lessons.reader.depth_menu.pick("look")
    assert row.scene is None
    assert lessons.model.depth == "look"
    row = play(lessons, until)
    lessons.reader.reset.click()
    assert row.scene is None
    assert lessons.model.given.answers == {"1": "my own"}


def test_a_training_that_the_lab_is_not_ready_for_is_said(page, own, until, monkeypatch):
    own("number", recorded=False)
    lessons = page()
    said = []
    monkeypatch.setattr("lab.shell.learn.lessons_page.notify", lambda _kind, text: said.append(text))
    row = play(lessons, until)
    monkeypatch.setattr(lessons._session.warm_up, "ready", False)
    row.go_on()
    assert row.scene is None
    assert said == ["The lab is still loading; start it again in a moment."]

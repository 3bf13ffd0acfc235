"""The trainings of a lesson on the workbench, and what is measured of them."""

import threading

import pytest

from lab.api import BadInput
from lab.base.jobs import Cancelled
from lab.lessons.reading import read_lesson
from lab.lessons.results import passes, read_cached
from lab.workbench.lessons import measuring
from lab.workbench.lessons.training import LessonTraining, estimated_seconds

LESSON = """\
format = 1
title = "Orders"
summary = "Short."
track = "mine"
minutes = 1
mistake = "None."

[[runs]]
name = "orders"
title = "Orders"
settings = ["corpus.name=file", "corpus.path={path}", "architecture.name=n-gram", "architecture.smoothing={smoothing}"]
along = "architecture.order"
values = [1, 2]

[[measures]]
name = "loss"
title = "Loss"
runs = ["orders"]
figure = "validation loss"

[[measures]]
name = "uniform"
title = "Uniform"
runs = ["orders"]
figure = "floor"
of = "uniform"
{more}
[prediction]
kind = "number"
text = "How low?"
high = 10.0
answer = "min(loss)"
right = ["prediction < loss[1]"]
explanation = "So low."

[[checks]]
claim = "Context helps."
holds = ["loss[2] < loss[1] < uniform[1]"]
"""
NETWORK = """\
[[runs]]
name = "net"
title = "Net"
settings = ["corpus.name=file", "corpus.path={path}", {settings}]

[[measures]]
name = "trained"
title = "At the trained length"
runs = ["net"]
figure = "loss at length"
length = 8

[[measures]]
name = "curve"
title = "Training loss"
runs = ["net"]
figure = "series"
of = "train loss"

[[measures]]
name = "rows"
title = "Sum of each row"
runs = ["net"]
figure = "reading"
of = "mixing"
at = {{ query = 0 }}
reduce = "most"

[[measures]]
name = "strided"
title = "Strided"
runs = ["net"]
figure = "loss under protocol"
of = "strided:4"
"""


NETWORK_SETTINGS = (
    '"architecture.name=transformer", "architecture.layers=1", "architecture.width=16", "architecture.heads=2", '
    '"training.context_length=8", "training.batch_size=4", "training.steps=5", "training.threads=1"'
)
AGAIN = """\
[[runs]]
name = "same"
title = "No step to speak of"
start = "net"
settings = ["training.steps=1", "training.optimizer.learning_rate=1e-12", "training.schedule.warmup=0"]

[[runs]]
name = "tuned"
title = "LoRA"
start = "net"
settings = ["adapter.name=lora", "adapter.rank=2", "training.steps=3"]

[[runs]]
name = "student"
title = "Student"
teacher = "net"
settings = ["corpus.name=file", "corpus.path={path}", {settings}]

[[measures]]
name = "losses"
title = "Losses"
runs = ["net", "same", "tuned", "student"]
figure = "validation loss"

[[measures]]
name = "taught"
title = "What the teacher adds"
runs = ["student"]
figure = "series"
of = "train teacher loss"
step = 1

[[measures]]
name = "cost"
title = "Operations"
runs = ["net"]
figure = "flops per token"

[[measures]]
name = "state"
title = "State"
runs = ["net"]
figure = "decoding state"
"""
WRITING = """\
[[measures]]
name = "greedy"
title = "Greedy"
runs = ["written"]
figure = "writing"
of = "repeated"
decoding = "greedy"

[[measures]]
name = "human"
title = "The text"
runs = ["written"]
figure = "writing"
of = "repeated"

[[runs]]
name = "written"
title = "Order 3"
settings = ["corpus.name=file", "corpus.path={path}", "architecture.name=n-gram", "architecture.order=3"]
"""
COMPUTED = """\
format = 1
title = "By hand"
summary = "Short."
track = "mine"
minutes = 1
mistake = "None."

[[measures]]
name = "sum"
title = "Second entry"
figure = "example"
example = "net-231-sample-1"
of = "STEP"

[prediction]
kind = "number"
text = "How much?"
high = 10.0
answer = "sum"
right = ["prediction = sum"]
explanation = "So."

[[checks]]
claim = "A quarter."
holds = ["sum = 0.25"]
"""


@pytest.fixture
def lesson(tmp_path, text):
    """Write a lesson of n-grams on the small text, and read it."""

    def made(smoothing="modified-kneser-ney", more="", **changes):
        folder = tmp_path / "orders"
        folder.mkdir(exist_ok=True)
        file = text.rename(tmp_path / "animals.txt") if text.exists() else tmp_path / "animals.txt"
        written = LESSON.format(path=file, smoothing=smoothing, more=more.replace("PATH", str(file)))
        for old, new in changes.items():
            written = written.replace(old, new)
        (folder / "lesson.toml").write_text(written)
        (folder / "lesson.md").write_text("Text")
        return read_lesson(folder)

    return made


def test_a_lesson_is_trained_measured_and_cached(lesson, bench, tmp_path):
    one, seen = lesson(), []
    outcome = LessonTraining(one, bench, folder=tmp_path / "runs").run(seen.append)
    assert passes(one, outcome.values)
    assert set(outcome.values) == {"loss", "uniform"}
    assert set(outcome.values["loss"]) == {"1", "2"}
    assert read_cached(one).first.values["loss"] == pytest.approx(outcome.values["loss"], abs=1e-6)
    assert [at.share for at in seen] == sorted(at.share for at in seen)


def test_a_loss_without_smoothing_may_be_infinite(lesson, bench, tmp_path):
    (tmp_path / "rare").mkdir()
    one = lesson(smoothing="maximum-likelihood")
    with (tmp_path / "animals.txt").open("a") as file:
        file.write("a zebra!")
    outcome = LessonTraining(one, bench, folder=tmp_path / "runs").run()
    assert outcome.values["loss"]["2"] == float("inf")


def test_losses_at_lengths_series_readings_and_protocols_are_measured(lesson, bench, tmp_path):
    one = lesson(more=NETWORK.format(path="PATH", settings=NETWORK_SETTINGS))
    values = LessonTraining(one, bench, folder=tmp_path / "runs").run().values
    assert list(values["curve"]) == ["1", "2", "3", "4", "5"]
    assert values["rows"] == pytest.approx(1.0)  # the first token reads itself alone
    assert 0 < values["strided"] < values["trained"] + 1
    assert estimated_seconds(one, bench) > 0


def test_runs_start_with_the_weights_of_an_earlier_one_and_learn_from_its_predictions(lesson, bench, tmp_path):
    more = (NETWORK + AGAIN).format(path="PATH", settings=NETWORK_SETTINGS)
    training = LessonTraining(lesson(more=more), bench, folder=tmp_path / "runs")
    values = training.run().values
    assert values["losses"]["same"] == pytest.approx(values["losses"]["net"], abs=1e-6)
    assert values["losses"]["tuned"] != pytest.approx(values["losses"]["net"], abs=1e-6)
    assert training.runs["tuned", ""].recipe.title == "LoRA"
    assert values["taught"] > 0
    assert values["cost"] > 1000
    assert values["state"] == 2 * 16 * 8 * 4  # keys and values of eight tokens in float32


def test_texts_that_a_run_writes_are_measured_beside_those_of_its_corpus(lesson, bench, tmp_path, monkeypatch):
    monkeypatch.setattr(measuring, "TEXTS", 1)
    monkeypatch.setattr(measuring, "TOKENS", 12)
    values = LessonTraining(lesson(more=WRITING.format(path="PATH")), bench, folder=tmp_path / "runs").run().values
    assert 0 <= values["greedy"] <= 1
    assert 0 <= values["human"] <= 1


@pytest.fixture
def computed(tmp_path):
    """Write a lesson without runs, and read it."""

    def made(step):
        folder = tmp_path / "by-hand"
        folder.mkdir()
        (folder / "lesson.toml").write_text(COMPUTED.replace("STEP", step))
        (folder / "lesson.md").write_text("Text")
        return read_lesson(folder)

    return made


def test_a_lesson_without_runs_is_computed_from_worked_examples(computed, bench):
    one = computed("z1[1]")
    outcome = LessonTraining(one, bench).run()
    assert outcome.values == {"sum": pytest.approx(0.25)}
    assert passes(one, outcome.values)


def test_a_step_that_an_example_lacks_is_refused_with_those_it_has(computed, bench):
    with pytest.raises(BadInput, match="gives no number z9") as raised:
        LessonTraining(computed("z9"), bench).run()
    assert "z1, a1" in raised.value.problem.allowed


def test_a_figure_that_a_run_lacks_is_refused_with_those_it_has(lesson, bench, tmp_path):
    one = lesson(**{'of = "uniform"': 'of = "ceiling"'})
    with pytest.raises(BadInput, match="has no floor ceiling"):
        LessonTraining(one, bench, folder=tmp_path / "runs").run()


def test_what_cannot_be_trained_here_is_refused_before_anything_is(lesson, bench, tmp_path):
    settings = '"architecture.name=transformer", "architecture.layers=1000", "architecture.width=65536"'
    one = lesson(more=NETWORK.format(path="PATH", settings=settings))
    with pytest.raises(BadInput, match="orders, run net"):
        LessonTraining(one, bench, folder=tmp_path / "runs").run()
    assert not (tmp_path / "runs").exists()


def test_a_lesson_can_be_paused_and_stopped(lesson, bench, tmp_path):
    settings = (
        '"architecture.name=transformer", "architecture.layers=1", "architecture.width=16", "architecture.heads=2", '
        '"training.context_length=8", "training.steps=1000000", "training.threads=1"'
    )
    training = LessonTraining(lesson(more=NETWORK.format(path="PATH", settings=settings)), bench,
                              folder=tmp_path / "runs")  # fmt: skip
    paused, ended = threading.Event(), []

    def watch(at):
        if at.done == 2 and at.share > 0.6 and not paused.is_set():
            training.pause()
            paused.set()

    def work():
        try:
            training.run(watch)
        except Cancelled as error:
            ended.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    assert paused.wait(60)
    run = training._active
    assert training.is_paused
    training.resume()
    assert not training.is_paused
    training.stop()
    thread.join(60)
    assert len(ended) == 1
    assert run.wait(10)

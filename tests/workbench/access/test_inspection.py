"""A look into a model, and its likeliest next tokens: while it trains, from disk, and before any training."""

import json
import threading

import numpy as np
import pytest
import torch

import lab
from lab.base import BadInput, LabError
from lab.workbench.access.untrained import Untrained


@pytest.fixture(params=["training", "saved", "untrained"])
def subject(request, bench, recipe, for_ever):
    """Each kind of subject, of the same architecture."""
    if request.param == "training":
        return request.getfixturevalue("training")
    return lab.train(recipe(2)) if request.param == "saved" else Untrained(for_ever, bench.plugins)


def test_a_look_names_every_token_that_was_read(subject):
    look = subject.inspect("a hat.\n")
    assert look.labels == ("a", "␣", "h", "a", "t", ".", "⏎")
    mixing = next(reading for reading in look.readings if reading.name == "mixing")
    assert (mixing.axes, mixing.values.shape) == (("head", "query", "key"), (2, 7, 7))


def test_without_a_text_the_probe_text_of_the_run_is_read(subject):
    assert len(subject.inspect().labels) == 8  # as many as the model can read
    assert subject.inspect().labels == subject.inspect("").labels


def test_a_look_takes_any_probe_with_its_settings(subject):
    (reading,) = subject.inspect("the cat", probe="surprise", settings={}).readings
    assert (reading.name, reading.values.shape) == ("surprise", (7,))
    with pytest.raises(BadInput, match="no such setting"):
        subject.inspect("the cat", settings={"depth": 3})
    with pytest.raises(BadInput, match="no such probe"):
        subject.inspect("the cat", probe="x-ray")
    with pytest.raises(BadInput, match=r"ß .* does not occur"):
        subject.inspect("ß")


def test_the_likeliest_next_tokens_come_with_their_probabilities(subject):
    likeliest = subject.next_tokens("the ", count=5).tokens
    shares = [share for _, _, share in likeliest]
    assert len(likeliest) == 5
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) < 1
    assert sum(share for _, _, share in subject.next_tokens("the ", count=1000).tokens) == pytest.approx(1)
    with pytest.raises(BadInput, match="at least one character"):
        subject.next_tokens("")


def test_each_generated_token_comes_with_its_label_and_as_many_alternatives_as_asked_for(subject):
    pieces = list(subject.generate("the ", settings={}, seed=0, count=4, alternatives=3))
    assert [len(piece.alternatives) for piece in pieces] == [3] * 4
    assert "".join(piece.label for piece in pieces) == "".join(piece.text for piece in pieces).replace(
        " ", "␣"
    ).replace("\n", "⏎")


def test_a_token_comes_with_the_text_that_a_prompt_would_go_on_with(subject):
    rows = subject.next_tokens("the ", count=1000).tokens
    texts = {label: words for label, words, _ in rows}
    assert (texts["␣"], texts["⏎"], texts["a"]) == (" ", "\n", "a")
    (piece,) = subject.generate("the ", settings={}, seed=0, count=1, alternatives=1000)
    assert {label: words for label, words, _ in piece.alternatives} == texts


def test_a_part_of_a_character_has_no_text_of_its_own(bench, recipe):
    untrained = Untrained(recipe(3, "tokenizer={name='byte'}"), bench.plugins)
    texts = {label: words for label, words, _ in untrained.next_tokens("the ", count=256).tokens}
    assert (texts["<0x9F>"], texts["a"]) == ("", "a")


def test_text_and_next_tokens_have_the_step_of_their_model(bench, recipe, training, until):
    untrained, saved = Untrained(recipe(2), bench.plugins), lab.train(recipe(2))
    for subject, step in ((untrained, 0), (saved, 2)):
        assert subject.next_tokens("the ").step == step
        assert {piece.step for piece in subject.generate("the ", settings={}, seed=0, count=3)} == {step}
    first = training.next_tokens("the ").step
    until(lambda: training.trainer.step > first + 5)
    writing = training.generate("the ", settings={}, seed=0, count=10)
    step = next(writing).step
    assert first < step <= training.trainer.step
    until(lambda: training.trainer.step > step + 5)
    assert next(writing).step == step  # all of a text is of one moment


def test_a_look_is_taken_in_one_thread(subject, monkeypatch):
    from lab.layers import ResidualStack

    forward, seen = ResidualStack.forward, []

    def counted(model, tokens, **given):
        seen.append(torch.get_num_threads())
        return forward(model, tokens, **given)

    torch.set_num_threads(2)
    try:
        monkeypatch.setattr(ResidualStack, "forward", counted)
        subject.inspect("the cat ")
    finally:
        torch.set_num_threads(1)
    assert 1 in seen


# ---- of a run that trains


def test_looks_into_a_training_follow_it(training, until):
    first = training.inspect("the cat", probe="surprise")
    until(lambda: training.trainer.step > first.step + 5)
    later = training.inspect("the cat", probe="surprise")
    assert later.step > first.step
    assert not np.array_equal(first.readings[0].values, later.readings[0].values)


def test_all_looks_into_a_training_share_one_copy(training):
    training.inspect("the cat")
    view = training._shared
    model = view.model
    training.inspect("the dog")
    training.next_tokens("the ")
    assert training._shared is view
    assert view.model is model


def test_looks_from_many_threads_do_not_meet(training):
    found = []
    threads = [threading.Thread(target=lambda: found.append(len(training.inspect("the cat").labels))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [7] * 6


def test_a_copy_that_comes_too_late_is_not_used_again(training, monkeypatch):
    from lab.training.recording.model_copy import ModelCopy

    training.inspect("the cat")
    view = training._shared

    def late(copied, seconds=60.0):
        raise LabError("the training did not finish a step")

    with monkeypatch.context() as changed:
        changed.setattr(ModelCopy, "wait", late)
        with pytest.raises(LabError, match="finish a step"):
            training.inspect("the cat")
    training.inspect("the cat")
    assert training._shared is not view


def test_looking_does_not_change_the_losses_of_a_training(bench, recipe):
    silent = bench.start(recipe(20, "architecture.dropout=0.1"))
    silent.wait_out()
    watched = bench.start(recipe(20, "architecture.dropout=0.1"))
    while not watched.wait(0.01):
        if watched.trainer is not None:
            watched.inspect("the cat")
    losses = [run.folder.metrics().read("train loss")[1].tolist() for run in (silent, watched)]
    assert losses[0] == losses[1]


def test_a_run_can_be_inspected_while_it_is_paused_and_after_its_end(training, until):
    training.control.pause()
    until(lambda: training.state == "paused")
    paused = training.inspect("the cat")
    assert paused.step == training.trainer.step
    training.control.stop()
    training.wait_out()
    assert training.inspect("the cat").step == training.trainer.step


@pytest.mark.parametrize(
    "ask", [lambda run: run.inspect("a"), lambda run: run.next_tokens("a"), lambda run: run.recorded(0)]
)
def test_a_run_that_waits_has_nothing_to_look_into(bench, training, recipe, ask):
    waiting = bench.start(recipe())
    assert waiting.recorded_steps() == []
    with pytest.raises(LabError, match="Wait until it is prepared"):
        ask(waiting)


# ---- what a run recorded


def test_recorded_readings_come_with_the_labels_of_the_probe_text(bench, recipe):
    run = bench.start(recipe(5, "readings.text=the cat"))
    run.wait_out()
    saved = bench.open(run.path)
    assert saved.recorded_steps() == run.recorded_steps()
    assert saved.recorded_steps()[0] == 0
    assert saved.recorded_steps()[-1] == 5
    for subject in (run, saved):
        look = subject.recorded(5)
        assert (look.step, look.labels) == (5, tuple("the␣cat"))
        assert {reading.name for reading in look.readings} > {"mixing", "residual"}
    with pytest.raises(BadInput, match="no readings were stored"):
        saved.recorded(10**6)


def test_a_run_keeps_its_probe_text_and_needs_its_corpus_no_more(recipe, text):
    run = lab.train(recipe(2))
    reported = run.inspect()
    text.unlink()
    moved = lab.open(run.path)
    assert len(moved.folder.facts["probe_text"]) == 64
    assert moved.inspect().labels == reported.labels == moved.recorded(2).labels


@pytest.mark.short("None", "stored1", "words")
@pytest.mark.parametrize("stored", [None, [], "words", [0, 10**6], [0, -1], [True] * 8, [1, 2]])
def test_the_tokens_of_a_run_without_its_probe_text_are_numbered(recipe, stored):
    run = lab.train(recipe(2))
    facts = {name: value for name, value in run.folder.facts.items() if name != "probe_text"}
    (run.path / "run.json").write_text(json.dumps(facts if stored is None else {**facts, "probe_text": stored}))
    assert lab.open(run.path).recorded(2).labels == tuple("12345678")


def test_an_unreadable_probe_text_is_reported_and_stops_no_run(bench, recipe, reported):
    run = bench.start(recipe(2, "readings.text=ß"))
    run.wait_out()
    assert run.folder.facts["probe_text"] == []
    assert any("does not occur in this model's text" in problem.what for problem in reported)


def test_only_the_probe_reports_what_was_not_read_of_a_long_text(recipe, reported):
    run = lab.train(recipe(2))
    run.inspect("the cat sat on")
    assert reported == []
    run.probe("reports", "the cat sat on")
    assert [problem.what for problem in reported] == ["of 14 tokens the first 8 are read"]


# ---- before any training


def test_the_untrained_model_is_the_one_that_training_begins_with(bench, recipe):
    run = bench.start(recipe(3))
    run.wait_out()
    untrained = Untrained(recipe(3), bench.plugins)
    look, recorded = untrained.inspect(), run.recorded(0)
    assert (look.step, look.labels) == (0, recorded.labels)
    kept = {(one.name, one.path, one.layer): one.values for one in recorded.readings}  # and what the card records
    for one in look.readings:
        assert np.array_equal(one.values, kept[one.name, one.path, one.layer])


def test_the_untrained_model_is_built_at_its_first_use_and_once(bench, recipe, monkeypatch):
    from lab.training.experiment import Experiment

    build, built = Experiment.build, []

    def counted(experiment):
        built.append(experiment)
        return build(experiment)

    monkeypatch.setattr(Experiment, "build", counted)
    untrained = Untrained(recipe(3), bench.plugins)
    assert built == []
    threads = [threading.Thread(target=untrained.inspect, args=("the cat",)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    list(untrained.generate("the ", settings={}, seed=0, count=2))
    assert len(built) == 1


def test_an_untrained_model_can_be_inspected_during_generation(bench, recipe):
    untrained = Untrained(recipe(3), bench.plugins)
    before = [piece.text for piece in untrained.generate("the ", settings={}, seed=0, count=10)]
    writing = untrained.generate("the ", settings={}, seed=0, count=10)
    pieces = [next(writing).text]
    assert {len(reading.values) for reading in untrained.inspect("the").readings if reading.axes[0] == "token"} == {3}
    assert pieces + [piece.text for piece in writing] == before


def test_building_an_untrained_model_does_not_change_the_losses_of_a_training(bench, recipe):
    silent = bench.start(recipe(20, "architecture.dropout=0.1"))
    silent.wait_out()
    beside = bench.start(recipe(20, "architecture.dropout=0.1"))
    while not beside.wait(0.01):
        Untrained(recipe(3), bench.plugins).inspect("the cat")
    losses = [run.folder.metrics().read("train loss")[1].tolist() for run in (silent, beside)]
    assert losses[0] == losses[1]


def test_a_recipe_that_cannot_be_used_is_reported_at_its_field(bench, recipe):
    untrained = Untrained(recipe(3, "architecture.width=17"), bench.plugins)
    for ask in (
        untrained.inspect,
        lambda: untrained.next_tokens("a"),
        lambda: next(untrained.generate("a", **ARGUMENTS)),
    ):
        with pytest.raises(BadInput) as refused:
            ask()
        assert refused.value.problem.field.startswith("architecture")


ARGUMENTS = {"settings": {}, "seed": 0, "count": 1}


def test_a_model_that_counts_can_be_played_with_before_it_has_counted(bench, recipe):
    untrained = Untrained(recipe(3, "architecture={name='n-gram'}"), bench.plugins)
    readings = untrained.inspect("the").readings
    assert [reading.axes for reading in readings] == [("order", "token"), ("head", "query", "key"), ("token",)]
    shares = {round(share, 6) for _, _, share in untrained.next_tokens("the ").tokens}
    assert len(shares) == 1

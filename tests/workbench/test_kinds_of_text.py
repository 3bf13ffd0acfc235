"""Runs on documents and on mixtures: where they end, what they store, and that they resume bit for bit."""

import json

import pytest

import lab
from lab.base import BadInput
from lab.host import Plugins
from lab.recipes import Choice, Decoding, Recipe
from lab.workbench.exchange.link import link_of_recipe
from lab.workbench.launch.known_corpora import paths_of, portable


@pytest.fixture
def stories(tmp_path):
    """A folder of a table, whose rows are documents that all end alike."""
    file = tmp_path / "of jane" / "stories.jsonl"
    file.parent.mkdir()
    file.write_text("\n".join(json.dumps({"text": f"{'ab' * (1 + number % 3)}."}) for number in range(80)))
    return file


@pytest.fixture
def mixture(text, stories, small_recipe):
    """A recipe of a text and of documents, whose weights change in the middle."""
    parts = {"first": {"path": str(text), "weight": 3.0}, "second": {"path": str(stories), "documents": True}}
    edit = 'training.edits=[{step=3, path="corpus.second.weight", value=6.0}]'
    made = small_recipe(text, 8, edit, "training.checkpoint_every=2", "training.keep_last=9")
    return made.with_values({"corpus": None}, {"corpus": {"name": "mixture", **parts}})


@pytest.mark.short("true")
@pytest.mark.parametrize("separate", ["true", "false"])
def test_a_text_ends_where_documents_end(stories, small_recipe, separate):
    rate = "training.optimizer.learning_rate=0.02"
    run = lab.train(
        small_recipe(stories, 150, "corpus.documents=true", f"training.separate_documents={separate}", rate)
    )
    pieces = list(run.generate("ab", count=40, settings={"top_k": 1}))
    written = "".join(piece.text for piece in pieces)
    assert set(written) <= set("ab.")
    assert written.endswith(".")
    assert pieces[-1].end.reason == "end of text"
    once = Decoding(strategy=Choice(name="greedy"), filters=[Choice(name="no-repeat", length=1)])
    pieces = list(run.generate("ab", count=40, decoding=once))  # the end before the document was not written
    assert ("".join(piece.text for piece in pieces), pieces[-1].end.reason) == (".", "end of text")
    assert run.evaluate().bits_per_byte == pytest.approx(run.summary["bits_per_byte"])


def test_a_mixture_is_found_again_and_evaluated_with_the_weights_in_force(bench, mixture):
    run = bench.start(mixture)
    run.wait_out()
    stored = run.folder.read_recipe()
    assert paths_of(stored) == {("first", "path"): "animals.txt", ("second", "path"): "stories.jsonl"}
    found = lab.open(run.path).evaluate()
    assert found.loss == pytest.approx(run.summary()["validation_loss"])
    assert found.bits_per_byte == pytest.approx(run.summary()["bits_per_byte"])
    by_part = [found.metrics[f"loss {name}"] for name in ("animals.txt", "stories.jsonl")]
    assert found.loss == pytest.approx((3 * by_part[0] + 6 * by_part[1]) / 9)


@pytest.mark.short("2")
@pytest.mark.parametrize("middle", [2, 4])
def test_a_mixture_that_died_ends_as_the_one_that_did_not(bench, mixture, middle, same_end, died_and_resumed):
    straight = bench.start(mixture)
    straight.wait_out()
    same_end(died_and_resumed(straight, middle), straight)


def test_a_run_of_a_mixture_stores_the_names_of_its_files_alone():
    parts = {"first": {"path": "/home/ann/secret/a.txt"}, "third": {"path": "/home/ann/b"}}
    stored = portable(Recipe().with_values({"corpus": {"name": "mixture", **parts}}))
    assert paths_of(stored) == {("first", "path"): "a.txt", ("third", "path"): "b"}


def test_no_link_names_the_files_of_a_mixture(mixture):
    with pytest.raises(BadInput, match="no link holds") as caught:
        link_of_recipe(mixture, Plugins(safe_mode=True))
    assert (caught.value.problem.field, caught.value.problem.value) == ("corpus.first.path", "animals.txt")

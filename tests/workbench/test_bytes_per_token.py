"""A run tells from its beginning how many bytes a token of its validation text stands for."""

import pytest

from lab.base.units import bits_per_byte

SHAPES = {"name": "shapes", "target": "caption"}


@pytest.mark.parametrize("tokenizer", ["character", "byte"])
def test_it_is_what_the_last_evaluation_finds(bench, recipe, text, tokenizer):
    text.write_text("the cät sat on the mät.\n" * 60)
    made = recipe(2, f"tokenizer.name={tokenizer}")
    run = bench.start(made)
    run.wait_out()
    summary, size = run.summary(), run.folder.facts["bytes_per_token"]
    assert (size > 1) == (tokenizer == "character")
    assert bits_per_byte(summary["validation_loss"], 1, size) == pytest.approx(summary["bits_per_byte"])


@pytest.mark.parametrize(
    ("corpus", "objective"), [({"name": "reversal"}, "sequence-to-sequence"), (SHAPES, "captions")]
)
def test_of_pairs_and_captions_only_the_text_of_targets_counts(bench, recipe, corpus, objective):
    rows = {"corpus": {"rows": 40, **corpus}, "objective": {"name": objective}}
    made = recipe(2, "training.context_length=128").with_values({"corpus": None, "architecture": None}, rows)
    model = ("name=encoder-decoder", "layers=1", "width=16", "heads=2")
    run = bench.start(made.with_assignments(*(f"architecture.{one}" for one in model)))
    run.wait_out()
    assert run.problem is None
    summary, size = run.summary(), run.folder.facts["bytes_per_token"]
    assert 0.5 < size < 1  # letters are one byte each, and the end of a target is none
    assert bits_per_byte(summary["validation_loss"], 1, size) == pytest.approx(summary["bits_per_byte"])


def test_a_run_that_predicts_hidden_tokens_has_neither_bits_per_byte_nor_perplexity(bench, recipe, text):
    text.write_text("the cat sat on the mat.\n" * 60)
    run = bench.start(recipe(1, "objective.name=masked"))
    run.wait_out()
    summary = run.summary()
    assert run.folder.facts["bytes_per_token"] is None
    assert (summary["perplexity"], summary["bits_per_byte"]) == (None, None)
    assert summary["loss_unit"] == run.evaluated["loss_unit"] == "nats per hidden token"


@pytest.mark.parametrize(("objective", "targets"), [("causal", 256), ("masked", 256)])
def test_a_run_stores_among_how_many_tokens_a_blind_guess_chooses(bench, recipe, text, objective, targets):
    text.write_text("the cat sat on the mat.\n" * 60)
    run = bench.start(recipe(1, "tokenizer.name=byte", f"objective.name={objective}"))
    run.wait_out()
    assert run.problem is None
    assert run.folder.facts["targets"] == targets

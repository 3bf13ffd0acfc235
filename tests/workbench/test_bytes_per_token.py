"""A run tells from its beginning how many bytes a token of its validation text stands for."""

import pytest

from lab.base.units import bits_per_byte


@pytest.mark.parametrize("tokenizer", ["character", "byte"])
def test_it_is_what_the_last_evaluation_finds(bench, recipe, text, tokenizer):
    text.write_text("the cät sat on the mät.\n" * 60)
    made = recipe(2, f"tokenizer.name={tokenizer}")
    run = bench.start(made)
    run.wait_out()
    summary, size = run.summary(), run.folder.facts["bytes_per_token"]
    assert (size > 1) == (tokenizer == "character")
    assert bits_per_byte(summary["validation_loss"], 1, size) == pytest.approx(summary["bits_per_byte"])

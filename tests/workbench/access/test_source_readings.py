"""Readings of a model that reads a source and writes its target."""

import pytest
import torch

from lab.api import capture, checked_readings
from lab.base import BadInput
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import reading_steps
from lab.workbench import SavedRun, Workbench
from lab.workbench.access.untrained import Untrained

PAIRS = {
    "corpus": {"name": "reversal", "rows": 60}, "objective": {"name": "sequence-to-sequence"},
    "architecture": {"name": "encoder-decoder"}, "tokenizer": {"name": "character"},
}  # fmt: skip
SMALL = {
    "architecture": {"layers": 2, "width": 16, "heads": 2},
    "training": {"context_length": 32, "steps": 2, "batch_size": 4, "threads": 1, "device": "cpu"},
}


@pytest.fixture
def recipe(lab_home):
    """A tiny encoder-decoder on reversed letters."""
    return Recipe().with_values(PAIRS).with_values(SMALL)


@pytest.fixture
def model(recipe):
    """The untrained model."""
    return Untrained(recipe, Plugins(safe_mode=True))


def named(inspection, name):
    return [one for one in inspection.readings if one.name == name]


def test_the_target_of_the_first_validation_row_is_read_after_its_source(model):
    inspection = model.inspect()
    source = model.default_prompt()
    assert inspection.text == source
    assert inspection.labels == ("<begin>", *reversed(source))


def test_cross_attention_has_the_target_along_rows_and_the_source_along_columns(model):
    inspection = model.inspect()
    found = named(inspection, "cross attention")
    assert [one.layer for one in found] == [0, 1]
    for one in found:
        assert one.axes == ("head", "query", "source")
        assert one.coordinates == {"query": inspection.labels, "source": tuple(inspection.text)}
        assert one.values.sum(-1) == pytest.approx(1, abs=1e-5)


def test_the_encoder_has_the_source_on_both_axes_and_the_decoder_the_target(model):
    inspection = model.inspect()
    for name, labels in (("encoder mixing", tuple(inspection.text)), ("mixing", inspection.labels)):
        for one in named(inspection, name):
            assert (one.coordinates["query"], one.coordinates["key"]) == (labels, labels)
    assert named(inspection, "encoder residual")[0].coordinates["source"] == tuple(inspection.text)


def test_readings_are_those_of_a_forward_pass_on_the_pair(model):
    inspection = model.inspect()
    tokenizer, size = model.tokenizer, model.tokenizer.vocabulary_size
    source = torch.from_numpy(tokenizer.encode(inspection.text))[None]
    target = torch.tensor([[size, *tokenizer.encode(inspection.text[::-1])]])
    with model.borrow() as borrowed, torch.no_grad(), capture(borrowed.model, ("cross attention",)) as expected:
        borrowed.model(target, source=source)
    for one, other in zip(named(inspection, "cross attention"), checked_readings(expected), strict=True):
        assert one.values == pytest.approx(other.values, abs=1e-6)


def test_another_source_is_read_with_the_target_that_the_model_writes(model):
    inspection = model.inspect("abc")
    assert inspection.text == "abc"
    assert inspection.labels[0] == "<begin>"
    with pytest.raises(BadInput, match="does not occur"):
        model.inspect("ÄÖ")


@pytest.mark.parametrize("probe", ["influence", "logit-lens", "head-scores", "rollout", "surprise"])
def test_probes_of_every_causal_model_read_the_target(model, probe):
    assert model.inspect(probe=probe).readings


def test_heads_of_a_model_with_a_source_are_switched_off(model):
    assert "head" in model.interventions()
    found = model.evaluate_without("head:1.1")
    assert found.intact > 0


def test_a_run_records_readings_of_the_pair_with_their_labels(recipe):
    workbench = Workbench()
    run = workbench.start(recipe)
    run.wait_out()
    workbench.close()
    saved = SavedRun.find(run.path, Plugins(safe_mode=True))
    assert reading_steps(run.path)
    recorded, now = saved.recorded(2), saved.inspect()
    assert recorded.labels == now.labels
    assert recorded.symbol(saved.tokenizer.vocabulary_size) == "<begin>"
    for one, other in zip(named(recorded, "cross attention"), named(now, "cross attention"), strict=True):
        assert one.coordinates == other.coordinates
        assert one.values == pytest.approx(other.values, abs=1e-2)  # recorded as float16

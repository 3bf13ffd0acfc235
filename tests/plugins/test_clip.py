"""CLIP: its loss against the paper's formula, the learned factor, bad input, and which caption belongs to an image."""

import json
import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from lab.api import BadInput, Task
from lab.cli.main import main
from lab.host import Plugins
from lab.recipes import Recipe
from lab.testing.tiny import Pictures
from lab.training.experiment import check_recipe, prepare
from lab.workbench.access.untrained import Untrained
from lab_vision.clip import LARGEST_SCALE, Clip
from lab_vision.clip_settings import ClipConfig
from lab_vision.objectives import Contrastive, also_fit, framed

SHAPES = {
    "corpus": {"name": "shapes", "rows": 60, "target": "caption", "size": 8}, "objective": {"name": "contrastive"},
    "tokenizer": {"name": "character"},
    "architecture": {"name": "clip", "layers": 2, "width": 16, "heads": 2, "patch": 4},
    "training": {
        "steps": 2, "batch_size": 4, "threads": 1, "device": "cpu", "evaluate_every": 0, "context_length": 64,
    },
}  # fmt: skip


def clip(**changes):
    torch.manual_seed(0)
    config = ClipConfig(**{"layers": 1, "width": 16, "heads": 2, "patch": 2, "embedding_width": 8, **changes})
    return Clip(config, Task(19, 4, causal=False, input_shape=(4, 4, 1), matching=True)).eval()


def batch(examples):
    return Contrastive().batch(Pictures(), np.array(examples), 0)


@torch.no_grad()
def test_the_loss_is_the_mean_of_both_directions_as_in_the_paper():
    model, given = clip(), batch([0, 1, 2, 3])  # four different captions
    images = F.normalize(model.images(given.inputs["source"]).double(), dim=-1).numpy()
    texts = model.texts(given.inputs["tokens"], mask=given.inputs["mask"]).double()
    texts = F.normalize(texts, dim=-1).numpy()
    logits = images @ texts.T * math.exp(float(model.log_scale))
    rows, columns = (one - np.log(np.exp(one).sum(1, keepdims=True)) for one in (logits, logits.T))
    expected = -(np.diag(rows) + np.diag(columns)) / 2
    found = Contrastive().loss(model, given)
    np.testing.assert_allclose(found.nats.numpy(), expected, atol=1e-5)
    hits = (logits.argmax(1) == np.arange(4)).sum() + (logits.argmax(0) == np.arange(4)).sum()
    assert [int(number) for number in found.metrics["accuracy"]] == [hits, 8]
    assert float(found.metrics["temperature"][0]) / 4 == pytest.approx(0.07)


@torch.no_grad()
def test_two_rows_with_one_caption_are_no_wrong_answers_for_each_other():
    model = clip()
    alone, twice = (Contrastive().loss(model, batch(rows)).nats for rows in ([0, 1, 2], [0, 1, 2, 4]))  # 0 and 4 agree
    whole = Contrastive().loss(model, batch([4, 1, 2])).nats
    assert twice[0] == pytest.approx(float(alone[0]), abs=1e-6)
    assert twice[3] == pytest.approx(float(whole[0]), abs=1e-6)
    assert twice[1] > alone[1]  # for others, both are


def test_captions_stand_between_two_symbols_and_the_end_pads_them():
    tokens, mask = framed(np.array([[5, 6, 7], [5, -1, -1]]), 17, 18)
    assert tokens.tolist() == [[17, 5, 6, 7, 18], [17, 5, 18, 18, 18]]
    assert mask.sum(dim=1).tolist() == [5, 3]


def test_captions_written_alike_have_one_number_in_whatever_batch():
    texts = batch([0, 1, 2, 4]).inputs["texts"]
    assert also_fit(texts).nonzero().tolist() == [[0, 3], [3, 0]]
    assert torch.equal(batch([4, 2]).inputs["texts"], texts[[3, 2]])


def test_the_factor_begins_at_the_temperature_and_is_held_at_a_hundred_after_a_step():
    model = clip(temperature=0.05)
    assert model.scale().item() == pytest.approx(20)
    for given, held in ((9.0, math.log(LARGEST_SCALE)), (1.0, 1.0)):
        with torch.no_grad():
            model.log_scale.fill_(given)
        model.after_step()
        assert model.log_scale.item() == pytest.approx(held)


def test_what_cannot_be_compared_is_refused_with_a_sentence():
    model, images, tokens = clip(), torch.rand(2, 4, 4, 1), torch.ones(2, 3, dtype=torch.long)
    with pytest.raises(BadInput, match="compares texts with images, and none are given"):
        model(tokens)
    with pytest.raises(BadInput, match="longer than the positions"):
        model(images, torch.ones(2, 5, dtype=torch.long))
    with pytest.raises(BadInput, match="a text is empty"):
        model(images, tokens[:, :0])
    with pytest.raises(BadInput, match="a row of the text is nothing but padding"):
        model(images, tokens, mask=torch.tensor([[True] * 3, [False] * 3]))
    with pytest.raises(BadInput, match="another size, or other channels"):
        model(torch.rand(2, 8, 4, 1), tokens)
    with pytest.raises(BadInput, match="another size, or other channels"):
        model(torch.rand(2, 4, 4, 3), tokens)


@pytest.mark.usefixtures("lab_home")
@pytest.mark.parametrize(
    ("changes", "field", "what"),
    [
        ({"corpus": {"target": "class"}, "tokenizer": {"name": "none"}}, "objective.name", "class"),
        ({"training": {"accumulation": 2}}, "training.accumulation", "compares all rows of a batch"),
        ({"training": {"context_length": 10}}, "training.context_length", "is too short"),
    ],
)
def test_a_training_that_cannot_be_is_refused_before_it_starts(changes, field, what):
    with pytest.raises(BadInput) as refused:
        prepare(Recipe().with_values(SHAPES).with_values(changes), Plugins(safe_mode=True))
    assert field in (refused.value.problem.field or "")
    assert what in str(refused.value)


@pytest.mark.usefixtures("lab_home")
def test_pairs_of_texts_are_no_images_with_captions():
    pairs = {**SHAPES, "corpus": {"name": "reversal", "rows": 40}}
    with pytest.raises(BadInput, match="cannot be trained on pairs of texts") as refused:
        check_recipe(Recipe().with_values(pairs), Plugins(safe_mode=True))
    assert refused.value.problem.field == "architecture.name"


@pytest.mark.usefixtures("lab_home")
def test_the_probe_compares_the_inspected_image_first_and_each_caption_once():
    access = Untrained(Recipe().with_values(SHAPES), Plugins(safe_mode=True))
    found = {one.name: one for one in access.inspect("3", probe="similarity").readings}
    cosines, shares = found["similarity"], found["caption of the image"]
    captions = cosines.coordinates["class"]
    assert cosines.axes == ("example", "class")
    assert len(set(captions)) == len(captions) > 4
    assert cosines.coordinates["example"] == captions
    source = access.evaluation_data().source.ordered()
    third = source.rows(np.array([2]), 0)["target"][0]
    assert captions[0] == access.tokenizer.decode(third[third >= 0].tolist())
    assert (np.abs(cosines.values) <= 1).all()
    np.testing.assert_allclose(shares.values.sum(axis=1), 1, rtol=1e-5)
    scaled = cosines.values / 0.07
    np.testing.assert_allclose(np.log(shares.values / shares.values[:, :1]), scaled - scaled[:, :1], atol=1e-3)


@pytest.mark.usefixtures("lab_home")
def test_both_encoders_report_and_attention_lies_over_the_image():
    access = Untrained(Recipe().with_values(SHAPES), Plugins(safe_mode=True))
    names = {one.name for one in access.inspect("1", probe="reports").readings}
    assert {"mixing", "text mixing", "residual", "text residual"} <= names
    (first, *_) = access.inspect("1", probe="picture-attention").readings
    assert first.values.shape == (2, 2, 2)
    assert access.inspect("1", probe="predictions").readings == []


@pytest.mark.long
def test_captions_of_shapes_are_found_by_the_recipe(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LAB_HOME", str(tmp_path))
    assert main(["train", "clip-shapes", "--set", "training.steps=500", "--json"]) == 0
    found = json.loads(capsys.readouterr().out.strip().splitlines()[-1])
    assert found["metrics"]["accuracy"] > 0.4  # of 64 captions, in both directions
    assert found["metrics"]["temperature"] < 0.07

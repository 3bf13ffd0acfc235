"""The vision transformer against transformers' own with random weights, and its positions against float64."""

import json

import numpy as np
import pytest
import torch

from lab.api import BadInput, Task
from lab.cli.main import main
from lab_vision.model import VisionTransformer, sinusoids_2d
from lab_vision.settings import VisionTransformerConfig

TOLERANCE = {"rtol": 0, "atol": 5e-6}
WIDTH, HEADS, LAYERS, HIDDEN, PATCH, CLASSES = 48, 3, 3, 80, 4, 7
SIZE, CHANNELS = 16, 3


def task(*, rows=SIZE, columns=SIZE, channels=CHANNELS, classes=CLASSES):
    return Task(1, 1, causal=False, input_shape=(rows, columns, channels), classes=classes)


def config(**changes):
    given = {"layers": LAYERS, "width": WIDTH, "heads": HEADS, "hidden": HIDDEN, "patch": PATCH, "norm_epsilon": 1e-6}
    return VisionTransformerConfig(**{**given, **changes})


def with_noise(model):
    torch.manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.05 * torch.randn_like(parameter))
    return model.eval()


def theirs_as_ours(theirs):
    """Return the weights of transformers' ViT under the lab's names: theirs cut an image channel by channel."""
    given, found = theirs.state_dict(), {}
    embeddings = "vit.embeddings"
    kernel = given[f"{embeddings}.patch_embeddings.projection.weight"]  # (C, channels, p, p)
    found["inputs.project.weight"] = kernel.permute(0, 2, 3, 1).flatten(1)
    found["inputs.project.bias"] = given[f"{embeddings}.patch_embeddings.projection.bias"]
    found["class_token"] = given[f"{embeddings}.cls_token"][0]
    found["places"] = given[f"{embeddings}.position_embeddings"][0]
    for part in ("weight", "bias"):
        for block in range(LAYERS):
            ours, layer = f"blocks.{block}", f"vit.layers.{block}"
            read = [given[f"{layer}.attention.{name}_proj.{part}"] for name in "qkv"]
            found[f"{ours}.token.project.{part}"] = torch.cat(read)
            for name, other in (
                ("token.output", "attention.o_proj"),
                ("channel.inner", "mlp.fc1"),
                ("channel.outer", "mlp.fc2"),
                ("token_norm", "layernorm_before"),
                ("channel_norm", "layernorm_after"),
            ):
                found[f"{ours}.{name}.{part}"] = given[f"{layer}.{other}.{part}"]
        found[f"norm.{part}"] = given[f"vit.layernorm.{part}"]
        found[f"output.{part}"] = given[f"classifier.{part}"]
    return found


def test_logits_equal_those_of_transformers_with_the_same_weights():
    transformers = pytest.importorskip("transformers")
    theirs = with_noise(
        transformers.ViTForImageClassification(
            transformers.ViTConfig(
                hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=HEADS, intermediate_size=HIDDEN,
                image_size=SIZE, patch_size=PATCH, num_channels=CHANNELS, num_labels=CLASSES, layer_norm_eps=1e-6,
                hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
            )
        )
    )  # fmt: skip
    ours = VisionTransformer(config(), task()).eval()
    ours.load_state_dict(theirs_as_ours(theirs))
    images = torch.rand(5, SIZE, SIZE, CHANNELS)
    with torch.no_grad():
        expected = theirs(images.permute(0, 3, 1, 2)).logits
        found = ours(images)
    torch.testing.assert_close(found, expected, **TOLERANCE)
    assert found.std() > 0.1  # the weights matter


def test_sinusoids_of_rows_and_columns_are_those_of_each_axis():
    rows, columns, width = 3, 5, 16
    found = sinusoids_2d(rows, columns, width).numpy()
    rates = 10_000.0 ** -(np.arange(width // 4) / (width // 4))
    for row in range(rows):
        for column in range(columns):
            expected = [f(at * rates) for at in (row, column) for f in (np.sin, np.cos)]
            np.testing.assert_allclose(found[row * columns + column], np.concatenate(expected), atol=1e-6)


def test_without_positions_the_order_of_the_patches_does_not_matter_and_with_them_it_does():
    images = torch.rand(2, SIZE, SIZE, CHANNELS)
    upper, lower = images[:, : SIZE // 2], images[:, SIZE // 2 :]
    turned = torch.cat([lower, upper], dim=1)
    for positions, is_same in (("none", True), ("learned", False), ("sinusoidal", False)):
        model = with_noise(VisionTransformer(config(positions=positions, pool="mean"), task()))
        with torch.no_grad():
            assert torch.allclose(model(images), model(turned), atol=1e-5) is is_same


def test_the_mean_reads_every_patch_and_has_no_class_token():
    model = with_noise(VisionTransformer(config(pool="mean"), task(rows=8, columns=12)))
    assert model.class_token is None
    assert (model.rows, model.columns) == (2, 3)
    assert model.embed(torch.rand(1, 8, 12, CHANNELS)).shape == (1, 6, WIDTH)
    with_token = VisionTransformer(config(), task(rows=8, columns=12))
    assert with_token.embed(torch.rand(1, 8, 12, CHANNELS)).shape == (1, 7, WIDTH)


@pytest.mark.parametrize(
    ("changes", "given", "field"),
    [
        ({"patch": 5}, {}, "patch"),
        ({"heads": 5}, {}, "heads"),
        ({"width": 6, "heads": 3, "positions": "sinusoidal"}, {}, "width"),
    ],
)
def test_sizes_that_do_not_fit_are_refused_with_their_field(changes, given, field):
    with pytest.raises(BadInput) as refused:
        VisionTransformer(config(**changes), task(**given))
    assert field in refused.value.problem.field


def test_texts_and_vectors_are_refused():
    for shape in (None, (6,)):
        with pytest.raises(BadInput, match="reads images"):
            VisionTransformer(config(), Task(5, 8, causal=False, input_shape=shape, classes=3))


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_digits_are_learned_from_ten_thousand_and_not_from_a_thousand(seed, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LAB_HOME", str(tmp_path))

    def accuracy(rows):
        given = {"corpus.rows": rows, "training.steps": 1000, "training.seed": seed}
        settings = [part for name, value in given.items() for part in ("--set", f"{name}={value}")]
        chosen = ["--architecture", "vit", "--preset", "small", "--corpus", "digits"]
        assert main(["train", *chosen, *settings, "--json"]) == 0
        return json.loads(capsys.readouterr().out.strip().splitlines()[-1])["metrics"]["accuracy"]

    assert accuracy(1000) < 0.93
    assert accuracy(10_000) > 0.95

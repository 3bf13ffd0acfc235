"""ViT and CLIP of transformers, small and random: the same logits here, and back there."""

import json

import pytest
import torch

from lab.api import BadInput, Task
from lab.host import Plugins
from lab.interop import load_pretrained
from lab.interop.pretrained.writing import write_pretrained
from lab.text.tokenizers.units import ByteTokenizer

TOLERANCE = 5e-6
WORDS, LENGTH = 21, 12
VIT = {
    "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 40, "image_size": 8,
    "patch_size": 4, "num_labels": 5,
}  # fmt: skip
TEXTS = {
    "vocab_size": WORDS, "hidden_size": 24, "intermediate_size": 40, "num_hidden_layers": 2, "num_attention_heads": 2,
    "max_position_embeddings": LENGTH, "bos_token_id": WORDS - 2, "eos_token_id": WORDS - 1, "pad_token_id": WORDS - 1,
}  # fmt: skip
IMAGES = {
    "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4, "image_size": 12,
    "patch_size": 4,
}  # fmt: skip
CASES = {
    "ViT": ("vit", VIT),
    "ViT, grey, not square, ReLU": (
        "vit",
        {**VIT, "image_size": [8, 12], "num_channels": 1, "hidden_act": "relu", "layer_norm_eps": 1e-6},
    ),
    "CLIP": ("clip", {"text_config": TEXTS, "vision_config": IMAGES, "projection_dim": 16}),
    "CLIP, GELU": (
        "clip",
        {
            "text_config": {**TEXTS, "hidden_act": "gelu"}, "vision_config": {**IMAGES, "hidden_act": "gelu"},
            "projection_dim": 32,
        },
    ),
}  # fmt: skip
HUNDREDFOLD = ("CLIP", "CLIP, GELU")
"""Models whose logits are cosines times a factor."""


def random_model(hf, kind, settings):
    """A model of transformers with random weights and noise, large enough that an error shows."""
    torch.manual_seed(0)
    name = {"vit": ("ViTConfig", "ViTForImageClassification"), "clip": ("CLIPConfig", "CLIPModel")}[kind]
    model = getattr(hf, name[1])(getattr(hf, name[0])(**settings)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


def pictures(model):
    shape = model.task.input_shape
    return torch.rand(4, *shape, generator=torch.Generator().manual_seed(1))


def texts():
    """Texts of three lengths that end with the last symbol, and their mask."""
    tokens = torch.randint(WORDS - 2, (3, LENGTH), generator=torch.Generator().manual_seed(2))
    lengths = torch.tensor([[LENGTH], [7], [2]])
    tokens = torch.where(torch.arange(LENGTH) >= lengths - 1, WORDS - 1, tokens)
    return tokens, torch.arange(LENGTH) < lengths


@torch.no_grad()
def logits_there(model, kind, images):
    pixels = images.permute(0, 3, 1, 2)
    if kind == "vit":
        return model(pixels).logits
    tokens, mask = texts()
    return model(input_ids=tokens, attention_mask=mask.long(), pixel_values=pixels).logits_per_image


@torch.no_grad()
def logits_here(model, kind, images):
    if kind == "vit":
        return model(images)
    tokens, mask = texts()
    return model(tokens, source=images, mask=mask)


@pytest.fixture(scope="module")
def plugins():
    return Plugins.from_environment()


@pytest.fixture(scope="module")
def models(hf, plugins, tmp_path_factory):
    """The kind, the model of transformers, its folder and the model of the lab of each case."""
    made = {}
    for name, (kind, settings) in CASES.items():
        theirs, folder = random_model(hf, kind, settings), tmp_path_factory.mktemp("theirs")
        theirs.save_pretrained(folder)
        made[name] = kind, theirs, folder, load_pretrained(folder, plugins)
    return made


@pytest.mark.parametrize("name", CASES)
def test_logits_are_those_of_transformers(models, name):
    kind, theirs, _, ours = models[name]
    images = pictures(ours)
    expected = logits_there(theirs, kind, images)
    assert expected.std() > 0.1
    assert (logits_here(ours, kind, images) - expected).abs().max() < TOLERANCE


@pytest.mark.parametrize("name", HUNDREDFOLD)
@torch.no_grad()
def test_images_may_come_first_and_texts_of_one_length_need_no_mask(models, name):
    _, theirs, _, ours = models[name]
    images, tokens = pictures(ours), texts()[0][:1]
    expected = theirs(input_ids=tokens, pixel_values=images.permute(0, 3, 1, 2)).logits_per_image
    assert (ours(images, tokens) - expected).abs().max() < TOLERANCE


@pytest.mark.parametrize("name", CASES)
def test_a_checkpoint_comes_back_to_identical_logits(hf, models, plugins, tmp_path, name):
    kind, theirs, _, ours = models[name]
    written = write_pretrained(ours, ByteTokenizer(), tmp_path / "out", plugins, architecture=kind)
    assert written.model_type == kind
    again = type(theirs).from_pretrained(tmp_path / "out", dtype=torch.float32).eval()
    images = pictures(ours)
    assert logits_there(again, kind, images).equal(logits_there(theirs, kind, images))


@pytest.mark.parametrize("name", ["vit", "clip"])
def test_a_model_made_here_is_read_there_to_the_same_logits(hf, plugins, tmp_path, name):
    card = plugins.card("architectures", name)
    settings = {**card.presets["small"]["architecture"], "layers": 1, "width": 16, "heads": 2, "patch": 0}
    task = {
        "vit": Task(1, 1, causal=False, input_shape=(6, 6, 1), classes=3),
        "clip": Task(WORDS, LENGTH, causal=False, input_shape=(6, 6, 3), matching=True),
    }[name]
    ours = card.make(card.config(**settings), task).eval()
    with torch.no_grad():
        for parameter in ours.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    write_pretrained(ours, ByteTokenizer(), tmp_path / "out", plugins, architecture=name)
    kind = {"vit": hf.ViTForImageClassification, "clip": hf.CLIPModel}[name]
    theirs, images = kind.from_pretrained(tmp_path / "out", dtype=torch.float32).eval(), pictures(ours)
    assert (logits_there(theirs, name, images) - logits_here(ours, name, images)).abs().max() < TOLERANCE


@pytest.mark.parametrize(
    ("name", "changes", "field"),
    [
        ("ViT", {"qkv_bias": False}, "qkv_bias"),
        ("ViT", {"num_attention_heads": 5}, "num_attention_heads"),
        ("ViT", {"image_size": "large"}, "image_size"),
        ("ViT", {"num_channels": 4}, "num_channels"),
        ("ViT", {"hidden_act": "laplace"}, "hidden_act"),
        ("CLIP", {"vision_config": {**IMAGES, "hidden_act": "gelu"}}, "hidden_act"),
        ("CLIP", {"vision_config": {**IMAGES, "num_channels": 2}}, "num_channels"),
        ("CLIP", {"text_config": 3}, "text_config"),
        ("CLIP", {"text_config": {**TEXTS, "vocab_size": 20}}, "token_embedding"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_key(models, plugins, tmp_path, name, changes, field):
    _, _, folder, _ = models[name]
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    config = json.loads((folder / "config.json").read_text()) | changes
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(BadInput) as refused:
        load_pretrained(tmp_path, plugins)
    assert field in refused.value.problem.field


def test_the_body_of_a_model_without_classes_is_refused(hf, plugins, tmp_path):
    hf.ViTModel(hf.ViTConfig(**VIT)).save_pretrained(tmp_path)
    with pytest.raises(BadInput, match="no head for classes of images"):
        load_pretrained(tmp_path, plugins)

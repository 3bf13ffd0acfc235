"""The conformance suite on the vision transformer, on CLIP and its objective, and on their checkpoints."""

import pytest

from lab.api import Task
from lab.testing import conformance
from lab_vision import lab_register_checkpoint_formats, lab_register_objectives
from lab_vision.clip_settings import ClipConfig
from lab_vision.settings import VisionTransformerConfig

PLUGIN = "lab_vision"
VARIED = VisionTransformerConfig(
    layers=2, width=16, heads=2, patch=2, positions="sinusoidal", pool="mean", activation="swiglu", dropout=0.1
)
UNEQUAL = ClipConfig(
    layers=2, width=16, heads=2, patch=2, text_layers=1, text_width=24, text_heads=3, text_hidden=20, embedding_width=8,
    activation="geglu", dropout=0.1,
)  # fmt: skip
registered = []
lab_register_objectives(registered.append)
lab_register_checkpoint_formats(registered.append)
CONTRASTIVE, VIT, CLIP = registered

test_vit = pytest.mark.long(conformance("vit", plugin=PLUGIN))
test_vit_with_everything = conformance(
    "vit", plugin=PLUGIN, config=VARIED, task=Task(1, 1, causal=False, input_shape=(4, 6, 3), classes=5)
)
test_clip = pytest.mark.long(conformance("clip", plugin=PLUGIN))
test_clip_with_everything = conformance(
    "clip", plugin=PLUGIN, config=UNEQUAL, task=Task(17, 40, causal=False, input_shape=(4, 6, 3), matching=True)
)
test_objective = conformance(CONTRASTIVE)
test_checkpoints_of_vit = conformance(VIT, plugin=PLUGIN)
test_checkpoints_of_clip = conformance(CLIP, plugin=PLUGIN)

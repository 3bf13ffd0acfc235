"""The conformance suite on the vision transformer."""

import pytest

from lab.api import Task
from lab.testing import conformance
from lab_vision.settings import VisionTransformerConfig

PLUGIN = "lab_vision"
VARIED = VisionTransformerConfig(
    layers=2, width=16, heads=2, patch=2, positions="sinusoidal", pool="mean", activation="swiglu", dropout=0.1
)

test_vit = pytest.mark.long(conformance("vit", plugin=PLUGIN))
test_vit_with_everything = conformance(
    "vit", plugin=PLUGIN, config=VARIED, task=Task(1, 1, causal=False, input_shape=(4, 6, 3), classes=5)
)

"""The conformance suite on encoders, their objectives and their checkpoints."""

import pytest

from lab.api import Task
from lab.host import Plugins
from lab.testing import conformance
from lab_encoder.settings import ElectraConfig, EncoderConfig

PLUGIN = "lab_encoder"
NARROW = EncoderConfig(
    layers=4, width=32, heads=4, embedding_width=16, shared_groups=2, positions="rotary", norm="rms", norm_place="pre",
    feed_forward="swiglu", bias=False, qk_norm=True, segments=0, pool="first", pooler="relu", tie=False, dropout=0.1,
)  # fmt: skip
BIASED = EncoderConfig(layers=2, width=32, heads=4, positions="t5", window=9, head_transform=False)
ALL_MIXERS = Plugins(safe_mode=True).card("architectures", "encoder").config
LSTM = ALL_MIXERS(layers=2, width=16, heads=2, pattern="lstm+mlp", positions="none", segments=0)
MAMBA = ALL_MIXERS(layers=2, width=16, heads=2, pattern="mamba, attention+mlp", positions="none", segments=0)
MASKED = Task(17, 160, causal=False)
CLASSES = Task(17, 160, causal=False, classes=5)

test_encoder = pytest.mark.short("loads", "masked-defaults-*", "classification-albert-*")(
    conformance("encoder", plugin=PLUGIN)
)
test_with_everything = conformance("encoder", plugin=PLUGIN, config=NARROW, task=MASKED)
test_classes_with_everything = conformance("encoder", plugin=PLUGIN, config=NARROW, task=CLASSES)
test_classes_of_tokens = conformance(
    "encoder", plugin=PLUGIN, config=BIASED, task=Task(17, 160, causal=False, classes=5, by_token=True)
)
test_biased = conformance("encoder", plugin=PLUGIN, config=BIASED, task=MASKED)
test_both_ways_lstm = conformance(Plugins(safe_mode=True).card("architectures", "encoder"), config=LSTM, task=CLASSES)
test_both_ways_mamba = conformance(Plugins(safe_mode=True).card("architectures", "encoder"), config=MAMBA, task=MASKED)
test_electra = conformance("electra", plugin=PLUGIN, task=CLASSES, config=ElectraConfig(layers=2, width=32, heads=4))

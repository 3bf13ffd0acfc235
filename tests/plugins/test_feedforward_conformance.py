"""The conformance suite on networks before sequences."""

import pytest

from lab.api import Task
from lab.testing import conformance
from lab_feedforward.settings import ConvolutionalConfig, MLPConfig

PLUGIN = "lab_feedforward"
VARIED = MLPConfig(widths=[12, 12, 8], activation="maxout", norm="batch", residual=True, dropout=0.1)
PICTURES = ConvolutionalConfig(channels=[4, 6], widths=[8], activation="prelu", norm="group", groups=2, dropout=0.1)

test_perceptron = pytest.mark.short("loads", "classification-vectors-defaults-*")(
    conformance("perceptron", plugin=PLUGIN)
)
test_random_features = pytest.mark.short("loads", "classification-vectors-defaults-*")(
    conformance("random-features", plugin=PLUGIN)
)
test_mlp = pytest.mark.short("loads", "classification-vectors-defaults-*", "regression-vectors-defaults-label-shape")(
    conformance("mlp", plugin=PLUGIN)
)
test_mlp_with_everything = conformance(
    "mlp", plugin=PLUGIN, config=VARIED, task=Task(1, 1, causal=False, input_shape=(6,), classes=5)
)
test_convolutional = pytest.mark.long(conformance("convolutional", plugin=PLUGIN))
test_convolutional_with_groups = conformance(
    "convolutional", plugin=PLUGIN, config=PICTURES, task=Task(1, 1, causal=False, input_shape=(8, 8, 3), classes=5)
)
test_bengio = pytest.mark.short("loads", "causal-direct-*")(conformance("bengio", plugin=PLUGIN))
test_log_bilinear = pytest.mark.short("loads", "*-pieces", "*-causality", "*-gradients")(
    conformance("log-bilinear", plugin=PLUGIN)
)
test_logistic = pytest.mark.short("loads", "*-pieces", "*-causality", "*-gradients")(
    conformance("logistic", plugin=PLUGIN)
)
test_token_convolution = pytest.mark.short("loads", "*-pieces", "*-causality", "*-gradients")(
    conformance("token-convolution", plugin=PLUGIN)
)

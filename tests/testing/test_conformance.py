"""The suite on models that keep every promise: the built-in architectures, and strangers of every shape."""

from dataclasses import replace
from pathlib import Path

import pytest

from lab.api import Mixer, ModelConfig, Task
from lab.layers import FeedForward
from lab.testing import check_architecture, conformance, trials
from lab.testing.cards import offer_of
from lab_recurrent import LSTMConfig
from lab_transformer import TransformerConfig

PLUGINS = Path(__file__).parent / "plugins"
LLAMA = TransformerConfig(
    layers=2, width=16, heads=2, dropout=0.1, positions="rotary", norm="rms", feed_forward="swiglu", tie=False
)
GPT_2 = TransformerConfig(layers=2, width=16, heads=2, dropout=0.1, bias=True)
PADDED = TransformerConfig(layers=2, width=16, heads=2, positions="alibi", attention_cap=5.0, window=4, norm="rms")
LSTM_VARIANTS = LSTMConfig(layers=2, width=16, peephole=True, layer_norm=True, dropout=0.1, tie=False)
(TRANSFORMER,) = offer_of("transformer", "lab_transformer").architectures.values()
TRANSFORMER = replace(TRANSFORMER, presets={}, sizes={})
(CONVOLUTION,) = offer_of("convolution", PLUGINS / "convolution.py").architectures.values()
CAUSAL = Task(17, 160)
CHANNEL_MIXER = Mixer("units", "Units", "channel", ModelConfig, lambda slot: FeedForward(slot, activation="relu"))

# Built-in architectures: one line each, and one with what the defaults lack.
test_transformer = pytest.mark.short("loads", "causal-*", "masked-*", "classification-defaults-*")(
    conformance(TRANSFORMER)
)
test_transformer_with_every_preset = pytest.mark.long(conformance("transformer", plugin="lab_transformer"))
test_transformer_like_llama = pytest.mark.long(conformance(TRANSFORMER, config=LLAMA))
test_transformer_that_reads_a_short_window = pytest.mark.short("*-pieces", "*-causality", "*-greedy", "*-shape")(
    conformance(TRANSFORMER, config=PADDED, task=CAUSAL)
)
test_transformer_of_every_task_that_reads_a_short_window = pytest.mark.long(conformance(TRANSFORMER, config=PADDED))
test_transformer_like_gpt_2 = pytest.mark.long(conformance(TRANSFORMER, config=GPT_2))
test_encoder_decoder = pytest.mark.short("loads", "sequence-to-sequence-defaults-*")(
    conformance("encoder-decoder", plugin="lab_seq2seq")
)
test_rnn = pytest.mark.long(conformance("rnn", plugin="lab_recurrent"))
test_gru = pytest.mark.long(conformance("gru", plugin="lab_recurrent"))
test_lstm = pytest.mark.short("loads", "causal-defaults-*")(conformance("lstm", plugin="lab_recurrent"))
test_lstm_with_peepholes_and_layer_norm = pytest.mark.short("*-pieces", "*-gradients", "*-shape")(
    conformance("lstm", plugin="lab_recurrent", config=LSTM_VARIANTS, task=CAUSAL)
)
test_n_gram = pytest.mark.short("loads", "causal-defaults-*")(conformance("n-gram", plugin="lab_ngram"))

# Strangers: a mixer with `step`, one with `forward` alone, a model of its own with `step`, one that counts.
test_average = conformance("average", plugin=PLUGINS / "average.py")
test_convolution = conformance(replace(CONVOLUTION, presets={}))
test_wide_convolution = pytest.mark.long(conformance(CONVOLUTION))
# The GRU also runs in short, in the test of the plugin of pytest.
test_stranger_s_gru = pytest.mark.long(conformance("gru", plugin=PLUGINS / "gru.py"))
test_bigram = conformance("bigram", plugin=PLUGINS / "bigram.py")


def test_a_channel_mixer_is_tested_in_a_stack_with_attention():
    checks = {"config", "build", "shape", "gradients"}
    tried = [trial for trial in trials(CHANNEL_MIXER, task=CAUSAL) if trial.check.name in checks]
    assert {trial.check.name for trial in tried} == checks
    assert [trial.failure for trial in tried if trial.failure] == []


@pytest.mark.long  # in short: the quickest checks of it
def test_a_channel_mixer_passes_every_check():
    assert check_architecture(CHANNEL_MIXER, task=CAUSAL) == []


def test_models_of_every_other_task_are_tested_with_their_own_inputs():
    cases = {trial.case.label for trial in trials("encoder-decoder", plugin="lab_seq2seq") if trial.case.label}
    configs = ("defaults", "translation-2017", "t5", "bart")
    assert cases == {f"sequence-to-sequence{of}-{config}" for of in ("", "-images") for config in configs}


def test_a_class_for_every_token_is_tested_too():
    assert check_architecture(TRANSFORMER, GPT_2, task=Task(17, 40, causal=False, classes=3, by_token=True)) == []

"""The conformance suite on encoder-decoders."""

import pytest

from lab.testing import conformance
from lab_seq2seq.encoder_decoder_card import EncoderDecoderConfig
from lab_seq2seq.recurrent_card import RecurrentEncoderDecoderConfig

PLUGIN = "lab_seq2seq"
PLAIN = {"attention": "none", "bidirectional": False, "bridge": False}
SMALL = {"layers": 2, "width": 16, "dropout": 0.1}


def recurrent(**settings):
    """Return the checks of one recurrent configuration."""
    config = RecurrentEncoderDecoderConfig(**{**SMALL, **PLAIN, **settings})
    return conformance("recurrent-encoder-decoder", plugin=PLUGIN, config=config)


def transformer(**settings):
    """Return the checks of one configuration of the transformer."""
    return conformance("encoder-decoder", plugin=PLUGIN, config=EncoderDecoderConfig(**SMALL, **settings))


test_recurrent = pytest.mark.short("loads", "*-defaults-source-forms", "*-defaults-source-padding")(
    conformance("recurrent-encoder-decoder", plugin=PLUGIN)
)
test_lstm_with_a_reversed_source = pytest.mark.short("*-source-state")(
    recurrent(cell="lstm", reverse_source=True, feeding=True, tie=True)
)
test_rnn_with_dot = pytest.mark.long(recurrent(cell="rnn", attention="dot", bidirectional=True))
test_lstm_with_concat_and_feeding = pytest.mark.short("*-source-forms")(
    recurrent(cell="lstm", attention="concat", feeding=True, encoder_width=12, bridge=True)
)
test_additive = pytest.mark.short("*-source-once", "*-source-gradients")(
    recurrent(attention="additive", bidirectional=True, bridge=True)
)
test_t5_of_version_1_1 = pytest.mark.short("*-source-forms", "*-source-padding")(
    transformer(
        heads=2, positions="t5", norm="rms", bias=False, scaled=False, tie=False, share=True, feed_forward="geglu-tanh",
        head_width=6,
    )
)  # fmt: skip
test_its_checkpoint_formats = pytest.mark.long(conformance("t5", plugin=PLUGIN))
test_the_format_of_bart = pytest.mark.long(conformance("bart", plugin=PLUGIN))
test_span_corruption = conformance("span-corruption", plugin=PLUGIN)
test_denoising = conformance("denoising", plugin=PLUGIN)

"""The conformance suite on encoder-decoders."""

import pytest

from lab.testing import conformance
from lab_seq2seq.encoder_decoder_card import EncoderDecoderConfig
from lab_seq2seq.recurrent_card import RecurrentEncoderDecoderConfig

PLUGIN = "lab_seq2seq"
SMALL = {"layers": 2, "width": 16, "dropout": 0.1}


def recurrent(**settings):
    """Return the checks of one recurrent configuration."""
    config = RecurrentEncoderDecoderConfig(**SMALL, **settings)
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
test_encoder_decoder = pytest.mark.long(conformance("encoder-decoder", plugin=PLUGIN))

"""The encoder-decoder: its source, its readings, its refusals."""

import pytest
import torch

from lab.api import BadInput, NotCausal, StackConfig, Task, capture, checked_readings
from lab.layers import Attention, CrossAttention, Encoder, EncoderDecoder

TASK = Task(9, 16, source_vocabulary_size=7)


@pytest.fixture
def model():
    torch.manual_seed(0)
    config = StackConfig(layers=2, width=8)
    encoder = Encoder(config, TASK, token_mixer=lambda slot: Attention(slot, heads=2), layers=3)
    cross = lambda slot: CrossAttention(slot, heads=2)  # noqa: E731
    mixer = lambda slot: Attention(slot, heads=2)  # noqa: E731
    return EncoderDecoder(config, TASK, encoder=encoder, cross=cross, token_mixer=mixer).eval()


@pytest.fixture
def inputs():
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    return {"source": torch.randint(7, (2, 5)), "source_mask": mask}


def test_a_decoder_without_a_source_is_refused_by_its_name(model):
    for call in (lambda: model(torch.zeros(1, 2, dtype=torch.long)), lambda: model.start(1)):
        with pytest.raises(BadInput, match="none is given") as raised:
            call()
        assert raised.value.problem.field == "source"


def test_an_encoder_alone_cannot_decode(model):
    with pytest.raises(NotCausal):
        model.encoder.start(1)


def test_the_encoder_reads_as_often_as_a_source_is_given(model, inputs):
    calls = []
    model.encoder.register_forward_hook(lambda *_: calls.append(1))
    state = model.start(2, **inputs)
    for token in torch.randint(9, (4, 2)):
        _, state = model.step(token, state)
    assert len(calls) == 1


def test_cross_attention_is_reported_between_positions_of_target_and_source(model, inputs):
    with capture(model) as readings:
        model(torch.randint(9, (2, 4)), **inputs)
    found = {(one.name, one.layer): one for one in checked_readings(readings)}
    assert len(found) == len(readings)  # no name occurs twice in a layer
    cross = found["cross attention", 1]
    assert cross.axes == ("batch", "head", "query", "source")
    assert cross.values.shape == (2, 2, 4, 5)
    assert cross.values.sum(-1) == pytest.approx(1)
    assert not cross.values[1, :, :, 3:].any()  # padding
    assert found["mixing", 0].values.shape == (2, 2, 4, 4)
    assert found["encoder mixing", 2].values.shape == (2, 2, 5, 5)
    assert found["encoder residual", 0].axes == ("batch", "source", "channel")


def test_what_is_captured_is_what_is_computed(model, inputs):
    tokens = torch.randint(9, (2, 4))
    expected = model(tokens, **inputs)
    with capture(model):
        found = model(tokens, **inputs)
    torch.testing.assert_close(found, expected)

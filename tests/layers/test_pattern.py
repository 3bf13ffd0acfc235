"""Stacks whose blocks a pattern names: what is shared, what is reported, what is kept and counted."""

import copy
from collections import Counter

import pytest
import torch

from lab.api import (
    BadInput,
    Mixer,
    ModelConfig,
    NoSettings,
    PatternStackConfig,
    Task,
    capture,
    pattern_setting,
    setting,
)
from lab.layers import Attention, FeedForward, Rotary, TokenMixer
from lab.layers.pattern import stack_of_pattern


class HeadsConfig(ModelConfig):
    heads: int = setting(2, ge=1, le=64, help="Heads.")
    dropout: float = setting(0.0, ge=0, lt=1, live=True, help="Dropout on the weights.")


class Decay(TokenMixer):
    """A decaying mean with a rate that weight decay spares, which it reports."""

    no_decay = ("rate",)

    def __init__(self, slot):
        super().__init__()
        self.rate = torch.nn.Parameter(torch.full((slot.width,), 2.0))

    def start(self, batch):
        return self.rate.new_zeros(batch, len(self.rate))

    def step(self, x, state):
        share = self.rate.sigmoid()
        state = share * state + (1 - share) * x
        self.report("state", state, axes=("batch", "channel"))
        return state, state


MIXERS = (
    Mixer("attention", "Attention", "token", HeadsConfig,
          lambda slot: Attention(slot, heads=slot.config.heads, rotary=Rotary())),
    Mixer("decay", "Decay", "token", NoSettings, Decay),
    Mixer("mlp", "Feed-forward", "channel", NoSettings, FeedForward),
)  # fmt: skip


class Config(PatternStackConfig):
    pattern: str = pattern_setting("attention+mlp, decay")


CONFIG = Config.of(MIXERS)
SHARED = "decay, [attention+mlp], decay+mlp, [attention+mlp], [decay], mlp, [attention+mlp]"


def model_of(pattern=SHARED, layers=7, **settings):
    torch.manual_seed(0)
    config = CONFIG(pattern=pattern, layers=layers, width=8, **settings)
    model = stack_of_pattern(config, Task(11, 32)).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model.eval()


def tokens_of(batch=2, length=13):
    return torch.randint(11, (batch, length), generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("pattern", ["attention+mlp, decay", SHARED])
def test_the_text_in_pieces_gives_the_logits_of_the_text(pattern):
    model, tokens = model_of(pattern), tokens_of()
    state, pieces = model.start(2), []
    for part in tokens.split([5, 1, 4, 1, 2], dim=1):
        logits, state = model.extend(part, state)
        pieces.append(logits)
    assert torch.allclose(torch.cat(pieces, dim=1), model(tokens), atol=1e-12)


def test_each_place_of_shared_weights_has_readings_of_its_own():
    model = model_of()
    with capture(model) as readings:
        model(tokens_of(1))
    named = Counter((reading.name, reading.layer) for reading in readings)
    assert set(named.values()) == {1}
    assert [layer for name, layer in named if name == "mixing"] == [1, 3, 6]
    assert [layer for name, layer in named if name == "state"] == [0, 2, 4]
    assert [layer for name, layer in named if name == "residual"] == list(range(7))


def test_shared_weights_are_counted_saved_and_trained_once():
    model = model_of()
    first, second, other, third = (dict(block.named_parameters()) for block in model.blocks if hasattr(block, "place"))
    for names in (second, third):
        assert [name for name, tensor in names.items() if first[name] is not tensor] == ["place.weight"]
    assert not {id(tensor) for tensor in other.values()} & {id(tensor) for tensor in first.values()}
    counted = sum(tensor.numel() for tensor in model.parameters())
    assert sum(table.numel() for table in model.tables().values()) == counted
    model(tokens_of()).square().sum().backward()
    assert all(parameter.grad.any() for parameter in model.parameters())


def test_a_copy_shares_among_its_own_places_and_takes_the_tables():
    model = model_of()
    twin = copy.deepcopy(model)
    with torch.no_grad():
        twin.blocks[1].narrow.weight.zero_()
    assert not twin.blocks[6].narrow.weight.any()
    assert model.blocks[6].narrow.weight.any()
    twin.load_tables(model.tables())
    assert torch.equal(twin(tokens_of()), model(tokens_of()))


def test_what_a_shared_block_gives_is_read_by_the_next_block_and_is_no_part_of_the_stream():
    model = model_of("[attention+mlp], mlp", 2)
    with capture(model, {"embedding", "residual"}) as readings:
        model(tokens_of(1))
    embedding, first, second = (torch.from_numpy(reading.values).double() for reading in readings)
    assert torch.equal(embedding, first)
    x = first[None]
    with torch.no_grad():
        extra, _ = model.blocks[0].read(x, x, None)
        block = model.blocks[1]
        expected = x + block.channel(block.channel_norm(x + extra))
    assert torch.allclose(second[None], expected, atol=1e-5)


def test_live_settings_of_a_mixer_work_in_every_place():
    model = model_of("[attention], mlp", 4).train()
    assert torch.equal(model(tokens_of()), model(tokens_of()))
    model.config.change("attention.dropout", 0.5)
    assert not torch.equal(model(tokens_of()), model(tokens_of()))


def test_a_setting_that_a_mixer_refuses_is_named_by_its_path():
    with pytest.raises(BadInput, match=r"attention.heads = 3: does not divide the width"):
        model_of("decay, attention", attention={"heads": 3})


def test_shared_blocks_are_trained_in_half_precision_as_they_are_decoded():
    model, tokens = model_of("decay, [attention+mlp]", layers=4).float(), tokens_of()
    with torch.autocast("cpu", torch.bfloat16):
        logits = model(tokens)
        decoded, _ = model.extend(tokens, model.start(2))
    torch.testing.assert_close(logits, decoded, atol=0.2, rtol=0.1)
    logits.float().square().mean().backward()
    assert all(parameter.grad.isfinite().all() for parameter in model.parameters())

"""The residual stack: what stands where, what it initialises, and what it refuses."""

import math

import pytest
import torch
from torch import nn

from lab.api import Mixer, ModelConfig, StackConfig, Task, capture, setting
from lab.layers import ChannelMixer, FeedForward, ResidualStack, TokenMixer, sinusoids

TASK = Task(11, 16)
TOKENS = torch.arange(10).view(2, 5)


class Add(TokenMixer):
    """Adds what its slot says, so that one can see where it stood."""

    def __init__(self, slot):
        super().__init__()
        self.slot = slot

    def forward(self, x):
        return torch.full_like(x, 10.0**self.slot.layer)


class AddToo(ChannelMixer):
    def __init__(self, slot):
        super().__init__()
        self.slot = slot

    def forward(self, x):
        return torch.full_like(x, 2 * 10.0**self.slot.layer)


class Reads(ChannelMixer):
    """A mixer that returns its input."""

    def __init__(self, slot=None):
        super().__init__()

    def forward(self, x):
        return x


class Identity(nn.Identity):
    def __init__(self, slot):
        super().__init__()


def stack(token=Add, channel=AddToo, *, layers=2, width=4, task=TASK, **given):
    config = StackConfig(layers=layers, width=width)
    return ResidualStack(config, task, token_mixer=token, channel_mixer=channel, **given)


def residual(model):
    """Return the sum that the blocks added to the embedding."""
    x = torch.zeros(1, 3, 4)
    for block in model.blocks:
        x = block(x)
    return x[0, 0, 0].item()


def test_every_block_adds_its_token_mixer_and_its_channel_mixer():
    assert residual(stack()) == 33


@pytest.mark.parametrize(("token", "channel", "sum_"), [(Add, None, 11), (None, AddToo, 22), (Add, Add, 22)])
def test_either_mixer_may_be_left_out_and_a_token_mixer_may_take_both_slots(token, channel, sum_):
    model = stack(token, channel)
    assert residual(model) == sum_
    _, state = model.extend(TOKENS, model.start(2))
    assert state["position"] == 5


def test_a_hybrid_names_a_mixer_or_none_per_layer():
    assert residual(stack([Add, None, Add], [None, AddToo, AddToo], layers=3)) == 1 + 20 + 100 + 200


def test_a_list_of_another_length_than_the_layers_is_refused():
    with pytest.raises(ValueError, match="3 mixers were given for 2 layers"):
        stack([Add, Add, Add])


def test_a_block_of_nothing_is_refused():
    with pytest.raises(ValueError, match="block 1 has neither a token mixer nor a channel mixer"):
        stack([Add, None], None)


def test_parallel_mixers_read_the_same_norm():
    one_after_another = stack(Add, Reads, layers=1, norm=Identity)
    parallel = stack(Add, Reads, layers=1, norm=Identity, parallel="one-norm")
    assert residual(one_after_another) == 1 + 1
    assert residual(parallel) == 1 + 0
    assert parallel.blocks[0].channel_norm is None


def test_two_parallel_mixers_have_one_norm_each_before_them():
    model = stack(parallel="two-norms", norm=lambda slot: nn.RMSNorm(slot.width, eps=1e-6))
    block, x = model.blocks[0], torch.randn(1, 3, 4)
    assert block.channel_norm is not block.token_norm
    block.token, block.channel = Reads(), Reads()
    with torch.no_grad():
        block.token_norm.weight.fill_(2.0)
        block.channel_norm.weight.fill_(5.0)
    torch.testing.assert_close(block(x), x + block.token_norm(x) + block.channel_norm(x))


@pytest.mark.parametrize("parallel", ["no", "one-norm"])
def test_a_norm_may_follow_the_sum_and_then_there_is_none_at_the_end(parallel):
    model = stack(parallel=parallel, norm_place="post", norm=lambda slot: nn.LayerNorm(slot.width))
    block, x = model.blocks[0], torch.randn(1, 3, 4)
    block.token, block.channel = Reads(), Reads()
    if parallel == "no":
        y = block.token_norm(x + x)
        expected = block.channel_norm(y + y)
    else:
        expected = block.token_norm(x + x + x)
    torch.testing.assert_close(block(x), expected)
    assert [name for name, _ in model.named_parameters() if name.startswith("norm.")] == []
    torch.testing.assert_close(model.head(x), model.output(x))


def test_two_norms_before_one_sum_are_refused_behind_it():
    with pytest.raises(ValueError, match="two norms need norm_place = pre"):
        stack(parallel="two-norms", norm_place="post")


def test_capped_logits_lie_within_the_cap():
    plain, capped = (stack(output_cap=cap) for cap in (0.0, 2.0))
    capped.load_tables(plain.tables())
    logits = 100 * torch.randn(1, 3, 4)
    torch.testing.assert_close(capped.head(logits), 2 * (plain.head(logits) / 2).tanh())


def test_parallel_leaves_a_block_with_one_mixer_as_it_is():
    assert residual(stack(Add, None, parallel="one-norm")) == 11
    assert residual(stack(None, AddToo, parallel="one-norm")) == 22


def test_a_slot_describes_the_position_of_a_mixer():
    slots = [block.token.slot for block in stack(task=Task(11, 16, causal=False)).blocks]
    assert [slot.layer for slot in slots] == [0, 1]
    assert {(slot.width, slot.layers, slot.context_length, slot.causal) for slot in slots} == {(4, 2, 16, False)}
    assert all(slot.config is slots[0].config for slot in slots)


def test_it_initialises_only_what_it_makes():
    class Special(Add):
        def __init__(self, slot):
            super().__init__(slot)
            self.linear = nn.Linear(4, 4)
            nn.init.constant_(self.linear.weight, 7.0)

    assert (stack(Special).blocks[1].token.linear.weight == 7).all()


def test_embedding_positions_and_head_begin_at_a_spread_of_0_02():
    model = stack(width=256, task=Task(500, 64), positions="learned", tie=False)
    for weight in (model.embedding.weight, model.position.weight, model.output.weight):
        assert weight.std().item() == pytest.approx(0.02, rel=0.05)


def test_output_layers_begin_smaller_with_depth():
    hidden = FeedForward(stack(layers=8, width=128).blocks[0].token.slot)
    assert hidden.outer.weight.std().item() == pytest.approx(0.02 / math.sqrt(16), rel=0.05)
    assert hidden.inner.weight.std().item() == pytest.approx(0.02, rel=0.05)


def test_the_head_is_the_embedding_unless_it_is_untied_or_has_other_classes():
    tied = stack()
    assert tied.output.weight is tied.embedding.weight
    assert "output.weight" not in tied.tables()
    assert "output.weight" in stack(tie=False).tables()
    assert stack(task=Task(11, 16, classes=3)).output.out_features == 3


def test_learned_positions_end_with_the_context_and_report_it():
    model = stack(positions="learned")
    assert model.reach == 16
    with pytest.raises(ValueError, match="17 tokens go beyond the 16 learned positions"):
        model(torch.zeros(1, 17, dtype=torch.long))
    _, state = model.extend(torch.zeros(1, 16, dtype=torch.long), model.start(1))
    with pytest.raises(ValueError, match=r"model\.reach is how many fit"):
        model.step(torch.zeros(1, dtype=torch.long), state)


def test_without_positions_the_shortest_reach_of_its_mixers_is_its_own():
    assert stack().reach is None
    model = stack([type("Near", (Add,), {"reach": 5}), type("Far", (Add,), {"reach": 9})])
    assert model.reach == 5


def test_sinusoidal_positions_are_the_paper_s_added_to_a_scaled_embedding():
    waves = sinusoids(3, 2, 6, torch.device("cpu"))
    for row, place in enumerate((3, 4)):
        for i in range(3):
            angle = place / 10000 ** (2 * i / 6)
            assert waves[row, 2 * i : 2 * i + 2].tolist() == pytest.approx([math.sin(angle), math.cos(angle)], abs=1e-6)
    model = stack(positions="sinusoidal")
    expected = model.embedding.weight[TOKENS] * 2 + sinusoids(7, 5, 4, torch.device("cpu"))
    torch.testing.assert_close(model.embed(TOKENS, 7), expected)


def test_a_width_that_is_odd_has_sinusoidal_positions_too():
    assert sinusoids(0, 4, 5, torch.device("cpu")).shape == (4, 5)


def test_dropout_is_live_and_only_in_training():
    torch.manual_seed(0)
    model = stack()
    plain = model(TOKENS)
    assert torch.equal(model(TOKENS), plain)
    model.config.change("dropout", 0.5)
    assert not torch.equal(model(TOKENS), plain)
    assert torch.equal(model.eval()(TOKENS), plain)
    model.train().config.change("dropout", 0.0)
    assert torch.equal(model(TOKENS), plain)


def test_the_logit_lens_reads_any_residual_through_the_head():
    model = stack()
    with capture(model, {"residual"}, graph=True) as readings:
        logits = model(TOKENS)
    torch.testing.assert_close(model.head(readings[-1].values), logits)


class OwnConfig(ModelConfig):
    strength: float = setting(1.0, live=True, help="What is added.")


def test_a_registered_mixer_reads_its_own_config_nested_under_its_name():
    class Strong(Add):
        def forward(self, x):
            return torch.full_like(x, self.slot.config.strength)

    architecture = Mixer("strong-mix", "Strong", "token", OwnConfig, Strong).stack()
    model = architecture.make(architecture.config.read({"layers": 1, "strong_mix": {"strength": 4}}), TASK)
    assert model.blocks[0].token(torch.zeros(1, 1, 1)).item() == 4
    model.config.change("strong_mix.strength", 6)
    assert model.blocks[0].token(torch.zeros(1, 1, 1)).item() == 6
    assert architecture.config().strong_mix.strength == 1


def test_an_embedding_of_inputs_that_are_no_tokens_is_the_author_s():
    class Patches(ResidualStack):
        def __init__(self, config, task):
            super().__init__(config, task, token_mixer=Add)
            self.patch = nn.Linear(task.input_shape[1], config.width)

        def embed(self, inputs, position=0):
            return self.patch(inputs)

    model = Patches(StackConfig(layers=1, width=4), Task(0, 16, causal=False, input_shape=(6, 7), classes=3))
    assert model(torch.zeros(2, 6, 7)).shape == (2, 3)
    assert not hasattr(model, "embedding")

"""Interventions: what is switched off or replaced, in which models, and that nothing of it stays."""

import contextlib
import copy

import pytest
import torch

from lab.api import Task, hook_points
from lab.base import BadInput
from lab.diagnostics.interventions import axis_of
from lab.diagnostics.source import WithSource
from lab.host import Plugins
from lab.workbench.access.ablation import changed, offered, parse_targets
from lab_ssm.mamba import mamba

T = 8
TOKENS = torch.arange(T)[None] % 7
OTHER = (torch.arange(T)[None] * 3 + 1) % 7
PLUGINS = Plugins()
SMALL = {"layers": 2, "width": 16, "heads": 2, "hidden": 8, "experts": 4, "chosen": 2, "state": 4, "order": 3,
         "head_width": 8}  # fmt: skip
"""Settings of a small model, of which each architecture takes those that it has."""


def built(name, **settings):
    """Build a small model of an architecture, in eval mode."""
    card = PLUGINS.card("architectures", name)
    small = {key: value for key, value in SMALL.items() if key in card.config.model_fields}
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = card.make(card.config(**{**small, **settings}), Task(16, T)).eval()
    if model.learns == "counting":
        model.count((torch.arange(200) ** 2 % 7).numpy())
    return model


@torch.no_grad()
def logits(model, *targets, tokens=TOKENS, reference=TOKENS):
    """Return the logits of a model, changed at these targets."""
    found, _ = parse_targets(",".join(targets), model, PLUGINS, reference) if targets else ([], False)
    with changed(model, found, PLUGINS, reference):
        return model(tokens)


def addresses(model, name):
    """Return what an intervention can change in a model."""
    return PLUGINS.card("interventions", name).addresses(model, TOKENS)


@pytest.fixture
def transformer():
    """A transformer of two blocks with two heads each."""
    return built("transformer")


# ---- what they compute


@pytest.fixture
def translator():
    """An encoder-decoder of two blocks each, that reads a source."""
    model = built("encoder-decoder", encoder_layers=2)
    return WithSource(model, [3, 1, 4, 1, 5])


def test_blocks_of_an_encoder_have_addresses_of_their_own(translator):
    assert addresses(translator, "layer") == ["1", "2", "encoder.1", "encoder.2"]
    decoder = [f"{block}.{mixer}" for block in (1, 2) for mixer in ("token", "cross", "channel")]
    encoder = [f"encoder.{block}.{mixer}" for block in (1, 2) for mixer in ("token", "channel")]
    assert addresses(translator, "mixer") == decoder + encoder
    heads = [f"{block}.{head}" for block in (1, 2) for head in (1, 2, 3, 4)]  # two of each attention
    assert addresses(translator, "head") == heads + [f"encoder.{block}.{head}" for block in (1, 2) for head in (1, 2)]


@pytest.mark.parametrize(
    ("target", "projection"),
    [
        ("mixer:1.token", "blocks.0.token.output"),
        ("mixer:1.cross", "blocks.0.cross.output"),
        ("mixer:encoder.1.token", "encoder.blocks.0.token.output"),
        ("mixer:encoder.2.channel", "encoder.blocks.1.channel.outer"),
    ],
)
def test_a_mixer_of_an_encoder_decoder_is_dropped_alone(translator, target, projection):
    without = copy.deepcopy(translator)
    without.get_submodule(projection).weight.data.zero_()
    assert torch.allclose(logits(translator, target), logits(without), atol=1e-6)
    assert not torch.allclose(logits(translator, target), logits(translator), atol=1e-6)


def test_a_head_that_reads_the_source_follows_those_of_its_block(translator):
    without = copy.deepcopy(translator)
    cross = without.get_submodule("blocks.1.cross")
    cross.output.weight.data[:, : cross.head_width] = 0
    assert torch.allclose(logits(translator, "head:2.3"), logits(without), atol=1e-6)
    assert not torch.allclose(logits(translator, "head:2.3"), logits(translator), atol=1e-6)


def test_a_skipped_block_of_the_encoder_is_one_that_is_not_there(translator):
    without = copy.deepcopy(translator)
    del without.get_submodule("encoder").blocks[0]
    assert torch.equal(logits(translator, "layer:encoder.1"), logits(without))


@pytest.mark.parametrize("settings", [{}, {"attention_cap": 5.0}, {"kv_heads": 1}])
def test_a_head_that_is_switched_off_is_one_whose_columns_of_the_output_projection_are_zero(settings):
    model = built("transformer", **settings)
    without = copy.deepcopy(model)
    attention = without.blocks[1].token
    attention.output.weight.data[:, : attention.head_width] = 0
    assert torch.allclose(logits(model, "head:2.1"), logits(without), atol=1e-6)
    assert not torch.allclose(logits(model, "head:2.2"), logits(without), atol=1e-6)


def test_a_unit_that_is_switched_off_is_one_whose_column_of_the_outer_projection_is_zero(transformer):
    without = copy.deepcopy(transformer)
    without.blocks[0].channel.outer.weight.data[:, 4] = 0
    assert torch.allclose(logits(transformer, "unit:1.5"), logits(without), atol=1e-6)


@pytest.mark.parametrize("settings", [{}, {"parallel": "one-norm"}, {"norm_place": "post"}])
def test_a_block_that_is_skipped_is_one_that_is_not_there(settings):
    model = built("transformer", **settings)
    without = copy.deepcopy(model)
    del without.blocks[0]
    assert torch.equal(logits(model, "layer:1"), logits(without))
    both = copy.deepcopy(model)
    del both.blocks[:]
    assert torch.equal(logits(model, "layer:1,layer:2"), logits(both))


def test_a_mixer_that_is_dropped_is_one_whose_projection_gives_zero(transformer):
    without = copy.deepcopy(transformer)
    without.blocks[1].token.output.weight.data.zero_()
    assert torch.equal(logits(transformer, "mixer:2.token"), logits(without))
    without.blocks[1].channel.outer.weight.data.zero_()
    assert torch.equal(logits(transformer, "mixer:2.token,mixer:2.channel"), logits(without))


def through_blocks(blocks, x, dropped, memory=None):
    """Return the stream behind some blocks, with the sums written out; what is in `dropped` is not added."""
    for number, block in enumerate(blocks, 1):
        for part in ("token", "cross", "channel"):
            mixer, norm = getattr(block, part, None), getattr(block, f"{part}_norm", None)
            if mixer is None:
                continue
            given = x if block.post else norm(x)
            y = mixer(given, mixer.memory(memory, None)) if part == "cross" else mixer(given)
            x = y if f"{number}.{part}" in dropped else x + y
            x = norm(x) if block.post else x
    return x


@pytest.mark.short("*-dropped2")
@pytest.mark.parametrize("dropped", [("1.token",), ("2.channel",), ("1.channel", "2.token")])
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("transformer", {}),
        ("transformer", {"norm_place": "post"}),
        ("moe", {}),
        ("mamba", {}),
        ("hybrid", {"pattern": "mamba+mlp, attention+mlp"}),
        ("linear-attention", {}),
        ("rwkv6", {}),
    ],
)
@torch.no_grad()
def test_behind_a_dropped_residual_connection_is_only_what_the_mixer_computes(name, settings, dropped):
    model = built(name, **settings)
    offered_here = addresses(model, "residual")
    wanted = [address for address in dropped if address in offered_here] or offered_here[-1:]  # mamba has one mixer
    expected = model.head(through_blocks(model.blocks, model.embed(TOKENS), wanted))
    found = logits(model, *(f"residual:{address}" for address in wanted))
    assert torch.allclose(found, expected, atol=1e-5)
    assert not torch.allclose(found, logits(model), atol=1e-3)


@pytest.mark.parametrize("norms", ["one-norm", "two-norms"])
@torch.no_grad()
def test_parallel_mixers_have_one_residual_connection(norms):
    model = built("transformer", parallel=norms)
    assert addresses(model, "residual") == ["1.parallel", "2.parallel"]
    first, second = model.blocks
    x = first(model.embed(TOKENS))
    given = second.token_norm(x)
    fed = second.channel(second.channel_norm(x) if norms == "two-norms" else given)
    expected = model.head(second.token(given) + fed)
    assert torch.allclose(logits(model, "residual:2.parallel"), expected, atol=1e-5)


@pytest.mark.parametrize("dropped", [("encoder.1.token",), ("encoder.2.channel",), ("1.cross",), ("2.token",)])
@torch.no_grad()
def test_encoder_and_decoder_have_residual_connections_of_their_own(translator, dropped):
    assert addresses(translator, "residual") == addresses(translator, "mixer")
    encoder, source = translator.encoder, torch.tensor([[3, 1, 4, 1, 5]])
    in_encoder = [address.removeprefix("encoder.") for address in dropped if address.startswith("encoder.")]
    memory = encoder.head(through_blocks(encoder.blocks, encoder.embed(source), in_encoder))
    expected = translator.head(through_blocks(translator.blocks, translator.embed(TOKENS), dropped, memory))
    found = logits(translator, *(f"residual:{address}" for address in dropped))
    assert torch.allclose(found, expected, atol=1e-5)
    assert not torch.allclose(found, logits(translator), atol=1e-3)


def test_without_its_residual_connections_a_block_passes_on_nothing_but_its_last_mixer(transformer):
    model = copy.deepcopy(transformer)
    model.blocks[1].channel.outer.weight.data.zero_()
    assert not logits(model, "residual:2.token,residual:2.channel").any()
    assert logits(model, "residual:2.token").any()


@pytest.mark.parametrize("name", ["gru", "lstm", "rnn"])
def test_a_unit_of_a_recurrent_layer_is_zero_at_every_token(name):
    model = built(name)
    without = copy.deepcopy(model)
    cell = without.layers[0]
    cell.weights[1].data[:, 2] = 0  # nothing of it goes on to the next token
    without.layers[1].weights[0].data[:, 2] = 0  # nor up
    assert torch.allclose(logits(model, "unit:1.3"), logits(without), atol=1e-6)


# ---- channels of a state: each reference below computes the recurrence token by token, with the channel at zero


def memory_by_hand(mixer, channel):
    """Let a mixer with one matrix per head compute token by token with a column of zeros; return the channels."""
    head, column = divmod(channel, mixer.output.in_features // mixer.heads)

    def extend(x, state):
        read, after = mixer.read(x, state)
        S, outputs = state["memory"].clone(), []
        for t in range(x.shape[1]):
            q, k, v = read.q[:, t], read.k[:, t], read.v[:, t]
            before, added = S, v
            if read.log_decay is not None:
                decay = read.log_decay[:, t].exp()
                S = S * (decay[..., None, None] if decay.ndim == 2 else decay[..., None])
            if read.beta is not None:
                added = read.beta[:, t, :, None] * (v - torch.einsum("bhk,bhkv->bhv", k, S))
            written = torch.einsum("bhk,bhv->bhkv", k, added)
            S = S + written
            S[:, head, :, column] = 0
            seen = S if read.bonus is None else before + read.bonus[..., None] * written
            outputs.append(torch.einsum("bhk,bhkv->bhv", q, seen))
        return mixer.output(mixer.written(torch.stack(outputs, dim=1), read.gate)), {**after, "memory": S}

    mixer.extend = extend


def mamba_by_hand(mixer, channel, monkeypatch):
    """Let the scan of a Mamba layer compute token by token with a channel whose states are zero."""
    scan = mamba.selective_scan

    def by_hand(x, dt, A, B, C, D, state, *, signed):
        if D is not mixer.D:
            return scan(x, dt, A, B, C, D, state, signed=signed)
        h, outputs = x.new_zeros(len(x), *A.shape), []
        for t in range(x.shape[1]):
            h = (dt[:, t, :, None] * A).exp() * h + (dt * x)[:, t, :, None] * B[:, t, None]
            h[:, channel] = 0
            outputs.append((h @ C[:, t, :, None])[..., 0] + D * x[:, t])
        return torch.stack(outputs, dim=1), h

    monkeypatch.setattr(mamba, "selective_scan", by_hand)


def mamba2_by_hand(mixer, channel):
    """Let a Mamba-2 layer compute token by token with a channel whose states are zero."""
    head, column = divmod(channel, mixer.inner // mixer.heads)

    def recur(given, state):
        x, dt, B, C = given
        q, k = mixer._for_heads(C, 2), mixer._for_heads(B, 2)
        S, outputs = x.new_zeros(len(x), mixer.heads, mixer.states, x.shape[-1]), []
        for t in range(x.shape[1]):
            written = torch.einsum("bhk,bhv->bhkv", k[:, t], x[:, t] * dt[:, t, :, None])
            S = (dt[:, t] * mixer.rates).exp()[..., None, None] * S + written
            S[:, head, :, column] = 0
            outputs.append(torch.einsum("bhk,bhkv->bhv", q[:, t], S) + mixer.D[:, None] * x[:, t])
        return torch.stack(outputs, dim=1), S

    mixer._recur = recur


def s4_by_hand(mixer, channel):
    """Let an S4 layer compute token by token with a channel whose states are zero."""

    def forward(x):
        state, outputs = mixer.start(len(x)), []
        for token in x.unbind(dim=1):
            y, state = mixer._system().steps(token[:, :, None], state)
            state[:, channel] = 0
            y[:, channel] = 0  # the response to this very token, whose states are zero too
            behind = torch.nn.functional.gelu(y[:, :, 0] + mixer.D * token)
            outputs.append(torch.nn.functional.glu(mixer.output(behind), dim=-1))
        return torch.stack(outputs, dim=1)

    mixer.forward = forward


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("linear-attention", {}),
        ("linear-attention", {"feature_map": "identity"}),
        ("retnet", {}),
        ("gla", {}),
        ("deltanet", {}),
        ("gated-deltanet", {}),
        ("rwkv6", {}),
        ("mamba", {}),
        ("mamba2", {}),
        ("s4", {}),
        ("s4", {"kernel": "s4"}),
        ("hybrid", {"pattern": "attention+mlp, gated-deltanet+mlp"}),
    ],
)
@torch.no_grad()
def test_a_channel_of_a_state_is_zero_at_every_token_and_what_bypasses_the_state_stays(name, settings, monkeypatch):
    model = built(name, **settings)
    for parameter in model.parameters():  # so that no channel is silent by chance, nor near zero
        parameter.add_(0.1 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(parameter.numel())))
    without = copy.deepcopy(model)
    mixer = without.blocks[1].token
    match type(mixer).__name__:
        case "Mamba":
            mamba_by_hand(mixer, 2, monkeypatch)
        case "Mamba2":
            mamba2_by_hand(mixer, 2)
        case "S4":
            s4_by_hand(mixer, 2)
        case _:
            memory_by_hand(mixer, 2)
    expected = without(TOKENS)
    monkeypatch.undo()
    found = logits(model, "channel:2.3")
    assert torch.allclose(found, expected, atol=1e-5)
    assert not torch.allclose(found, logits(model), atol=1e-4)
    targets, _ = parse_targets("channel:2.3", model, PLUGINS, TOKENS)
    with changed(model, targets, PLUGINS, TOKENS):
        state, steps = model.start(1), []
        for t in range(T):
            given, state = model.step(TOKENS[:, t], state)
            steps.append(given)
    assert torch.allclose(torch.stack(steps, dim=1), found, atol=1e-5)


@pytest.mark.parametrize("settings", [{}, {"peephole": True}])
@torch.no_grad()
def test_a_unit_of_an_lstm_is_one_whose_hidden_and_cell_state_are_zero_at_every_token(settings):
    model = built("lstm", **settings)
    without = copy.deepcopy(model)
    step_values = without.layers[0].step_values

    def zeroed(read, before):
        values = step_values(read, before)
        values["hidden state"][:, 2] = values["cell state"][:, 2] = 0
        return values

    without.layers[0].step_values = zeroed
    states = without.unrolled(TOKENS)
    assert torch.allclose(logits(model, "unit:1.3"), states.logits, atol=1e-6)


def test_a_mean_stands_in_for_the_values_of_all_tokens(transformer):
    (point,) = (point for point in hook_points(transformer, TOKENS) if point.path == "blocks.0.channel")
    assert axis_of(point) == "unit"
    seen = []
    transformer.blocks[0].channel.outer.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
    logits(transformer, "mean:unit:1.5", reference=OTHER)
    *_, recorded, changed_values = seen
    expected = recorded[0, :, 4].mean()
    assert torch.allclose(changed_values[0, :, 4], expected.expand(T))
    assert not torch.allclose(changed_values[0, :, 3], changed_values[0, 0, 3].expand(T))


def test_the_values_of_the_same_text_change_nothing_and_those_of_all_blocks_make_the_other_text(transformer):
    every = ["other:mixer:1.token", "other:mixer:1.channel", "other:head:2.*"]
    assert torch.allclose(logits(transformer, *every, reference=TOKENS), logits(transformer), atol=1e-6)
    patched = logits(transformer, *every, reference=OTHER)
    assert not torch.allclose(patched, logits(transformer), atol=1e-4)


def test_tokens_behind_the_end_of_the_other_text_keep_their_values(transformer):
    seen = []
    transformer.blocks[0].channel.outer.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
    logits(transformer)
    logits(transformer, "other:unit:1.1", reference=OTHER[:, :3])
    intact, patched = seen[0], seen[-1]
    assert not torch.allclose(patched[0, :3, 0], intact[0, :3, 0])
    assert torch.equal(patched[0, 3:], intact[0, 3:])


def test_an_order_that_is_left_out_takes_those_above_with_it():
    model, lower = built("n-gram"), built("n-gram")
    lower.config.answer_order = 1
    assert torch.equal(logits(model, "order:2"), logits(lower))
    assert torch.equal(logits(model, "order:2,order:3"), logits(lower))


def test_decoding_is_changed_as_reading_is(transformer):
    found, _ = parse_targets("head:1.2,layer:2", transformer, PLUGINS, TOKENS)
    with torch.no_grad(), changed(transformer, found, PLUGINS, TOKENS):
        state, steps = transformer.start(1), []
        for t in range(T):
            given, state = transformer.step(TOKENS[:, t], state)
            steps.append(given)
        assert torch.allclose(torch.stack(steps, dim=1), transformer(TOKENS), atol=1e-5)


# ---- nothing stays


@pytest.mark.short("gru-*", "moe-True", "transformer-False")
@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("name", ["transformer", "moe", "gru", "mamba", "n-gram"])
def test_afterwards_the_model_computes_the_same_bit_for_bit(name, fails):
    model = built(name)
    before = logits(model)
    for card in PLUGINS.cards("interventions"):
        for address in PLUGINS.card("interventions", card).addresses(model, TOKENS)[:2]:
            found, _ = parse_targets(f"{card}:{address}", model, PLUGINS, OTHER)
            with contextlib.suppress(IndexError), changed(model, found, PLUGINS, OTHER):
                model(TOKENS)
                _ = TOKENS[9 if fails else 0]
            assert torch.equal(logits(model), before), f"{card}:{address}"
    assert not any(vars(module).get("_edits") for module in model.modules())


def test_several_interventions_go_together_and_come_off_together(transformer):
    before = logits(transformer)
    both = logits(transformer, "head:1.1", "mean:unit:2.3")
    assert not torch.equal(both, logits(transformer, "head:1.1"))
    assert torch.equal(logits(transformer), before)


# ---- what is offered where


@pytest.mark.parametrize(
    "name", sorted(name for name, card in PLUGINS.cards("architectures").items() if "causal" in card.tasks)
)
@torch.no_grad()
def test_every_architecture_of_the_lab_has_something_to_switch_off(name):
    model = built(name)
    for parameter in model.parameters():  # some begin at zeros
        parameter.add_(0.1 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(parameter.numel())))
    line = offered(model, PLUGINS, TOKENS)
    assert "no hook points" not in line
    first = line.split("; ")[0].split(" to ")[0]
    every = (
        f"{first.partition(':')[0]}:*" if name != "moe" else "head:*"
    )  # an expert that no token takes changes nothing
    assert not torch.equal(logits(model, every), logits(model))


@pytest.mark.parametrize(
    ("name", "intervention"),
    [
        ("transformer", "head"), ("moe", "head"), ("moe", "expert"), ("hybrid", "layer"), ("linear-attention", "head"),
        ("mamba", "channel"), ("mamba2", "head"), ("s4", "channel"), ("gru", "unit"), ("lstm", "unit"),
        ("rnn", "unit"), ("n-gram", "order"), ("rwkv6", "unit"), ("gla", "head"),
    ],
)  # fmt: skip
def test_what_is_offered_follows_from_what_the_modules_of_a_model_let_pass(name, intervention):
    model = built(name)
    *_, last = addresses(model, intervention)
    last = "2.1,expert:2.2" if intervention == "expert" else last  # those that some token takes
    assert not torch.equal(logits(model, f"{intervention}:{last}"), logits(model))


def test_blocks_heads_and_units_are_counted_from_1(transformer):
    assert addresses(transformer, "head") == ["1.1", "1.2", "2.1", "2.2"]
    assert addresses(transformer, "layer") == ["1", "2"]
    assert addresses(transformer, "mixer") == ["1.token", "1.channel", "2.token", "2.channel"]
    assert addresses(transformer, "unit")[-1] == "2.8"
    assert addresses(transformer, "expert") == addresses(transformer, "channel") == []


# ---- how it is written


def written(model, text):
    """Return targets as they are written out, and whether a star stood for several."""
    found, starred = parse_targets(text, model, PLUGINS, TOKENS)
    return [str(target) for target in found], starred


def test_a_star_stands_for_any_number_and_a_name_alone_for_all(transformer):
    heads = ["head:1.1", "head:1.2", "head:2.1", "head:2.2"]
    assert written(transformer, "head:*") == written(transformer, "head") == (heads, True)
    assert written(transformer, "head:2.*") == (heads[2:], True)
    assert written(transformer, " head:2.1 , layer:1,head:2.1") == (["head:2.1", "layer:1"], False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("haed:2.3", ("names no intervention", "head:2.3, layer:4", "Write one of")),
        ("head:3.1", ("is not in this model", "head:1.1 to head:2.2")),
        ("head:0.1", ("is not in this model",)),
        ("layer:two", ("is not in this model", "layer:1 to layer:2")),
        ("expert:1.1", ("nothing that the intervention expert can change", "head:1.1 to head:2.2", "layer:1")),
        (" ,", ("names nothing",)),
    ],
)
def test_what_cannot_be_changed_is_refused_with_what_can(transformer, text, words):
    with pytest.raises(BadInput) as refused:
        written(transformer, text)
    assert refused.value.problem.field == "without"
    assert all(word in refused.value.problem.line() for word in words)


def test_the_last_expert_of_a_block_stays():
    with pytest.raises(BadInput, match="block 1 would have no expert left"):
        logits(built("moe"), "expert:1.*")

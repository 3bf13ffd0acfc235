"""The encoder-decoder, label smoothing and losses of numbers against torch's own."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from lab.api import StackConfig, Task
from lab.layers import (
    Attention,
    CrossAttention,
    Encoder,
    EncoderDecoder,
    FeedForward,
    LayerNorm,
    unreduced_cross_entropy,
)

C, H, UNITS, LAYERS, V = 24, 3, 40, 2, 13


def ours(norm_place):
    config = StackConfig(layers=LAYERS, width=C)
    task = Task(V, 16, source_vocabulary_size=V)
    form = {
        "token_mixer": lambda slot: Attention(slot, heads=H, bias=True),
        "channel_mixer": lambda slot: FeedForward(slot, hidden=UNITS, activation="relu", bias=True),
        "norm": lambda slot: LayerNorm(slot, bias=True),
        "norm_place": norm_place,
    }
    encoder = Encoder(config, task, **form)
    cross = lambda slot: CrossAttention(slot, heads=H, bias=True)  # noqa: E731
    return EncoderDecoder(config, task, encoder=encoder, cross=cross, tie=False, **form)


def theirs(norm_place):
    form = {"dim_feedforward": UNITS, "dropout": 0.0, "batch_first": True, "norm_first": norm_place == "pre"}
    norm = nn.LayerNorm(C) if norm_place == "pre" else None
    other = nn.LayerNorm(C) if norm_place == "pre" else None
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(C, H, **form), LAYERS, norm, enable_nested_tensor=False)
    return encoder, nn.TransformerDecoder(nn.TransformerDecoderLayer(C, H, **form), LAYERS, other)


def copy_attention(own, other):
    own.project.load_state_dict({"weight": other.in_proj_weight, "bias": other.in_proj_bias})
    own.output.load_state_dict(other.out_proj.state_dict())


def copy_cross(own, other):
    query, memory = other.in_proj_weight.split([C, 2 * C]), other.in_proj_bias.split([C, 2 * C])
    own.query.load_state_dict({"weight": query[0], "bias": memory[0]})
    own.project.load_state_dict({"weight": query[1], "bias": memory[1]})
    own.output.load_state_dict(other.out_proj.state_dict())


def copy_weights(model, encoder, decoder):
    for block, layer in zip(model.encoder.blocks, encoder.layers, strict=True):
        copy_attention(block.token, layer.self_attn)
        copy_rest(block, layer, (("token_norm", "norm1"), ("channel_norm", "norm2")))
    for block, layer in zip(model.blocks, decoder.layers, strict=True):
        copy_attention(block.token, layer.self_attn)
        copy_cross(block.cross, layer.multihead_attn)
        copy_rest(block, layer, (("token_norm", "norm1"), ("cross_norm", "norm2"), ("channel_norm", "norm3")))
    for own, other in ((model.encoder, encoder), (model, decoder)):
        if other.norm is not None:
            own.norm.load_state_dict(other.norm.state_dict())


def copy_rest(block, layer, norms):
    block.channel.inner.load_state_dict(layer.linear1.state_dict())
    block.channel.outer.load_state_dict(layer.linear2.state_dict())
    for own, other in norms:
        getattr(block, own).load_state_dict(getattr(layer, other).state_dict())


@pytest.mark.parametrize("norm_place", ["pre", "post"])
def test_encoder_and_decoder_are_those_of_torch(norm_place):
    torch.manual_seed(0)
    model, (encoder, decoder) = ours(norm_place), theirs(norm_place)
    with torch.no_grad():
        for module in (encoder, decoder):
            for parameter in module.parameters():
                parameter.add_(0.1 * torch.randn_like(parameter))
        copy_weights(model, encoder, decoder)
    tokens, source = torch.randint(V, (2, 7)), torch.randint(V, (2, 5))
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    memory = encoder(model.encoder.embedding(source), src_key_padding_mask=~mask)
    causal = nn.Transformer.generate_square_subsequent_mask(7)
    x = decoder(model.embedding(tokens), memory, tgt_mask=causal, memory_key_padding_mask=~mask, tgt_is_causal=True)
    found = model.encode(source, mask)
    torch.testing.assert_close(found[mask], memory[mask], atol=1e-5, rtol=0)
    torch.testing.assert_close(model(tokens, source=source, source_mask=mask), model.output(x), atol=1e-5, rtol=0)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_label_smoothing_is_that_of_torch(smoothing):
    logits, targets = torch.randn(3, 4, V), torch.randint(-1, V, (3, 4))
    expected = F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=-1, reduction="none", label_smoothing=0.1)
    plain = F.cross_entropy(logits.transpose(1, 2), targets, ignore_index=-1, reduction="none")
    torch.testing.assert_close(unreduced_cross_entropy(logits, targets, smoothing), expected if smoothing else plain)
    by_hand = -(0.9 * logits.log_softmax(-1).gather(-1, targets.clamp(min=0)[..., None])[..., 0])
    by_hand -= 0.1 * logits.log_softmax(-1).mean(-1)
    torch.testing.assert_close(expected[targets >= 0], by_hand[targets >= 0])

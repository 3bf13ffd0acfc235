"""A pattern with shared weights computes what Zamba's released model computes, as transformers has it."""

import pytest
import torch

from lab.api import Task
from lab.host import Plugins

WIDTH, HEADS, LAYERS = 16, 2, ["linear_attention", "hybrid", "linear_attention", "hybrid"]
PATTERN = "mamba, [attention+mlp], mamba*2, [attention+mlp], mamba"


@pytest.fixture
def released(hf):
    """A tiny Zamba with random weights, of one head in each Mamba, as Mamba itself has."""
    config = hf.ZambaConfig(
        vocab_size=19, hidden_size=WIDTH, intermediate_size=24, num_hidden_layers=4, layers_block_type=LAYERS,
        num_attention_heads=HEADS, num_key_value_heads=HEADS, n_mamba_heads=1, mamba_d_state=4, mamba_dt_rank=3,
        use_associative_scan=False,
    )  # fmt: skip
    torch.manual_seed(0)
    model = hf.ZambaForCausalLM(config).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return model


@pytest.fixture
def ours(lab_home):
    """Return the same model as a hybrid."""
    card = Plugins(safe_mode=True).card("architectures", "hybrid")
    settings = {
        "layers": 6, "width": WIDTH, "pattern": PATTERN, "mamba": {"state": 4, "dt_rank": 3},
        "attention": {"heads": HEADS, "positions": "none"}, "mlp": {"activation": "geglu", "hidden": 24},
    }  # fmt: skip
    return card.make(card.config.read(settings), Task(19, 32)).double().eval()


@torch.no_grad()
def give_weights(model, other):
    """The weights of the released model, where they stand here."""
    inner = other.model
    model.embedding.weight.copy_(inner.embed_tokens.weight)
    model.norm.weight.copy_(inner.final_layernorm.weight)
    blocks = iter(model.blocks)
    for kind, layer in zip(LAYERS, inner.layers, strict=True):
        block = next(blocks)
        if kind == "hybrid":
            shared = layer.shared_transf
            block.token_norm.weight.copy_(shared.input_layernorm.weight)
            projections = (shared.self_attn.q_proj, shared.self_attn.k_proj, shared.self_attn.v_proj)
            q, k, v = (projection.weight for projection in projections)
            block.token.project.weight.copy_(torch.cat([2**0.5 * q, k, v]))  # they divide by √(D / 2)
            block.token.output.weight.zero_()[:WIDTH] = shared.self_attn.o_proj.weight
            block.narrow.weight.copy_(torch.eye(WIDTH, 2 * WIDTH))
            block.channel_norm.weight.copy_(shared.pre_ff_layernorm.weight)
            mlp = shared.feed_forward
            block.channel.inner.weight.copy_(torch.cat([mlp.gate_proj.weight, mlp.up_proj.weight]))
            block.channel.outer.weight.copy_(mlp.down_proj.weight)
            block.place.weight.copy_(layer.linear.weight)
            layer, block = layer.mamba_decoder, next(blocks)
        mamba = layer.mamba
        input_and_gate = mamba.in_proj.weight.view(-1, 2, WIDTH).transpose(0, 1).flatten(0, 1)  # theirs lie in turn
        block.token_norm.weight.copy_(layer.input_layernorm.weight)
        for own, their in (
            (block.token.project.weight, input_and_gate), (block.token.output.weight, mamba.out_proj.weight),
            (block.token.convolution.weight, mamba.conv1d.weight), (block.token.convolution.bias, mamba.conv1d.bias),
            (block.token.select.weight, mamba.x_proj_weight[0]), (block.token.A_log, mamba.A_log[0]),
            (block.token.step_size.weight, mamba.dt_proj_weight[0]), (block.token.D, mamba.D[0]),
            (block.token.step_size.bias, mamba.dt_proj_bias[0]),
        ):  # fmt: skip
            own.copy_(their)


def test_a_shared_block_reads_the_embedding_and_is_read_by_the_next_block_alone(released, ours):
    give_weights(ours, released)
    tokens = torch.randint(19, (2, 11))
    with torch.no_grad():
        theirs, mine = released(tokens).logits, ours(tokens)
    assert theirs.std() > 0.5
    assert torch.allclose(mine, theirs, atol=5e-6, rtol=5e-6)

"""Rotary positions against Hugging Face's and against the paper's complex product."""

import importlib

import pytest
import torch

from lab.layers import Rotary, rotate


def test_queries_and_keys_are_rotated_as_in_llama(hf):
    torch.manual_seed(0)
    config = hf.LlamaConfig(
        hidden_size=64, num_attention_heads=4, rope_parameters={"rope_theta": 500.0, "rope_type": "default"}
    )
    q, k = torch.randn(2, 2, 4, 30, 16)
    modeling = importlib.import_module(f"{hf.__name__}.models.llama.modeling_llama")
    cos, sin = modeling.LlamaRotaryEmbedding(config)(q, torch.arange(7, 37)[None])
    expected = modeling.apply_rotary_pos_emb(q, k, cos, sin)
    torch.testing.assert_close(rotate(q, 7, Rotary(500.0)), expected[0], rtol=0, atol=1e-5)
    torch.testing.assert_close(rotate(k, 7, Rotary(500.0)), expected[1], rtol=0, atol=1e-5)


def test_it_is_the_paper_s_product_with_a_turning_unit_number():
    torch.manual_seed(0)
    x = torch.randn(1, 1, 20, 6, dtype=torch.float64)
    angle = torch.arange(5, 25)[:, None] * 100.0 ** (-torch.arange(0, 6, 2, dtype=torch.float64) / 6)
    turned = torch.complex(*x.chunk(2, dim=-1)) * torch.polar(torch.ones_like(angle), angle)
    torch.testing.assert_close(
        rotate(x, 5, Rotary(100.0)), torch.cat([turned.real, turned.imag], dim=-1), rtol=0, atol=1e-6
    )


@pytest.mark.parametrize(
    ("scaling", "theirs"),
    [
        ("linear", {"rope_type": "linear", "factor": 4.0}),
        (
            "llama3",
            {
                "rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                "original_max_position_embeddings": 64,
            },
        ),
    ],
)  # fmt: skip
def test_stretched_frequencies_are_those_of_llama(hf, scaling, theirs):
    config = hf.LlamaConfig(
        hidden_size=128, num_attention_heads=4, max_position_embeddings=256,
        rope_parameters={"rope_theta": 500.0, **theirs},
    )  # fmt: skip
    modeling = importlib.import_module(f"{hf.__name__}.models.llama.modeling_llama")
    ours = Rotary(500.0, scaling=scaling, factor=4.0, original=64).frequencies(32)
    torch.testing.assert_close(ours.float(), modeling.LlamaRotaryEmbedding(config).inv_freq)


def test_neighbours_and_a_share_are_those_of_gpt_j(hf):
    torch.manual_seed(0)
    q = torch.randn(2, 3, 20, 16)
    modeling = importlib.import_module(f"{hf.__name__}.models.gptj.modeling_gptj")
    waves = modeling.create_sinusoidal_positions(64, 8)[5:25][None]
    sin, cos = waves.chunk(2, dim=-1)
    turned = modeling.apply_rotary_pos_emb(q[..., :8].transpose(1, 2), sin, cos).transpose(1, 2)
    expected = torch.cat([turned, q[..., 8:]], dim=-1)
    torch.testing.assert_close(rotate(q, 5, Rotary(share=0.5, pairs="neighbours")), expected, rtol=0, atol=1e-5)

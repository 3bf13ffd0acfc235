"""The config.json of other programs: what it asks for, and what is refused because the transformer has it not."""

import pytest

from lab.api import BadInput, Task
from lab_transformer import TransformerConfig
from lab_transformer.formats import Falcon, Gpt2, GptNeoX, Llama, Mistral

LLAMA = {"intermediate_size": 88, "num_attention_heads": 4, "hidden_size": 32, "num_hidden_layers": 1}


def settings(converter, **config):
    return TransformerConfig.read(converter().settings({**LLAMA, **config}))


def refused(converter, **config):
    with pytest.raises(BadInput) as caught:
        settings(converter, **config)
    return caught.value.problem


@pytest.mark.parametrize(
    ("converter", "config", "key"),
    [
        (Llama, {"hidden_act": "relu"}, "hidden_act"),
        (Llama, {"attention_bias": True}, "attention_bias"),
        (Llama, {"rope_scaling": {"type": "dynamic", "factor": 2.0}}, "type"),
        (Llama, {"rope_scaling": {"rope_type": "yarn", "factor": 2.0}}, "rope_type"),
        (Llama, {"rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 2.0}}, "low_freq_factor"),
        (Llama, {"rope_scaling": "linear"}, "rope_scaling"),
        (Llama, {"rope_parameters": {"full_attention": {"rope_type": "default"}}}, "rope_parameters"),
        (Llama, {"partial_rotary_factor": 0.5}, "partial_rotary_factor"),
        (Llama, {"num_attention_heads": "four"}, "num_attention_heads"),
        (Llama, {"intermediate_size": None}, "intermediate_size"),
        (Mistral, {"layer_types": ["full_attention"]}, "layer_types"),
        (Mistral, {"sliding_window": 0}, "sliding_window"),
        (GptNeoX, {"attention_bias": False}, "attention_bias"),
        (GptNeoX, {"hidden_act": "tanh"}, "hidden_act"),
        (Falcon, {"alibi": True}, "alibi"),
        (Falcon, {"new_decoder_architecture": True}, "new_decoder_architecture"),
        (Falcon, {"multi_query": False}, "multi_query"),
        (Falcon, {"num_ln_in_parallel_attn": 2}, "num_ln_in_parallel_attn"),
        (Gpt2, {"activation_function": "mish"}, "activation_function"),
        (Gpt2, {"scale_attn_weights": False}, "scale_attn_weights"),
    ],
)
def test_what_the_transformer_has_not_is_refused_with_its_key(converter, config, key):
    problem = refused(converter, **config)
    assert problem.field.endswith(f": {key}")
    assert problem.allowed


def test_heads_that_the_transformer_cannot_have_are_refused():
    assert "kv_heads" in refused(Llama, num_key_value_heads=3).line()


def test_keys_that_are_missing_or_null_are_as_in_their_program():
    assert settings(Mistral, num_attention_heads=8).window == 4096
    assert settings(Mistral, num_attention_heads=8).kv_heads == 8
    assert settings(Mistral, num_attention_heads=8, sliding_window=None).window == 0
    assert settings(Llama, num_key_value_heads=None).kv_heads == 4
    assert settings(GptNeoX).rotary_share == 0.25
    assert settings(Gpt2, n_inner=None).hidden == 4 * 768
    assert settings(Falcon).tie
    assert not settings(Llama).tie


def test_both_ways_of_writing_rotary_positions_are_the_same():
    old = settings(Llama, rope_theta=5e5, rope_scaling={"type": "linear", "factor": 4.0})
    new = settings(Llama, rope_parameters={"rope_type": "linear", "rope_theta": 5e5, "factor": 4.0})
    assert old == new
    assert (old.rotary_base, old.rotary_scaling, old.rotary_factor) == (5e5, "linear", 4.0)
    assert settings(GptNeoX, rotary_pct=0.5, rotary_emb_base=5000).rotary_base == 5000


@pytest.mark.parametrize(
    ("converter", "given"),
    [
        (Gpt2, {"positions": "rotary"}),
        (Gpt2, {"kv_heads": 2}),
        (Gpt2, {"head_width": 16}),
        (Gpt2, {"norm_place": "post"}),
        (Gpt2, {"qk_norm": True}),
        (Llama, {"positions": "rotary", "norm": "rms", "feed_forward": "swiglu", "window": 8}),
        (Llama, {"positions": "rotary", "norm": "rms", "feed_forward": "swiglu", "rotary_scaling": "ntk"}),
        (Llama, {"positions": "rotary", "norm": "rms", "feed_forward": "swiglu", "sink": True}),
        (Mistral, {"positions": "rotary", "norm": "rms", "feed_forward": "swiglu", "bias": True}),
        (Mistral, {"positions": "rotary", "norm": "rms", "feed_forward": "swiglu", "window": 8, "dilation": 2}),
        (GptNeoX, {"positions": "rotary", "rotary_pairs": "neighbours"}),
        (Falcon, {"positions": "rotary"}),
    ],
)
def test_a_setting_that_a_config_cannot_express_is_refused(converter, given):
    with pytest.raises(BadInput) as caught:
        converter().config(TransformerConfig(**given), Task(50, 16))
    assert caught.value.problem.field.startswith("architecture.")
    assert f"cannot be expressed in a config.json of {converter.model_type}" in caught.value.problem.what


def test_a_model_that_does_not_predict_the_next_token_is_refused():
    with pytest.raises(BadInput, match="does not predict the next token"):
        Gpt2().config(TransformerConfig(), Task(50, 16, causal=False))

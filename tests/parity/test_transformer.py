"""The transformer against Hugging Face's GPT-2, LLaMA and Mistral, with the same random weights."""

import pytest
import torch

from lab.api import Task
from lab.layers import LanguageModel
from lab_transformer import TransformerConfig
from lab_transformer.model import build

LAYERS, WIDTH, HEADS, VOCABULARY, CONTEXT = 3, 32, 4, 50, 24


def gpt_2(hf) -> tuple[LanguageModel, torch.nn.Module, dict[str, str]]:
    ours = build(TransformerConfig(layers=LAYERS, width=WIDTH, heads=HEADS, bias=True), Task(VOCABULARY, CONTEXT))
    theirs = hf.GPT2LMHeadModel(
        hf.GPT2Config(
            vocab_size=VOCABULARY,
            n_positions=CONTEXT,
            n_embd=WIDTH,
            n_layer=LAYERS,
            n_head=HEADS,
            activation_function="gelu",
            bos_token_id=0,
            eos_token_id=0,
        )
    )
    names = {"embedding.weight": "transformer.wte.weight", "position.weight": "transformer.wpe.weight"}
    for part in ("weight", "bias"):
        names[f"norm.{part}"] = f"transformer.ln_f.{part}"
        for i in range(LAYERS):
            block, layer = f"blocks.{i}", f"transformer.h.{i}"
            names |= {
                f"{block}.token_norm.{part}": f"{layer}.ln_1.{part}",
                f"{block}.channel_norm.{part}": f"{layer}.ln_2.{part}",
                f"{block}.token.project.{part}": f"{layer}.attn.c_attn.{part}",
                f"{block}.token.output.{part}": f"{layer}.attn.c_proj.{part}",
                f"{block}.channel.inner.{part}": f"{layer}.mlp.c_fc.{part}",
                f"{block}.channel.outer.{part}": f"{layer}.mlp.c_proj.{part}",
            }
    return ours, theirs, names


def llama(
    hf, *, tie: bool, kv_heads: int = HEADS, window: int = 0
) -> tuple[LanguageModel, torch.nn.Module, dict[str, str]]:
    """LLaMA; with a window Mistral, which is the same but for that."""
    config = TransformerConfig(
        layers=LAYERS, width=WIDTH, heads=HEADS, kv_heads=kv_heads, positions="rotary", norm="rms",
        feed_forward="swiglu", tie=tie, norm_epsilon=1e-6, window=window,
    )  # fmt: skip
    ours = build(config, Task(VOCABULARY, CONTEXT))
    model, settings = (hf.MistralForCausalLM, hf.MistralConfig) if window else (hf.LlamaForCausalLM, hf.LlamaConfig)
    theirs = model(
        settings(
            vocab_size=VOCABULARY,
            hidden_size=WIDTH,
            intermediate_size=8 * WIDTH // 3,
            num_hidden_layers=LAYERS,
            num_attention_heads=HEADS,
            num_key_value_heads=kv_heads,
            max_position_embeddings=CONTEXT,
            **({"sliding_window": window} if window else {}),
            rms_norm_eps=1e-6,
            tie_word_embeddings=tie,
            bos_token_id=0,
            eos_token_id=0,
            pad_token_id=None,
        )
    )
    names = {"embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    names |= {} if tie else {"output.weight": "lm_head.weight"}
    for i in range(LAYERS):
        block, layer = f"blocks.{i}", f"model.layers.{i}"
        names |= {
            f"{block}.token_norm.weight": f"{layer}.input_layernorm.weight",
            f"{block}.channel_norm.weight": f"{layer}.post_attention_layernorm.weight",
            f"{block}.token.project.weight": " ".join(f"{layer}.self_attn.{part}_proj.weight" for part in "qkv"),
            f"{block}.token.output.weight": f"{layer}.self_attn.o_proj.weight",
            f"{block}.channel.inner.weight": f"{layer}.mlp.gate_proj.weight {layer}.mlp.up_proj.weight",
            f"{block}.channel.outer.weight": f"{layer}.mlp.down_proj.weight",
        }
    return ours, theirs, names


def of_theirs(tensors, name):
    """Return the tensor of theirs that corresponds to one of ours; GPT-2's Conv1D holds its matrices transposed."""
    found = torch.cat([tensors[part] for part in name.split()])
    return found.T if ".c_" in name and found.ndim == 2 else found


MODELS = {
    "gpt-2": gpt_2,
    "llama": lambda hf: llama(hf, tie=False),
    "llama, tied": lambda hf: llama(hf, tie=True),
    "llama, grouped": lambda hf: llama(hf, tie=False, kv_heads=2),
    "mistral": lambda hf: llama(hf, tie=False, kv_heads=1, window=7),
}


@pytest.fixture(params=MODELS)
def pair(hf, request):
    """Both models in evaluation, with the same weights, far enough from initial ones that every error shows."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        ours, theirs, names = MODELS[request.param](hf)
        with torch.no_grad():
            for parameter in theirs.parameters():
                parameter.add_(0.1 * torch.randn_like(parameter))
    ours.load_tables({name: of_theirs(theirs.state_dict(), names[name]) for name in ours.tables()})
    return ours.eval(), theirs.eval(), names


@pytest.fixture
def tokens():
    return torch.randint(VOCABULARY, (3, CONTEXT), generator=torch.Generator().manual_seed(1))


def test_logits_are_equal_to_5e_6(pair, tokens):
    ours, theirs, _ = pair
    with torch.no_grad():
        expected = theirs(tokens).logits
        assert expected.abs().max() > 1
        torch.testing.assert_close(ours(tokens), expected, rtol=0, atol=5e-6)


def test_decoding_with_the_cache_gives_the_same_logits(pair, tokens):
    ours, theirs, _ = pair
    with torch.no_grad():
        expected = theirs(tokens).logits
        first, state = ours.extend(tokens[:, :9], ours.start(3))
        second, state = ours.extend(tokens[:, 9:-1], state)
        third, _ = ours.step(tokens[:, -1], state)
    torch.testing.assert_close(torch.cat([first, second, third[:, None]], dim=1), expected, rtol=0, atol=5e-6)


def test_gradients_of_the_loss_are_equal(pair, tokens):
    ours, theirs, names = pair
    (-ours.score(tokens[:, :-1], tokens[:, 1:])).mean().backward()
    theirs(tokens, labels=tokens).loss.backward()
    gradients = {name: parameter.grad for name, parameter in theirs.named_parameters()}
    for name, parameter in ours.named_parameters():
        torch.testing.assert_close(parameter.grad, of_theirs(gradients, names[name]), rtol=1e-5, atol=1e-6)

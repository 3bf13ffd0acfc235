"""Checkpoints of Hugging Face's transformers, of small random models: the same logits here, and back there."""

import pytest
import torch

from lab.api import Task
from lab.host import Plugins
from lab.interop.pretrained.reading import inspect_pretrained, load_pretrained
from lab.interop.pretrained.writing import write_pretrained
from lab.text.tokenizers.subwords import SubwordsConfig, fit_bpe
from lab.text.tokenizers.units import ByteTokenizer

VOCABULARY, POSITIONS, WIDTH, LAYERS = 60, 40, 32, 3
LONG = 151  # odd, and beyond two chunks of 64
TOLERANCE = 5e-6
LLAMA = {
    "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": 4, "intermediate_size": 88,
    "max_position_embeddings": POSITIONS,
}  # fmt: skip
NEOX = {**LLAMA, "intermediate_size": 128}
GPT_2 = {"n_embd": WIDTH, "n_layer": LAYERS, "n_head": 4, "n_positions": POSITIONS}
LLAMA_3 = {
    "rope_type": "llama3", "rope_theta": 500_000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 16,
}  # fmt: skip
LINEAR = {"rope_type": "linear", "rope_theta": 10_000.0, "factor": 4.0}
MAMBA = {"hidden_size": WIDTH, "num_hidden_layers": 2, "state_size": 8}
MAMBA_2 = {**MAMBA, "num_heads": 4, "head_dim": 16, "n_groups": 1, "chunk_size": 64}
CASES = {
    "GPT-2": ("GPT2", GPT_2),
    "GPT-2, exact GELU, own head, n_inner": (
        "GPT2",
        {**GPT_2, "activation_function": "gelu", "tie_word_embeddings": False, "n_inner": 96},
    ),
    "LLaMA": ("Llama", LLAMA),
    "LLaMA, grouped keys and values": ("Llama", {**LLAMA, "num_key_value_heads": 2}),
    "LLaMA, head_dim 12, tied, biases": (
        "Llama",
        {**LLAMA, "head_dim": 12, "tie_word_embeddings": True, "attention_bias": True, "mlp_bias": True},
    ),
    "LLaMA 3, its scaling": ("Llama", {**LLAMA, "num_key_value_heads": 1, "rope_parameters": LLAMA_3}),
    "LLaMA, linear scaling, GEGLU": ("Llama", {**LLAMA, "rope_parameters": LINEAR, "hidden_act": "gelu"}),
    "Mistral, window 8": ("Mistral", {**LLAMA, "num_key_value_heads": 2, "sliding_window": 8}),
    "Mistral, no window": ("Mistral", {**LLAMA, "num_key_value_heads": 2, "sliding_window": None}),
    "GPT-NeoX, a quarter rotated, parallel": ("GPTNeoX", NEOX),
    "GPT-NeoX, all rotated, in turn": (
        "GPTNeoX",
        {**NEOX, "use_parallel_residual": False, "rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0,
                                                                     "partial_rotary_factor": 1.0}},
    ),
    "Falcon: multi-query, parallel, one norm": ("Falcon", {**LLAMA, "ffn_hidden_size": 128}),
    "Falcon, biases, in turn": ("Falcon", {**LLAMA, "ffn_hidden_size": 128, "bias": True, "parallel_attn": False}),
    "Mamba": ("Mamba", MAMBA),
    "Mamba, own head, biases, rank 5, kernel 3": (
        "Mamba",
        {**MAMBA, "tie_word_embeddings": False, "use_bias": True, "use_conv_bias": False, "time_step_rank": 5,
         "conv_kernel": 3, "state_size": 5, "expand": 3},
    ),
    "Mamba-2, two groups, tied, biases, limited steps": (
        "Mamba2",
        {**MAMBA_2, "n_groups": 2, "tie_word_embeddings": True, "use_bias": True, "use_conv_bias": False,
         "time_step_limit": (0.01, 0.2)},
    ),
    "Mamba-2, heads of 8, expand 3": ("Mamba2", {**MAMBA_2, "num_heads": 12, "head_dim": 8, "expand": 3}),
}  # fmt: skip


def random_model(hf, kind, settings):
    """A model of transformers with random weights, large enough that an error shows."""
    torch.manual_seed(0)
    settings = {key: value for key, value in settings.items() if key != "intermediate_size" or kind != "Falcon"}
    config = getattr(hf, f"{kind}Config")(
        vocab_size=VOCABULARY, bos_token_id=0, eos_token_id=0, pad_token_id=None, **settings
    )
    model = getattr(hf, "GPT2LMHeadModel" if kind == "GPT2" else f"{kind}ForCausalLM")(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


@pytest.fixture(scope="module")
def plugins():
    return Plugins.from_environment()


def text(length):
    return torch.randint(0, VOCABULARY, (2, length), generator=torch.Generator().manual_seed(1))


@pytest.fixture(scope="module")
def tokens():
    return text(POSITIONS)


@pytest.fixture(scope="module")
def theirs(hf, tmp_path_factory):
    """Folder, text and logits of each case."""
    made = {}
    for name, (kind, settings) in CASES.items():
        model = random_model(hf, kind, settings)
        folder = tmp_path_factory.mktemp("theirs")
        model.save_pretrained(folder)
        tokens = text(LONG if kind.startswith("Mamba") else POSITIONS)
        with torch.no_grad():
            made[name] = folder, tokens, model(tokens).logits
    return made


@pytest.fixture(scope="module")
def differences():
    found = {}
    yield found
    print("\n" + "\n".join(f"{name:<45} {difference:.1e}" for name, difference in found.items()))


@pytest.mark.parametrize("name", CASES)
def test_a_checkpoint_gives_the_same_logits_here(theirs, plugins, differences, name):
    folder, tokens, logits = theirs[name]
    with torch.no_grad():
        ours = load_pretrained(folder, plugins)(tokens)
    differences[name] = float((ours - logits).abs().max())
    assert logits.abs().max() > 1
    assert differences[name] < TOLERANCE


@pytest.mark.short("GPT-2", "LLaMA", "GPT-NeoX, a quarter*", "Falcon: *", "Mamba-2*")
@pytest.mark.parametrize("name", CASES)
def test_a_checkpoint_comes_back_the_same_tensor_by_tensor_and_with_identical_logits(
    hf, theirs, plugins, tmp_path, name
):
    folder, tokens, logits = theirs[name]
    found, out = inspect_pretrained(folder, plugins), tmp_path / "out"
    model, card = load_pretrained(folder, plugins), found.architecture.card.name
    write_pretrained(
        model, ByteTokenizer(), out, plugins, architecture=card, model_type=found.model_type, before=found.config
    )
    again = hf.AutoModelForCausalLM.from_pretrained(out, dtype=torch.float32).eval()
    assert again.config.model_type == found.model_type
    with torch.no_grad():
        assert again(tokens).logits.equal(logits)


@pytest.mark.parametrize(("numbers", "size"), [(torch.bfloat16, "10KB"), (torch.float16, "100GB")])
def test_half_precision_and_shards_give_the_logits_of_the_rounded_weights(hf, tokens, plugins, tmp_path, numbers, size):
    random_model(hf, "Llama", LLAMA).to(numbers).save_pretrained(tmp_path, max_shard_size=size)
    there = hf.AutoModelForCausalLM.from_pretrained(tmp_path, dtype=torch.float32).eval()
    assert (tmp_path / "model.safetensors").exists() == (size == "100GB")
    with torch.no_grad():
        difference = load_pretrained(tmp_path, plugins)(tokens) - there(tokens).logits
    assert float(difference.abs().max()) < TOLERANCE


def test_a_model_trained_here_is_read_there_to_the_same_logits(hf, plugins, tokens, tmp_path):
    architecture = plugins.card("architectures", "transformer")
    for number, settings in enumerate((
        {"bias": False, "feed_forward": "gelu"},
        {"positions": "rotary", "norm": "rms", "feed_forward": "swiglu", "kv_heads": 2, "head_width": 6, "window": 5},
        {"positions": "rotary", "rotary_share": 0.5, "norm": "layer", "parallel": "two-norms", "tie": False},
        {"positions": "rotary", "norm": "layer", "parallel": "one-norm", "kv_heads": 1, "feed_forward": "relu2"},
    )):  # fmt: skip
        config = architecture.config(layers=2, width=32, heads=4, **settings)
        model = architecture.make(config, Task(VOCABULARY, POSITIONS)).eval()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(0.1 * torch.randn_like(parameter))
        out = tmp_path / str(number)
        write_pretrained(model, ByteTokenizer(), out, plugins, architecture="transformer")
        there = hf.AutoModelForCausalLM.from_pretrained(out).eval()
        with torch.no_grad():
            assert float((there(tokens).logits - model(tokens)).abs().max()) < TOLERANCE


def test_a_tokenizer_goes_out_so_that_transformers_cuts_alike(hf, plugins, tmp_path):
    model = load_pretrained_gpt_2(hf, plugins, tmp_path)
    tokenizer = fit_bpe(SubwordsConfig(vocabulary_size=290), "the cat sat on the mat. " * 20)
    write_pretrained(model, tokenizer, tmp_path / "out", plugins, architecture="transformer")
    theirs = hf.AutoTokenizer.from_pretrained(tmp_path / "out")
    text = "the cat — naïve 日本\n"
    assert theirs(text)["input_ids"] == tokenizer.encode(text).tolist()
    assert theirs.decode(tokenizer.encode(text)) == text


def load_pretrained_gpt_2(hf, plugins, folder):
    random_model(hf, "GPT2", GPT_2).save_pretrained(folder / "gpt-2")
    return load_pretrained(folder / "gpt-2", plugins)

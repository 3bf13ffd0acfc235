"""T5 and BART of transformers, small and random: the same logits here, alike in decoding, and back there."""

import pytest
import torch

from lab.api import Task
from lab.decoding.beams import BeamSearch
from lab.decoding.builtins import BeamSearchConfig
from lab.decoding.request import AfterSource
from lab.decoding.stops import End, Stops
from lab.decoding.stream import generate
from lab.host import Plugins
from lab.interop import load_pretrained
from lab.interop.pretrained.writing import write_pretrained
from lab.text.tokenizers.units import ByteTokenizer
from lab_seq2seq.encoder_decoder import build
from lab_seq2seq.encoder_decoder_card import EncoderDecoderConfig

VOCABULARY, POSITIONS, TOLERANCE = 60, 40, 5e-6
T5 = {
    "d_model": 32, "d_kv": 6, "d_ff": 48, "num_layers": 3, "num_heads": 4,
    "relative_attention_num_buckets": 8, "relative_attention_max_distance": 20, "pad_token_id": 0, "eos_token_id": 1,
    "decoder_start_token_id": 0,
}  # fmt: skip
BART = {
    "d_model": 32, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 48, "decoder_ffn_dim": 48,
    "max_position_embeddings": POSITIONS, "forced_eos_token_id": None, "bos_token_id": 0, "pad_token_id": 0,
    "eos_token_id": 1, "decoder_start_token_id": 1,
}  # fmt: skip
CASES = {
    "T5": ("T5", T5),
    "T5, version 1.1": ("T5", {**T5, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}),
    "T5, gated SiLU": ("T5", {**T5, "feed_forward_proj": "gated-silu", "num_decoder_layers": 2}),
    "BART": ("Bart", BART),
    "BART, ReLU": ("Bart", {**BART, "activation_function": "relu", "encoder_layers": 1}),
}


def random_model(hf, kind, settings):
    """A model of transformers with random weights, large enough that an error shows."""
    torch.manual_seed(0)
    config = getattr(hf, f"{kind}Config")(vocab_size=VOCABULARY, **settings)
    model = getattr(hf, f"{kind}ForConditionalGeneration")(config).eval()
    with torch.no_grad():
        if settings.get("tie_word_embeddings") is False:
            model.lm_head.weight = torch.nn.Parameter(0.2 * model.lm_head.weight)
        for name, parameter in model.named_parameters():
            if name != "lm_head.weight":
                parameter.add_(0.1 * torch.randn_like(parameter))
        if kind == "Bart":
            model.final_logits_bias.normal_()
    return model


def texts():
    generator = torch.Generator().manual_seed(1)
    source, tokens = (torch.randint(2, VOCABULARY, (3, length), generator=generator) for length in (33, 21))
    mask = torch.arange(33) < torch.tensor([[33], [20], [1]])
    return source, tokens, mask


@pytest.fixture(scope="module")
def plugins():
    return Plugins.from_environment()


@pytest.fixture(scope="module")
def models(hf, plugins, tmp_path_factory):
    """The folder, the model of transformers and that of the lab of each case."""
    made = {}
    for name, (kind, settings) in CASES.items():
        theirs, folder = random_model(hf, kind, settings), tmp_path_factory.mktemp("theirs")
        theirs.save_pretrained(folder)
        made[name] = folder, theirs, load_pretrained(folder, plugins)
    return made


@pytest.mark.parametrize("name", CASES)
@torch.no_grad()
def test_logits_are_those_of_transformers_with_and_without_padding(models, name):
    _, theirs, ours = models[name]
    source, tokens, mask = texts()
    expected = theirs(input_ids=source, decoder_input_ids=tokens).logits
    assert expected.abs().max() > 1
    assert (ours(source, tokens) - expected).abs().max() < TOLERANCE
    expected = theirs(input_ids=source, attention_mask=mask.long(), decoder_input_ids=tokens).logits
    found = ours(tokens, source=source, source_mask=mask)
    assert (found - expected).abs().max() < TOLERANCE


@pytest.mark.parametrize("name", CASES)
@torch.no_grad()
def test_decoding_token_by_token_gives_the_logits_of_the_whole(models, name):
    _, _, ours = models[name]
    source, tokens, mask = texts()
    expected, state = ours(tokens, source=source, source_mask=mask), ours.start(3, source=source, source_mask=mask)
    for t in range(tokens.shape[1]):
        logits, state = ours.step(tokens[:, t], state)
        assert (logits - expected[:, t]).abs().max() < TOLERANCE


@pytest.mark.parametrize("name", ["T5", "T5, version 1.1", "BART"])
@pytest.mark.parametrize("penalty", [1.0, 0.0])
def test_four_beams_write_what_transformers_writes_for_ten_sources(models, name, penalty):
    _, theirs, ours = models[name]
    generator = torch.Generator().manual_seed(2)
    sources = [torch.randint(2, VOCABULARY, (1, length), generator=generator) for length in range(1, 11)]
    begin, ended = theirs.config.decoder_start_token_id, 0
    free = [theirs.generate(one, max_new_tokens=8, do_sample=False, eos_token_id=None)[0, 4:] for one in sources[::3]]
    end = int(torch.cat(free).mode().values)  # a symbol that it likes to write
    for source in sources:
        expected = theirs.generate(
            source, attention_mask=torch.ones_like(source), num_beams=4, max_new_tokens=15, do_sample=False,
            length_penalty=penalty, early_stopping=False, eos_token_id=end, pad_token_id=end,
        )[0, 1:].tolist()  # fmt: skip
        expected = expected[: expected.index(end) + 1] if end in expected else expected
        strategy = BeamSearch(BeamSearchConfig(width=4, length="tokens", length_penalty=penalty))
        found = generate(
            AfterSource(ours, source[0].tolist(), range(VOCABULARY), begin), [VOCABULARY], strategy=strategy, seed=0,
            stops=Stops({end: End("end of text")}), symbols=VOCABULARY, count=15,
        )  # fmt: skip
        assert [token.token for token in found] == expected
        ended += end in expected
    assert ended or penalty  # without a penalty, short ones win


@pytest.mark.parametrize("name", CASES)
@torch.no_grad()
def test_a_checkpoint_comes_back_to_identical_logits(hf, models, plugins, tmp_path, name):
    folder, theirs, ours = models[name]
    del folder
    write_pretrained(ours, ByteTokenizer(), tmp_path / "out", plugins, architecture="encoder-decoder")
    again = hf.AutoModelForSeq2SeqLM.from_pretrained(tmp_path / "out", dtype=torch.float32).eval()
    source, tokens, _ = texts()
    expected = theirs(input_ids=source, decoder_input_ids=tokens).logits
    assert again(input_ids=source, decoder_input_ids=tokens).logits.equal(expected)


@pytest.mark.parametrize("kind", ["t5", "bart"])
@torch.no_grad()
def test_a_model_trained_here_is_read_there_to_the_same_logits(hf, plugins, tmp_path, kind):
    card = plugins.card("architectures", "encoder-decoder")
    settings = {**card.presets[kind]["architecture"], "layers": 2, "width": 32}
    ours = build(
        EncoderDecoderConfig(**settings), Task(VOCABULARY, POSITIONS, source_vocabulary_size=VOCABULARY)
    ).eval()
    for parameter in ours.parameters():
        parameter.add_(0.1 * torch.randn_like(parameter))
    written = write_pretrained(ours, ByteTokenizer(), tmp_path / "out", plugins, architecture="encoder-decoder")
    assert written.model_type == kind
    there = hf.AutoModelForSeq2SeqLM.from_pretrained(tmp_path / "out").eval()
    source, tokens, mask = texts()
    found = there(input_ids=source, attention_mask=mask.long(), decoder_input_ids=tokens).logits
    assert (found - ours(tokens, source=source, source_mask=mask)).abs().max() < TOLERANCE
    assert (there.config.decoder_start_token_id, there.config.eos_token_id) == (VOCABULARY - 2, VOCABULARY - 1)

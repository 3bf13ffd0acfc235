"""Encoders against Hugging Face's BERT, RoBERTa, DistilBERT, ALBERT and ELECTRA, with the same random weights."""

import json

import pytest
import torch

from lab.api import BadInput
from lab.host import Plugins
from lab.interop.pretrained.reading import inspect_pretrained, load_pretrained
from lab.interop.pretrained.writing import write_pretrained
from lab.text.tokenizers.units import ByteTokenizer

VOCABULARY, POSITIONS, WIDTH, LAYERS, HEADS = 60, 40, 32, 3, 4
TOLERANCE = 5e-6
SHAPE = {
    "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "intermediate_size": 88,
    "max_position_embeddings": POSITIONS,
}  # fmt: skip
DISTIL = {"dim": WIDTH, "n_layers": LAYERS, "n_heads": HEADS, "hidden_dim": 88, "max_position_embeddings": POSITIONS}
ROBERTA = {**SHAPE, "max_position_embeddings": POSITIONS + 2, "type_vocab_size": 1, "pad_token_id": 1}
ALBERT = {**SHAPE, "embedding_size": 24, "num_hidden_layers": 4}
ELECTRA = {**SHAPE, "embedding_size": 24}
CASES = {
    "BERT": ("BertForMaskedLM", SHAPE),
    "BERT, own head, other activation and epsilon": (
        "BertForMaskedLM", {**SHAPE, "tie_word_embeddings": False, "hidden_act": "gelu_new", "layer_norm_eps": 1e-6}
    ),
    "BERT with the next sentence": ("BertForPreTraining", SHAPE),
    "BERT for classes": ("BertForSequenceClassification", {**SHAPE, "num_labels": 5}),
    "BERT for classes of tokens": ("BertForTokenClassification", {**SHAPE, "num_labels": 5}),
    "RoBERTa": ("RobertaForMaskedLM", ROBERTA),
    "RoBERTa for classes": ("RobertaForSequenceClassification", {**ROBERTA, "num_labels": 3}),
    "RoBERTa for classes of tokens": ("RobertaForTokenClassification", {**ROBERTA, "num_labels": 3}),
    "DistilBERT": ("DistilBertForMaskedLM", DISTIL),
    "DistilBERT for classes": ("DistilBertForSequenceClassification", {**DISTIL, "num_labels": 3}),
    "ALBERT": ("AlbertForMaskedLM", ALBERT),
    "ALBERT, two groups": ("AlbertForMaskedLM", {**ALBERT, "num_hidden_groups": 2}),
    "ALBERT for classes": ("AlbertForSequenceClassification", {**ALBERT, "num_labels": 3}),
    "ELECTRA's generator": ("ElectraForMaskedLM", ELECTRA),
    "ELECTRA's discriminator": ("ElectraForPreTraining", {**ELECTRA, "embedding_size": WIDTH}),
    "ELECTRA for classes": ("ElectraForSequenceClassification", {**ELECTRA, "num_labels": 3}),
    "ELECTRA for classes of tokens": ("ElectraForTokenClassification", {**ELECTRA, "num_labels": 3}),
}  # fmt: skip


def random_model(hf, kind, settings):
    """A model of transformers with random weights, large enough that an error shows."""
    torch.manual_seed(0)
    family = kind.partition("For")[0]
    config = getattr(hf, f"{family}Config")(vocab_size=VOCABULARY, **settings)
    model = getattr(hf, kind)(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


def outputs_of(model, tokens, mask, segments):
    """Their logits, of hidden tokens or classes, and of the next sentence if there are any."""
    given = {"attention_mask": mask.long()}
    if getattr(model.config, "type_vocab_size", 0) > 1:
        given["token_type_ids"] = segments
    with torch.no_grad():
        found = model(tokens, **given)
    return (found.prediction_logits, found.seq_relationship_logits) if "seq_relationship_logits" in found else (
        found.logits, None,
    )  # fmt: skip


@pytest.fixture(scope="module")
def plugins():
    return Plugins.from_environment()


@pytest.fixture(scope="module")
def text():
    """Tokens of three rows, of which two are shorter, their mask and their segments."""
    generator = torch.Generator().manual_seed(1)
    tokens = torch.randint(2, VOCABULARY, (3, POSITIONS), generator=generator)  # 1 is RoBERTa's padding
    mask = torch.arange(POSITIONS) < torch.tensor([[POSITIONS], [29], [7]])
    tokens = tokens.where(mask, 1)
    return tokens, mask, (torch.arange(POSITIONS) > 5).long().expand(3, -1)


@pytest.fixture(scope="module")
def theirs(hf, tmp_path_factory, text):
    """Folder and model of each case."""
    made = {}
    for name, (kind, settings) in CASES.items():
        model, folder = random_model(hf, kind, settings), tmp_path_factory.mktemp("theirs")
        model.save_pretrained(folder)
        made[name] = folder, model
    return made


@pytest.fixture(scope="module")
def differences():
    found = {}
    yield found
    print("\n" + "\n".join(f"{name:<60} {difference:.1e}" for name, difference in found.items()))


@pytest.mark.parametrize("padded", [False, True], ids=["whole", "padded"])
@pytest.mark.parametrize("name", CASES)
def test_a_checkpoint_gives_the_same_outputs_here(theirs, plugins, text, differences, name, padded):
    folder, model = theirs[name]
    tokens, mask, segments = text if padded else (part[:1] for part in text)
    logits, pairs = outputs_of(model, tokens, mask, segments)
    ours = load_pretrained(folder, plugins)
    given = {"mask": mask} if padded else {}
    if ours.config.segments > 1:
        given["segments"] = segments
    with torch.no_grad():
        found = ours(tokens, **given)
        if pairs is not None:
            x = ours.residual(tokens, given.get("mask"), segments=segments)
            assert float((ours.follows(x).flip(1) - pairs).abs().max()) < TOLERANCE
    if found.shape[:2] == mask.shape:
        found, logits = found[mask], logits[mask]
    differences[f"{name}{', padded' if padded else ''}"] = float((found - logits).abs().max())
    assert logits.abs().max() > 0.1
    assert differences[f"{name}{', padded' if padded else ''}"] < TOLERANCE


@pytest.mark.parametrize("name", CASES)
def test_a_checkpoint_comes_back_with_identical_outputs(hf, theirs, plugins, text, tmp_path, name):
    folder, model = theirs[name]
    tokens, mask, segments = text
    logits, pairs = outputs_of(model, tokens, mask, segments)
    found = inspect_pretrained(folder, plugins)
    write_pretrained(
        load_pretrained(folder, plugins), ByteTokenizer(), tmp_path / "out", plugins, architecture="encoder",
        model_type=found.model_type, before=found.config,
    )  # fmt: skip
    written = json.loads((tmp_path / "out" / "config.json").read_text())
    assert written["architectures"] == [CASES[name][0]]
    again = getattr(hf, CASES[name][0]).from_pretrained(tmp_path / "out", dtype=torch.float32).eval()
    other, other_pairs = outputs_of(again, tokens, mask, segments)
    if other.shape[:2] == mask.shape:  # RoBERTa's own vector of a padding position is not retained
        other, logits = other[mask], logits[mask]
    assert other.equal(logits)
    assert pairs is None or other_pairs.equal(pairs)


def test_the_body_of_a_model_alone_is_refused_with_what_to_choose(hf, plugins, tmp_path):
    hf.BertModel(hf.BertConfig(vocab_size=VOCABULARY, **SHAPE)).save_pretrained(tmp_path)
    with pytest.raises(BadInput, match="no head") as caught:
        load_pretrained(tmp_path, plugins)
    assert "masked language modelling" in caught.value.problem.remedy


def test_a_decoder_made_of_bert_is_refused_with_its_key(hf, plugins, tmp_path):
    random_model(hf, "BertForMaskedLM", SHAPE).save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text()) | {"is_decoder": True}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(BadInput) as caught:
        load_pretrained(tmp_path, plugins)
    assert caught.value.problem.field == "config.json: is_decoder"


def test_names_of_old_files_are_read(hf, plugins, text, tmp_path):
    from safetensors.torch import load_file, save_file

    model = random_model(hf, "BertForMaskedLM", SHAPE)
    model.save_pretrained(tmp_path)
    file = tmp_path / "model.safetensors"
    old = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): tensor
        for name, tensor in load_file(file).items()
    }
    assert any(name.endswith("gamma") for name in old)
    save_file(old, file, {"format": "pt"})
    tokens = text[0][:1]
    with torch.no_grad():
        difference = load_pretrained(tmp_path, plugins)(tokens) - model(tokens).logits
    assert float(difference.abs().max()) < TOLERANCE

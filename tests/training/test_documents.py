"""Documents with borders: how they are packed, split and scored, and that a model may read each one separately."""

import itertools
import json

import numpy as np
import pytest
import torch

from lab.api import BadInput, Task, Text
from lab.host import Plugins
from lab.layers import LanguageModel
from lab.layers.restarts import can_restart
from lab.recipes import Choice, Recipe
from lab.text.documents import DocumentTokenizer, packed, training_documents
from lab.text.streams import TokenSource
from lab.text.tokenizers.units import ByteTokenizer
from lab.training.evaluation import evaluate
from lab.training.experiment import build_model, prepare
from lab.training.objectives import Carried, Causal, Masked
from lab.training.resolution import resolve
from lab.training.trainer import Trainer

V, T = 7, 24
END = V - 1
STORIES = [f"Story {number} is about {'very ' * (number % 4)}little." for number in range(30)]

MODELS = {
    "learned": ("transformer", {"positions": "learned"}),
    "sinusoidal": ("transformer", {"positions": "sinusoidal"}),
    "rotary": ("transformer", {"positions": "rotary"}),
    "ALiBi": ("transformer", {"positions": "alibi"}),
    "T5": ("transformer", {"positions": "t5"}),
    "no positions": ("transformer", {"positions": "none"}),
    "a window": ("transformer", {"window": 3}),
    "global tokens": ("transformer", {"window": 3, "global_tokens": 2}),
    "a sink": ("transformer", {"sink": True}),
    "a soft-cap": ("transformer", {"attention_cap": 5.0}),
    "parallel branches": ("transformer", {"parallel": "one-norm"}),
    "rnn": ("rnn", {}),
    "gru": ("gru", {}),
    "lstm": ("lstm", {}),
    "mamba": ("mamba", {}),
    "s4": ("s4", {}),
    "mamba 2": ("mamba2", {"head_width": 8}),
    "gated deltanet": ("gated-deltanet", {}),
    "experts": ("moe", {}),
    "a hybrid": ("hybrid", {}),
    "linear attention": ("linear-attention", {}),
    "rwkv": ("rwkv6", {}),
}


@pytest.fixture(scope="module")
def plugins():
    """The lab's own plugins."""
    return Plugins().load()


@pytest.fixture
def table(tmp_path):
    """A file of stories, one in each line."""
    file = tmp_path / "stories.jsonl"
    file.write_text("\n".join(json.dumps({"text": story}) for story in STORIES))
    return file


@pytest.fixture
def recipe(table):
    """A recipe about the stories, with assignments made."""

    def recipe(*assignments, **corpus):
        base = Recipe().with_values({
            "corpus": {"name": "file", "path": str(table), "documents": True, **corpus},
            "architecture": {"name": "transformer", "layers": 1, "width": 16, "heads": 2},
            "training": {"steps": 3, "batch_size": 4, "context_length": 16, "device": "cpu", "threads": 1},
        })  # fmt: skip
        return base.with_assignments(*assignments)

    return recipe


def model_of(plugins, name, settings):
    small = {"layers": 2, "width": 16, **settings}
    resolved = resolve(plugins, "architectures", Choice(name=name, **small), "architecture")
    return build_model(resolved, Task(V, T)).eval()


@pytest.mark.short(
    "rotary",
    "ALiBi",
    "T5",
    "learned",
    "a window",
    "global tokens",
    "experts",
    "a hybrid",
    "lstm",
    "mamba 2",
    "s4",
    "linear attention",
    "gated deltanet",
    "rwkv",
)
@pytest.mark.parametrize("case", MODELS)
@torch.no_grad()
def test_a_packed_row_has_the_losses_of_its_documents_alone(plugins, case):
    name, settings = MODELS[case]
    model = model_of(plugins, name, settings)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        for parameter in model.parameters():  # biases, sinks and gates have an effect
            parameter.add_(0.1 * torch.randn_like(parameter))
    stream = np.random.default_rng(3).integers(0, END, 400)
    stream[np.random.default_rng(4).integers(0, 400, 60)] = END
    source = TokenSource(stream, V, T, "windows", end=END)
    batch = Causal().batch(source, np.arange(6), 0)
    together = Causal().loss(model, batch).nats
    tokens, targets = batch.inputs["tokens"], batch.targets
    borders = 0
    for row in range(6):
        starts = [0, *(np.flatnonzero(tokens[row, 1:] == END) + 1).tolist(), T]
        borders += len(starts) - 2
        for start, end in itertools.pairwise(starts):
            alone = -model.score(tokens[row : row + 1, start:end], targets[row : row + 1, start:end])[0]
            torch.testing.assert_close(together[row, start:end], alone, rtol=0, atol=1e-5)
    assert borders > 6
    across = -model.score(tokens, targets)
    assert (across - together).abs().max() > 1e-3


def a_stream():
    """Return tokens (400,) of documents, some of them empty."""
    stream = np.random.default_rng(3).integers(0, END, 400)
    stream[np.random.default_rng(4).integers(0, 400, 60)] = END
    return stream


def a_seeded_model(plugins, name, settings, task):
    """Return a model of which biases, sinks and gates have an effect."""
    resolved = resolve(plugins, "architectures", Choice(name=name, layers=2, width=16, **settings), "architecture")
    model = build_model(resolved, task).eval()
    with torch.random.fork_rng(), torch.no_grad():
        torch.manual_seed(0)
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


class Pointwise(LanguageModel):
    """A model that reads both ways and knows no documents: each position reads the mean of its row."""

    def __init__(self, task):
        super().__init__(None, task)
        self.table = torch.nn.Embedding(task.vocabulary_size, task.vocabulary_size)

    def forward(self, tokens, **given):
        read = self.table(tokens)
        return read + read.mean(dim=1, keepdim=True)


BOTH_WAYS = ["learned", "sinusoidal", "rotary", "ALiBi", "T5", "no positions", "a window", "global tokens", "a sink",
             "a soft-cap"]  # fmt: skip


@pytest.mark.short("rotary", "T5", "a window", "no mask")
@pytest.mark.parametrize("case", [*BOTH_WAYS, "no mask"])
@torch.no_grad()
def test_a_packed_row_that_is_read_both_ways_has_the_losses_of_its_documents_alone(plugins, case):
    task = Task(V + 1, T, causal=False)
    model = Pointwise(task).eval() if case == "no mask" else a_seeded_model(plugins, *MODELS[case], task)
    source = TokenSource(a_stream(), V, T, "windows", end=END)
    numbers = np.arange(source.examples)[-6:]
    batch, objective = Masked().batch(source, numbers, 0), Masked()
    together = objective.loss(model, batch).nats
    given = torch.from_numpy(source.rows(numbers, 0)["tokens"])
    tokens, targets = batch.inputs["tokens"], batch.targets
    assert int(given[-1].min()) < 0  # padding, too
    borders = 0
    for row in range(6):
        length = min(T, int((given[row] >= 0).sum()))
        starts = [0, *(np.flatnonzero(given[row, 1:length] == END) + 1).tolist(), length]
        borders += len(starts) - 2
        for start, end in itertools.pairwise(starts):
            alone = -model.score(tokens[row : row + 1, start:end], targets[row : row + 1, start:end])[0]
            torch.testing.assert_close(together[row, start:end], alone, rtol=0, atol=1e-5)
        assert not together[row, length:].any()
    assert borders > 6
    assert (-model.score(tokens, targets) - together).abs().max() > 1e-3


RESTARTING = ["rnn", "gru", "lstm", "mamba", "s4", "mamba 2", "gated deltanet", "rwkv"]


@pytest.mark.short("lstm", "mamba", "s4", "gated deltanet")
@pytest.mark.parametrize("case", RESTARTING)
@torch.no_grad()
def test_a_carried_state_starts_again_at_each_border_and_goes_on_between_them(plugins, case):
    model, stream = a_seeded_model(plugins, *MODELS[case], Task(V, T)), a_stream()
    assert can_restart(model)  # unlike linear attention, of which sinusoids say how many tokens were read
    source = TokenSource(stream, V, T, "lanes", lanes=2, end=END)
    carry, found = None, []
    for step in range(4):
        loss = Carried().loss(model, Carried().batch(source, 2 * step + np.arange(2), 0), carry)
        carry = loss.carry
        found.append(loss.nats)
    lanes = torch.cat(found, dim=1)
    for lane, nats in enumerate(lanes):
        first = lane * (source.examples // 2) * T
        read, targets = (torch.from_numpy(stream[first + shift :][: len(nats)]) for shift in (0, 1))
        starts = [0, *(np.flatnonzero(read[1:] == END) + 1).tolist(), len(nats)]
        for start, end in itertools.pairwise(starts):
            alone = -model.score(read[None, start:end], targets[None, start:end])[0]
            torch.testing.assert_close(nats[start:end], alone, rtol=0, atol=1e-5)


@torch.no_grad()
def test_a_stream_of_documents_has_the_losses_of_each_alone(plugins, monkeypatch):
    monkeypatch.setattr("lab.training.evaluation.PIECE", 7)
    model, stream = a_seeded_model(plugins, *MODELS["gru"], Task(V, T)), a_stream()
    source = TokenSource(stream, V, T, "windows", end=END)
    found = evaluate(model, Carried(), source, protocol="stream", device=torch.device("cpu"))
    starts = [0, *(np.flatnonzero(stream[1:-1] == END) + 1).tolist(), len(stream) - 1]
    read, targets = torch.from_numpy(stream[:-1]), torch.from_numpy(stream[1:])
    alone = [-model.score(read[None, a:b], targets[None, a:b]).sum() for a, b in itertools.pairwise(starts)]
    assert found.targets == len(stream) - 1
    assert found.loss == pytest.approx(float(sum(alone)) / found.targets, rel=1e-5)


def test_gradients_do_not_cross_a_border(plugins):
    model = model_of(plugins, "gru", {})
    row = torch.tensor([[1, 2, END, 1, 2, 3]])
    seen = model.embedding(row).detach().requires_grad_()
    model.embedding.forward = lambda tokens: seen[:, -tokens.shape[1] :] if tokens.shape[1] == 4 else seen[:, :2]
    batch = Causal().batch(_Row(torch.cat([row, torch.tensor([[3]])], 1).numpy()), np.arange(1), 0)
    Causal().loss(model, batch).nats[0, 2:].sum().backward()
    assert seen.grad[0, :2].abs().max() == 0
    assert seen.grad[0, 2:].abs().min() > 0


class _Row:
    def __init__(self, tokens):
        self.tokens = tokens

    def rows(self, examples, seed):
        return {"tokens": self.tokens, "documents": np.cumsum(self.tokens == END, axis=1)}


def test_documents_are_packed_without_padding_and_an_end_stands_on_both_sides_of_each():
    text = Text.of(["ab", "", "c", "  \n", "de"], "three")
    assert (text.text, list(text.starts), list(text.documents())) == ("ab\nc\nde", [0, 3, 5], ["ab", "c", "de"])
    tokenizer = DocumentTokenizer(ByteTokenizer())
    tokens, ends = packed(text, tokenizer)
    assert tokens.tolist() == [256, *b"ab", 256, *b"c", 256, *b"de", 256]
    assert ends.tolist() == [0, 3, 5, 8]
    assert tokens[ends].tolist() == [256] * 4
    assert tokenizer.sizes()[tokens].sum() == 5  # the text of the documents, and nothing for their ends
    assert tokenizer.decode(tokens) == "\nab\nc\nde\n"


def test_a_tokenizer_that_ends_texts_itself_gets_no_further_symbol():
    own = ByteTokenizer()
    own.end_of_text = (0,)
    tokenizer = DocumentTokenizer(own)
    assert (tokenizer.end, tokenizer.vocabulary_size, tokenizer.sizes()[0]) == (0, 256, 0)


def test_the_borders_are_part_of_what_a_run_recognises():
    documents = Text.of(["ab", "c"], "two")
    assert documents.sha256 != Text("ab\nc", "one").sha256
    assert documents.sha256 == Text.of(["ab", "c"], "again").sha256


@pytest.mark.parametrize(("share", "count"), [(0.001, 1), (0.5, 2), (0.999, 3)])
def test_both_parts_have_whole_documents(share, count):
    assert training_documents(Text.of(["aaaa", "bbbb", "cccc", "dddd"], "four"), share) == count


@pytest.mark.parametrize("tokenizer", ["character", "byte", "word", "bpe"])
def test_validation_is_the_last_documents_whatever_the_seed(plugins, recipe, tokenizer):
    named = (f"tokenizer.name={tokenizer}", *(["tokenizer.vocabulary_size=300"] if tokenizer == "bpe" else []))
    first, second = (prepare(recipe(*named, f"training.seed={seed}"), plugins) for seed in (0, 1))
    end = first.tokenizer.end
    assert first.validation.tokens.tolist() == second.validation.tokens.tolist()
    assert first.validation.tokens[0] == first.validation.tokens[-1] == first.train.tokens[-1] == end
    train, validation = (first.tokenizer.decode(part.tokens).strip("\n").split("\n") for part in
                         (first.train, first.validation))  # fmt: skip
    assert train + validation == STORIES
    assert first.corpus["documents"] == len(STORIES)


def test_bits_per_byte_count_the_bytes_of_documents_and_the_nats_of_their_ends(plugins, recipe):
    experiment = prepare(recipe("training.steps=2"), plugins)
    trainer = Trainer(experiment)
    trainer.run()
    found, tokens = trainer.evaluation, experiment.validation.tokens
    documents = int((tokens == experiment.tokenizer.end).sum()) - 1
    assert found.targets == len(tokens) - 1
    assert found.bytes == len(tokens) - 1 - documents  # one byte for each character, none for an end
    assert found.bits_per_byte == pytest.approx(found.loss / np.log(2) * found.targets / found.bytes)


def test_each_file_of_a_folder_is_a_document_and_each_row_of_its_tables(plugins, recipe, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").write_text("first file\nof two lines\n")
    (folder / "b.csv").write_text("text,n\nsecond,1\nthird,2\n")
    experiment = prepare(recipe("training.context_length=4", path=str(folder)), plugins)
    tokens = [*experiment.train.tokens.tolist(), *experiment.validation.tokens[1:].tolist()]
    assert experiment.corpus["documents"] == 3
    assert experiment.tokenizer.decode(tokens) == "\nfirst file\nof two lines\nsecond\nthird\n"


def test_a_generated_source_gives_documents_with_the_same_rate(plugins, recipe):
    sentences = {"corpus": None}, {"corpus": {"name": "grammar", "length": 4000, "documents": True}}
    experiment = prepare(recipe().with_values(*sentences), plugins)
    one = prepare(recipe().with_values(sentences[0], {"corpus": {"name": "grammar", "length": 4000}}), plugins)
    assert experiment.corpus["documents"] > 50
    assert experiment.floors["entropy rate"] == pytest.approx(one.floors["entropy rate"], rel=0.001)
    assert experiment.tokenizer.decode(experiment.train.tokens).strip().split("\n")[0].endswith(".")


@pytest.mark.parametrize("name", ["transformer", "gru", "mamba"])
def test_documents_that_are_read_separately_are_learned(plugins, recipe, name):
    architecture = {"architecture": {"name": name, "layers": 1, "width": 16}}
    separate = recipe("training.separate_documents=true").with_values({"architecture": None}, architecture)
    trainer = Trainer(prepare(separate, plugins))
    trainer.run()
    assert trainer.state == "finished"
    assert trainer.evaluation.protocol == "windows"


def test_hidden_tokens_of_documents_that_are_read_separately_are_learned(plugins, recipe):
    trainer = Trainer(prepare(recipe("training.separate_documents=true", "objective.name=masked"), plugins))
    trainer.run()
    assert trainer.state == "finished"


def test_a_run_that_carries_its_state_within_documents_resumes_bit_for_bit(plugins, recipe):
    architecture = {"architecture": None}, {"architecture": {"name": "gru", "layers": 1, "width": 16}}
    separate = recipe("training.separate_documents=true", "objective.name=carried").with_values(*architecture)
    first, second = (Trainer(prepare(separate, plugins)) for _ in range(2))
    for step in range(2):
        first.learner.make_step(step)
    tensors, facts = first.learner.state_dict()
    second.learner.model.load_tables({name: each.clone() for name, each in first.learner.model.tables().items()})
    second.learner.load_state_dict(tensors, {**facts, "step": 2})
    for trainer in (first, second):
        trainer.learner.make_step(2)
    for name, table in first.learner.model.tables().items():
        assert table.equal(second.learner.model.tables()[name]), name
    whole = Trainer(prepare(separate, plugins))
    whole.run()
    assert (whole.state, whole.evaluation.protocol) == ("finished", "stream")


REFUSED = {
    "no documents": (["corpus.documents=false"], "training.separate_documents", "no documents"),
    "a cache of keys": (
        ["objective.name=carried", "architecture.window=4", "architecture.positions=rotary"],
        "training.separate_documents",
        "cannot start again",
    ),
    "experts that choose": (
        ["architecture.name=moe", "architecture.routing=expert-choice"],
        "training.separate_documents",
        "chooses",
    ),
    "a table of counts": (["architecture.name=ngram"], "training.separate_documents", "counts"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_read_documents_separately_says_so(plugins, recipe, case):
    assignments, field, what = REFUSED[case]
    changed = recipe("training.separate_documents=true", *assignments)
    if "ngram" in assignments[0]:
        changed = changed.with_values({"architecture": None}, {"architecture": {"name": "ngram"}})
    with pytest.raises(BadInput, match=what) as caught:
        prepare(changed, plugins).build()
    assert caught.value.problem.field == field
    assert caught.value.problem.remedy


def test_one_document_is_refused(plugins, recipe, tmp_path):
    file = tmp_path / "one.txt"
    file.write_text("only one text")
    with pytest.raises(BadInput, match="only one document") as caught:
        prepare(recipe(path=str(file)), plugins)
    assert caught.value.problem.field == "corpus.documents"

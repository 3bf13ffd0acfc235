"""Filters against the logits processors of transformers, and greedy and beam search against its generate()."""

import itertools

import pytest
import torch

from lab.decoding import constraints, filters, penalties
from lab.decoding.beams import BeamSearch
from lab.decoding.builtins import (
    BanListConfig,
    BeamSearchConfig,
    EpsilonConfig,
    EtaConfig,
    GreedyConfig,
    LogitBiasConfig,
    MinPConfig,
    NoRepeatConfig,
    RepetitionConfig,
    TemperatureConfig,
    TopKConfig,
    TopPConfig,
    TypicalConfig,
)
from lab.decoding.pipeline import NamedFilter
from lab.decoding.stops import End, Stops
from lab.decoding.strategies import Greedy
from lab.decoding.stream import generate
from lab.interop import load_pretrained

VOCABULARY, END = 40, 7
ENDS = (2, 7, 12, 21, 30, 39)
"""Symbols that end a text, as it happens early, late or never."""
PROMPTS = ([3, 1, 4], [1, 5, 9, 2, 6, 5, 3, 5])


class Letters:
    """A tokenizer whose texts are numbers between commas."""

    def encode(self, text):
        return [int(part) for part in text.split(",")]


FILTERS = {
    "temperature": (
        filters.temperature_filter(TemperatureConfig(temperature=0.7)),
        lambda hf: hf.TemperatureLogitsWarper(0.7),
    ),
    "top-k": (filters.top_k_filter(TopKConfig(k=9)), lambda hf: hf.TopKLogitsWarper(9)),
    "top-p": (filters.top_p_filter(TopPConfig(p=0.8)), lambda hf: hf.TopPLogitsWarper(0.8)),
    "min-p": (filters.min_p_filter(MinPConfig(share=0.1)), lambda hf: hf.MinPLogitsWarper(0.1)),
    "typical": (filters.typical_filter(TypicalConfig(mass=0.6)), lambda hf: hf.TypicalLogitsWarper(0.6)),
    "epsilon": (filters.epsilon_filter(EpsilonConfig(epsilon=0.01)), lambda hf: hf.EpsilonLogitsWarper(0.01)),
    "eta": (filters.eta_filter(EtaConfig(epsilon=0.04)), lambda hf: hf.EtaLogitsWarper(0.04)),
    "logit-bias": (
        constraints.bias_filter(LogitBiasConfig(biases=["3=1.5", "4,5=-2", "1,2=-inf", "2=0.5"]), Letters()),
        lambda hf: hf.SequenceBiasLogitsProcessor({(3,): 1.5, (4, 5): -2.0, (1, 2): -torch.inf, (2,): 0.5}),
    ),
    "repetition-penalty": (
        penalties.repetition_filter(RepetitionConfig(penalty=1.3)),
        lambda hf: hf.RepetitionPenaltyLogitsProcessor(1.3),
    ),
    "no-repeat": (penalties.no_repeat_filter(NoRepeatConfig(length=2)), lambda hf: hf.NoRepeatNGramLogitsProcessor(2)),
    "ban-list": (
        constraints.ban_filter(BanListConfig(texts=["3", "4,5", "1,2,6"]), Letters()),
        lambda hf: hf.NoBadWordsLogitsProcessor([[3], [4, 5], [1, 2, 6]], eos_token_id=0),
    ),
}


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_leaves_the_logits_of_transformers(hf, name):
    ours, make = FILTERS[name]
    theirs = make(hf)
    drawn = torch.Generator().manual_seed(0)
    for _ in range(20):
        logits = 3 * torch.randn(4, VOCABULARY, generator=drawn)
        logits[1, ::3] = -torch.inf
        histories = torch.randint(8, (4, 30), generator=drawn)
        histories[2, -2:] = torch.tensor([1, 2])
        torch.testing.assert_close(
            ours(logits, histories.tolist()), theirs(histories, logits.clone()), atol=1e-6, rtol=0
        )


@pytest.fixture(scope="module")
def models(hf, tmp_path_factory):
    """A random GPT-2 of transformers, and the same one of the lab."""
    torch.manual_seed(0)
    theirs = hf.GPT2LMHeadModel(
        hf.GPT2Config(
            vocab_size=VOCABULARY, n_positions=64, n_embd=16, n_layer=2, n_head=2, activation_function="gelu",
            bos_token_id=END, eos_token_id=END, pad_token_id=END, initializer_range=0.3,
            tie_word_embeddings=False,
        )
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("gpt2")
    theirs.save_pretrained(folder)
    return theirs.eval(), load_pretrained(folder)


def continued(theirs, prompt, count, end=END, **options):
    """The tokens that transformers adds to a prompt, those of padding left out."""
    found = theirs.generate(
        torch.tensor([prompt]), attention_mask=torch.ones(1, len(prompt)), max_new_tokens=count, do_sample=False,
        pad_token_id=end, eos_token_id=end, **options,
    )  # fmt: skip
    new = found[0, len(prompt) :].tolist()
    return new[: new.index(end) + 1] if end in new else new


def written(ours, prompt, count, strategy, *named, end=END):
    stops = Stops({end: End("end of text")})
    tokens = generate(
        ours, prompt, strategy=strategy, filters=named, stops=stops, seed=0, symbols=VOCABULARY, count=count
    )
    return [token.token for token in tokens]


@pytest.mark.parametrize("prompt", PROMPTS)
def test_greedy_text_ends_as_that_of_transformers(models, prompt):
    theirs, ours = models
    assert written(ours, prompt, 30, Greedy(GreedyConfig())) == continued(theirs, prompt, 30)


EARLY = {"likely": False, "first": True, "never": "never"}


WIDTHS, PENALTIES = (2, 4, 7), (0.0, 1.0, -0.5)
DIAGONAL = set(zip(WIDTHS, EARLY, PENALTIES, strict=True))
"""Each value once."""


@pytest.mark.parametrize(
    ("width", "stop", "penalty"),
    [
        pytest.param(*each, marks=() if each in DIAGONAL else pytest.mark.long)
        for each in itertools.product(WIDTHS, EARLY, PENALTIES)
    ],
)
def test_beam_search_writes_what_transformers_writes(models, width, stop, penalty):
    theirs, ours = models
    config = BeamSearchConfig(width=width, length_penalty=penalty, length="tokens", stop=stop)
    options = {"num_beams": width, "length_penalty": penalty, "early_stopping": EARLY[stop]}
    for prompt, end in itertools.islice(itertools.product(PROMPTS, ENDS), width % 2, None, 2):
        expected = continued(theirs, prompt, 14, end, **options)
        assert written(ours, prompt, 14, BeamSearch(config), end=end) == expected, (prompt, end)


def test_the_texts_that_are_compared_end_at_symbols_and_by_length(models):
    _, ours = models
    config = BeamSearchConfig(width=4, length_penalty=0.0, length="tokens")
    found = [written(ours, prompt, 14, BeamSearch(config), end=end) for prompt in PROMPTS for end in ENDS]
    lengths = [len(tokens) for tokens in found]
    assert lengths.count(14) >= 3
    assert len(set(lengths) - {14}) >= 3


@pytest.mark.parametrize("prompt", PROMPTS)
def test_beam_search_with_filters_writes_what_transformers_writes(models, prompt):
    theirs, ours = models
    config = BeamSearchConfig(width=4, length_penalty=1.0, length="tokens", stop="first")
    named = [
        NamedFilter("repetition-penalty", FILTERS["repetition-penalty"][0]),
        NamedFilter("no-repeat", FILTERS["no-repeat"][0]),
    ]
    expected = continued(
        theirs, prompt, 25, num_beams=4, length_penalty=1.0, early_stopping=True, repetition_penalty=1.3,
        no_repeat_ngram_size=2,
    )  # fmt: skip
    assert written(ours, prompt, 25, BeamSearch(config), *named) == expected

"""The suite for cards that are no models: those of the lab pass, and broken ones are told what to change."""

import contextlib
import inspect
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from pydantic import field_validator

from lab.api import (
    Adapter,
    BadInput,
    Batch,
    CheckpointFormat,
    Chooser,
    Continuation,
    Converter,
    Corpus,
    Filter,
    Finding,
    Intervention,
    Loss,
    ModelAdapter,
    ModelConfig,
    Objective,
    ObjectiveCard,
    Observer,
    Optimizer,
    Probe,
    Reading,
    Rule,
    RunObserver,
    Sampler,
    Schedule,
    Strategy,
    Task,
    Text,
    Tokenization,
    View,
    setting,
    uniforms,
)
from lab.host import Plugins
from lab.testing import tiny, trials
from lab.testing.checks.registrations import KINDS, check_registration, registration_checks, registration_trials
from lab.testing.tiny import VOCABULARY, Small
from lab.text.corpora import manual
from lab.text.tokenizers.pretrained import json_of
from lab.text.tokenizers.units import ByteTokenizer
from lab_encoder.electra import build as build_electra
from lab_encoder.model import build as build_encoder
from lab_encoder.objectives import NextSentence, ReplacedTokens
from lab_encoder.settings import ElectraConfig, EncoderConfig
from lab_feedforward.network import MLP
from lab_feedforward.settings import MLPConfig
from lab_moe.model import build as build_moe
from lab_moe.settings import MoeConfig
from lab_ngram import NgramConfig
from lab_ngram.model import NgramModel
from lab_recurrent import LSTMConfig
from lab_recurrent.model import build_lstm
from lab_ssm.mamba.cards import MambaConfig
from lab_ssm.mamba.mamba import build_mamba
from lab_transformer import TransformerConfig
from lab_transformer.model import build
from lab_vision.clip import Clip
from lab_vision.clip_settings import ClipConfig
from lab_vision.model import VisionTransformer
from lab_vision.settings import VisionTransformerConfig

PLUGINS = Path(__file__).parents[1] / "plugins"
OF_FORMATS = [check.name for check in registration_checks("checkpoint_formats")]

# ---- the suite


def test_every_kind_has_checks_with_requirements():
    assert {"corpora", "tokenizers", "probes", "observers"} < set(KINDS)
    for kind in KINDS:
        names = [check.name for check in registration_checks(kind)]
        own = {
            "views": set(),
            "checkpoint_formats": {"contract"},
            "interventions": {"contract", "reversible"},
        }  # which no recipe names, so they have no settings
        assert {"card", *own.get(kind, {"settings", "contract"})} <= set(names)
        assert all(check.title.endswith(".") for check in registration_checks(kind))


def test_models_have_a_suite_of_their_own():
    with pytest.raises(BadInput, match=r"architectures.*Allowed: corpora, tokenizers"):
        registration_checks("architectures")


PLUGINS_OF_THE_LAB = Plugins()


def built_in():
    plugins = PLUGINS_OF_THE_LAB
    # the first fetches, the others are fitted to no text
    alone = [("corpora", "download"), ("tokenizers", "symbol"), ("tokenizers", "none")]
    pairs = [pair for kind in KINDS for name in plugins.cards(kind) if (pair := (kind, name)) not in alone]
    long = [(kind, name) for kind, name in pairs if name in SLOW.get(kind, ()) or kind == "checkpoint_formats"]
    long.remove(("checkpoint_formats", "gpt2"))
    return [pytest.param(*pair, marks=pytest.mark.long if pair in long else ()) for pair in pairs]


SLOW = {
    "corpora": ("dataset", "digits", "parts-of-speech", "phrases", "polarity", "python-manual", "topics"),
    "interventions": ("other",),
    "optimizers": ("muon",),
    "probes": ("influence", "memory"),
    "strategies": ("beam-search", "mirostat"),
}
"""What takes half a second each and has tests of its own: others of its kind run in short."""


def model_of_counts():
    """An n-gram model that has counted something."""
    model = NgramModel(NgramConfig(order=3), Task(VOCABULARY, 16))
    model.count(np.random.default_rng(0).integers(0, VOCABULARY, 400))
    return model


def transformer(**settings):
    """A small transformer with positions that turn."""
    config = TransformerConfig(layers=2, width=16, heads=2, positions="rotary", **settings)
    return build(config, Task(VOCABULARY, 16)).eval()


def recurrent():
    """A small LSTM."""
    return build_lstm(LSTMConfig(layers=2, width=16), Task(VOCABULARY, 16)).eval()


def mixture():
    """A small mixture of experts."""
    return build_moe(MoeConfig(layers=2, width=16, heads=2, experts=4), Task(VOCABULARY, 16)).eval()


def state_space():
    """A small Mamba."""
    return build_mamba(MambaConfig(layers=2, width=16), Task(VOCABULARY, 16)).eval()


def encoder():
    config = EncoderConfig(layers=2, width=16, heads=2)
    return build_encoder(config, NextSentence().task(tiny.source_for(NextSentence())))


def electra():
    config = ElectraConfig(layers=2, width=16, heads=2)
    return build_electra(config, ReplacedTokens().task(tiny.source_for(ReplacedTokens())))


def network():
    """A small multi-layer network on vectors, with numbers to predict."""
    return MLP(MLPConfig(widths=[4, 3]), tiny.row_model("vectors").task)


def planar():
    """A small network on points in the plane."""
    return MLP(MLPConfig(widths=[4, 3]), Task(1, 1, causal=False, input_shape=(2,), classes=3))


def pictures():
    """A small vision transformer."""
    config = VisionTransformerConfig(layers=2, width=16, heads=2, patch=2)
    return VisionTransformer(config, tiny.row_model("images").task)


def matched():
    """A small model of images and texts, for those of tiny.Pictures."""
    task = Task(VOCABULARY, 2, causal=False, input_shape=tiny.Pictures.input_shape, matching=True)
    return Clip(ClipConfig(layers=1, width=16, heads=2, patch=2, embedding_width=8), task)


MADE_FOR = {
    **dict.fromkeys(("network", "signals", "weights"), network),
    "plane": planar,
    **dict.fromkeys(("attention-rollout", "patch-filters", "picture-attention"), pictures),
    "similarity": matched,
    "n-grams": model_of_counts,
    **dict.fromkeys(("permutation", "position-scores"), transformer),
    **dict.fromkeys(("gates", "gradient-by-lag", "recurrent-matrices", "state-components"), recurrent),
    **dict.fromkeys(("eigenvalues", "memory", "state"), recurrent),
    "routing": mixture,
    "expert": mixture,
    "channel": state_space,
    "order": model_of_counts,
    "next-sentence": encoder,
    "replaced-tokens": electra,
}
"""By the name of a probe, an intervention or an objective: a model that it is made for, where the tiny ones are not."""
TABLES = {
    "pairs-file": ("csv", "source,target\none,eins\ntwo,zwei\nthree,drei\n"),
    "labels-file": ("csv", "text,label\na good day,good\na bad day,bad\nmore good,good\n"),
    "conversations-file": (
        "jsonl",
        '{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}\n' * 3,
    ),
    "vectors-file": ("csv", "x,y,target\n1,2,a\n2,1,b\n3,4,a\n"),
}
"""By the name of a corpus: the ending and the content of a file that it reads."""
EXPRESSIBLE = {
    "gpt_neox": {"bias": True, "parallel": "two-norms"},
    "falcon": {"bias": True, "parallel": "one-norm", "kv_heads": 1},
}
"""By the name of a checkpoint format: settings that it can say, where no preset has them."""
FEWER = {200_000: {"length": 20_000}, 5000: {"rows": 300}, 3000: {"rows": 300}}
"""By the default size of a corpus that is generated: a smaller one, since each check makes it anew."""


def generated_size(card):
    """Return the default of the setting for the size of a corpus: of its characters or rows; None for others."""
    fields = card.config.model_fields
    return next((fields[name].default for name in ("rows", "length") if name in fields), None)


@pytest.mark.parametrize(("kind", "name"), built_in())
def test_the_parts_of_the_lab_pass(kind, name, tmp_path, monkeypatch):
    card, config = PLUGINS_OF_THE_LAB.card(kind, name), None
    if name in ("file", "dataset"):
        path = tmp_path / "text.txt"
        path.write_text("A text of mine.\n" * 20, encoding="utf-8")
        config = card.config(path=str(path))
    elif name in TABLES:
        path = tmp_path / f"rows.{TABLES[name][0]}"
        path.write_text(TABLES[name][1], encoding="utf-8")
        config = card.config(path=str(path))
    elif name == "images-folder":
        for label, shade in (("dark", 10), ("light", 240)):
            (tmp_path / label).mkdir()
            for number in range(2):
                Image.new("L", (8, 8), shade + number).save(tmp_path / label / f"{number}.png")
        config = card.config(path=str(tmp_path))
    elif name == "text":
        config = card.config(text="A text of mine.\n" * 20)
    elif name == "python-manual":  # all of it takes seconds
        some = dict(list(manual._library())[:20])
        monkeypatch.setattr(manual, "_library", lambda: some.items())
    elif name == "hidden-markov":  # the rate of its defaults is simulated for each check
        config = card.config(length=20_000, states=4, letters=8, concentration=0.3)
    elif kind == "corpora" and generated_size(card) in FEWER:
        config = card.config(**FEWER[generated_size(card)])
    elif name == "pretrained":
        (tmp_path / "tokenizer.json").write_text(json_of(ByteTokenizer()), encoding="utf-8")
        config = card.config(path=str(tmp_path))
    model = MADE_FOR[name]() if kind in ("probes", "interventions", "objectives") and name in MADE_FOR else None
    if kind == "checkpoint_formats" and name in EXPRESSIBLE:
        model = transformer(**EXPRESSIBLE[name])
    assert check_registration(kind, card, config, model=model) == []


def test_each_check_is_a_trial_of_its_own_name():
    trials = registration_trials("schedules", Schedule("flat", "Flat", lambda config, steps: lambda step: 1.0))
    assert [trial.name for trial in trials] == [f"defaults-{check.name}" for check in registration_checks("schedules")]
    assert all(trial.failure is None and trial.check.title for trial in trials)


def test_settings_without_a_default_must_be_given():
    with pytest.raises(BadInput, match=r"corpora.file = path: .*Pass a config"):
        registration_trials("corpora", Plugins().card("corpora", "file"))


def test_cards_that_the_host_refuses_are_not_checked_further():
    wrong = Schedule("A name", "Name", lambda config, steps: lambda step: 1.0)
    (trial,) = registration_trials("schedules", wrong)
    assert "cannot be a name" in str(trial.failure)
    (trial,) = registration_trials("samplers", wrong)
    assert "Register it in lab_register_schedules" in str(trial.failure)


def test_an_error_of_the_author_is_reported_with_its_line():
    def build(config, steps):
        raise ZeroDivisionError("no steps")

    (failure,) = check_registration("schedules", Schedule("none", "None", build))
    assert "test_registrations.py, line" in failure.measured
    assert "ZeroDivisionError: no steps" in failure.trace


def test_checking_leaves_the_generator_of_the_process_as_it_was():
    before = torch.get_rng_state()
    check_registration("optimizers", Plugins().card("optimizers", "sgd"))
    assert torch.equal(before, torch.get_rng_state())


class Sized(ModelConfig):
    size: int = setting(3, ge=1, le=9, live=True, help="A size.")
    learning_rate: float = setting(0.1, gt=0, le=1, live=True, help="A rate.")


class Decaying(Sized):
    weight_decay: float = setting(0.5, ge=0, le=1, live=True, help="A decay.")
    momentum: float = setting(0.9, ge=0, lt=1, live=True, help="A momentum.")


# ---- sound cards, from which the broken ones differ by one thing

TEXT = "once upon a time\n" * 20


class Bytes:
    vocabulary_size = 256

    def encode(self, text):
        return np.frombuffer(text.encode(), np.uint8).astype(np.int64)

    def decode(self, tokens):
        return bytes(int(token) for token in tokens).decode(errors="replace")

    def label(self, token):
        return f"<{token}>"

    def sizes(self):
        return np.ones(256, np.int64)

    def vocabulary(self):
        return {}


class English(Bytes):
    """Knows no character above the ASCII ones."""

    vocabulary_size = 128

    def encode(self, text):
        if not text.isascii():
            raise BadInput("is not in the vocabulary", field="text")
        return super().encode(text)

    def sizes(self):
        return np.ones(128, np.int64)


class Next(Objective):
    def batch(self, source, examples, seed):
        rows = source.rows(examples, seed)["tokens"]
        targets = rows[:, 1:].copy()
        targets[uniforms(seed, examples, targets.shape[1]) < 0.2] = -1
        return made(np.maximum(rows[:, :-1], 0), targets)

    def loss(self, model, batch, carry=None):
        logits = model(batch.inputs["tokens"])
        nats = -model.score(batch.inputs["tokens"], batch.targets)
        hits = ((logits.argmax(dim=-1) == batch.targets) & (batch.targets >= 0)).sum()
        return Loss(nats, {"hits": (hits, batch.weight)})


def made(tokens, targets):
    return Batch({"tokens": torch.from_numpy(tokens)}, torch.from_numpy(targets), int((targets >= 0).sum()))


class Sign(torch.optim.Optimizer):
    def __init__(self, groups, config):
        super().__init__(groups, {"lr": 0.1, "size": config.size})

    def step(self, closure=None):
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self.change(parameter, group)

    def change(self, parameter, group):
        state = self.state[parameter]
        state["steps"] = state.get("steps", 0) + 1
        state["mean"] = 0.9 * state.get("mean", 0) + parameter.grad
        parameter.sub_(group["lr"] * group["size"] * (state["mean"] / state["steps"]).sign())


def with_own(**values):
    """An optimizer like torch's SGD whose first group gets these values, computed from the config."""

    def build(config, groups, device):
        first, *rest = groups
        own = {name: value(config) for name, value in values.items()}
        plain = [{**group, "weight_decay": config.weight_decay if group["decays"] else 0.0} for group in rest]
        settings = {"weight_decay": config.weight_decay, "momentum": config.momentum}
        return Sizing([{**first, **own}, *plain], config.learning_rate, config, **settings)

    return card_of("optimizers", build, config=Decaying)


class Sizing(torch.optim.SGD):
    def __init__(self, groups, rate, config, **settings):
        super().__init__(groups, lr=rate, **settings)
        self.config = config

    def step(self, closure=None):
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    parameter.grad.mul_(self.config.size)
        super().step(closure)


class Best(RunObserver):
    def __init__(self, config):
        self.config = config
        self.best = math.inf

    def evaluated(self, step, values):
        self.best = min(self.best, values["validation loss"] * self.config.size)


def confident(config):
    def probe(model, tokens):
        p = model(tokens)[0].softmax(dim=-1).amax(dim=-1) ** config.size
        return [Reading("confidence", ("token",), p)]

    return probe


def cut(config):
    return lambda logits: logits.masked_fill(logits < logits.topk(config.size).values[..., -1:], -math.inf)


def fading(config):
    def less(logits, histories):
        last = torch.tensor([history[-1] if history else 0 for history in histories])
        return logits - config.size * torch.nn.functional.one_hot(last, logits.shape[-1])

    return less


class Ranked(Chooser):
    """Takes the token of a rank, and the last one if fewer are left."""

    def __init__(self, config):
        self.config = config

    def next(self, step):
        left = step.filters(step.logits)[0]
        ranked = left.sort(descending=True)
        return [Continuation(0, int(ranked.indices[min(self.config.size, int(left.isfinite().sum())) - 1]))]


def level(config, steps):
    return lambda step: min(1.0, (steps - step) / (config.size * max(1, steps)))


class Own(Converter):
    """Everything under its own name, and the tensors under "mine"."""

    def settings(self, config):
        return {name: value for name, value in config.items() if name not in ("model_type", "vocab_size")}

    def config(self, settings, task):
        return {"model_type": "mine", "vocab_size": task.vocabulary_size, **settings.stored()}

    def tables(self, config, tensors):
        return {name.removeprefix("mine."): tensor for name, tensor in tensors.items()}

    def tensors(self, settings, tables):
        return {f"mine.{name}": table for name, table in tables.items()}


def format_of(converter=Own, architecture="lstm", **methods):
    """A format whose converter has these methods."""
    build = type("Mine", (converter,), methods) if methods else converter
    return CheckpointFormat("mine", "Mine", build, architecture=architecture, model_type="mine")


def writes_nothing(self, settings, task):
    raise BadInput("cannot be expressed", field="architecture.width")


def without(name):
    """A method that leaves a setting out of the config.json."""
    return lambda self, *given: {key: value for key, value in Own.config(self, *given).items() if key != name}


def halved(self, config):
    return {**Own.settings(self, config), "dropout": config["dropout"] / 2}


def each(function):
    """A method that changes every tensor that is written."""
    return lambda self, settings, tables: {f"mine.{name}": function(table) for name, table in tables.items()}


def popped(self, config):
    config.pop("model_type", None)
    return Own.settings(self, config)


def card_of(kind, build, config=Sized, **changes):
    """A card of this kind around a factory, or a class made of a config."""
    base = {"name": "mine", "title": "Mine", "build": build, "config": config}
    if kind == "tokenizers":
        own = build if inspect.isclass(build) else Bytes
        base |= {"build": lambda config, text: own(), "load": lambda vocabulary: own()}
    if kind == "optimizers" and inspect.isclass(build):
        base["build"] = lambda config, groups, device: build(groups, config)
    kinds = {
        "corpora": Corpus,
        "tokenizers": Tokenization,
        "objectives": ObjectiveCard,
        "optimizers": Optimizer,
        "schedules": Schedule,
        "samplers": Sampler,
        "filters": Filter,
        "strategies": Strategy,
        "probes": Probe,
        "observers": Observer,
        "rules": Rule,
        "adapters": Adapter,
    }
    return kinds[kind](**{**base, **changes})


def too_high(config):
    """A rule that finds a last loss above a size."""

    def rule(record):
        _, losses = record.series.get("train loss", ((), ()))
        high = len(losses) and losses[-1] > config.size
        return [Finding("the loss is high", 200)] if high else []

    return rule


class Shifted(torch.nn.Module):
    """A projection whose output is shifted."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.shift = torch.nn.Parameter(torch.zeros(inner.out_features))

    def forward(self, x):
        return self.inner(x) + self.shift


class Shift(ModelAdapter):
    """An adapter that shifts the output of the first projections with a bias."""

    def __init__(self, config):
        self.size = config.size

    def attach(self, model):
        biased = [
            (parent, name)
            for parent in model.modules()
            for name, child in parent.named_children()
            if isinstance(child, torch.nn.Linear) and child.bias is not None
        ]
        for parent, name in biased[: self.size]:
            setattr(parent, name, Shifted(getattr(parent, name)))

    @torch.no_grad()
    def merge(self, model):
        for parent in list(model.modules()):
            for name, child in list(parent.named_children()):
                if isinstance(child, Shifted):
                    child.inner.bias.add_(child.shift)
                    setattr(parent, name, child.inner)


def plain(kind, build, **changes):
    """Return such a card without settings."""
    return replace(card_of(kind, build, **changes), config=type("Nothing", (ModelConfig,), {}))


def outputs(model, tokens):
    """Return one address."""
    return ["1"]


@contextlib.contextmanager
def shifted(model, addresses, tokens):
    """Add 1 to the first number of the first table inside."""
    tensor = next(iter(model.tables().values())).view(-1)
    before = tensor[0].clone()
    tensor[0] += 1
    try:
        yield
    finally:
        tensor[0] = before


@contextlib.contextmanager
def unguarded(model, addresses, tokens):
    """Do the same, and leave it so where an error comes."""
    tensor = next(iter(model.tables().values())).view(-1)
    before = tensor[0].clone()
    tensor[0] += 1
    yield
    tensor[0] = before


def intervention_of(build=shifted, targets=outputs):
    """Return an intervention."""
    return Intervention("mine", "Mine", build, targets=targets)


SOUND = {
    "corpora": card_of("corpora", lambda config: Text(TEXT * config.size, "mine", floors={"rate": 0.5})),
    "tokenizers": plain("tokenizers", Bytes),
    "objectives": plain("objectives", Next),
    "optimizers": card_of("optimizers", Sign),
    "schedules": card_of("schedules", level),
    "samplers": card_of("samplers", cut),
    "filters": card_of("filters", fading),
    "strategies": card_of("strategies", Ranked),
    "probes": card_of("probes", confident),
    "observers": card_of("observers", Best),
    "interventions": Intervention("mine", "Mine", shifted, targets=outputs),
    "rules": card_of("rules", too_high),
    "adapters": card_of("adapters", Shift, merges=True),
    "views": View(name="mine", title="Mine", axes=("token",), build="no_qt_here:Window"),
    "checkpoint_formats": format_of(),
}


@pytest.mark.parametrize(
    "own", [lambda config: 0.1, lambda config: config.weight_decay / 10], ids=["fixed", "in proportion"]
)
def test_an_optimizer_may_give_a_group_its_own_weight_decay(own):
    assert check_registration("optimizers", with_own(weight_decay=own)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_broken_cards_are_made_of_is_sound(kind):
    assert check_registration(kind, SOUND[kind]) == []


def test_a_tokenizer_may_be_for_english_alone():
    assert check_registration("tokenizers", plain("tokenizers", English)) == []


def test_a_tokenizer_is_tried_on_the_text_that_is_given():
    failures = check_registration("tokenizers", plain("tokenizers", English), text="naïve")
    assert ["is not in the vocabulary" in str(failure) for failure in failures] == [True]


def test_an_observer_need_not_inherit():
    methods = ("started", "stepped", "evaluated", "ended")
    own = type("Own", (), {name: getattr(RunObserver, name) for name in methods})
    assert check_registration("observers", plain("observers", lambda config: own())) == []


FORMAT = """
from lab.api import CheckpointFormat, Converter


class Own(Converter):
    def settings(self, config):
        return {"width": config["width"]}

    def config(self, settings, task):
        return {"model_type": "mine", "vocab_size": task.vocabulary_size, **settings.stored()}

    def tables(self, config, tensors):
        return dict(tensors)

    def tensors(self, settings, tables):
        return dict(tables)


@hookimpl
def lab_register_checkpoint_formats(register):
    register(CheckpointFormat("mine", "Mine", Own, architecture="own-gru", model_type="mine"))
"""


def test_a_format_is_tried_on_the_architecture_of_its_own_plugin(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text((PLUGINS / "gru.py").read_text().replace('"gru"', '"own-gru"') + FORMAT)
    loads, *own = trials("mine", plugin=file)
    assert [trial.full_name for trial in own] == [f"checkpoint_formats-mine-defaults-{name}" for name in OF_FORMATS]
    assert [trial.failure for trial in (loads, *own)] == [None] * 5


def test_a_format_is_tried_on_the_model_that_is_given():
    class Wide(Own):
        def config(self, settings, task):
            if settings.width != 48:
                raise BadInput("is not wide enough", field="architecture.width", value=settings.width, allowed="48")
            return super().config(settings, task)

    model = build_lstm(LSTMConfig(width=48), Task(VOCABULARY, 8))
    assert check_registration("checkpoint_formats", format_of(Wide), model=model) == []
    (failure,) = check_registration("checkpoint_formats", format_of(Wide))
    assert "check_registration(…, model=…)" in failure.remedy


def test_a_probe_may_refuse_models_it_is_not_made_for():
    def build(config):
        def probe(model, tokens):
            if model.learns == "counting" or not model.causal:
                raise BadInput("has no attention to look at")
            return confident(Sized())(model, tokens)

        return probe

    assert check_registration("probes", plain("probes", build)) == []


def test_a_probe_is_tried_on_the_model_that_is_given():
    def build(config):
        def probe(model, tokens):
            if not hasattr(model, "secret"):
                raise BadInput("has no secret")
            return [Reading("secret", (), model.secret)]

        return probe

    model = Small(Task(VOCABULARY, 8))
    model.secret = torch.tensor(1.0)
    assert check_registration("probes", plain("probes", build), model=model) == []
    (failure,) = check_registration("probes", plain("probes", build))
    assert "check_registration(…, model=…)" in failure.remedy


def test_a_probe_may_return_nan_if_its_summary_mentions_it():
    card = reading(lambda model, tokens: tokens[0] * math.nan)
    assert check_registration("probes", replace(card, summary="NaN where there is nothing to say.")) == []


def test_an_objective_is_tried_on_the_source_and_model_that_are_given():
    class Sums:
        vocabulary_size, context_length, examples = 5, 4, 9

        def rows(self, examples, seed):
            return {"numbers": np.add.outer(examples, np.arange(5)) % 5}

        def ordered(self):
            return self

    class Add(Next):
        def batch(self, source, examples, seed):
            rows = source.rows(examples, seed)["numbers"]
            return made(rows[:, :-1].copy(), rows[:, 1:].copy())

    model = Small(Task(5, 4))
    assert check_registration("objectives", plain("objectives", Add), source=Sums(), model=model) == []


# ---- broken cards

COUNT = [0]


def counted(config=None):
    COUNT[0] += 1
    return COUNT[0]


class Growing(ModelConfig):
    size: int = setting(3, help="A size.")

    @field_validator("size")
    @classmethod
    def _one_more(cls, value):
        return value + 1


def tokens_of(change, base=Bytes):
    """Return a byte tokenizer with some methods replaced."""
    return plain("tokenizers", type("Changed", (base,), change))


def objective(name, change, **attributes):
    """Next with one method replaced."""
    return plain("objectives", type("Changed", (Next,), {name: change, **attributes}))


def batch_with(change):
    """Next with what `change` makes of its batches."""

    def batch(self, source, examples, seed):
        return change(Next.batch(self, source, examples, seed))

    return objective("batch", batch)


def loss_with(change, **attributes):
    """Next with what `change` makes of its losses."""

    def loss(self, model, batch, carry=None):
        return change(Next.loss(self, model, batch, carry), batch)

    return objective("loss", loss, **attributes)


def drawn(self, source, examples, seed):
    rows = source.rows(examples, seed)["tokens"]
    targets = rows[:, 1:].copy()
    targets[np.random.default_rng(seed).random(targets.shape) < 0.2] = -1
    return made(np.maximum(rows[:, :-1], 0), targets)


def unfilled(self, source, examples, seed):
    rows = source.rows(examples, seed)["tokens"]
    return made(rows[:, :-1].copy(), rows[:, 1:].copy())


def masked(self, source, examples, seed):
    batch = Next.batch(self, source, examples, seed)
    batch.inputs["tokens"][:, 0] = self.symbol(source, "mask")
    return batch


def sign(**changes):
    """Sign with some methods replaced."""
    return card_of("optimizers", type("Changed", (Sign,), changes))


def first_group(self, closure=None):
    for parameter in self.param_groups[0]["params"]:
        if parameter.grad is not None:
            self.change(parameter, self.param_groups[0])


def needs_gradients(self, closure=None):
    for group in self.param_groups:
        torch.cat([parameter.grad.flatten() for parameter in group["params"]])
        for parameter in group["params"]:
            self.change(parameter, group)


def own_count(self, parameter, group):
    self.steps = getattr(self, "steps", 0) + 1
    parameter.sub_(group["lr"] * group["size"] / self.steps * parameter.grad)


def keeps_a_set(self, parameter, group):
    self.state[parameter]["seen"] = {1}
    Sign.change(self, parameter, group)


def own_rate(self, parameter, group):
    parameter.sub_(0.1 * group["size"] * parameter.grad)


def without_size(self, groups, config):
    torch.optim.Optimizer.__init__(self, groups, {"lr": 0.1})
    self.size = config.size


def change_without_size(self, parameter, group):
    parameter.sub_(group["lr"] * self.size * parameter.grad)


def without_decays(self, groups, config):
    own = [{"params": group["params"], "weight_decay": 0.1} for group in groups if group["params"]]
    Sign.__init__(self, own, config)


def all_in_one(self, groups, config):
    Sign.__init__(self, [{"params": groups[0]["params"], "decays": True}], config)


class Remembering:
    def __init__(self):
        self.calls = 0

    def __call__(self, step):
        self.calls += 1
        return 1 / self.calls


def in_place(config):
    def sampler(logits):
        logits[logits < 0] = -math.inf
        return logits

    return sampler


def sampler_of(function):
    return plain("samplers", lambda config: function)


def filter_of(function):
    return plain("filters", lambda config: function)


def appending(logits, histories):
    histories[0].append(0)
    return logits


def strategy_of(function, width=1):
    made = type("Made", (Chooser,), {"width": width, "next": lambda self, step: function(step)})
    return plain("strategies", lambda config: made())


def best(step, row=0):
    return int(step.filters(step.logits)[row].argmax())


def drawing(step):
    shares = step.filters(step.logits).softmax(dim=-1)
    return [Continuation(0, int(torch.multinomial(shares[0], 1)))]


def at_once(step):
    given_up = step.left == 1 and step.hypotheses[0].length == 0
    return [] if given_up else [Continuation(0, best(step))]


def probe_of(function):
    return plain("probes", lambda config: function)


def reading(values, axes=("token",), **given):
    """A probe that gives one reading."""
    return probe_of(lambda model, tokens: [Reading("mine", axes, values(model, tokens), **given)])


def training_mode(model, tokens):
    model.train()
    return confident(Sized())(model, tokens)


def with_gradients(model, tokens):
    if model.learns == "counting":
        raise BadInput("has no gradient")
    with torch.enable_grad():
        model.requires_grad_(True).score(tokens, tokens).sum().backward()
    return confident(Sized())(model, tokens)


def with_hook(model, tokens):
    model.register_forward_hook(lambda *_: None)
    return confident(Sized())(model, tokens)


def with_weights(model, tokens):
    for tensor in model.buffers():
        tensor.add_(1.0)
    for parameter in model.parameters():
        parameter.zero_()
    return confident(Sized())(model, tokens)


def with_draw(model, tokens):
    torch.rand(())
    return confident(Sized())(model, tokens)


def observer(base=RunObserver, **methods):
    """An observer with these methods."""
    kind = type("Mine", (base,), methods)
    return plain("observers", lambda config: kind())


def on_loss(self, step, values):
    self.last = values["train loss"]


def on_end(self, state, problem):
    return problem.what


async def waited(self, step, values): ...


def writes(self, step, values):
    values["mine"] = 1.0


SHARED = RunObserver()


# what is broken: the card, the checks that fail, what the first of them says
def adapter_of(**methods):
    """The card of Shift with other methods."""
    return card_of("adapters", type("Own", (Shift,), methods), merges=True)


def refuses(self, model):
    raise BadInput("does not fit", field="adapter.name")


def replaces(self, model):
    Shift.attach(self, model)
    model.shift = torch.nn.Parameter(torch.zeros(3))
    for module in model.modules():
        if isinstance(module, Shifted):
            module.inner = torch.nn.Linear(module.inner.in_features, module.inner.out_features)


def spoils(self, model):
    Shift.attach(self, model)
    for module in model.modules():
        if isinstance(module, Shifted):
            module.shift.data.fill_(math.nan)


def drops(self, model):
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, Shifted):
                setattr(parent, name, child.inner)


BROKEN = {
    "corpora": {
        "is a str": (plain("corpora", lambda config: TEXT), "contract", "the corpus gave a str"),
        "is blank": (plain("corpora", lambda config: Text(" ", "mine")), "contract", "nothing but white space"),
        "has a floor below 0": (
            plain("corpora", lambda config: Text(TEXT, "mine", floors={"rate": -1.0})),
            "contract",
            "the floor 'rate' is -1.0",
        ),
        "changes": (plain("corpora", lambda config: Text(f"{TEXT}{counted()}", "mine")), "same", "seeded by a setting"),
        "ignores its settings": (
            card_of("corpora", lambda config: Text(TEXT, "mine")),
            "settings",
            "none of its settings is ever read: size, learning_rate",
        ),
        "writes its settings": (
            card_of("corpora", lambda config: Text(TEXT, "mine", dropped=setattr(config, "size", 1) or 0)),
            "settings",
            "outside the config",
        ),
        "reads other settings than it stored": (
            card_of("corpora", lambda config: Text(TEXT * config.size, "mine"), config=Growing),
            "card",
            "the settings size come back changed",
        ),
    },
    "tokenizers": {
        "gives lists": (
            tokens_of({"encode": lambda self, text: list(text.encode())}),
            "contract",
            "Return np.array(numbers, np.int64)",
        ),
        "forgets": (
            plain("tokenizers", Bytes, load=lambda vocabulary: English()),
            "contract",
            "vocabulary_size of load(vocabulary()) differs",
        ),
        "is fitted anew each time": (
            tokens_of({"vocabulary": lambda self: {"at": counted()}}),
            "same",
            "sort the contents",
        ),
        "raises": (
            tokens_of({"encode": lambda self, text: Bytes.encode(self, text) if "☃" not in text else {}["☃"]}),
            "unknown",
            "raise BadInput",
        ),
        "gives other numbers": (
            tokens_of({"encode": lambda self, text: Bytes.encode(self, text) - 300 * ("☃" in text)}),
            "unknown",
            "a special symbol of the vocabulary",
        ),
        "decodes text alone": (
            tokens_of({"decode": lambda self, tokens: bytes(int(token) for token in tokens).decode()}),
            "symbols",
            "U+FFFD",
        ),
        "decodes arrays alone": (
            tokens_of({"decode": lambda self, tokens: tokens.astype(np.uint8).tobytes().decode(errors="replace")}),
            "symbols",
            "a list of int alike",
        ),
        "makes nothing floats": (
            tokens_of({"encode": lambda self, text: np.array(list(text.encode()))}),
            "symbols",
            'encode("") returns array([], dtype=float64)',
        ),
    },
    "objectives": {
        "is none": (plain("objectives", lambda config: print), "contract", "subclass of lab.api.Objective"),
        "makes no batch": (batch_with(lambda batch: batch.inputs), "contract", "return a lab.api.Batch"),
        "weighs all": (
            batch_with(lambda batch: replace(batch, weight=batch.targets.numel())),
            "contract",
            "the number of scored targets",
        ),
        "reads the padding": (objective("batch", unfilled), "contract", "np.maximum(rows, 0)"),
        "has a symbol too many": (
            objective("batch", masked, symbols=("mask",), task=lambda self, source: Task(source.vocabulary_size, 8)),
            "contract",
            "add one symbol to Task.vocabulary_size",
        ),
        "numbers a symbol that it does not name": (
            batch_with(lambda batch: replace(batch, inputs={"tokens": batch.inputs["tokens"] + 1})),
            "contract",
            "a token of the batch of training is 17, and the task has 17 symbols",
        ),
        "has a task for less": (
            objective("task", lambda self, source: Task(source.vocabulary_size, 4)),
            "contract",
            "has 8 tokens, and the context of the task is 4",
        ),
        "has float targets": (
            batch_with(lambda batch: replace(batch, targets=batch.targets.float())),
            "contract",
            "return targets as int64",
        ),
        "scores nothing": (
            batch_with(lambda batch: replace(batch, targets=batch.targets * 0 - 1, weight=0)),
            "contract",
            "score at least one target",
        ),
        "names its tokens otherwise": (
            batch_with(lambda batch: replace(batch, inputs={"text": batch.inputs["tokens"]})),
            "contract",
            "start with 'text'",
        ),
        "draws by place": (objective("batch", drawn), "rows sums", "lab.api.uniforms"),
        "gives a number": (loss_with(lambda loss, batch: loss.nats.mean()), "loss", "return a lab.api.Loss"),
        "gives a mean": (loss_with(lambda loss, batch: replace(loss, nats=loss.nats.mean())), "loss", "each target"),
        "gives NaN": (loss_with(lambda loss, batch: replace(loss, nats=loss.nats * math.nan)), "loss", "not finite"),
        "scores the padding": (
            loss_with(lambda loss, batch: replace(loss, nats=loss.nats + 1.0)),
            "loss",
            "nats * (targets >= 0)",
        ),
        "detaches": (loss_with(lambda loss, batch: replace(loss, nats=loss.nats.detach())), "loss", "without detach"),
        "calls a metric loss": (
            loss_with(lambda loss, batch: replace(loss, metrics={"loss": (1.0, 1)})),
            "loss",
            "another name",
        ),
        "gives a metric alone": (
            loss_with(lambda loss, batch: replace(loss, metrics={"hits": 0.5})),
            "loss",
            "pairs (sum, count)",
        ),
        "gives a metric with its graph": (
            loss_with(lambda loss, batch: replace(loss, metrics={"hits": (loss.nats.sum(), 1)})),
            "loss",
            "the sum detached",
        ),
        "gives a metric as mean": (
            loss_with(lambda loss, batch: replace(loss, metrics={"hits": (torch.tensor(0.5), batch.weight)})),
            "sums",
            "not a mean",
        ),
        "weighs rows by the batch": (
            loss_with(lambda loss, batch: replace(loss, nats=loss.nats / len(loss.nats))),
            "sums",
            "from that row alone",
        ),
        "carries in secret": (
            loss_with(lambda loss, batch: replace(loss, carry=torch.zeros(1))),
            "carry",
            "carries = True",
        ),
        "carries nothing": (
            loss_with(lambda loss, batch: loss, carries=True),
            "carry",
            "if and only if loss returns a carry",
        ),
        "carries the graph": (
            loss_with(lambda loss, batch: replace(loss, carry=loss.nats), carries=True),
            "carry",
            "detach_state",
        ),
    },
    "optimizers": {
        "is none": (card_of("optimizers", lambda *_: print), "contract", "torch.optim.Optimizer"),
        "steps over one group": (sign(step=first_group), "contract", "all of self.param_groups"),
        "drops a group": (sign(__init__=all_in_one), "contract", "pass all groups on unchanged"),
        "drops what stands in groups": (sign(__init__=without_decays), "contract", "{**group, …}"),
        "steps to NaN": (
            sign(change=lambda self, parameter, group: parameter.mul_(math.nan) if group["size"] else None),
            "contract",
            "is not finite",
        ),
        "has its own rate": (sign(change=own_rate), "rate", 'group["lr"]'),
        "needs every gradient": (sign(step=needs_gradients), "gaps", "skip parameters whose grad is None"),
        "keeps its count to itself": (sign(change=own_count), "state", "self.state[parameter]"),
        "keeps a set": (sign(change=keeps_a_set), "state", "tensors, numbers"),
        "copies a live setting": (
            sign(__init__=without_size, change=change_without_size),
            "live",
            "put size into the groups",
        ),
        "adds to its decay": (
            with_own(weight_decay=lambda config: config.weight_decay + 0.1),
            "live",
            "a multiple of config.weight_decay",
        ),
        "has half the momentum": (
            with_own(momentum=lambda config: config.momentum / 2),
            "live",
            "leave momentum out of the groups",
        ),
    },
    "schedules": {
        "is a number": (plain("schedules", lambda config, steps: 1.0), "contract", "return a function step -> factor"),
        "divides by the steps": (
            plain("schedules", lambda config, steps: lambda step: 1 - step / steps),
            "contract",
            "max(1, …)",
        ),
        "falls below 0": (
            plain("schedules", lambda config, steps: lambda step: 1 - 2 * step / max(1, steps)),
            "contract",
            "the factor of step 1 of 1 is -1.0",
        ),
        "gives a tensor": (
            plain("schedules", lambda config, steps: lambda step: torch.tensor(1.0)),
            "contract",
            "return a float",
        ),
        "remembers": (plain("schedules", lambda config, steps: Remembering()), "pure", "only from step and config"),
        "ignores its settings": (
            card_of("schedules", lambda config, steps: lambda step: 1.0),
            "settings",
            "pass the config",
        ),
    },
    "samplers": {
        "is none": (plain("samplers", lambda config: 3), "contract", "return a function of logits"),
        "draws": (sampler_of(lambda logits: logits.argmax(dim=-1)), "contract", "not probabilities or a token"),
        "writes": (plain("samplers", in_place), "contract", "masked_fill instead of"),
        "takes all away": (
            sampler_of(lambda logits: logits.masked_fill(logits < 1, -math.inf)),
            "contract",
            "no token is left",
        ),
        "gives NaN": (
            sampler_of(lambda logits: logits - logits.amax(dim=-1, keepdim=True) * math.inf),
            "contract",
            "NaN",
        ),
        "adds noise": (sampler_of(lambda logits: logits + torch.rand(())), "pure rows", "store nothing"),
        "wastes a draw": (sampler_of(lambda logits: logits + 0 * torch.rand(())), "pure", "the lab draws the token"),
        "looks at all rows": (sampler_of(lambda logits: logits / logits[3].max()), "rows", "dim=-1"),
        "copies a live setting": (
            card_of("samplers", lambda config: cut(config.model_copy())),
            "live",
            "read config.size inside",
        ),
    },
    "filters": {
        "is none": (plain("filters", lambda config: 3), "contract", "return a function of (logits (H, V), histories)"),
        "takes all away": (filter_of(lambda logits, _: logits - math.inf), "contract", "no token is left"),
        "brings back": (filter_of(lambda logits, _: logits.nan_to_num(neginf=-5.0)), "removed", "stays −inf"),
        "adds noise": (filter_of(lambda logits, _: logits + torch.rand(())), "pure rows", "store nothing"),
        "writes into the text": (filter_of(appending), "histories", "list(history)"),
        "looks at all rows": (filter_of(lambda logits, _: logits - logits[-1].max()), "rows", "dim=-1"),
        "copies a live setting": (
            card_of("filters", lambda config: fading(config.model_copy())),
            "live",
            "read config.size inside",
        ),
    },
    "strategies": {
        "is none": (plain("strategies", lambda config: 3), "contract", "return a lab.api.Chooser"),
        "keeps none": (
            strategy_of(lambda step: [Continuation(0, best(step))], width=0),
            "contract",
            "set the attribute",
        ),
        "takes what is removed": (strategy_of(lambda step: [Continuation(0, 1)]), "contract", "step.filters"),
        "takes what is not there": (strategy_of(lambda step: [Continuation(1, 0)]), "contract", "choose from 1"),
        "keeps too many": (
            strategy_of(lambda step: [Continuation(0, 0), Continuation(0, 2)]),
            "contract",
            "at most `width`",
        ),
        "gives up": (strategy_of(at_once), "ends", "gives up every hypothesis"),
        "draws by itself": (strategy_of(drawing), "seeded", "step.generator"),
    },
    "probes": {
        "is none": (plain("probes", lambda config: 3), "contract", "return a function (model, tokens (1, T))"),
        "gives a number": (probe_of(lambda model, tokens: 3.0), "contract", "a list of lab.api.Reading"),
        "has strange axes": (
            reading(lambda model, tokens: model(tokens)[0], ("time", "vocabulary")),
            "contract",
            "'time'",
        ),
        "has too few axes": (reading(lambda model, tokens: model(tokens)[0]), "contract", "one axis per dimension"),
        "leaves out a token": (
            reading(lambda model, tokens: model(tokens)[0, 1:, 0]),
            "contract",
            "one index per token",
        ),
        "gives NaN": (reading(lambda model, tokens: tokens[0] * math.nan), "contract", "in the card's summary"),
        "gives names": (reading(lambda model, tokens: np.array(["a"] * tokens.shape[1])), "contract", "real numbers"),
        "names two alike": (
            probe_of(lambda model, tokens: 2 * [Reading("mine", ("token",), tokens[0])]),
            "contract",
            "two readings called 'mine'",
        ),
        "reads nothing": (probe_of(lambda model, tokens: []), "contract", "it has no readings"),
        "fails on counts": (reading(lambda model, tokens: model.output(tokens)), "contract", "raise BadInput"),
        "leaves it training": (probe_of(training_mode), "pure", "the mode (train or eval)"),
        "leaves gradients": (probe_of(with_gradients), "pure", "the gradients of its parameters"),
        "leaves a hook": (probe_of(with_hook), "pure", "the hooks of its modules"),
        "changes weights": (probe_of(with_weights), "pure", "the weights"),
        "draws": (probe_of(with_draw), "pure", "torch's default generator"),
        "remembers": (reading(lambda model, tokens: tokens[0] * counted()), "pure", "twice gives different readings"),
    },
    "observers": {
        "lacks methods": (observer(object, started=RunObserver.started), "contract", "has no method stepped"),
        "is misnamed": (observer(step=on_loss), "contract", "did you mean stepped?"),
        "is misnamed altogether": (observer(finished=on_end), "contract", "did you mean ended?"),
        "has a method of its own": (observer(save=on_loss), "contract", "_save"),
        "takes too little": (observer(ended=lambda self, state: None), "contract", "def ended(self, state, problem)"),
        "waits": (observer(stepped=waited), "contract", "not async def"),
        "expects values": (observer(stepped=on_loss), "life", 'values.get("train loss")'),
        "expects a problem": (observer(ended=on_end), "life", "AttributeError"),
        "writes into what it hears": (observer(evaluated=writes), "life", "change a copy"),
        "is shared": (plain("observers", lambda config: SHARED), "apart", "lambda config: Mine(config)"),
        "ignores its settings": (card_of("observers", lambda config: RunObserver()), "settings", "size, learning_rate"),
    },
    "interventions": {
        "finds nothing": (
            intervention_of(targets=lambda model, tokens: []),
            "contract",
            "check_registration(…, model=…)",
        ),
        "names two alike": (intervention_of(targets=lambda model, tokens: ["1", "1"]), "contract", "unique texts"),
        "names a list": (intervention_of(targets=lambda model, tokens: ["1,2"]), "contract", "without commas"),
        "is no context": (intervention_of(lambda *_: 3), "contract", "return a context manager"),
        "does nothing": (
            intervention_of(lambda *_: contextlib.nullcontext()),
            "contract",
            "computes the same inside the context",
        ),
        "stays after an error": (intervention_of(unguarded), "reversible", "restore everything in `finally`"),
    },
    "rules": {
        "is none": (plain("rules", lambda config: 3), "contract", "return a function (record)"),
        "finds words": (plain("rules", lambda config: lambda record: ["bad"]), "contract", "a list of lab.api.Finding"),
        "needs a series": (
            plain("rules", lambda config: lambda record: [record.series["train loss"]][:0]),
            "contract",
            "where a series that it needs is missing",
        ),
    },
    "adapters": {
        "is none": (plain("adapters", lambda config: 3), "contract", "return a lab.api.ModelAdapter"),
        "refuses all": (adapter_of(attach=refuses), "contract", "raise BadInput only for unsupported models"),
        "adds nothing": (adapter_of(attach=lambda self, model: None), "contract", "add nn.Parameters"),
        "takes a matrix away": (adapter_of(attach=replaces), "contract", "leave the model's own parameters in it"),
        "gives no number": (adapter_of(attach=spoils), "contract", "begin with finite numbers"),
        "forgets to merge": (adapter_of(merge=ModelAdapter.merge), "merges", "leave merges out of the card"),
        "stays after merging": (adapter_of(merge=lambda self, model: None), "merges", "remove it"),
        "merges wrongly": (adapter_of(merge=drops), "merges", "fold what was added into the weights"),
    },
    "checkpoint_formats": {
        "is none": (format_of(lambda: 3), "contract", "subclass of lab.api.Converter"),
        "is of no architecture": (format_of(architecture="nowhere"), "contract", "of this plugin or of the lab"),
        "writes nothing": (format_of(config=writes_nothing), "contract", "check_registration(…"),
        "writes no vocabulary": (format_of(config=without("vocab_size")), "contract", "let config write vocab_size"),
        "writes a set": (
            format_of(config=lambda self, *given: {**Own.config(self, *given), "width": {16}}),
            "contract",
            "a table of JSON types",
        ),
        "drops a setting": (
            format_of(config=without("peephole")),
            "same",
            "raise BadInput for what no key can express",
        ),
        "reads another setting": (format_of(settings=halved), "same", "the settings dropout of a model"),
        "misses a table": (
            format_of(tables=lambda self, *given: dict(list(Own.tables(self, *given).items())[1:])),
            "same",
            "let tables be the inverse of tensors",
        ),
        "gives other numbers": (
            format_of(tables=lambda self, *given: {name: 2 * x for name, x in Own.tables(self, *given).items()}),
            "same",
            "they differ by",
        ),
        "gives tensors turned": (format_of(tensors=each(lambda x: x.mT if x.ndim > 1 else x)), "same", ".contiguous()"),
        "writes into the tables": (format_of(tensors=each(lambda x: x.neg_())), "pure", "clone()"),
        "writes into the config": (format_of(settings=popped), "pure", "dict(config)"),
    },
    "views": {
        "has no axes": (replace(SOUND["views"], axes=()), "card", "are not axes of a reading"),
        "is of a batch": (replace(SOUND["views"], axes=("batch", "token")), "card", "each once"),
    },
}


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, cards in BROKEN.items() for name in cards])
def test_exactly_the_broken_checks_fail_and_name_what_to_change(kind, name):
    card, expected, words = BROKEN[kind][name]
    failures = {failure.check: failure for failure in check_registration(kind, card)}
    assert sorted(failures) == sorted(expected.split())
    assert words in str(failures[expected.split()[0]])


def test_every_check_is_broken_by_some_card():
    for kind in KINDS:
        broken = {check for _, expected, _ in BROKEN[kind].values() for check in expected.split()}
        assert {check.name for check in registration_checks(kind)} - broken <= {"card", "settings"}

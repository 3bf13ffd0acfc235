"""Tiny models of every kind, experiments made of them by hand, and trainings that record what they do."""

import copy
import threading
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

from lab.api import Architecture, ModelConfig, StackConfig, setting
from lab.base.notices import listen
from lab.layers import Attention, LanguageModel, ResidualStack, TokenMixer
from lab.recipes import Readings, Recipe, Training
from lab.text.streams import TokenSource
from lab.training import objectives
from lab.training.builtins import lab_register_objectives
from lab.training.devices import placement_of
from lab.training.experiment import Experiment
from lab.training.optimizers.builtins import lab_register_optimizers
from lab.training.recording.log import NoLog
from lab.training.resolution import Resolved
from lab.training.schedules.builtins import lab_register_schedules
from lab.training.trainer import Trainer
from lab_ngram import NgramConfig
from lab_ngram.model import NgramModel

torch.set_num_threads(1)

V = 11  # symbols of the text
T = 12  # tokens of a window


# ---- models: B batch, T tokens, C channels ----


class Gate(ModelConfig):
    """A nested config with a live field."""

    openness: float = setting(1.0, ge=0, le=2, live=True, help="How much of the state is let through.")


class TinyConfig(StackConfig):
    """One narrow layer."""

    layers: int = setting(1, ge=1, help="Blocks.")
    width: int = setting(16, ge=1, help="Channels.")
    gate: Gate = setting(Gate(), help="Of the recurrent model.")


def transformer(config, task):
    """Attention and feed-forward; bidirectional where the task is not causal."""
    return ResidualStack(config, task, token_mixer=lambda slot: Attention(slot, heads=2), positions="learned")


class Neighbours(TokenMixer):
    """Each token reads the one on its left and the one on its right."""

    def __init__(self, slot):
        super().__init__()
        self.mix = nn.Linear(2 * slot.width, slot.width)

    def forward(self, x):
        padded = nn.functional.pad(x, (0, 0, 1, 1))
        return self.mix(torch.cat([padded[:, :-2], padded[:, 2:]], dim=-1))


def bidirectional(config, task):
    """A stack of Neighbours, for tasks that are not causal."""
    return ResidualStack(config, task, token_mixer=Neighbours)


class Recurrent(LanguageModel):
    """A GRU cell between an embedding and a head; its state is (B, C)."""

    def __init__(self, config, task):
        super().__init__(config, task)
        self.embedding = nn.Embedding(task.vocabulary_size, config.width)
        self.cell = nn.GRUCell(config.width, config.width)
        self.dropout = nn.Dropout(config.dropout)
        self.output = nn.Linear(config.width, task.vocabulary_size)

    def start(self, batch, **given):
        return {"hidden": self.output.weight.new_zeros(batch, self.config.width), "read": 0}

    def step(self, tokens, state):
        hidden = self.cell(self.dropout(self.embedding(tokens)), state["hidden"])
        return self.output(hidden * self.config.gate.openness), {"hidden": hidden, "read": state["read"] + 1}


class FusedRecurrent(LanguageModel):
    """Two layers in one nn.LSTM."""

    def __init__(self, config, task):
        super().__init__(config, task)
        self.embedding = nn.Embedding(task.vocabulary_size, config.width)
        self.rnn = nn.LSTM(config.width, config.width, num_layers=2, batch_first=True)
        self.output = nn.Linear(config.width, task.vocabulary_size)

    def forward(self, tokens, **given):
        return self.output(self.rnn(self.embedding(tokens))[0])


class EncoderDecoder(LanguageModel):
    """Two GRUs and attention over what the encoder read; the encoder's output lives in the state."""

    def __init__(self, config, task):
        super().__init__(config, task)
        C = config.width
        self.source_embedding = nn.Embedding(task.source_vocabulary_size, C)
        self.encoder = nn.GRU(C, C, batch_first=True)
        self.embedding = nn.Embedding(task.vocabulary_size, C)
        self.cell = nn.GRUCell(2 * C, C)
        self.positions = nn.Parameter(torch.randn(32, C) * 0.3)  # of the source's tokens
        self.output = nn.Linear(2 * C, task.vocabulary_size)

    def start(self, batch, *, source, source_mask):
        read = self.source_embedding(source) + self.positions[: source.shape[1]]
        memory, _ = self.encoder(read)
        mean = (memory * source_mask[..., None]).sum(dim=1) / source_mask.sum(dim=1, keepdim=True)
        return {"memory": memory, "mask": source_mask, "hidden": mean, "seen": mean}

    def step(self, tokens, state):
        hidden = self.cell(torch.cat([self.embedding(tokens), state["seen"]], dim=-1), state["hidden"])
        scores = torch.einsum("bc,btc->bt", hidden, state["memory"])
        weights = scores.masked_fill(~state["mask"], -torch.inf).softmax(dim=-1)
        seen = torch.einsum("bt,btc->bc", weights, state["memory"])
        return self.output(torch.cat([hidden, seen], dim=-1)), {**state, "hidden": hidden, "seen": seen}


class Patches(ResidualStack):
    """A classifier of patches: (B, positions, channels) -> (B, classes)."""

    def __init__(self, config, task):
        super().__init__(config, task, token_mixer=lambda slot: Attention(slot, heads=2))
        positions, channels = task.input_shape
        self.patch = nn.Linear(channels, config.width)
        self.positions = nn.Parameter(torch.zeros(positions, config.width))

    def embed(self, inputs, position=0):
        return self.patch(inputs) + self.positions


class Memory(TokenMixer):
    """A decaying average with a part that decay must spare."""

    no_decay = ("mix",)

    def __init__(self, slot):
        super().__init__()
        self.decay = nn.Parameter(torch.linspace(-2, 2, slot.width))
        self.mix = nn.Parameter(torch.eye(slot.width))

    def start(self, batch):
        return self.decay.new_zeros(batch, len(self.decay))

    def step(self, x, state):
        share = self.decay.sigmoid()
        state = share * state + (1 - share) * x
        return state @ self.mix, state


def memory(config, task):
    """A stack of Memory."""
    return ResidualStack(config, task, token_mixer=Memory)


MODELS = {
    "transformer": (transformer, TinyConfig),
    "bidirectional": (bidirectional, TinyConfig),
    "recurrent": (Recurrent, TinyConfig),
    "fused": (FusedRecurrent, TinyConfig),
    "encoder-decoder": (EncoderDecoder, TinyConfig),
    "patches": (Patches, TinyConfig),
    "memory": (memory, TinyConfig),
    "n-gram": (NgramModel, NgramConfig),
}

OBJECTIVES = {
    "causal": objectives.Causal,
    "carried": objectives.Carried,
    "masked": objectives.Masked,
    "sequence-to-sequence": objectives.SequenceToSequence,
    "classification": objectives.Classification,
}


# ---- sources ----


def walk(length, seed=0, V=V):
    """(N,) tokens of a text in which each symbol has one likely successor, so that there is something to learn."""
    draws = np.random.default_rng(seed)
    tokens = np.zeros(length, np.int64)
    for i in range(1, length):
        tokens[i] = (3 * tokens[i - 1] + 1) % V if draws.random() < 0.9 else draws.integers(V)
    return tokens


class OneByte:
    """A tokenizer of the first letters: one byte per symbol."""

    vocabulary_size = V

    def encode(self, text):
        return np.frombuffer(text.encode(), np.uint8).astype(np.int64) - ord("a")

    def decode(self, tokens):
        return "".join(chr(ord("a") + int(token)) for token in tokens)

    def sizes(self):
        return np.ones(V, np.int64)


# ---- experiments ----

OF_SCHEDULE = ("warmup", "floor", "cycle_momentum", "factor", "wait", "threshold")
"""Settings of schedules; `experiment` takes all others that it does not know as those of the optimizer."""


@pytest.fixture
def tokens():
    """Return a function that makes a learnable text of N tokens of 11 symbols."""
    return walk


@pytest.fixture
def source():
    """Return a function that makes a source of text windows."""

    def source(length=2000, order="crops", lanes=1, seed=0, context_length=T):
        return TokenSource(walk(length, seed), V, context_length, order, lanes)

    return source


@pytest.fixture
def card():
    """One of the lab's own optimizers or schedules, picked with settings."""
    cards = {}
    for register in (lab_register_objectives, lab_register_optimizers, lab_register_schedules):
        register(lambda card: cards.__setitem__(card.name, card))

    def card(name, **settings):
        return Resolved(cards[name], cards[name].config.read(settings), "lab.training.builtins", "training")

    return card


@pytest.fixture
def experiment(card, source):
    """Return a function that makes an experiment of a model (by name or factory), objective, source and settings."""

    def experiment(
        build="transformer",
        *,
        objective="causal",
        config=None,
        train=None,
        validation=None,
        optimizer="adamw",
        schedule="constant",
        tokenizer=None,
        readings=None,
        plugin="a-plugin",
        **settings,
    ):
        if isinstance(objective, str):
            objective = OBJECTIVES[objective]()
        factory, config_type = MODELS.get(build, (build, TinyConfig)) if isinstance(build, str) else (build, TinyConfig)
        picked = {
            "steps": 8, "batch_size": 8, "context_length": T, "device": "cpu", "threads": 1, "evaluate_every": 0,
            "sample_tokens": 0, **{name: value for name, value in settings.items() if name in Training.model_fields},
        }  # fmt: skip
        of_optimizer = {name: value for name, value in settings.items() if name not in picked}
        of_schedule = {name: of_optimizer.pop(name) for name in OF_SCHEDULE if name in of_optimizer}
        training = Training.read(picked)
        carries = objective.carries
        return Experiment(
            recipe=Recipe(training=training, readings=Readings(**(readings or {"tokens": 0}))),
            architecture=Resolved(
                Architecture("tiny", "Tiny", "tests", "For tests.", config=config_type, build=factory),
                config_type.read(config or {}),
                plugin,
                "architecture",
            ),
            objective=objective,
            train=train or source(order="lanes" if carries else "crops", lanes=training.batch_size if carries else 1),
            validation=validation,
            placement=placement_of(training),
            optimizer=card(optimizer, **{"learning_rate": 0.01, **of_optimizer}),
            schedule=card(schedule, **of_schedule),
            tokenizer=tokenizer,
        )

    return experiment


@pytest.fixture
def tokenizer():
    """A tokenizer of the text's symbols."""
    return OneByte()


# ---- trainings ----


class EventLog(NoLog):
    """Keeps what a training logs."""

    def __init__(self):
        self.events, self.samples, self.snapshots, self.written = [], [], [], []

    def event(self, kind, step, **details):
        self.events.append({"event": kind, "step": step, **details})

    def sample(self, step, text):
        self.samples.append((step, text))

    def readings(self, step, readings, sample):
        self.snapshots.append((step, list(readings)))
        self.written.append((step, sample))

    def of(self, kind):
        return [event for event in self.events if event["event"] == kind]


class RecordedTraining:
    """A trainer, its log, and everything it wrote into its ring."""

    def __init__(self, experiment, **given):
        self.log = given.pop("log", None) or EventLog()
        self.trainer = Trainer(experiment, log=self.log, **given)
        self._reader = self.trainer.ring.reader()
        self._series = {}

    @property
    def series(self):
        """{name: {step: value}} so far."""
        rows = self._reader.take()
        assert not rows.missed
        names = self.trainer.ring.names
        for step, number, value in zip(rows.steps.tolist(), rows.series.tolist(), rows.values.tolist(), strict=True):
            series = self._series.setdefault(names[number], {})
            assert step not in series, f"{names[number]} was told twice at step {step}"
            series[step] = value
        return self._series

    def values(self, name):
        return list(self.series.get(name, {}).values())

    @property
    def losses(self):
        return self.values("train loss")

    @property
    def exact(self):
        """Everything that must be equal bit for bit between trainings that are the same."""
        recorded = {n: s for n, s in self.series.items() if n.startswith(("train", "gradient", "learning", "tokens"))}
        recorded.pop("tokens per second", None)
        return recorded

    def weights(self):
        return {name: tensor.clone() for name, tensor in self.trainer.model.tables().items()}

    def run(self):
        self.trainer.run()
        return self


@pytest.fixture
def trained():
    """Train an experiment to its end or failure, and return the recorded training."""
    return lambda experiment, **given: RecordedTraining(experiment, **given).run()


@pytest.fixture
def training():
    """The class of a recorded training that has not started."""
    return RecordedTraining


@pytest.fixture
def start():
    """Return a function that runs a training in its own thread, which is stopped at the end of the test."""
    running = []

    def start(recorded):
        thread = threading.Thread(target=recorded.trainer.run)
        running.append((recorded, thread))
        thread.start()
        recorded.ended = lambda seconds=20: (thread.join(seconds), not thread.is_alive())[1]
        return recorded

    yield start
    for recorded, thread in running:
        recorded.trainer.control.stop()
        thread.join(20)


@pytest.fixture
def at_step():
    """An observer that does something after given steps, in the training thread."""

    def at_step(actions):
        return ("a-test", Acting(actions))

    return at_step


class Acting:
    def __init__(self, actions):
        self.actions = dict(actions)

    def started(self, run, recipe=None): ...

    def evaluated(self, step, values): ...

    def ended(self, state, problem): ...

    def stepped(self, step, values):
        if step in self.actions:
            self.actions[step]()


@pytest.fixture
def same():
    """Assert that two sets of tensors are equal bit for bit."""

    def same(one, other):
        assert one.keys() == other.keys()
        for name, tensor in one.items():
            assert torch.equal(tensor, other[name]), name

    return same


@pytest.fixture
def notices():
    """The notices that the test gave."""
    reported = []
    end = listen(reported.append)
    yield reported
    end()


@pytest.fixture
def models():
    """The tiny models' classes, for tests that make one without an experiment."""
    return SimpleNamespace(
        **{name.replace("-", "_"): factory for name, (factory, _) in MODELS.items()}, Config=TinyConfig
    )


@pytest.fixture
def saved_state():
    """Return copies of what a checkpoint of a trainer holds."""

    def saved_state(trainer):
        tensors, facts = trainer.state_dict()
        return (
            {name: tensor.clone() for name, tensor in trainer.model.tables().items()},
            {name: tensor.clone() for name, tensor in tensors.items()},
            copy.deepcopy(facts),
        )

    return saved_state

"""A plugin that raises, wherever it does: status 1, the plugin named, one line, and the lab goes on without it."""

from pathlib import Path

import pytest

from lab.api import HOOKS

MINE = """
    import torch
    from lab.api import Architecture, Corpus, ModelConfig, Observer, Probe, RunObserver, Text, Tokenization
    from lab.api import hookimpl, setting
    from lab.layers import LanguageModel

    class Config(ModelConfig):
        width: int = setting(4, ge=1, help="Channels.")

    class Model(LanguageModel):
        def __init__(self, config, task):
            super().__init__(config, task)
            if {build}: raise RuntimeError("it rained")
            self.read = torch.nn.Embedding(task.vocabulary_size, config.width)
            self.say = torch.nn.Linear(config.width, task.vocabulary_size)

        def start(self, batch):
            return torch.zeros(batch)

        def extend(self, tokens, state, last=None):
            if {extend} and not self.read.weight.is_meta: raise RuntimeError("it rained")
            return self.say(self.read(tokens))[:, -(last or tokens.shape[1]):], state

        def forward(self, tokens):
            if {forward}: raise RuntimeError("it rained")
            return self.say(self.read(tokens))

        def score(self, tokens, targets):
            if {score}: raise RuntimeError("it rained")
            return super().score(tokens, targets)

        def load_tables(self, tables):
            if {load}: raise RuntimeError("it rained")
            super().load_tables(tables)

    @hookimpl
    def lab_register_architectures(register):
        register(Architecture("mine", "Mine", "own", "Own.", config=Config, build=Model))
"""
PLACES = ("build", "extend", "forward", "score", "load")
OPTIONS = ("--enable", "mine", "--architecture", "mine")


@pytest.fixture
def raises(plugin):
    """Write the plugin `mine` so that it raises in one place."""

    def raises(place=None):
        plugin("mine", MINE.format(**{name: name == place for name in PLACES}))

    return raises


def assert_blamed(ended, words="it rained", plugin="mine"):
    """Check that a command failed in one line that names the plugin."""
    assert ended.code == 1, ended
    assert f"plugin {plugin}: " in ended.problem
    assert words in ended.problem


@pytest.mark.parametrize(
    ("place", "words"),
    [("build", "Building Mine failed"), ("score", "Step 1 failed"), ("forward", "Step 1 failed")],
)
def test_training_ends_with_the_plugins_name(train, raises, place, words):
    raises(place)
    ended = train(*OPTIONS, "--set", "readings.tokens=0", architecture=())
    assert_blamed(ended, words)


def test_a_model_that_raises_while_it_is_probed_is_blamed_and_not_the_probe(train, raises, lm_lab):
    raises("forward")
    ended = train(*OPTIONS, architecture=())
    assert ended.code == 1
    assert "plugin mine: Probing the model failed: RuntimeError: it rained" in ended.err
    assert "lab.diagnostics" not in ended.err


def test_evaluating_and_generating_end_with_the_plugins_name(train, raises, lm_lab):
    raises()
    assert train(*OPTIONS, architecture=()).code == 0
    for place, words in (("build", "Building"), ("forward", "Evaluating"), ("load", "Loading")):
        raises(place)
        assert_blamed(lm_lab("evaluate", "run", "--enable", "mine"), words)
    for place, words in (("build", "Building"), ("extend", "Writing"), ("load", "Loading")):
        raises(place)
        assert_blamed(lm_lab("generate", "run", "--enable", "mine", "--prompt", "the"), words)


def test_a_run_whose_plugin_is_off_is_refused_with_plugins_that_may_provide_it(train, raises, lm_lab):
    raises()
    train(*OPTIONS, architecture=())
    ended = lm_lab("evaluate", "run")
    assert ended.code == 2
    assert "architecture.name = mine: there is no such architecture" in ended.problem
    assert "mine: off" in ended.problem


def test_a_plugin_that_raises_at_its_import_stops_nothing_else(train, plugin):
    plugin("mine", "raise RuntimeError('it rained')")
    ended = train("--enable", "mine")
    assert ended.code == 0
    assert "plugin mine: its import failed: RuntimeError: it rained" in ended.problem
    assert Path("run/run.json").is_file()


@pytest.mark.short("architectures", "corpora", "filters", "commands")
@pytest.mark.parametrize("kind", HOOKS)
def test_a_plugin_that_raises_in_a_hook_stops_nothing_else(train, plugin, kind):
    plugin(
        "mine",
        f"""
        from lab.api import hookimpl

        @hookimpl
        def lab_register_{kind}(register):
            raise RuntimeError("it rained")
        """,
    )
    ended = train("--enable", "mine", steps=1)
    assert ended.code == 0
    assert f"plugin mine: lab_register_{kind} failed: RuntimeError: it rained" in ended.problem


def test_an_architecture_of_a_failed_plugin_is_refused_with_both_problems(train, plugin):
    plugin("mine", "raise RuntimeError('it rained')")
    ended = train("--enable", "mine", "--architecture", "mine", architecture=())
    assert ended.code == 2
    assert "its import failed: RuntimeError: it rained" in ended.err
    assert "mine: failed" in ended.err


PARTS = """
    from lab.api import Corpus, Text, Tokenization, hookimpl

    def read(config):
        {corpus}

    class Words:
        vocabulary_size = 300

        def encode(self, text):
            {encode}
            import numpy
            return numpy.frombuffer(text.encode(), "u1").astype("i8")

        def decode(self, tokens):
            {decode}
            return bytes(token % 256 for token in tokens).decode(errors="replace")

        def label(self, token):
            return str(token)

        def sizes(self):
            import numpy
            return numpy.ones(300, "i8")

        def vocabulary(self):
            return {{}}

    def fit(config, text):
        {fit}
        return Words()

    def load(vocabulary):
        {load}
        return Words()

    @hookimpl
    def lab_register_corpora(register):
        register(Corpus("story", "Story", read))

    @hookimpl
    def lab_register_tokenizers(register):
        register(Tokenization("words", "Words", fit, load=load))
"""
RAIN = 'raise RuntimeError("it rained")'


@pytest.fixture
def parts(plugin):
    """Write a plugin with a corpus `story` and a tokenizer `words`, some of it as given."""

    def parts(**given):
        usual = dict.fromkeys(("encode", "decode", "fit", "load"), "pass")
        usual["corpus"] = 'return Text("once upon a time " * 50, "story")'
        plugin("mine", PARTS.format(**usual | given))

    return parts


WITH_PARTS = ("--enable", "mine", "--corpus", "story", "--tokenizer", "words")


def test_a_corpus_and_a_tokenizer_of_a_third_party_are_trained_evaluated_and_written_with(train, parts, lm_lab):
    parts()
    assert train(*WITH_PARTS).code == 0
    assert lm_lab("evaluate", "run", "--enable", "mine").code == 0
    assert lm_lab("generate", "run", "--enable", "mine", "--prompt", "once").code == 0


@pytest.mark.parametrize(
    ("faults", "words"),
    [
        ({"corpus": RAIN}, "Story failed: RuntimeError: it rained"),
        ({"corpus": "return 'a text alone'"}, "the corpus gave a str"),
        ({"corpus": "return None"}, "the corpus gave None"),
        ({"fit": RAIN}, "Words failed: RuntimeError: it rained"),
        ({"fit": "return 5"}, "Words failed: AttributeError"),
        ({"encode": RAIN}, "Words failed: RuntimeError: it rained"),
        ({"encode": "import numpy; return numpy.full(500, 300)"}, "whole numbers from 0 to 299"),
    ],
)
def test_a_corpus_or_tokenizer_that_raises_is_blamed(train, parts, faults, words):
    parts(**faults)
    assert_blamed(train(*WITH_PARTS), words)
    assert not Path("run").exists()


def test_a_tokenizer_that_raises_while_text_is_written_is_blamed(train, parts, lm_lab):
    parts()
    train(*WITH_PARTS)
    for fault, words in (("load", "Loading the token"), ("encode", "Reading the prompt"), ("decode", "Decoding")):
        parts(**{fault: RAIN})
        assert_blamed(lm_lab("generate", "run", "--enable", "mine", "--prompt", "once"), words)


WATCHING = """
    from lab.api import Observer, Probe, Reading, RunObserver, hookimpl

    class Watching(RunObserver):
        def {method}(self, *_):
            raise RuntimeError("it rained")

    def looking(model, tokens):
        raise RuntimeError("it rained")

    @hookimpl
    def lab_register_observers(register):
        register(Observer("watching", "Watching", lambda config: {observer}))

    @hookimpl
    def lab_register_probes(register):
        register(Probe("looking", "Looking", lambda config: {probe}))
"""


@pytest.mark.parametrize("method", ["started", "stepped", "evaluated", "ended"])
def test_an_observer_that_raises_is_left_out_and_the_training_continues(train, plugin, method):
    plugin("mine", WATCHING.format(method=method, observer="Watching()", probe="looking"))
    ended = train("--enable", "mine", "--json")
    assert ended.code == 0
    assert ended.json["steps"] == 3
    assert ended.problem.count("plugin mine: RuntimeError: it rained") == 1


def test_an_observer_that_cannot_be_made_is_left_out(train, plugin):
    plugin("mine", WATCHING.format(method="ended", observer="1 / 0", probe="looking"))
    ended = train("--enable", "mine")
    assert ended.code == 0
    assert "failed: ZeroDivisionError: division by zero (mine.py, line" in ended.problem


def test_a_probe_that_raises_is_left_out_and_the_training_continues(train, plugin):
    plugin("mine", WATCHING.format(method="ignored", observer="Watching()", probe="looking"))
    ended = train("--enable", "mine", "--set", 'readings.probes=["looking", "reports"]')
    assert ended.code == 0
    assert "plugin mine: RuntimeError: it rained" in ended.problem
    assert list(Path("run/readings").iterdir())


def test_a_probe_that_cannot_be_made_is_left_out(train, plugin):
    plugin("mine", WATCHING.format(method="ignored", observer="Watching()", probe="1 / 0"))
    ended = train("--enable", "mine", "--set", 'readings.probes=["looking", "reports"]')
    assert ended.code == 0
    assert "failed: ZeroDivisionError: division by zero (mine.py, line" in ended.problem


PIECES = """
    import torch
    from lab.api import ModelConfig, ObjectiveCard, Objective, Optimizer, Schedule, hookimpl, setting

    class Config(ModelConfig):
        learning_rate: float = setting(0.1, gt=0, live=True, help="Size of an update.")

    class Guess(Objective):
        name = "causal"

        def batch(self, source, examples, seed):
            raise RuntimeError("it rained")

    def rain(*_):
        raise RuntimeError("it rained")

    @hookimpl
    def lab_register_objectives(register):
        register(ObjectiveCard("guess", "Guess", lambda config: Guess()))

    @hookimpl
    def lab_register_optimizers(register):
        register(Optimizer("falling", "Falling", rain, config=Config))

    @hookimpl
    def lab_register_schedules(register):
        register(Schedule("shrinking", "Shrinking", rain))
        register(Schedule("late", "Late", lambda config, steps: rain))
"""


@pytest.mark.parametrize(
    "setting",
    ["objective.name=guess", "training.optimizer.name=falling", "training.schedule.name=shrinking",
     "training.schedule.name=late"],
)  # fmt: skip
def test_an_objective_optimizer_or_schedule_that_raises_ends_the_training(train, plugin, setting):
    plugin("mine", PIECES)
    ended = train("--enable", "mine", "--set", setting)
    assert ended.code == 1
    assert "it rained" in ended.problem

"""From a recipe to an experiment: what cannot be used is refused at its field, before anything is read or built."""

from types import SimpleNamespace

import pytest
import torch

from lab.api import Architecture, BadInput, Corpus, LabError, Mixer, ModelConfig, StackConfig, Text, setting
from lab.base.torch_lock import mixed
from lab.host import Plugins
from lab.recipes import Recipe
from lab.training.experiment import check_reach, check_recipe, prepare
from lab.training.resolution import resolve_all, written_out
from lab.training.trainer import Trainer

TEXT = "the quick brown fox jumps over the lazy dog. " * 12  # 540 characters


@pytest.fixture(scope="module")
def plugins():
    """The lab's own plugins."""
    return Plugins().load()


@pytest.fixture
def recipe():
    """A recipe that works, with assignments made."""

    def recipe(*assignments):
        base = Recipe().with_values({
            "corpus": {"name": "text", "text": TEXT},
            "architecture": {"name": "transformer", "layers": 1, "width": 16, "heads": 2},
            "training": {"steps": 2, "batch_size": 4, "context_length": 8, "device": "cpu", "threads": 1},
        })  # fmt: skip
        return base.with_assignments(*assignments)

    return recipe


def test_a_recipe_becomes_an_experiment_that_trains(plugins, recipe):
    experiment = prepare(recipe(), plugins)
    assert experiment.architecture.plugin == "lab_transformer"
    assert experiment.task.vocabulary_size == experiment.tokenizer.vocabulary_size == len(set(TEXT))
    assert experiment.task.context_length == 8
    assert len(experiment.train.tokens) == 486  # nine tenths, by position
    assert len(experiment.validation.tokens) == 54
    assert experiment.corpus["sha256"]
    assert experiment.floors
    trainer = Trainer(experiment)
    trainer.run()
    assert trainer.state == "finished"
    assert trainer.evaluation.bits_per_byte > 0


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5])
def test_validation_is_the_end_of_the_text(plugins, recipe, share):
    experiment = prepare(recipe(f"training.validation_share={share}"), plugins)
    tokens = experiment.tokenizer.encode(TEXT)
    border = int((1 - share) * len(tokens))
    assert experiment.train.tokens.tolist() == tokens[:border].tolist()
    assert experiment.validation.tokens.tolist() == tokens[border:].tolist()


def test_a_carried_objective_reads_lanes_and_others_the_order_of_the_recipe(plugins, recipe):
    assert prepare(recipe(), plugins).train.order == "crops"
    assert prepare(recipe("training.order=epochs"), plugins).train.order == "epochs"
    carried = prepare(recipe("objective.name=carried"), plugins).train
    assert (carried.order, carried.lanes) == ("lanes", 4)


BAD = {
    "an unknown architecture": ("architecture.name=transfomer", "architecture.name"),
    "an unknown objective": ("objective.name=guessing", "objective.name"),
    "an unknown optimizer": ("training.optimizer.name=newton", "training.optimizer.name"),
    "an unknown schedule": ("training.schedule.name=vertical", "training.schedule.name"),
    "an unknown tokenizer": ("tokenizer.name=words", "tokenizer.name"),
    "an unknown corpus": ("corpus.name=internet", "corpus.name"),
    "an unknown probe": ('readings.probes=["x-ray"]', "readings.probes"),
    "an objective the architecture cannot do": ("objective.name=classification", "objective.name"),
    "an unknown setting": ("architecture.depth=3", "architecture.depth"),
    "a setting out of bounds": ("architecture.layers=0", "architecture.layers"),
    "settings that do not fit each other": ("architecture.heads=3", "architecture"),
    "an optimizer's setting out of bounds": ("training.optimizer.beta1=1", "training.optimizer.beta1"),
    "a schedule's setting out of bounds": ("training.schedule.floor=2", "training.schedule.floor"),
    "an objective's setting": ("objective.share=0.5", "objective.share"),
    "a corpus without its setting": ("corpus.name=file", "corpus.path"),
    "a corpus that is not there": ('corpus={name="file", path="/no/such/file"}', "corpus.path"),
    "an empty corpus": ("corpus.text=''", "corpus.text"),
    "a corpus shorter than the context": ("training.context_length=500", "training.context_length"),
    "a corpus too short to be split": ("corpus.text=ab", "corpus"),
    "a device that is not here": ("training.device=cuda:77", "training.device"),
    "a version from the future": ("architecture.version=99", "architecture.version"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_cannot_be_used_is_refused_at_its_field(plugins, recipe, what):
    assignment, field = BAD[what]
    with pytest.raises(BadInput) as raised:
        prepare(recipe(assignment), plugins)
    problem = raised.value.problem
    assert problem.field == field
    assert problem.plugin is None
    assert problem.trace is None
    assert problem.allowed or problem.remedy or "is not a multiple" in problem.what or "no such file" in problem.what


def test_an_objective_the_architecture_cannot_do_is_refused_with_those_it_can(plugins, recipe):
    with pytest.raises(BadInput) as raised:
        prepare(recipe("architecture.name=n-gram", "objective.name=masked"), plugins)
    assert raised.value.problem.value == "masked"
    assert "causal" in raised.value.problem.allowed


class WithData:
    """The lab's plugins, with a corpus of a kind."""

    def __init__(self, plugins, kind):
        self._plugins = plugins
        self._corpus = Corpus("mine", "My data", build=lambda config: Text("", "mine"), kind=kind)

    def cards(self, kind):
        cards = dict(self._plugins.cards(kind))
        return {**cards, "mine": self._corpus} if kind == "corpora" else cards

    def card(self, kind, name, field=None):
        return self._corpus if kind == "corpora" else self._plugins.card(kind, name, field=field)

    def owner(self, kind, name):
        return "mine" if kind == "corpora" else self._plugins.owner(kind, name)


@pytest.mark.parametrize(
    ("kind", "assignments", "field", "allowed"),
    [
        ("labels", (), "objective.name", "classification, margin, masked"),
        ("vectors", (), "objective.name", "binary, classification, margin, regression"),
        ("pairs", (), "architecture.name", "encoder-decoder, recurrent-encoder-decoder"),
        ("images", ("objective.name=captions",), "objective.name", "classification, margin"),
        ("images", ("architecture.name=lstm",), "architecture.name",
         "clip, convolutional, encoder-decoder, mlp, perceptron, random-features, transformer, vit"),
        ("text", ("objective.name=classification",), "objective.name", "carried, causal, masked"),
        ("examples", ("objective.name=carried",), "objective.name", "causal, masked"),
    ],
)  # fmt: skip
def test_data_that_objective_or_architecture_do_not_read_are_refused_with_what_fits(
    plugins, kind, assignments, field, allowed
):
    made = Recipe().with_values({"corpus": {"name": "mine"}, "training": {"device": "cpu"}})
    made = made.with_assignments(*assignments)
    with pytest.raises(BadInput) as raised:
        check_recipe(made, WithData(plugins, kind))
    assert (raised.value.problem.field, raised.value.problem.allowed) == (field, allowed)


@pytest.mark.parametrize(
    ("kind", "architecture", "objective"),
    [
        ("pairs", "encoder-decoder", "sequence-to-sequence"),
        ("images", "encoder-decoder", "captions"),
        ("images", "transformer", "classification"),
        ("vectors", "transformer", "regression"),
        ("conversations", "lstm", "causal"),
    ],
)
def test_data_that_both_read_are_accepted(plugins, kind, architecture, objective):
    made = Recipe().with_values({
        "corpus": {"name": "mine"}, "architecture": {"name": architecture}, "objective": {"name": objective},
        "training": {"device": "cpu"},
    })  # fmt: skip
    check_recipe(made, WithData(plugins, kind))


@pytest.mark.parametrize(
    ("corpus", "objective", "fit", "remedy"),
    [
        ("points", "binary", "classification, margin", "Choose one: --objective NAME"),
        ("points", "regression", "classification, margin", "Choose one: --objective NAME"),
        ("sine", "classification", "regression, binary", "Choose one: --objective NAME"),
        ("sine", "binary", "0 to 1", "Choose the objective regression, or give labels 0 and 1"),
    ],
)
def test_an_objective_whose_targets_the_data_lack_is_refused_before_a_model_is_built(
    plugins, corpus, objective, fit, remedy
):
    made = Recipe().with_values({
        "corpus": {"name": corpus, "rows": 100}, "architecture": {"name": "transformer"},
        "objective": {"name": objective}, "training": {"device": "cpu"},
    })  # fmt: skip
    with pytest.raises(BadInput) as raised:
        prepare(made, plugins)
    problem = raised.value.problem
    assert (problem.field, problem.allowed, problem.remedy) == ("objective.name", fit, remedy)
    assert problem.plugin is None


def test_more_lanes_than_the_corpus_has_windows_are_refused(plugins, recipe):
    with pytest.raises(BadInput) as raised:
        prepare(recipe("objective.name=carried", "training.batch_size=100"), plugins)
    problem = raised.value.problem
    assert (problem.field, problem.value) == ("training.batch_size", "100")
    assert "at most 60" in problem.allowed


def test_a_state_cannot_be_carried_on_and_on_by_a_model_of_bounded_reach(plugins, recipe):
    experiment = prepare(recipe("objective.name=carried"), plugins)
    with pytest.raises(BadInput) as raised:
        experiment.build()
    problem = raised.value.problem
    assert (problem.field, problem.value, problem.allowed) == (
        "objective.name", "carried", "an objective without carried state, such as causal",
    )  # fmt: skip
    assert "at most 8 positions" in problem.what


def test_nor_by_a_model_that_reads_later_tokens():
    model, objective = SimpleNamespace(causal=False, reach=None), SimpleNamespace(carries=True)
    with pytest.raises(BadInput, match="reads later tokens too"):
        check_reach(model, objective, "carried")


def test_cards_are_checked_before_the_corpus_is_read(plugins, recipe):
    with pytest.raises(BadInput) as raised:
        prepare(recipe('corpus={name="file", path="/no/such/file"}', "training.schedule.warmup=-1"), plugins)
    assert raised.value.problem.field == "training.schedule.warmup"


def test_an_architecture_that_does_not_run_on_the_device_is_refused(plugins, recipe, monkeypatch):
    from lab.training import devices

    monkeypatch.setattr(devices, "available_devices", lambda: ["cpu", "cuda:0"])
    recipe = recipe("architecture.name=n-gram", "training.device=cuda:0", "training.precision=float32")
    with pytest.raises(BadInput) as raised:
        prepare(recipe, plugins)
    problem = raised.value.problem
    assert (problem.field, problem.value, problem.allowed) == ("training.device", "cuda", "cpu")


class OneMore:
    """The lab's cards and one more."""

    def __init__(self, plugins, kind, card):
        self._plugins, self._kind, self._card = plugins, kind, card

    def cards(self, kind):
        return self._plugins.cards(kind)

    def card(self, kind, name, field=None):
        return self._card if (kind, name) == (self._kind, self._card.name) else self._plugins.card(kind, name, field)

    def owner(self, kind, name):
        return "a-stranger" if (kind, name) == (self._kind, self._card.name) else self._plugins.owner(kind, name)


def test_a_corpus_that_raises_is_a_problem_of_its_plugin(plugins, recipe):
    def read(config):
        return {}["key"]

    cards = OneMore(plugins, "corpora", Corpus(name="own", title="My corpus", build=read))
    with pytest.raises(LabError) as raised:
        prepare(recipe("corpus.name=own"), cards)
    problem = raised.value.problem
    assert not isinstance(raised.value, BadInput)
    assert problem.plugin == "a-stranger"
    assert "My corpus failed: KeyError" in problem.what
    assert "in read" in problem.trace


def test_a_corpus_that_does_not_fit_into_memory_is_refused_at_its_field(plugins, recipe):
    def read(config):
        raise MemoryError

    cards = OneMore(plugins, "corpora", Corpus(name="own", title="My corpus", build=read))
    with pytest.raises(BadInput) as raised:
        prepare(recipe("corpus.name=own"), cards)
    assert raised.value.problem.field == "corpus"


def test_known_floors_of_a_corpus_are_added_to_the_measured_ones(plugins, recipe):
    text = Text(text="ä" + TEXT, name="own", floors={"entropy rate": 0.5})
    cards = OneMore(plugins, "corpora", Corpus(name="own", title="My corpus", build=lambda _: text))
    by_character = prepare(recipe("corpus.name=own"), cards).floors
    by_byte = prepare(recipe("corpus.name=own", "tokenizer.name=byte"), cards).floors
    assert len(by_character) > 1
    assert by_character["entropy rate"] == 0.5  # nats per character, and so per token
    assert by_byte["entropy rate"] == pytest.approx(0.5 * 541 / 542)


def test_a_unigram_that_is_worse_than_to_know_nothing_is_no_floor(plugins, recipe):
    text = "a" * 200 + "".join(chr(98 + n % 20) for n in range(200))
    found = prepare(recipe().with_values({"corpus": {"text": text}}), plugins).floors
    assert found.keys() == {"uniform"}
    assert prepare(recipe(), plugins).floors.keys() == {"uniform", "unigram"}


def test_a_models_construction_draws_from_the_recipes_seed_alone(plugins, recipe):
    def build(config, task):
        raise LabError(str(torch.initial_seed()))

    card = Architecture(name="own", title="Own", family="f", summary="s", config=StackConfig, build=build)
    reported = []
    for seed in (1, 1, 2):
        torch.rand(3)
        with pytest.raises(LabError) as raised:
            prepare(
                recipe("architecture.name=own", f"training.seed={seed}"), OneMore(plugins, "architectures", card)
            ).build()
        reported.append(raised.value.problem.what)
    assert reported[0] == reported[1] == str(mixed(1, 1) >> 1)
    assert reported[2] != reported[0]


def with_versions(recipe, cards):
    return written_out(recipe, resolve_all(recipe, cards))


def test_a_recipe_written_out_holds_every_setting_and_the_version_of_each_card(plugins, recipe):
    full = with_versions(recipe("training.optimizer.learning_rate=0.003"), plugins)
    assert full.architecture.settings["width"] == 16
    assert full.architecture.settings["dropout"] == 0.0
    assert full.architecture.version == 1
    assert full.training.optimizer.settings["learning_rate"] == 0.003
    assert full.training.optimizer.settings["beta2"] == 0.99
    assert full.training.schedule.version == 1
    assert with_versions(full, plugins) == full
    assert Recipe.from_toml(full.to_toml()) == full


def test_a_mixers_settings_are_stored_with_their_own_version_and_migrated(plugins, recipe):
    class Old(ModelConfig):
        reach: int = setting(8, ge=1, help="A length.")

    class New(ModelConfig):
        version = 2

        length: int = setting(8, ge=1, help="A length.")

        @classmethod
        def migrate(cls, settings, version):
            return {"length": settings["reach"]} if version == 1 else settings

    def cards(config):
        card = Mixer(name="box", title="Box", kind="token", config=config, build="unused:unused").stack()
        return OneMore(plugins, "architectures", card)

    old = with_versions(recipe("architecture.name=box", "architecture.box.reach=5"), cards(Old))
    assert old.architecture.settings["box"] == {"version": 1, "reach": 5}
    new = with_versions(Recipe.from_toml(old.to_toml()), cards(New))
    assert new.architecture.settings["box"] == {"version": 2, "length": 5}

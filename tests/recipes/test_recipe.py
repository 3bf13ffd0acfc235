"""Recipe: one frozen object, one TOML file, the same after every way there and back."""

from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.api import ModelConfig, setting
from lab.base import BadInput
from lab.recipes import Choice, Recipe, Training

ROOT = Path(__file__).resolve().parents[2]
NAMES = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
    st.lists(st.integers(0, 9), max_size=3),
)
KEYS = (NAMES | st.sampled_from(["settings", "copy", "json", "model_config"])).filter(
    lambda name: name not in ("name", "version")
)
CHOICES = st.fixed_dictionaries({"name": NAMES}, optional={"version": st.integers(1, 9)}).flatmap(
    lambda choice: st.dictionaries(KEYS, VALUES | st.dictionaries(KEYS, VALUES, max_size=2), max_size=3).map(
        lambda more: more | choice
    )
)
TRAININGS = st.fixed_dictionaries(
    {},
    optional={
        "steps": st.integers(0, 10**9),
        "batch_size": st.integers(1, 2**20),
        "order": st.sampled_from(["crops", "epochs"]),
        "validation_share": st.floats(0.01, 0.99),
        "seed": st.integers(0, 2**63 - 1),
        "device": st.sampled_from(["auto", "cpu", "mps", "cuda", "cuda:3"]),
        "clip": st.floats(0, 100),
        "optimizer": CHOICES,
        "schedule": CHOICES,
    },
)
RECIPES = st.fixed_dictionaries(
    {},
    optional={
        "title": st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
        "corpus": CHOICES,
        "tokenizer": CHOICES,
        "architecture": CHOICES,
        "objective": CHOICES,
        "training": TRAININGS,
        "readings": st.fixed_dictionaries(
            {}, optional={"text": TEXTS, "probes": st.lists(NAMES, max_size=3, unique=True)}
        ),
    },
)


@given(RECIPES)
@settings(max_examples=15, deadline=None)
def test_every_recipe_is_the_same_after_toml(data):
    recipe = Recipe.read(data)
    again = Recipe.from_toml(recipe.to_toml())
    assert again == recipe
    assert again.to_toml() == recipe.to_toml()


@given(RECIPES, RECIPES)
@settings(max_examples=15, deadline=None)
def test_laying_a_piece_over_a_recipe_twice_is_laying_it_once(data, piece):
    once = Recipe.read(data).with_values(piece)
    assert once.with_values(piece) == once


@given(RECIPES)
@settings(max_examples=15, deadline=None)
def test_a_piece_that_is_the_recipe_itself_changes_nothing(data):
    recipe = Recipe.read(data)
    assert recipe.with_values(recipe.model_dump(exclude_none=True)) == recipe
    assert recipe.with_values({}) == recipe


def test_toml_holds_every_default_so_that_a_later_default_changes_nothing():
    text = Recipe().to_toml()
    for name in Training.model_fields:
        assert name in text
    assert text.startswith("format = 1\n")


def test_an_edit_makes_a_new_recipe_and_leaves_the_old_one():
    recipe = Recipe()
    longer = recipe.with_assignments("training.steps=7")
    assert (recipe.training.steps, longer.training.steps) == (1000, 7)
    with pytest.raises(Exception, match="frozen"):
        recipe.title = "Another"


def test_another_card_drops_the_settings_of_the_one_before():
    recipe = Recipe.read({"architecture": {"name": "transformer", "width": 64, "version": 1}})
    changed = recipe.with_values({"architecture": {"name": "n-gram", "order": 3}})
    assert changed.architecture == Choice(name="n-gram", order=3)
    assert changed.architecture.version is None


def test_the_same_card_keeps_its_settings():
    recipe = Recipe.read({"architecture": {"name": "transformer", "width": 64}})
    assert recipe.with_values({"architecture": {"layers": 2}}).architecture.settings == {"width": 64, "layers": 2}


def test_a_nested_card_is_changed_without_its_neighbours():
    recipe = Recipe().with_assignments("training.steps=7", "training.optimizer.learning_rate=0.1")
    changed = recipe.with_assignments("training.optimizer.name=sgd")
    assert changed.training.optimizer.settings == {}
    assert changed.training.steps == 7


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("x", "recipe"),
        ("[a", "recipe"),
        ("a = 1\na = 2", "recipe"),
        ("steps = 1", "steps"),
        ("format = 2", "format"),
        ("format = 0", "format"),
        ("format = true", "format"),
        ("format = 1.0", "format"),
        ("title = 5", "title"),
        (f"title = '{'x' * 201}'", "title"),
        ("corpus = 'x.txt'", "corpus"),
        ("[corpus]", "corpus.name"),
        ("[corpus]\nname = 5", "corpus.name"),
        ("[corpus]\nname = 'file'\nversion = 0", "corpus.version"),
        ("[[corpus]]\nname = 'file'", "corpus"),
        ("[training]\nsteps = -1", "training.steps"),
        ("[training]\nsteps = nan", "training.steps"),
        ("[training]\nclip = nan", "training.clip"),
        ("[training]\nvalidation_share = 1", "training.validation_share"),
        ("[training]\nseed = 99999999999999999999", "training.seed"),
        ("[training.optimizer]\nlearning_rate = 1", "training.optimizer.name"),
        ("[readings]\nprobes = 'reports'", "readings.probes"),
        ("[readings]\nprobes = [1]", "readings.probes.0"),
        ("[extra]\nx = 1", "extra"),
    ],
)
def test_a_file_that_is_no_recipe_is_refused_with_the_field(text, field):
    with pytest.raises(BadInput) as refused:
        Recipe.from_toml(text)
    assert refused.value.problem.field == field


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_is_no_recipe(tmp_path, text):
    file = tmp_path / "cut off.toml"
    file.write_text(text)
    with pytest.raises(BadInput, match="is empty") as refused:
        Recipe.load(file)
    assert refused.value.problem.value == str(file)


def test_a_newer_format_asks_for_a_newer_lab():
    with pytest.raises(BadInput, match="Update the lab"):
        Recipe.from_toml(f"format = {Recipe.version + 1}")


def test_an_older_format_is_migrated():
    class Later(Recipe):
        version: ClassVar[int] = 3
        seen: ClassVar[list[int]] = []

        @classmethod
        def migrate(cls, settings, version):
            cls.seen.append(version)
            return {"title": settings["name"]}

    assert Later.from_toml('format = 2\nname = "Old"').title == "Old"
    assert Later.from_toml('format = 3\ntitle = "New"').title == "New"
    assert Later.seen == [2]


def test_a_file_is_read_and_a_problem_has_its_name(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(Recipe(title="Mine").to_toml(), encoding="utf-8")
    assert Recipe.load(file).title == "Mine"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())  # a byte order mark, as editors on Windows write it
    assert Recipe.load(file).title == "Mine"
    file.write_text("no toml")
    with pytest.raises(BadInput, match=r"recipe = mine\.toml: is not TOML"):
        Recipe.load(file)


@pytest.mark.parametrize("file", sorted((ROOT / "resources" / "recipes").glob("*.toml")), ids=lambda file: file.stem)
def test_the_recipes_that_come_with_the_lab_name_only_what_there_is(file):
    from lab.host import Plugins

    plugins, recipe = Plugins(), Recipe.load(file)
    assert recipe.title
    choices = {
        "corpora": recipe.corpus,
        "tokenizers": recipe.tokenizer,
        "architectures": recipe.architecture,
        "objectives": recipe.objective,
        "optimizers": recipe.training.optimizer,
        "schedules": recipe.training.schedule,
    }
    for kind, choice in choices.items():
        plugins.card(kind, choice.name).config.read(choice.settings, version=choice.version)


class Colour(ModelConfig):
    """Settings whose second version calls "colour" what the first called "color"."""

    version: ClassVar[int] = 2
    colour: str = setting("red", help="What it looks like.")

    @classmethod
    def migrate(cls, settings, version):
        assert version == 1
        return {"colour": settings["color"]}


class OneCard:
    """A registry with one card."""

    def card(self, kind, name, field=None):
        from lab.api import Architecture

        return Architecture("painted", "Painted", "own", "Own.", config=Colour, build=print)

    def owner(self, kind, name):
        return "a-plugin"


@pytest.mark.parametrize(
    ("choice", "colour"),
    [
        (Choice(name="painted", version=1, color="blue"), "blue"),
        (Choice(name="painted", version=2, colour="blue"), "blue"),
        (Choice(name="painted", colour="blue"), "blue"),
    ],
)
def test_settings_of_an_older_version_of_a_card_are_migrated(choice, colour):
    from lab.training.resolution import resolve

    assert resolve(OneCard(), "architectures", choice, "architecture").config.colour == colour


def test_settings_of_a_newer_version_of_a_card_ask_for_an_update():
    from lab.training.resolution import resolve

    with pytest.raises(BadInput, match=r"architecture\.version: written by a newer version"):
        resolve(OneCard(), "architectures", Choice(name="painted", version=3), "architecture")


def test_true_is_no_number_of_steps():
    with pytest.raises(BadInput, match=r"training\.steps.*whole number"):
        Recipe().with_assignments("training.steps=true")


def test_a_list_of_cards_takes_bare_names_and_tables_and_is_changed_by_name():
    recipe = Recipe().with_assignments('readings.probes=["reports", {name="influence", positions=8}]')
    assert [(probe.name, probe.settings) for probe in recipe.readings.probes] == [
        ("reports", {}), ("influence", {"positions": 8}),
    ]  # fmt: skip
    changed = recipe.with_assignments("readings.probes.influence.positions=4", "readings.probes.surprise={}")
    assert [(probe.name, probe.settings) for probe in changed.readings.probes] == [
        ("reports", {}), ("influence", {"positions": 4}), ("surprise", {}),
    ]  # fmt: skip
    assert Recipe.from_toml(changed.to_toml()) == changed


@pytest.mark.parametrize("value", ["5", "[5]", '["reports", "reports"]', "[{settings=1}]", "x"])
def test_what_is_no_list_of_cards_is_refused(value):
    with pytest.raises(BadInput) as refused:
        Recipe().with_assignments(f"readings.probes={value}")
    assert refused.value.problem.field.startswith("readings.probes")


def test_settings_of_an_observer_name_it():
    recipe = Recipe().with_assignments("observers.journal.threshold=0.5")
    assert recipe.choices()["observers.journal"] == ("observers", Choice(name="journal", threshold=0.5))


def test_a_name_is_applied_before_the_settings_of_its_card_in_any_order():
    recipe = Recipe().with_assignments("objective.share=0.3", "objective.name=masked")
    assert recipe.objective == Choice(name="masked", share=0.3)


def test_an_assignment_of_nothing_gives_the_default_back():
    recipe = Recipe().with_assignments("training.steps=7", "architecture.width=8")
    assert recipe.with_assignments("training.steps=", "architecture.width=") == Recipe()


@pytest.mark.parametrize(
    "path", ["architecture.name", "corpus.name", "readings.probes.surprise", "training", "training.optimizer.beta1"]
)
def test_whatever_stood_there_an_assignment_of_nothing_is_the_default(path):
    assert Recipe().with_assignments(f"{path}=") == Recipe()


def test_an_assignment_of_nothing_deep_in_a_table_that_is_not_there_is_none():
    recipe = Recipe().with_assignments("architecture.average.slowest=")
    assert recipe.architecture.settings == {"average": {}}


def test_an_assignment_of_nothing_takes_a_card_from_its_list():
    recipe = Recipe().with_assignments("readings.probes.surprise={}")
    assert recipe.with_assignments("readings.probes.surprise=") == Recipe()
    assert recipe.with_assignments("readings.probes.reports=").readings.probes == [Choice(name="surprise")]


def test_a_name_that_is_no_text_is_refused_also_where_it_is_changed_by_name():
    with pytest.raises(BadInput):
        Recipe().with_assignments('readings.probes=["reports", {name=["x"]}]', "readings.probes.reports.x=1")


def test_a_recipe_without_a_decoding_does_not_name_it_and_one_with_it_keeps_it():
    assert "decoding" not in Recipe().to_toml()
    recipe = Recipe().with_assignments("decoding.strategy.name=greedy", 'decoding.stop=["."]')
    assert recipe.decoding.strategy.name == "greedy"
    assert Recipe.from_toml(recipe.to_toml()) == recipe
    assert recipe.with_assignments("decoding=").decoding is None


def test_settings_of_a_decoding_are_laid_over_the_defaults():
    decoding = Recipe().with_assignments("decoding.strategy.draw=inverse", "decoding.filters.top-k.k=3").decoding
    assert decoding.strategy.settings == {"draw": "inverse"}
    assert [(one.name, one.settings) for one in decoding.filters] == [
        ("temperature", {}), ("top-k", {"k": 3}), ("top-p", {}),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("assignment", "field"),
    [
        ("decoding.stop=3", "decoding.stop"),
        ("decoding.filters=3", "decoding.filters"),
        ("decoding.nothing=3", "decoding.nothing"),
        ('decoding.filters=["top-k", "top-k"]', "decoding.filters"),
    ],
)
def test_a_setting_of_a_decoding_that_is_not_allowed_is_named(assignment, field):
    with pytest.raises(BadInput) as refused:
        Recipe().with_assignments(assignment)
    assert refused.value.problem.field == field

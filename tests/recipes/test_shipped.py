"""The recipes that come with the lab: each can be trained as it is, and each source has one."""

import re
import string

import pytest

from lab.api import Text
from lab.base import BadInput
from lab.host import Plugins
from lab.recipes import QUICK_START, gallery, shipped, shipped_names, shipped_titles
from lab.runs.library.titles import recipe_title
from lab.training.experiment import check_recipe
from lab.training.material import read_material
from lab.workbench.launch.preflight import Estimator


@pytest.fixture(scope="module")
def plugins():
    return Plugins(safe_mode=True)


def test_a_shipped_recipe_has_a_title_and_names_cards_and_settings_that_exist(plugins):
    for name in shipped_names():
        recipe = shipped(name)
        assert 10 < len(recipe.title) <= 100, name
        check_recipe(recipe, plugins)


@pytest.mark.parametrize("name", [name for name in shipped_names() if shipped(name).tokenizer.name == "symbol"])
def test_the_examples_of_a_shipped_recipe_fill_its_context_and_fit_into_it(name, plugins):
    recipe, everything = check_recipe(shipped(name), plugins)
    material = read_material(everything, 1 - recipe.training.validation_share)
    train, _ = material.splits(recipe, carries=False)
    assert train.context_length == material.given.longest - 1


def test_every_source_has_a_recipe_of_its_name_that_trains_on_it(plugins):
    corpora = plugins.cards("corpora").items()
    sources = {name for name, card in corpora if card.tests and card.kind in ("text", "examples")}
    assert {f"source-{name}" for name in sources} <= set(shipped_names())
    assert all(shipped(f"source-{name}").corpus.name == name for name in sources)


def test_no_two_shipped_recipes_are_called_the_same():
    titles = list(shipped_titles().values())
    assert sorted(titles) == sorted(shipped(name).title for name in shipped_names())
    assert titles[0] == shipped(QUICK_START).title
    assert titles[1:] == sorted(titles[1:], key=str.casefold)
    assert len(set(titles)) == len(titles)


def test_no_title_of_a_shipped_recipe_names_a_file_or_the_path_of_a_setting():
    titles = " ".join(shipped_titles().values())
    assert [name for name in shipped_names() if name in titles] == []
    assert re.findall(r"[a-z_]+\.[a-z_]+", titles) == []


def test_a_recipe_that_is_not_shipped_is_refused_with_those_that_are():
    with pytest.raises(BadInput) as refused:
        shipped("../recipes/quick-start")
    assert QUICK_START in refused.value.problem.allowed


def test_every_shipped_recipe_is_in_the_gallery_with_a_topic_and_what_it_shows():
    entries = {entry.name: entry for entry in gallery().entries}
    assert set(entries) == set(shipped_names())
    assert all(entry.title and entry.shows.endswith(".") for entry in entries.values())
    assert {entry.topic for entry in entries.values()} == set(gallery().topics)


def test_recordings_are_of_shipped_recipes_and_fall():
    recordings = gallery().recordings
    assert {QUICK_START, "compare-transformer", "compare-mamba"} <= set(recordings) <= set(shipped_names())
    assert all(recording.seconds > 0 for recording in recordings.values())
    assert all(recording.train[-1][1] < recording.train[0][1] for recording in recordings.values())


def test_the_compared_recipes_differ_in_nothing_but_the_architecture_and_have_as_many_parameters(plugins, monkeypatch):
    text = Text(string.printable * 100, "a manual of as many characters")
    monkeypatch.setattr("lab.text.corpora.manual.read_manual", lambda config: text)
    one, other = shipped("compare-transformer"), shipped("compare-mamba")
    free = {"title", "architecture"}
    assert one.model_dump(exclude=free) == other.model_dump(exclude=free)
    sizes = [Estimator().preflight(recipe, plugins).parameters for recipe in (one, other)]
    assert max(sizes) < 1.02 * min(sizes)


def test_the_runs_of_the_comparison_are_named_by_what_differs():
    names = [recipe_title(shipped(name)) for name in ("compare-transformer", "compare-mamba")]
    assert names == ["Transformer", "Mamba"]


def test_the_compared_recipes_warm_up_and_say_that_only_the_architecture_differs():
    shows = {entry.name: entry.shows for entry in gallery().entries}
    for name in ("compare-transformer", "compare-mamba"):
        assert shipped(name).training.schedule.settings["warmup"] == 50
        assert all("all but the architecture" in text for text in (shipped(name).title, shows[name]))

"""Links of recipes and runs: they name a text by its hash, and no folder of this machine."""

import math

import pytest

from lab.api import ModelConfig, Observer, setting
from lab.base import BadInput
from lab.base.folders import resources
from lab.host import Plugins
from lab.recipes import Link, Recipe, read_link, shipped, shipped_names, write_link
from lab.recipes.qr_code import qr_code
from lab.workbench.exchange.link import is_same_corpus, link_of_recipe, link_of_run, open_link, recipe_here
from lab.workbench.launch.known_corpora import path_of


@pytest.fixture
def plugins():
    return Plugins().load()


@pytest.fixture
def ended(bench, recipe):
    """Train a small recipe to its end."""

    def ended(*assignments, steps=3):
        run = bench.start(recipe(steps, *assignments))
        assert run.wait(30)
        assert run.problem is None
        return run.folder

    return ended


def test_a_link_names_the_text_of_a_recipe_by_name_size_and_hash_without_its_folder(recipe, text, plugins):
    link = read_link(link_of_recipe(recipe(), plugins))
    assert path_of(link.recipe) == link.corpus.name == "animals.txt"
    assert link.corpus.characters == len(text.read_text())
    assert "jane" not in link.recipe.to_toml()


def test_a_run_and_its_recipe_give_the_same_text_and_the_run_adds_its_last_loss(recipe, ended, plugins):
    run = ended("training.seed=5")
    link = read_link(link_of_run(run))
    assert link.corpus == read_link(link_of_recipe(recipe(), plugins)).corpus
    assert link.recipe.training.seed == 5
    assert (link.run.step, link.run.protocol, link.run.branched) == (3, "windows", False)
    assert math.isclose(link.run.validation_loss, run.status().summary["validation_loss"], abs_tol=1e-4)


def test_a_text_that_a_run_was_trained_on_here_is_found_by_its_hash(ended, text):
    link = open_link(link_of_run(ended()))
    assert path_of(recipe_here(link)) == str(text)


def test_a_text_that_is_not_here_is_asked_for_by_its_name(recipe, text, plugins, tmp_path):
    link = open_link(link_of_recipe(recipe(), plugins))
    with pytest.raises(BadInput) as refused:
        recipe_here(link, folder=tmp_path)
    assert (refused.value.problem.field, refused.value.problem.value) == ("corpus.path", "animals.txt")
    assert "--corpus FILE" in refused.value.problem.remedy
    text.rename(tmp_path / "animals.txt")
    assert path_of(recipe_here(link, folder=tmp_path)) == str(tmp_path / "animals.txt")


def test_another_text_of_the_same_name_is_recognised(recipe, text, plugins):
    link = open_link(link_of_recipe(recipe(), plugins))
    assert is_same_corpus(link, recipe_here(link, text), plugins)
    text.write_text(text.read_text() + "and more")
    assert not is_same_corpus(link, recipe_here(link, text), plugins)


def test_the_live_edits_of_a_run_become_a_schedule_in_its_link(bench, for_ever, until):
    run = bench.start(for_ever)
    until(lambda: run.trainer is not None and run.trainer.step > 1)
    run.control.set("training.optimizer.learning_rate", 0.25)
    until(lambda: any(event.get("event") == "set" for event in run.folder.events()))
    assert [edit.value for edit in read_link(link_of_run(run.folder)).recipe.training.edits] == [0.25]
    run.control.stop()
    assert run.wait(30)


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret.txt", "..", "C:\\secret.txt", "~/secret.txt"])
def test_a_link_of_a_stranger_that_names_a_folder_is_refused(path):
    text = write_link(Link(Recipe().with_values({"corpus": {"name": "file", "path": path}})))
    with pytest.raises(BadInput) as refused:
        open_link(text)
    assert (refused.value.problem.field, refused.value.problem.value) == ("corpus.path", path)


@pytest.mark.parametrize("values", [
    {"architecture": {"name": "theirs", "table": "/home/jane/table.bin"}},
    {"training": {"optimizer": {"name": "theirs", "inner": {"file": "C:\\jane\\state"}}}},
    {"tokenizer": {"name": "pretrained", "path": "/home/jane/tokenizer.json"}},
    {"architecture": {"name": "theirs", "table": "../../jane/table.bin"}},
    {"architecture": {"name": "theirs", "table": "tables/../../table.bin"}},
    {"architecture": {"name": "theirs", "table": "..\\table.bin"}},
    {"architecture": {"name": "theirs", "table": "\n/home/jane"}},
    {"architecture": {"name": "theirs", "table": "file:///home/jane"}},
    {"architecture": {"name": "theirs", "files": ["a.bin", "/home/jane/b.bin"]}},
    {"architecture": {"name": "theirs", "files": [["a.bin"], [{"file": ".."}]]}},
    {"observers": [{"name": "theirs", "file": "~/log.txt"}]},
])  # fmt: skip
def test_paths_in_the_settings_of_cards_are_neither_written_nor_read(values, plugins):
    recipe = Recipe().with_values(values)
    for attempt in (lambda: link_of_recipe(recipe, plugins), lambda: open_link(write_link(Link(recipe)))):
        with pytest.raises(BadInput, match="which no link holds"):
            attempt()


class TheirSettings(ModelConfig):
    """Settings with a path, as a plugin declares them."""

    weights: str = setting("", path=True, help="Their weights.")
    separator: str = setting("/", help="What separates their words.")
    note: str = setting("", help="A note.")


class TheirPlugins(Plugins):
    """Plugins with an observer that reads a file."""

    def card(self, kind, name, field=None):
        """Return the observer, or another card."""
        their = Observer("theirs", "Theirs", config=TheirSettings, build=print)
        return their if (kind, name) == ("observers", "theirs") else super().card(kind, name, field)


@pytest.fixture
def theirs():
    return TheirPlugins()


@pytest.mark.parametrize("path", ["folder/weights.bin", "folder\\weights.bin", "C:weights.bin"])
def test_a_setting_that_is_a_path_holds_no_more_than_a_name(path, theirs):
    recipe = Recipe().with_values({"observers": [{"name": "theirs", "weights": path}]})
    for attempt in (lambda: link_of_recipe(recipe, theirs), lambda: open_link(write_link(Link(recipe)), theirs)):
        with pytest.raises(BadInput, match="which no link holds") as refused:
            attempt()
        assert refused.value.problem.field == "observers.theirs.weights"


def test_names_of_files_and_signs_that_are_no_paths_are_allowed(theirs):
    settings = {"name": "theirs", "weights": "weights.bin", "separator": "/", "note": "a ... b"}
    recipe = Recipe().with_values({"observers": [settings]})
    assert open_link(write_link(Link(recipe)), theirs).recipe == recipe


def test_a_pasted_text_that_looks_like_a_path_is_a_text(plugins):
    recipe = Recipe().with_values({"corpus": {"name": "text", "text": "/usr/bin is a folder"}})
    assert open_link(link_of_recipe(recipe, plugins)).recipe == recipe


def test_the_documentation_names_the_lengths_of_the_shipped_links(plugins):
    links = [link_of_recipe(shipped(name), plugins) for name in shipped_names()]
    sizes, versions = sorted(map(len, links)), [qr_code(link).version for link in links]
    sentence = (
        f"have {sizes[0]} to {sizes[-1]} characters (half of them at most {sizes[(len(sizes) - 1) // 2]}), "
        f"and QR codes of version {min(versions)} to {max(versions)}."
    )
    assert sentence in (resources() / "docs" / "using" / "links.md").read_text(encoding="utf-8")

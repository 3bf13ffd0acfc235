"""The path of every corpus that reads a file is known to be one, so that no run or link carries it to others."""

import pytest

from lab.api import settings_of
from lab.host import Plugins
from lab.recipes import Recipe
from lab.workbench.launch.known_corpora import is_downloaded, load_recipe, path_of, portable

CARDS = Plugins(safe_mode=True).load().cards("corpora")
WITH_PATH = [
    name for name, card in CARDS.items() if any(one.path and one.name == "path" for one in settings_of(card.config))
]


@pytest.mark.parametrize("name", WITH_PATH)
def test_a_run_stores_the_name_of_the_file_alone(name):
    recipe = Recipe().with_values({"corpus": {"name": name, "path": "/home/ann/secret/names.csv"}})
    assert path_of(recipe) == "/home/ann/secret/names.csv"
    assert path_of(portable(recipe)) == "names.csv"


@pytest.mark.parametrize("name", ["dataset", "pairs-file", "labels-file", "conversations-file", "vectors-file"])
def test_a_name_on_the_hub_is_no_path(name):
    assert path_of(Recipe().with_values({"corpus": {"name": name, "path": "owner/name"}})) is None


def test_a_text_that_is_shared_on_the_machine_is_found_by_its_bare_name(lab_system, tmp_path):
    (lab_system / "corpora").mkdir(parents=True)
    shared = lab_system / "corpora" / "novel.txt"
    shared.write_text("A novel.")
    file = tmp_path / "class.toml"
    for path, expected in (("novel.txt", str(shared)), ("../corpora/novel.txt", "../corpora/novel.txt")):
        file.write_text(Recipe().with_values({"corpus": {"name": "file", "path": path}}).to_toml())
        assert load_recipe(file).corpus.settings["path"] == expected
    nearer = tmp_path / "novel.txt"
    nearer.write_text("Another novel.")
    file.write_text(Recipe().with_values({"corpus": {"name": "file", "path": "novel.txt"}}).to_toml())
    assert load_recipe(file).corpus.settings["path"] == str(nearer)


@pytest.mark.parametrize(
    ("corpus", "downloaded"),
    [
        ({"name": "download"}, True),
        ({"name": "pairs-file", "path": "owner/name"}, True),
        ({"name": "pairs-file", "path": "/home/ann/pairs.csv"}, False),
        ({"name": "file", "path": "/home/ann/names.txt"}, False),
        ({"name": "text", "text": "abc"}, False),
    ],
)
def test_a_corpus_from_a_network_is_told_from_one_of_this_machine(corpus, downloaded):
    assert is_downloaded(Recipe().with_values({"corpus": corpus})) is downloaded

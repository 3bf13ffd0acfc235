"""The path of every corpus that reads a file is known to be one, so that no run or link carries it to others."""

import pytest

from lab.api import settings_of
from lab.host import Plugins
from lab.recipes import Recipe
from lab.workbench.launch.known_corpora import path_of, portable

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

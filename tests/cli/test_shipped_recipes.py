"""`lm-lab train NAME`: a recipe of the lab is trained by its name, and the names are told."""

from pathlib import Path

from lab.recipes import Recipe, shipped, shipped_names

SHORT = ("--steps", 2, "--set", "training.batch_size=4", "--set", "training.threads=1", "--set", "readings.moments=0")


def test_a_recipe_of_the_lab_is_trained_by_its_name(lm_lab):
    ended = lm_lab("train", "source-copy", *SHORT, "--out", "run", "--json")
    assert (ended.code, ended.json["state"], ended.json["steps"]) == (0, "finished", 2)
    trained = Recipe.load(Path("run/recipe.toml"))
    assert (trained.title, trained.corpus.name) == (shipped("source-copy").title, "copy")


def test_the_help_tells_the_recipes_of_the_lab_with_their_titles(lm_lab):
    reported = lm_lab("train", "--help").out
    for name in shipped_names():
        assert name in reported
        assert shipped(name).title in reported


def test_a_file_of_the_same_name_is_reached_by_its_folder(lm_lab):
    Path("source-copy").write_text('title = "mine"\n[corpus]\nname = "parity"\nlength = 3\n', encoding="utf-8")
    small = ("--set", "architecture.layers=1", "--set", "architecture.width=8")
    assert lm_lab("train", "./source-copy", *SHORT, *small, "--out", "run").code == 0
    assert Recipe.load(Path("run/recipe.toml")).title == "mine"


def test_a_name_that_is_no_recipe_is_refused_with_those_there_are(lm_lab):
    ended = lm_lab("train", "source-copies", "--json")
    assert ended.code == 2
    problem = ended.json["problem"]
    assert (problem["field"], problem["value"]) == ("recipe", "source-copies")
    assert "source-copy" in problem["allowed"]

"""`lm-lab class`: from the teacher's recipe to the table of what came back."""

import threading

import pytest

from lab.recipes import Recipe
from lab.workbench.classroom.collecting import Collection


@pytest.fixture
def lesson(lm_lab, text, tmp_path):
    """What a teacher handed out."""
    recipe = Recipe(title="Animals").with_values({"corpus": {"name": "file", "path": "animals.txt"}})
    (tmp_path / "lesson.toml").write_text(recipe.to_toml())
    (tmp_path / "page.md").write_text("# Train it\n")
    ended = lm_lab("class", "hand-out", "lesson.toml", "lesson.lmlab", "--instructions", "page.md")
    assert ended.code == 0, ended.err
    assert "with corpus/animals.txt" in ended.out
    return tmp_path / "lesson.lmlab"


def test_a_hand_out_opens_as_a_recipe_that_trains(lm_lab, lesson, text, recipe_of):
    ended = lm_lab("class", "open", lesson, "--out", "opened")
    assert ended.code == 0, ended.err
    assert "# Train it" in ended.out
    assert recipe_of("opened/recipe.toml").corpus.settings["path"].endswith("opened/corpus/animals.txt")
    opened = lm_lab("class", "open", lesson, "--json").json
    assert (opened["title"], opened["instructions"], opened["packages"]) == ("Animals", "# Train it\n", [])


def test_a_run_is_handed_out_with_its_text(lm_lab, run):
    ended = lm_lab("class", "hand-out", run, "again.lmlab", "--json")
    assert ended.json["files"] == ["corpus/animals.txt"]


def test_a_hand_out_is_not_imported_as_a_run(lm_lab, lesson):
    ended = lm_lab("runs", "import", lesson)
    assert ended.code == 2
    assert "lm-lab class open" in ended.problem


def test_runs_are_handed_in_and_listed(lm_lab, run, n_gram, tmp_path):
    assert lm_lab("class", "hand-in", run, "--name", "Ada", "--to", "class").code == 0
    collection = Collection(tmp_path / "class", host="127.0.0.1")
    collection.start()
    try:
        given = lm_lab("class", "hand-in", n_gram, "--name", "Bob", "--to", collection.addresses[0], "--json")
    finally:
        collection.stop()
    assert given.json["file"].startswith("Bob - ")
    (tmp_path / "class" / "bad.lmlab").touch()
    ended = lm_lab("class", "table", "class", "--csv", "t.csv", "--html", "t.html")
    assert ended.code == 0, ended.err
    assert all(word in ended.out for word in ("Ada", "Bob", "transformer", "n-gram", "bad"))
    assert (tmp_path / "t.csv").read_text().count("\n") == 4
    assert "Ada" in (tmp_path / "t.html").read_text()
    listed = lm_lab("class", "table", "class", "--json").json["runs"]
    assert {one["student"]: bool(one["loss"]) for one in listed} == {"Ada": True, "Bob": True, "": False}
    assert lm_lab("class", "table", "class", "--csv", "t.csv").code == 2


def test_collecting_ends_with_ctrl_c(lm_lab, monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setattr("lab.cli.commands.exchange.classroom.wait", interrupt)
    ended = lm_lab("class", "collect", "class", "--token", "physics-7b")
    assert ended.code == 130
    assert "/physics-7b, and Ctrl+C ends it" in ended.out
    assert [thread for thread in threading.enumerate() if thread.name == "lab class"] == []


def test_the_suffix_of_a_hand_out_is_asked_for(lm_lab, lesson):
    assert "ends with .lmlab" in lm_lab("class", "hand-out", "lesson.toml", "lesson.zip").problem

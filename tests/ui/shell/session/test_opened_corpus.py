"""A corpus that is opened: it becomes that of the draft once it was read."""

import threading

import pytest

from lab.base.problems import Problem
from lab.recipes import shipped
from lab.training import material

TEXT = "the cat sat on the mat\n" * 40


@pytest.fixture
def reading(monkeypatch):
    """Let the reading of a corpus wait until the test sets the event."""
    free, read = threading.Event(), material.read_corpus

    def wait(corpus):
        free.wait()
        return read(corpus)

    monkeypatch.setattr(material, "read_corpus", wait)
    yield free
    free.set()


@pytest.fixture
def file(tmp_path):
    """A text."""
    made = tmp_path / "plain.txt"
    made.write_text(TEXT)
    return made


@pytest.mark.long
def test_a_file_that_cannot_be_read_leaves_the_corpus_as_it_was_and_is_reported_once(
    open_window, reported, until, tmp_path
):
    window = open_window()
    window.data.open_tab("statistics")
    window.show_place("data")
    before, figures = window.session.draft.recipe, []
    window.session.costs.computed.connect(figures.append)
    (tmp_path / "empty.txt").write_text("")
    window.session.open_path(str(tmp_path / "empty.txt"))
    until(lambda: reported)
    until(lambda: not window.session.background._tasks)
    assert [(problem.field, problem.what) for problem in reported] == [("empty.txt", "is empty")]
    assert window.session.draft.recipe is before
    assert not any(isinstance(result, Problem) for result in figures)
    assert window.data.corpus.problem is None
    assert window._state.recent == []


def test_a_start_waits_for_the_corpus_that_is_being_read(open_session, reading, until, file):
    session = open_session()
    session.open_path(str(file))
    session.start()
    assert session.waiting
    reading.set()
    until(lambda: session.selected is not None)
    assert session.selected.recipe.corpus.settings["path"] == str(file)


def test_a_start_that_waits_for_a_file_is_dropped_if_that_cannot_be_read(open_session, reported, until, tmp_path):
    session = open_session()
    session.open_path(str(tmp_path / "gone.txt"))
    session.start()
    until(lambda: reported)
    assert not session.waiting
    assert session.selected is None


def test_a_recipe_that_becomes_the_draft_ends_the_reading(open_session, reading, until, file):
    session = open_session()
    session.open_path(str(file))
    session.take_recipe("compare-mamba")
    reading.set()
    until(lambda: not session.background._tasks)
    assert session.draft.recipe == shipped("compare-mamba")


@pytest.mark.parametrize("select", ["in the form", "in Data"])
def test_another_corpus_that_is_selected_meanwhile_ends_the_reading(open_session, reading, until, file, select):
    session = open_session()
    session.open_path(str(file))
    corpus = {"name": "text", "text": TEXT[:200]}
    if select == "in the form":
        assert session.draft.edit("corpus", corpus) is None
    else:
        assert session.draft.apply({"corpus": None}, {"corpus": corpus}) is None
    reading.set()
    until(lambda: not session.background._tasks)
    assert session.draft.recipe.corpus.name == "text"


def test_a_start_that_waits_for_a_text_does_not_start_another_recipe(open_session, reading, file):
    session = open_session()
    session.open_path(str(file))
    session.start()
    session.take_recipe("compare-mamba")
    assert not session.waiting
    assert session.selected is None


def test_a_preset_keeps_the_text_that_is_being_read(open_session, reading, until, file):
    session = open_session()
    session.open_path(str(file))
    assert session.draft.take_preset("wide", {"architecture": {"width": 32}}) is None
    reading.set()
    until(lambda: session.draft.recipe.corpus.settings.get("path") == str(file))
    assert session.draft.recipe.architecture.settings["width"] == 32


def test_shipped_recipes_wait_for_torch_also_if_a_text_cannot_be_read(open_session, reported, until, tmp_path):
    session = open_session(ready=False)
    session.start_shipped(["compare-transformer", "compare-mamba"])
    session.open_path(str(tmp_path / "gone.txt"))
    until(lambda: reported)
    assert session.waiting


def test_of_several_texts_the_first_becomes_the_corpus_and_the_person_learns_how_to_use_all(
    open_session, reported, until, tmp_path, saved_run
):
    session = open_session()
    texts = [tmp_path / f"{letter}.txt" for letter in "abc"]
    for text in texts:
        text.write_text(TEXT)
    session.open_paths([str(texts[0]), str(saved_run("Another")), *map(str, texts[1:])])
    until(lambda: not session.background._tasks)
    assert session.draft.recipe.corpus.settings["path"] == str(texts[0])
    assert session.registry.runs[0].name == "Another"
    (problem,) = [problem for problem in reported if "3 texts" in problem.what]
    assert problem.what.endswith("a.txt is used")
    assert "folder" in problem.remedy


def test_one_text_that_is_named_twice_is_one_text(open_session, reported, until, file):
    session = open_session()
    session.open_paths([str(file), str(file)])
    until(lambda: not session.background._tasks)
    assert session.draft.recipe.corpus.settings["path"] == str(file)
    assert not [problem for problem in reported if "texts were opened" in problem.what]

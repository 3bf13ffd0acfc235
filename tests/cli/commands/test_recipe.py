"""`lm-lab recipe`, and links where recipes and files are given."""

import re
from pathlib import Path

import pytest

from lab.base import BadInput
from lab.recipes import Link, LinkedCorpus, LinkedRun, Recipe, read_link, shipped, write_link
from lab.recipes.qr_code import qr_code


@pytest.fixture
def link(lm_lab, run):
    """The link of a trained run, whose corpus lies here."""
    ended = lm_lab("recipe", "link", run)
    assert ended.code == 0, ended.err
    return ended.out.strip()


def test_a_recipe_of_the_lab_a_file_and_their_link_have_one_link(lm_lab):
    link = lm_lab("recipe", "link", "quick-start").out.strip()
    assert read_link(link).recipe == shipped("quick-start")
    Path("mine.toml").write_text(shipped("quick-start").to_toml())
    assert lm_lab("recipe", "link", "mine.toml").out.strip() == link
    assert lm_lab("recipe", "link", link.upper()).out.strip() == link


def test_the_code_in_the_terminal_and_in_the_file_is_that_of_the_link(lm_lab):
    ended = lm_lab("recipe", "link", "quick-start", "--qr", "--svg", "code.svg", "--json")
    code = qr_code(ended.json["link"])
    assert ended.json["qr_version"] == code.version
    assert ended.out.startswith(code.text(coloured=False))
    assert Path("code.svg").read_text() == code.svg()


def test_the_recipe_of_a_link_is_printed_as_a_file_and_not_started(lm_lab, link, lab_home):
    ended = lm_lab("recipe", "show", link)
    assert ended.code == 0
    assert re.match(r"# A run after 3 steps with validation loss \d\.\d{4} nats per token", ended.out)
    assert "# Corpus: 'animals.txt', 2,760 characters" in ended.out
    assert Recipe.from_toml(ended.out) == read_link(link).recipe
    assert not (lab_home / "runs").exists()


def test_a_link_is_trained_to_the_loss_that_it_names(lm_lab, link):
    ended = lm_lab("train", link, "--out", "again", "--json")
    assert ended.code == 0, ended.err
    assert ended.json["validation_loss"] == pytest.approx(read_link(link).run.validation_loss, abs=1e-4)


def test_a_text_that_is_not_here_is_asked_for_and_another_one_is_reported(lm_lab, link, text):
    text.rename("other.txt")
    ended = lm_lab("train", link)
    assert ended.code == 2
    assert ended.problem.startswith("lm-lab: corpus.path = animals.txt: is not on this machine")
    assert "not on this machine" in lm_lab("recipe", "show", link).out
    Path("other.txt").write_text(Path("other.txt").read_text() + "and more")
    ended = lm_lab("train", link, "--corpus", "other.txt", "--out", "again")
    assert ended.code == 0
    assert "is not the animals.txt of the link, so losses cannot be compared" in ended.err


@pytest.mark.parametrize("command", [("recipe", "show"), ("recipe", "link"), ("train",)])
def test_a_damaged_link_is_one_problem(lm_lab, link, command):
    ended = lm_lab(*command, link[:-9])
    assert ended.code == 2
    assert "is incomplete or damaged. Copy the link again" in ended.problem


def test_a_link_for_a_window_that_cannot_open_is_not_replaced_by_a_training(lm_lab, link, monkeypatch, lab_home):
    monkeypatch.setattr("lab.cli.window.missing", lambda: "the window needs PySide6")
    ended = lm_lab(link)
    assert ended.code == 2
    assert "lm-lab recipe show LINK prints what is in it" in ended.problem
    assert not (lab_home / "runs").exists()


def test_nothing_in_a_link_writes_lines_of_its_own_or_orders_to_the_terminal(lm_lab):
    name = "best\n[training]\nsteps = 9\x1b[31m"
    recipe = Recipe().with_values({"title": "red \x9b31m \u202e\x1b[31m"})
    corpus = LinkedCorpus(name="a\u2028b\x1b[2J.txt")
    ended = lm_lab("recipe", "show", write_link(Link(recipe, corpus, LinkedRun(name=name, step=3))))
    assert all(letter.isprintable() for line in ended.out.split("\n") for letter in line)
    assert Recipe.from_toml(ended.out) == recipe


@pytest.mark.parametrize("protocol", ["windows)\nsteps = 9", "\x1b[31m", "windows\n"])
def test_the_protocol_in_a_link_is_a_name(protocol):
    link = Link(Recipe(), run=LinkedRun.model_construct(protocol=protocol, step=3))
    with pytest.raises(BadInput) as refused:
        read_link(write_link(link))
    assert refused.value.problem.field == "link.run.protocol"

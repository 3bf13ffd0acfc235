"""The file of written texts: what is stored comes back, it is bounded, and a damaged one is put aside."""

import json
import math

import pytest

from lab.base.notices import listen
from lab.decoding.stops import End
from lab.shell.play.text.document import Document
from lab.workbench.access.generation import Piece
from lab.workbench.texts import store
from lab.workbench.texts.store import FILE, read_trees, write_trees
from lab.workbench.texts.tree import TextTree

PIECE = Piece(
    "a\ud800"[:1], "␣a", 0.25, (("x", "x", 0.5), ("␣a", "a", 0.25)), True, 7, 1, End("stop symbol", "a"), 1.5, 2
)


@pytest.fixture
def document():
    made = Document()
    made.begin("the ")
    made.grow([PIECE] * 3, "One")
    made.branch(1, PIECE.__class__("b", "b", 0.1, (), False, 7, None, None, 1.5, 9))
    made.edit("the ab and more")
    made.end()
    return made


@pytest.fixture
def notices():
    heard = []
    forget = listen(heard.append)
    yield heard
    forget()


def test_stored_trees_come_back(document, tmp_path):
    write_trees(tmp_path, document.trees)
    (tree,) = read_trees(tmp_path)
    before = document.tree
    assert [(node.number, node.parent, node.author) for node, _ in tree.rows()] == [
        (node.number, node.parent, node.author) for node, _ in before.rows()
    ]
    assert tree.text(document.shown) == "the ab and more"
    assert tree.pieces(document.shown)[0] == PIECE
    assert math.isnan(tree.pieces(document.shown)[-1].probability)


def test_without_a_file_there_is_nothing_and_no_notice(tmp_path, notices):
    assert read_trees(tmp_path) == []
    assert notices == []


def test_prompts_that_were_not_used_for_long_give_way_to_others(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "LARGEST", 400)
    trees = []
    for prompt in "abc":
        trees.append(TextTree(prompt * 40))
        trees[-1].add(0, [PIECE], "One")
    write_trees(tmp_path, trees)
    assert (tmp_path / FILE).stat().st_size <= 400
    assert [tree.prompt[0] for tree in read_trees(tmp_path)] == ["c"]


def stored(**changes):
    node = {"number": 1, "parent": 0, "author": "", "pieces": ["typed"], **changes}
    return {"format": 1, "trees": [{"prompt": "a", "nodes": [node]}]}


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"format": 2, "trees": []}',
        '{"format": 1}',
        json.dumps(stored(parent=5)),
        json.dumps(stored(parent=1)),
        json.dumps(stored(number=0)),
        json.dumps(stored(number="1")),
        json.dumps(stored(pieces=[])),
        json.dumps(stored(pieces=[["a"]])),
        json.dumps(stored(pieces=[["a", "a", 2, 1, 1, 1, [], None, False, None]])),
        json.dumps(stored(pieces=[["a", "a", 0.5, 1, 1, 1, [["x"]], None, False, None]])),
        json.dumps(stored(pieces=[["a", "a", 0.5, 1, 1, 1, [], 3, False, None]])),
        json.dumps(stored(pieces=[["a", "a", 0.5, 1, 1, 1, [], None, False, ["doom", ""]]])),
        json.dumps(stored(pieces=[["a", "a", 0.5, 1, 1, 1, [], None, False, 3]])),
    ],
)
def test_a_damaged_file_is_put_aside_with_a_notice(tmp_path, notices, content):
    (tmp_path / FILE).write_text(content)
    assert read_trees(tmp_path) == []
    assert (tmp_path / "texts.json.damaged").read_text() == content
    assert not (tmp_path / FILE).exists()
    assert len(notices) == 1
    assert "texts.json.damaged" in notices[0].problem.remedy


def test_a_sound_file_of_the_same_form_is_read(tmp_path):
    (tmp_path / FILE).write_text(json.dumps(stored()))
    assert read_trees(tmp_path)[0].text(1) == "atyped"

"""The file of written texts: what is stored comes back, it is bounded, and a damaged one is put aside."""

import json
import math

import pytest

from lab.base.notices import listen
from lab.base.problems import LabError
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


def branched(branches, prompt="a"):
    """Return a tree with a branch of ten tokens for each number."""
    tree = TextTree(prompt)
    for _ in range(branches):
        tree.add(0, [PIECE] * 10, "One")
    return tree


def test_of_a_tree_that_is_too_large_the_text_on_show_and_the_newest_are_kept(tmp_path, monkeypatch, notices):
    monkeypatch.setattr(store, "LARGEST", 3_000)
    write_trees(tmp_path, [branched(1, "old"), branched(20)], shown=2)
    (tree,) = read_trees(tmp_path)
    assert list(tree.nodes)[:2] == [0, 2]
    assert list(tree.nodes)[2:] == list(range(23 - len(tree.nodes), 21))
    assert 3 < len(tree.nodes) < 20
    assert tree.pieces(2)[0].alternatives == ()
    assert ["do not all fit" in one.problem.what for one in notices] == [True]


def test_a_tree_without_room_does_not_take_the_others_with_it(tmp_path, monkeypatch, notices):
    monkeypatch.setattr(store, "LARGEST", 3_000)
    write_trees(tmp_path, [branched(1, "old"), TextTree("new" * 1_000)])
    assert [tree.prompt for tree in read_trees(tmp_path)] == ["old"]
    assert len(notices) == 1


def test_no_more_nodes_are_written_than_are_read(tmp_path, monkeypatch, notices):
    monkeypatch.setattr(store, "MOST_NODES", 5)
    write_trees(tmp_path, [branched(7)])
    (tree,) = read_trees(tmp_path)
    assert list(tree.nodes) == [0, 3, 4, 5, 6, 7]
    assert tree.pieces(3)[0] == PIECE
    assert len(notices) == 1


def test_a_second_damaged_file_does_not_replace_the_first(tmp_path):
    for content in ("{", "["):
        (tmp_path / FILE).write_text(content)
        read_trees(tmp_path)
    assert [(tmp_path / f"{FILE}.damaged{end}").read_text() for end in ("", "-2")] == ["{", "["]


def test_a_file_that_cannot_be_read_is_left_alone(tmp_path):
    (tmp_path / FILE).mkdir()
    with pytest.raises(LabError, match="cannot be read"):
        read_trees(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


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


def test_authors_of_one_text_are_stored_and_a_file_of_one_author_reads_as_before(tmp_path):
    document = Document()
    document.begin("the ")
    document.grow([PIECE] * 2, "One")
    document.grow([PIECE] * 3, "Two")
    write_trees(tmp_path, document.trees, document.shown)
    (tree,) = read_trees(tmp_path)
    document.show_tree(tree, max(tree.nodes))
    assert document.authors == ["One"] * 2 + ["Two"] * 3
    stored = json.loads((tmp_path / FILE).read_text())
    assert stored["format"] == 1  # an earlier version of the lab reads it, too
    assert [node["author"] for node in stored["trees"][0]["nodes"]] == ["One", "Two"]

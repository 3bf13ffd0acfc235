"""The text on show as a path in a tree: growing, branching, editing, undoing, deleting."""

import math

import pytest

from lab.shell.play.text.document import Document
from lab.workbench.access.generation import Piece
from lab.workbench.texts.tree import ROOT, TextTree, is_typed, log_probability


def pieces(letters, probability=0.5):
    return [Piece(letter, letter, probability, (("x", "x", 0.3),), False, 7, None, None, 1.0, 1) for letter in letters]


@pytest.fixture
def document():
    """A document of "the abcd"."""
    made = Document()
    made.begin("the ")
    made.grow(pieces("ab"), "One")
    made.grow(pieces("cd"), "One")
    made.end()
    return made


def texts(document):
    """Return the text at the end of each node."""
    return [document.tree.text(node.number) for node, _ in document.tree.rows()]


def test_a_text_that_grows_is_one_node(document):
    assert document.text == "the abcd"
    assert texts(document) == ["the abcd"]


def test_another_text_from_the_same_prompt_is_another_branch(document):
    document.begin("the ")
    document.grow(pieces("xy"), "One")
    assert texts(document) == ["the abcd", "the xy"]
    assert len(document.trees) == 1


def test_a_branch_shares_what_comes_before_it_and_goes_on_after_the_other_token(document):
    assert document.branch(2, *pieces("X")) == "the abX"
    assert document.go_on() == "the abX"
    document.grow(pieces("YZ"), "One")
    assert document.text == "the abXYZ"
    assert texts(document) == ["the ab", "the abcd", "the abXYZ"]
    document.undo()
    assert document.text == "the abcd"


def test_a_branch_at_a_token_that_was_written_there_before_leads_to_it(document):
    document.branch(2, *pieces("X"))
    document.grow(pieces("Y"), "One")
    assert document.branch(2, *pieces("c")) == "the abc"
    assert texts(document) == ["the ab", "the abc", "the abcd", "the abXY"]


def test_the_first_token_can_be_branched(document):
    assert document.branch(0, *pieces("X")) == "the X"
    assert texts(document) == ["the abcd", "the X"]


def test_an_edit_keeps_the_tokens_before_it_and_notes_the_rest_as_a_persons(document):
    document.edit("the abQ!")
    assert document.text == "the abQ!"
    assert [is_typed(piece) for piece in document.tokens] == [False, False, True]
    document.grow(pieces("z"), "One")
    assert texts(document) == ["the ab", "the abcd", "the abQ!", "the abQ!z"]


def test_an_edit_that_only_cuts_adds_nothing(document):
    document.edit("the ab")
    assert (document.text, texts(document)) == ("the ab", ["the ab", "the abcd"])


def test_an_edited_prompt_begins_another_tree(document):
    document.edit("A abcd")
    assert (document.prompt, document.tokens) == ("A abcd", [])
    document.grow(pieces("e"), "One")
    assert [tree.prompt for tree in document.trees] == ["the ", "A abcd"]


def test_undo_and_redo_lead_from_text_to_text_also_across_splits_and_prompts(document):
    document.branch(2, *pieces("X"))
    document.edit("other")
    document.grow(pieces("!"), "One")
    seen = [document.text]
    while document.can_undo:
        document.undo()
        seen.append(document.text)
    assert seen == ["other!", "the abX", "the abcd"]
    document.redo()
    assert document.text == "the abX"
    document.branch(0, *pieces("Z"))
    assert not document.can_redo


def test_a_deleted_branch_is_gone_from_the_text_and_from_undo(document):
    document.branch(2, *pieces("X"))
    document.grow(pieces("Y"), "One")
    document.delete(document.tree, document.shown)
    assert document.text == "the ab"
    document.undo()
    assert document.text == "the abcd"
    document.delete(document.tree, ROOT)
    assert (document.trees, document.text, document.can_undo) == ([], "the ", False)


def test_another_run_that_goes_on_gets_a_copy_of_the_text_in_its_own_tree(document):
    other = Document()
    other.adopt(document)
    other.grow(pieces("e"), "Two")
    assert other.text == "the abcde"
    assert document.text == "the abcd"
    assert [node.author for node, _ in other.tree.rows()] == ["One", "Two"]


def test_a_text_that_goes_from_run_to_run_is_not_stored_twice(document):
    other = Document()
    other.adopt(document)
    other.grow(pieces("e"), "Two")
    document.adopt(other)
    document.grow(pieces("f"), "One")
    assert texts(document) == ["the abcd", "the abcde", "the abcdef"]


def test_an_edited_prompt_is_kept_before_anything_continues_it(document):
    document.edit("A abcd")
    assert [tree.prompt for tree in document.trees] == ["the ", "A abcd"]
    assert document.changed


def test_a_node_has_the_log_probability_of_its_tokens_and_typed_text_has_none(document):
    document.edit("the abcd!")
    assert log_probability(document.tokens) == pytest.approx(4 * math.log(0.5))
    assert [node.tokens for node, _ in document.tree.rows()] == [4, 0]


def test_stored_trees_come_before_those_made_since(document):
    assert not document.is_loaded
    document.add_trees([TextTree("old"), TextTree("the ")])
    assert [tree.prompt for tree in document.trees] == ["old", "the ", "the "]
    assert [tree.tokens for tree in document.trees] == [0, 0, 4]
    assert document.is_loaded


def test_beams_are_branches_that_share_what_they_have_in_common(document):
    document.go_on()
    document.grow(pieces("efg"), "One")
    document.add_beams([pieces("efg"), pieces("efX"), pieces("eY"), pieces("ef")], 3, "One")
    assert texts(document) == ["the abcd", "the abcde", "the abcdef", "the abcdefg", "the abcdefX", "the abcdeY"]
    assert document.text == "the abcdefg"


def test_another_run_goes_on_in_the_middle_of_a_text_and_the_tree_remembers_who_wrote_what(document):
    document.branch(2, *pieces("X"))
    document.grow(pieces("YZ"), "Two")
    assert document.text == "the abXYZ"
    assert texts(document) == ["the ab", "the abcd", "the abX", "the abXYZ"]
    assert document.authors == ["One"] * 3 + ["Two"] * 2
    document.go_on()
    document.grow(pieces("!"), "One")
    assert document.authors == ["One"] * 3 + ["Two"] * 2 + ["One"]
    assert [node.author for node in document.tree.path(document.shown)] == ["", "One", "One", "Two", "One"]
    document.undo()
    assert document.authors == ["One"] * 4
    document.edit("the ab and")
    assert document.authors == ["One", "One", ""]

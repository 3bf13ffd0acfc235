"""The readable paragraphs of a docstring."""

import pytest

from lab.text.corpora.prose import CHARACTERS, paragraphs, without_rare


def test_wrapped_lines_become_one_paragraph():
    document = "The quick brown fox jumps\nover the lazy dog of the house.\n\nAnd then it is gone for a day."
    assert list(paragraphs(document)) == [
        "The quick brown fox jumps over the lazy dog of the house.",
        "And then it is gone for a day.",
    ]


def test_list_items_lose_their_bullets():
    document = "* This is the first of\n  them all.\n* This is the second of\n  them all."
    assert list(paragraphs(document)) == ["This is the first of them all.", "This is the second of them all."]


@pytest.mark.parametrize(
    "document",
    [
        ">>> it.is_a_test()  # of the code.\nThis is the answer to it.",
        "range(start, stop[, step])",
        "atom      ::= identifier | literal | enclosure",
        "name     size     what it is and does.",
        "    for x in range(3):\n        print(x)",
        "Usage:",
        "ABC, DEF, GHI, JKL, MNO.",
        "no capital letter at the start of this one.",
        "Too short.",
        "Copyright Guido van Rossum, Corporation for National Research Initiatives.",
        "It is the case that <<<<<==== is used for all of this.",
        "It is in x1_y2 or f(a2) or g(b3) or h(c4) of it.",
    ],
)
def test_what_is_not_prose_is_left_out(document):
    assert list(paragraphs(document)) == []


def test_indented_code_is_left_out_and_the_prose_around_it_kept():
    document = "This is what you can do with it:\n\n    x = [f(y) for y in z]\n\nThat is all that there is to it."
    assert list(paragraphs(document)) == ["That is all that there is to it."]


def test_the_promise_of_an_example_goes_with_the_example():
    document = "This is used for the names of files. Here is an example:\n\n    open(name)"
    assert list(paragraphs(document)) == ["This is used for the names of files."]


def test_markup_and_typographic_marks_become_plain():
    document = "The ``name`` of it is *not* the “value” that it’s got [4] in :class:`dict`."
    assert list(paragraphs(document)) == ['The "name" of it is not the "value" that it\'s got in "dict".']


def test_rare_characters_are_dropped_and_counted():
    assert without_rare("a~b\nc{d}é") == ("ab\ncd", 4)


def test_what_is_left_makes_a_small_vocabulary():
    assert 70 <= len(CHARACTERS) <= 95

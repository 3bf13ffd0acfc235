"""Stop strings in a stream of pieces: what may belong to one waits, and what belongs to one is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.decoding.stops import End, Stops
from lab.workbench.access.generation import Piece, _released


def written(texts, strings):
    """Return the text of each piece as it comes, for tokens of these texts."""
    stops = Stops(strings=strings, decode=lambda tokens: "".join(texts[at] for at in tokens))
    held, found = [], []
    for at in range(len(texts)):
        end = stops.end_of(range(max(0, at - stops.reach), at), at)
        if end is None and at == len(texts) - 1:
            end = End("length")
        held.append(Piece(texts[at], texts[at], 0.5, (), False, 1, None, end))
        found.append([piece.text for piece in _released(held, strings)])
        if end is not None:
            return found
    return found


@pytest.mark.parametrize(
    ("texts", "strings", "pieces"),
    [
        (["a", "b", "c"], [], [["a"], ["b"], ["c"]]),
        (["a", "b", "c"], ["bd"], [["a"], [], ["b", "c"]]),
        (["a", "b", "cd"], ["bc"], [["a"], [], ["", ""]]),
        (["ab", "cd", "e"], ["bc"], [[], ["a", ""]]),
        (["the cat", " sat"], ["cat"], [["the "]]),
        (["a", "\n"], ["\n\n"], [["a"], ["\n"]]),
        (["cab"], ["b", "a"], [["c"]]),
        (["x", "", "y"], ["xy"], [[], [], ["", "", ""]]),
    ],
)
def test_pieces_come_once_they_are_certain(texts, strings, pieces):
    assert written(texts, strings) == pieces


@given(
    st.lists(st.text("ab\n", max_size=4), min_size=1, max_size=12),
    st.lists(st.text("ab\n", min_size=1, max_size=4), max_size=3),
)
def test_the_text_is_that_before_the_first_stop_string(texts, strings):
    whole, found = "".join(texts), "".join(text for new in written(texts, strings) for text in new)
    starts = [whole.find(string) for string in strings if string in whole]
    if not starts:
        assert found == whole
    else:
        assert whole.startswith(found)
        assert not any(string in found for string in strings)

"""Which losses compare: one corpus, split, objective, vocabulary and protocol, and equally many steps."""

from types import SimpleNamespace

import pytest

from lab.recipes import Recipe
from lab.shell.session.runs.comparability import Difference, comparability_of, differences, same_corpus


class Folder(SimpleNamespace):
    """The folder of a run with some facts."""

    __hash__ = object.__hash__


class Run(SimpleNamespace):
    """A finished run on a corpus with a hash; one without a hash has not started."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    def __init__(self, sha="a", symbols="abc", protocol="windows", step=100, *assignments, **further):
        facts = {"corpus": {"sha256": sha}, "vocabulary": {"symbols": symbols}}
        known = {
            "loss": 2.0,
            "works": False,
            "elsewhere": False,
            "counts": False,
            "reads_later": False,
            "last_step": step,
        }
        super().__init__(
            source=SimpleNamespace(folder=None if sha is None else Folder(facts=facts)),
            recipe=Recipe().with_assignments(*assignments), protocol=protocol, step=step,
            **{**known, **further},
        )  # fmt: skip


def test_equal_conditions_compare():
    assert differences(Run(), Run()) == []


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (Run("b"), Difference.CORPUS),
        (Run("a", "abc", "windows", 100, "training.validation_share=0.3"), Difference.SPLIT),
        (Run("a", "abc", "windows", 100, reads_later=True), Difference.OBJECTIVE),
        (Run("a", "abcd"), Difference.VOCABULARY),
        (Run("a", "abc", "stream"), Difference.PROTOCOL),
        (Run("a", "abc", "windows", 50), Difference.STEPS),
    ],
    ids=lambda one: one.name if isinstance(one, Difference) else "",
)
def test_each_difference_is_named(other, expected):
    assert differences(other, Run()) == [expected]


def test_the_weightiest_difference_comes_first():
    assert differences(Run("b", "abcd", "stream"), Run())[0] is Difference.CORPUS


def test_bits_per_byte_compare_across_vocabularies():
    assert differences(Run("a", "abcd"), Run(), by_bytes=True) == []


def test_a_protocol_that_is_not_known_yet_separates_nothing():
    assert differences(Run("a", "abc", None), Run()) == []


def test_the_steps_of_a_model_that_counts_separate_nothing():
    assert differences(Run("a", "abc", "windows", 7, counts=True), Run()) == []


def test_a_run_that_trains_is_compared_by_the_steps_it_has_made():
    assert differences(Run("a", "abc", "windows", 5, works=True, last_step=100), Run()) == [Difference.STEPS]
    assert differences(Run("a", "abc", "windows", 100, works=True, last_step=100), Run()) == []


def test_until_a_run_has_read_its_text_its_recipe_names_the_corpus():
    assert same_corpus(Run(None), Run("a"))
    assert not same_corpus(Run(None, "abc", None, 0, "corpus.name=text", "corpus.text=other"), Run("a"))


def test_the_losses_that_do_not_compare_are_counted_once_by_their_weightiest_reason():
    reference = Run()
    found = comparability_of([Run("b", "abcd"), Run("b"), Run("a", "abc", "stream"), Run(), reference], reference)
    assert (len(found.others), len(found.runs)) == (3, 5)
    assert found.counts == {Difference.CORPUS: 2, Difference.PROTOCOL: 1}


def test_runs_without_a_loss_are_left_out_and_never_the_reference():
    first, waiting = Run(), Run("b", loss=None)
    found = comparability_of([first, waiting], waiting)
    assert found.reference is first
    assert found.others == []


def test_without_any_loss_there_is_nothing_to_compare():
    assert comparability_of([Run(loss=None)], None).reference is None

"""The cards of the sources that give rows: the same for the same config, the same at the start for more rows."""

import functools
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lab.api import BadInput, Images, LabelledTexts, Pairs, Vectors, settings_of
from lab.sources.rows.cards import lab_register_corpora

CARDS = {}
lab_register_corpora(lambda card: CARDS.update({card.name: card}))
KINDS = {"pairs": Pairs, "labels": LabelledTexts, "vectors": Vectors, "images": Images}
CASES = [
    *((name, {}) for name in CARDS),
    *(("points", {"shape": shape, "classes": 4}) for shape in ("circles", "spirals", "xor", "blobs")),
    ("shapes", {"target": "caption"}),
    ("shapes", {"target": "caption", "shapes": 1}),
    ("phrases", {"order": "vso"}),
]


def made_anew(name, **settings):
    return CARDS[name].make(CARDS[name].config(**{"rows": 60, **settings}))


made = functools.cache(made_anew)


def rows_of(data):
    """The rows of any data as plain values that can be compared."""
    match data:
        case Pairs():
            return list(zip(data.sources, data.targets, strict=True))
        case LabelledTexts():
            return [(str(text), str(label)) for text, label in zip(data.texts, data.labels, strict=True)]
        case Vectors():
            return [(one.tobytes(), other.tobytes()) for one, other in zip(data.inputs, data.targets, strict=True)]
    given = data.captions if data.captions else data.labels.tolist()
    return [(one.tobytes(), other) for one, other in zip(data.pixels, given, strict=True)]


def test_eleven_sources_give_rows_of_four_kinds():
    assert {card.kind for card in CARDS.values()} == KINDS.keys()
    assert len(CARDS) == 11


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_each_has_what_it_tests_which_models_do_well_and_references(card):
    for words in (card.summary, card.tests, card.expected):
        assert words.endswith(".")
    assert card.references
    assert all(setting.help.endswith(".") for setting in settings_of(card.config))


@pytest.mark.parametrize(("name", "settings"), CASES)
def test_rows_are_of_their_kind_and_the_same_for_the_same_config(name, settings):
    first, second = made(name, **settings), made_anew(name, **settings)
    assert isinstance(first, KINDS[CARDS[name].kind])
    assert len(first) == 60
    assert first.name
    assert first.sha256 == second.sha256 != made(name, **settings, seed=1).sha256
    assert first.floors == second.floors


@pytest.mark.parametrize(("name", "settings"), CASES)
def test_more_rows_start_with_the_same_ones(name, settings):
    assert rows_of(made(name, **settings, rows=90))[:60] == rows_of(made(name, **settings))


@pytest.mark.short("*-settings0", "*-settings1", "*-settings2", "points-*")
@pytest.mark.parametrize(("name", "settings"), [case for case in CASES if case[0] != "topics"])
def test_no_row_is_there_twice_so_that_no_part_repeats_another(name, settings):
    data = made(name, **settings, rows=500)
    assert len({row if CARDS[name].kind == "vectors" else row[0] for row in rows_of(data)}) == 500


@pytest.mark.parametrize("name", [name for name, card in CARDS.items() if card.kind == "labels" or name == "digits"])
def test_classes_are_balanced(name):
    data = made(name, rows=500)
    if name == "parts-of-speech":  # the grammar decides how often each occurs, and each does
        assert set().union(*data.labels) == set(range(len(data.classes)))
        return
    counts = np.bincount(np.asarray(data.labels), minlength=len(data.classes))
    assert counts.max() - counts.min() <= 1


@pytest.mark.parametrize("name", [name for name, card in CARDS.items() if card.kind in ("pairs", "labels", "vectors")])
def test_the_lowest_possible_loss_is_stated(name):
    assert 0 <= made(name).floors["noise" if name in ("sine", "linear-rule") else "entropy rate"] < 1


def test_what_does_not_have_so_many_rows_is_refused_with_a_remedy():
    with pytest.raises(BadInput) as caught:
        made("reversal", length=2, alphabet=3, rows=13)
    assert caught.value.problem.field == "corpus.rows"
    assert caught.value.problem.remedy
    assert len(made("reversal", length=2, alphabet=3, rows=12)) == 12


def test_pictures_that_need_too_much_memory_are_refused():
    with pytest.raises(BadInput) as caught:
        made("shapes", size=128, rows=100_000)
    assert "pictures of this size" in caught.value.problem.allowed


def test_a_seed_gives_these_rows_on_every_machine():
    digests = {name: made(name).sha256[:12] for name in CARDS}
    assert digests == DIGESTS


DIGESTS = {
    "reversal": "284af62bb1ba",
    "dates": "56e0e2336d75",
    "phrases": "7b2e83400488",
    "polarity": "c39590ffd0d4",
    "topics": "91c66db702fd",
    "parts-of-speech": "68033f1d0920",
    "points": "4f697d9b3f70",
    "sine": "f13f8982b510",
    "linear-rule": "52040e169cd4",
    "digits": "ad567facb08a",
    "shapes": "f4e80976fb8f",
}


@pytest.mark.long  # in short: the same of all built-ins
def test_listing_the_cards_imports_neither_torch_nor_qt():
    code = "import sys, lab.sources.rows.cards; print([m for m in ('torch', 'PySide6', 'psutil') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.short("reversal", "dates", "polarity", "sine", "shapes")
@pytest.mark.parametrize("name", CARDS)
def test_the_docs_state_the_lowest_loss_of_the_defaults(name):
    page = (Path(__file__).parents[3] / "resources" / "docs" / "using" / "rows.md").read_text(encoding="utf-8")
    (stated,) = re.findall(rf"^\| `{name}` \|.*\| ([\w. ]+) \|$", page, re.MULTILINE)
    floors = CARDS[name].make(CARDS[name].config()).floors
    if floors:
        assert float(stated) == pytest.approx(min(floors.values()), abs=6e-4)
    else:
        assert stated == "close to 0"

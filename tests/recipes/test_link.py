"""Links: every recipe comes back, and no text whatever raises anything but one problem that names what to do."""

import base64
import hashlib
import zlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lab.base import BadInput
from lab.base.folders import resources
from lab.recipes import Link, LinkedCorpus, LinkedRun, Recipe, is_link, read_link, shipped, shipped_names, write_link
from lab.recipes.link import LONGEST, MOST_BYTES, SCHEME

NAMES = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
VALUES = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
SETTINGS = st.dictionaries(
    NAMES.filter(lambda name: name not in ("name", "version")), VALUES | st.lists(st.integers(0, 9)), max_size=4
)
CHOICES = st.builds(lambda name, settings: {**settings, "name": name}, NAMES, SETTINGS)
RECIPES = st.fixed_dictionaries(
    {},
    optional={
        "title": TEXTS,
        "corpus": CHOICES,
        "architecture": CHOICES,
        "training": st.fixed_dictionaries(
            {},
            optional={"steps": st.integers(0, 10**9), "seed": st.integers(0, 2**63 - 1), "optimizer": CHOICES},
        ),
        "readings": st.fixed_dictionaries({}, optional={"text": TEXTS, "probes": st.lists(NAMES, unique=True)}),
    },
).map(lambda values: Recipe.read(values, field=""))
CORPORA = st.none() | st.builds(
    LinkedCorpus, name=TEXTS.filter(bool), characters=st.integers(0, 2**40), sha256=st.just("0123456789abcdef")
)
RUNS = st.none() | st.builds(
    LinkedRun,
    name=TEXTS,
    step=st.integers(0, 10**9),
    validation_loss=st.none() | st.floats(0, 100),
    protocol=st.sampled_from(["", "windows", "strided:8"]),
    branched=st.booleans(),
)
LINKS = st.builds(Link, RECIPES, CORPORA, RUNS)
WORDS = hashlib.sha256((resources() / "links" / "1.txt").read_bytes().replace(b"\r\n", b"\n")).hexdigest()

MADE = "lmlab:12galf3gdszxehacrscvaagk2dgqdida724yr5pgj3f6dioipxlsmzac2umsmfkyujowpkcmo5icaa"
"""A link made by the first version of the lab that knows links."""


def packed(content, *, checksum=None):
    """Return a link that holds these bytes."""
    press = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = (zlib.crc32(content) if checksum is None else checksum).to_bytes(4, "big")
    return "lmlab:1" + base64.b32encode(data + press.compress(content) + press.flush()).decode().rstrip("=").lower()


def problem_of(text):
    with pytest.raises(BadInput) as refused:
        read_link(text)
    return refused.value.problem


@given(LINKS)
def test_every_recipe_comes_back_from_its_link(link):
    assert read_link(write_link(link)) == link


@given(LINKS)
def test_a_link_is_the_same_in_capital_letters_and_wrapped(link):
    text = write_link(link).upper()
    assert read_link("\n  ".join([text[:9], text[9:70], text[70:]])) == link


@given(st.text() | st.text().map(lambda text: SCHEME + text) | st.text().map(lambda text: f"lmlab:1{text}"))
@example("lmlab:1ſ")
@example("lmlab:\0")
def test_no_text_raises_anything_but_a_problem_with_a_remedy(text):
    problem = problem_of(text)
    assert problem.field == "link"
    assert problem.remedy


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
@example(b"")
@example(b"\xff")
@example(b"\0" + b"[" * 4000)
@example(b"\0a" + b".a" * 4500)
@example(b"title = " + b"[" * 4000)
@example(b"\0[run]\nvalidation_loss = 'low'")
@example(b"\0run = 1")
def test_no_content_raises_anything_but_a_problem(content):
    try:
        read_link(packed(content))
    except BadInput as error:
        assert error.problem.field  # noqa: PT017 - an empty text is a recipe


@given(LINKS, st.data())
def test_a_link_with_a_wrong_letter_is_refused(link, data):
    text = write_link(link)
    index = data.draw(st.integers(len(SCHEME) + 1, len(text) - 2))  # the last letter may hold unused bits
    letter = data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz234567").filter(lambda one: one != text[index]))
    wrong = text[:index] + letter + text[index + 1 :]
    is_of_last_byte = index >= len(text) - 3  # whose last bits may be none of the content
    if not (is_of_last_byte and is_same(wrong, link)):
        assert problem_of(wrong).what == "is incomplete or damaged"


def is_same(text, link):
    try:
        return read_link(text) == link
    except BadInput:
        return False


@given(LINKS, st.data())
def test_a_link_that_was_cut_off_is_refused(link, data):
    text = write_link(link)
    assert problem_of(text[: data.draw(st.integers(0, len(text) - 2))]).remedy.startswith("Copy the link again")


def test_a_link_of_another_version_names_the_version_that_the_lab_knows():
    problem = problem_of(write_link(Link(Recipe())).replace("lmlab:1", "lmlab:2"))
    assert problem.what == "is of version 2, which this lab does not know"
    assert (problem.allowed, problem.remedy) == ("version 1", "Update the lab")


def test_a_short_link_that_unpacks_to_a_huge_text_is_refused_before_it_is_unpacked():
    bomb = packed(b"#" * 10**6)
    assert len(bomb) < LONGEST
    assert problem_of(bomb).allowed == f"at most {MOST_BYTES:,} bytes"


def test_a_long_text_is_refused_by_its_length():
    assert problem_of(SCHEME + "1" + "a" * 10**7).allowed == f"at most {LONGEST:,}"


def test_a_recipe_in_a_link_is_checked_as_a_file_is():
    problem = problem_of(packed(b"[training]\nsteps = -1"))
    assert (problem.field, problem.value, problem.allowed) == (
        "training.steps",
        "-1",
        "whole number, 0 ≤ x ≤ 1000000000",
    )


@pytest.mark.parametrize(
    ("facts", "field"),
    [
        ("[corpus]\nname = 'a'\nsha256 = 'x'", "link.corpus.sha256"),
        ("[corpus]\nname = ''", "link.corpus.name"),
        ("[run]\nloss = 1.0", "link.run.loss"),
        ("[other]\nname = 'a'", "link"),
    ],
)
def test_what_a_link_says_of_corpus_and_run_is_checked(facts, field):
    assert problem_of(packed(f"\0{facts}".encode())).field == field


def test_a_recipe_that_is_too_long_for_a_qr_code_is_not_written():
    recipe = Recipe().with_values({"corpus": {"name": "text", "text": "".join(map(str, range(3000)))}})
    with pytest.raises(BadInput, match="Share the recipe as a file"):
        write_link(Link(recipe))


def test_a_recipe_of_the_lab_fits_into_some_hundred_characters():
    for name in shipped_names():
        text = write_link(Link(shipped(name)))
        assert len(text) < 400, name
        assert text[len(SCHEME) :].isalnum(), name
        assert text.isascii(), name


def test_links_that_were_made_once_stay_readable():
    assert WORDS == "326927aa39ace3bb48b164fff185455012e5eb83bbd2644ceb5a99f717eeec7e"
    link = read_link(MADE)
    settings = {"title": "Three layers", "architecture": {"layers": 3}, "training": {"seed": 7}}
    assert link.recipe == Recipe().with_values(settings)
    assert link.run == LinkedRun(name="a", step=9, validation_loss=1.5, protocol="windows")


def test_only_texts_with_the_scheme_are_links():
    assert is_link("lmlab:1abc")
    assert is_link("  LMLAB:1ABC")
    assert not is_link("https://example.org/lmlab:1abc")
    assert not is_link("C:\\lmlab")


def test_controls_that_are_off_cost_nothing_and_others_are_written():
    off, on = Recipe(), Recipe().with_assignments("training.averaging=ema", "training.budget=3 epochs")
    assert read_link(write_link(Link(off))).recipe == off
    assert read_link(write_link(Link(on))).recipe == on
    assert len(write_link(Link(off))) < len(write_link(Link(on))) < len(write_link(Link(off))) + 80

"""The lessons that come with the lab can be used, their formulas typeset, and their results decide their checks."""

import tomllib
from pathlib import Path

import pytest
from matplotlib.mathtext import MathTextParser

from lab.base.folders import resources
from lab.host import Plugins
from lab.lessons.collection import find_lessons, shipped_folder
from lab.lessons.glossary import glossary
from lab.lessons.lesson import TRACKS
from lab.lessons.markdown import formulas
from lab.lessons.predictions import answer_of, positions
from lab.lessons.reading import recipe_of
from lab.lessons.results import decide_checks, read_recorded
from lab.recipes import shipped_names
from lab.worked import examples

LANGUAGES = ("en", "de")
FOUND = {language: find_lessons(language=language) for language in LANGUAGES}
LESSONS = [one.lesson for one in FOUND["en"] if one.lesson is not None]
RECORDED = [lesson for lesson in LESSONS if read_recorded(lesson).outcomes]


def ids(lesson):
    return lesson.name


def test_every_lesson_of_the_lab_can_be_used_in_every_language():
    assert [one.problem.line() for found in FOUND.values() for one in found if one.problem is not None] == []
    assert len(LESSONS) == 30
    assert {lesson.track for lesson in LESSONS} == set(TRACKS)


def test_a_translation_measures_what_the_original_does_and_translates_all_texts():
    originals = {lesson.name: lesson for lesson in LESSONS}
    translated = [one.lesson for one in FOUND["de"] if one.lesson.language == "de"]
    assert {lesson.name for lesson in translated} == {
        lesson.name for lesson in LESSONS if lesson.track in ("probability", "using")
    }
    for lesson in translated:
        original = originals[lesson.name]
        assert lesson.digest == original.digest
        assert lesson.prediction.right == original.prediction.right
        texts = (lesson.title, lesson.summary, lesson.mistake, *lesson.texts.values(), lesson.prediction.text)
        assert not set(texts) & {original.title, original.summary, original.mistake, *original.texts.values()}
        assert all(one.text != other.text for one, other in zip(lesson.questions, original.questions, strict=True))
        assert all(one.claim != other.claim for one, other in zip(lesson.checks, original.checks, strict=True))


def test_no_two_lessons_of_a_track_have_the_same_position():
    positions_ = [(lesson.track, lesson.position) for lesson in LESSONS]
    assert len(positions_) == len(set(positions_))


@pytest.mark.parametrize("lesson", LESSONS, ids=ids)
def test_a_lesson_has_all_its_texts_and_recipes_that_exist(lesson):
    assert all(lesson.texts[name] for name in ("look", "lesson", "further", "teacher"))
    assert 10 <= lesson.minutes <= 60
    for run in lesson.runs:
        assert run.recipe == "" or run.recipe in shipped_names()
        for key in run.keys:
            assert recipe_of(lesson, run.name, key, 3).training.seed == 3


@pytest.mark.parametrize("lesson", RECORDED, ids=ids)
def test_the_checks_of_a_lesson_hold_for_its_recorded_results(lesson):
    result = read_recorded(lesson)
    assert list(result.outcomes) in ([1], [1, 2, 3])
    for outcome in result.outcomes.values():
        failed = [one.text for check in decide_checks(lesson, outcome.values) for one in check if not one.holds]
        assert failed == []
        assert answer_of(lesson, outcome.values) is not None
        if lesson.prediction.kind == "curve":
            assert positions(lesson) == list(outcome.values[lesson.prediction.of])


def test_terms_that_lessons_name_are_in_the_glossary():
    named = {
        part.split(")")[0] for lesson in LESSONS for text in lesson.texts.values() for part in text.split("(term:")[1:]
    }
    assert named
    assert named <= set(glossary())


def test_lessons_and_measures_name_worked_examples_that_exist_and_leave_none_out():
    linked = {name for lesson in LESSONS for name in lesson.examples}
    named = {
        part.split(")")[0]
        for lesson in LESSONS
        for text in lesson.texts.values()
        for part in text.split("(example:")[1:]
    }
    measured = {one.example for lesson in LESSONS for one in lesson.measures if one.example}
    assert named | measured <= linked
    assert linked == set(examples())


def test_pages_of_the_help_that_lessons_and_terms_name_exist():
    pages = {one.see for one in glossary().values() if one.see}
    for lesson in LESSONS:
        pages |= {part.split(")")[0] for text in lesson.texts.values() for part in text.split("(help:")[1:]}
    docs = Path(str(resources())) / "docs"
    assert [page for page in sorted(pages) if not (docs / f"{page.partition('#')[0]}.md").is_file()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_term_is_one_sentence(language):
    for term in glossary(language).values():
        assert term.sentence.endswith("."), term.key
        assert len(term.sentence) <= 180, term.key


def all_formulas():
    """Every formula of lessons, terms and cards, with where it stands."""
    for language in LANGUAGES:
        for one in FOUND[language]:
            for name, text in one.lesson.texts.items():
                yield from ((f"{one.name}/{name}", latex) for latex in formulas(text))
        yield from ((term.key, term.formula) for term in glossary(language).values() if term.formula)
    plugins = Plugins(safe_mode=True)
    for kind in ("architectures", "mixers"):
        for card in plugins.cards(kind).values():
            yield from ((card.name, latex) for latex in card.equations)
    docs = Path(str(resources())) / "docs"
    for page in docs.rglob("*.md"):
        yield from ((page.stem, latex) for latex in formulas(page.read_text(encoding="utf-8")) if "\\" in latex)


FORMULAS = sorted(set(all_formulas()))


@pytest.mark.parametrize("every", [9, pytest.param(1, marks=pytest.mark.long)])
def test_every_formula_of_lessons_terms_cards_and_help_is_typeset(every):
    assert len(FORMULAS) > 150
    for where, latex in FORMULAS[::every]:
        try:
            MathTextParser("agg").parse(f"${latex}$")
        except ValueError as error:
            pytest.fail(f"{where}: {latex}: {error}")


def test_every_formula_of_lessons_is_typeset():
    of_lessons = [one for one in FORMULAS if "/" in one[0]]
    for where, latex in of_lessons:
        try:
            MathTextParser("agg").parse(f"${latex}$")
        except ValueError as error:
            pytest.fail(f"{where}: {latex}: {error}")


def test_only_lessons_and_their_glossary_are_shipped():
    kinds = {path.suffix for path in shipped_folder().rglob("*") if path.is_file()}
    assert kinds <= {".toml", ".md", ".json", ".png"}
    for file in shipped_folder().rglob("*.toml"):
        tomllib.loads(file.read_text(encoding="utf-8"))

"""Handouts are files that open anywhere: HTML with its pictures inside, and PDF."""

import re

import pytest

from lab.lessons.collection import find_lessons
from lab.lessons.reading import read_lesson
from lab.shell.learn.handouts import handout_page, without_window, write_handout, write_handouts


@pytest.fixture
def lesson():
    return next(one.lesson for one in find_lessons() if one.name == "never-seen")


def test_formulas_are_pictures_with_words_and_nothing_is_loaded_from_elsewhere(qapp, lesson):
    page = handout_page(lesson, answers=True)
    sources = re.findall(r'(?:src|href)="([^"]{0,22})', page)
    assert sources
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    assert 'alt="p of' in page or 'alt="p ( w given h )' in page
    assert "<script" not in page


@pytest.mark.parametrize("ending", [".html", ".pdf"])
def test_a_file_is_written_with_or_without_answers(qapp, lesson, tmp_path, ending):
    for answers in (False, True):
        file = tmp_path / f"page{answers}{ending}"
        write_handout(lesson, file, answers=answers)
        assert file.read_bytes().startswith(b"%PDF" if ending == ".pdf" else b"<!DOCTYPE html>")
        if ending == ".html":
            assert (lesson.questions[0].answer in file.read_text()) == answers


def test_no_file_of_a_folder_is_overwritten_and_a_cancelled_work_ends(qapp, lesson, tmp_path):
    first, second = (write_handouts([lesson], tmp_path / "new", ".html") for _ in range(2))
    assert first != second
    assert len(list((tmp_path / "new").iterdir())) == 2
    assert write_handouts([lesson], tmp_path / "none", ".html", cancelled=lambda: True) == []


def test_headings_are_in_the_language_of_the_page(qapp, lesson):
    german = read_lesson(lesson.folder, "de")
    with without_window("de"):
        page = handout_page(german)
    assert "<h2>Voraussagen</h2>" in page
    assert "<h2>Predict</h2>" in handout_page(lesson)


def test_a_picture_of_a_lesson_is_inside_and_an_explorable_is_named(qapp, lesson, tmp_path):
    from PySide6.QtGui import QImage

    image = QImage(20, 10, QImage.Format.Format_RGB32)
    image.fill(0)
    image.save(str(tmp_path / "curve.png"))
    look = "![A curve](curve.png) ![A clock](explorable:sinusoids) ![Gone](gone.png)"
    changed = lesson.model_copy(update={"folder": tmp_path, "texts": {**lesson.texts, "look": look}})
    page = handout_page(changed)
    assert '<img alt="A curve" src="data:image/png;base64,' in page
    assert "<i>In the window: A clock</i>" in page
    assert "Gone" in page

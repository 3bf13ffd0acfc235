"""The plan of a term: sessions, sections of lectures, and what lessons need of the machine."""

import csv
import io

import pytest

from lab.lessons.collection import find_lessons
from lab.workbench.lessons.planning import Need, by_section, need_of, plan_csv, planned, section_order


@pytest.fixture(scope="module")
def lessons():
    return [one.lesson for one in find_lessons()]


def test_lessons_fill_sessions_in_their_order(lessons):
    needs = {one.name: Need(one.training_count) for one in lessons}
    plan = planned(lessons, needs, 60)
    assert [one.lesson for one in plan] == lessons
    for session in range(1, plan[-1].session + 1):
        minutes = [one.lesson.minutes for one in plan if one.session == session]
        assert minutes
        assert sum(minutes) <= 60 or len(minutes) == 1
    alone = planned(lessons, needs, 1)
    assert [one.session for one in alone] == list(range(1, len(lessons) + 1))


def test_sections_are_in_the_order_of_the_lectures():
    mixed = ["004 19.10", "000 p4", "004 19.5", "000 1.8", "003 2.4", "000 p1", "004 19"]
    assert sorted(mixed, key=section_order) == [
        "000 1.8", "000 p1", "000 p4", "003 2.4", "004 19", "004 19.5", "004 19.10"]  # fmt: skip


def test_a_lesson_is_where_its_first_section_is(lessons):
    ordered = by_section(lessons)
    firsts = [min(map(section_order, one.lectures)) for one in ordered if one.lectures]
    assert firsts == sorted(firsts)


def test_a_lesson_that_counts_needs_seconds_and_one_of_gradients_memory(bench, lessons):
    by_name = {one.name: one for one in lessons}
    counting, learning = need_of(by_name["never-seen"], bench), need_of(by_name["counting-modulo-two"], bench)
    assert (counting.trainings, counting.seconds, counting.memory_bytes, counting.has_result) == (13, 0, None, True)
    assert learning.seconds is None  # no run was finished on this machine
    assert learning.memory_bytes > 1e6


def test_a_lesson_that_cannot_be_trained_here_says_why(lessons, bench):
    big = next(one for one in lessons if one.name == "counting-modulo-two")
    settings = ("architecture.name=transformer", "architecture.width=65536")
    runs = tuple(run.model_copy(update={"settings": settings, "recipe": ""}) for run in big.runs)
    need = need_of(big.model_copy(update={"runs": runs}), bench)
    assert need.problem.line()
    assert (need.trainings, need.seconds, need.memory_bytes) == (2, None, None)


def test_the_table_is_csv_that_no_spreadsheet_computes(lessons):
    lesson = lessons[0].model_copy(update={"title": "=1+1"})
    plan = planned([lesson, lessons[1]], {one.name: Need(2, 61.4, 10**6, True) for one in lessons[:2]})
    first, second = list(csv.DictReader(io.StringIO(plan_csv(plan))))
    assert first["title"] == "'=1+1"
    assert (second["session"], second["machine seconds"], second["result is there"]) == ("1", "61", "yes")

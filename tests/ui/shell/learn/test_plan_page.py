"""The plan of a term in the window: lessons in sessions, tables, handouts, and what is demonstrated."""

import csv

import pytest

from lab.shell.learn.plan_page import PlanPage
from lab.workbench.lessons.planning import Need


@pytest.fixture
def page(open_session, qtbot, until, with_policy):
    with_policy('lessons = ["the-floor", "never-seen", "a-text-has-a-probability"]')
    session = open_session()
    made = PlanPage(session)
    qtbot.addWidget(made)
    made.resize(1300, 700)
    made.show()
    until(lambda: bool(made.plan))
    until(lambda: not session.background._tasks)
    return made


def row_of(page, title):
    return next(row for row in range(page.table.rowCount()) if page.table.cellWidget(row, 0).text() == title)


def texts(page, title):
    return [page.table.item(row_of(page, title), column).text() for column in range(page.table.columnCount())]


def test_lessons_are_planned_in_sessions_that_follow_what_is_checked(page):
    count = len(page.plan)
    assert page.table.rowCount() == count
    assert page._about.text().startswith(f"{count} lessons · ")
    page.table.cellWidget(0, 0).click()
    assert len(page.plan) == count - 1
    assert page.table.item(0, 1).text() == ""
    page.minutes._take(next(action for action in page.minutes._menu.actions() if action.data() == "45"))
    assert all(sum(one.lesson.minutes for one in page.plan if one.session == session) <= 45
               for session in range(1, page.plan[-1].session + 1))  # fmt: skip


def test_lessons_stand_in_the_order_of_the_lectures(page):
    page.order._take(next(action for action in page.order._menu.actions() if action.data() == "section"))
    assert page.table.item(0, 2).text().startswith("000")
    assert page.plan[0].lesson.title == page.table.cellWidget(0, 0).text()


def test_what_a_lesson_needs_is_in_its_row(page):
    page._take_needs({"never-seen": Need(4, 130.0, 49_000_000, True)})
    row = texts(page, "What was never seen")
    assert row[3:] == ["30", "4", "2 min", "49 MB", "there"]


def test_a_plan_and_handouts_are_written(page, tmp_path, until):
    for row in range(2, page.table.rowCount()):
        page.table.cellWidget(row, 0).click()
    page.save_csv(tmp_path / "plan.csv")
    assert len(list(csv.reader((tmp_path / "plan.csv").read_text().splitlines()))) == 3
    page.answers.setChecked(True)
    page.write_handouts(tmp_path / "paper")
    until(lambda: len(list((tmp_path / "paper").glob("*-answers.html"))) == 2)
    until(lambda: not page._session.background._tasks)


def test_a_folder_that_cannot_be_written_is_said(page, tmp_path, until):
    (tmp_path / "file").write_text("")
    page.write_handouts(tmp_path / "file" / "inside")
    until(lambda: page._problem.isVisible())
    assert page._problem.text()
    page.write_handouts(tmp_path / "another")
    until(page._problem.isHidden)


def test_the_selected_lesson_can_be_demonstrated(page, qtbot):
    assert not page.play.isEnabled()
    page.table.selectRow(row_of(page, "The floor"))
    with qtbot.waitSignal(page.demonstration_requested) as asked:
        page.play.click()
    assert asked.args == ["the-floor"]

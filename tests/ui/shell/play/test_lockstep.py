"""Runs side by side in Play, the list of runs, another run that goes on with a text, and the blind test."""

import csv
import json
import time
from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QWidget

from lab.shell.play.choices import Fit, RunChoice, offers_of
from lab.shell.play.filter_list import FilterList
from lab.shell.play.lockstep import blind_page
from lab.shell.play.lockstep.model import Quantity
from lab.shell.play.pages import BLIND, LOCKSTEP, WRITE, PlayPages
from lab.shell.play.panel import PlayPanel
from lab.shell.play.place import PlayPlace
from lab.shell.play.text.pages import TextPages
from lab.workbench.scoring.blind_scores import blind_score

STEPS = ("training.steps=20", "training.checkpoint_every=10", "training.keep_last=9")
SECOND = (*STEPS, "training.seed=2")
BYTES = (*STEPS, "tokenizer.name=byte")


@pytest.fixture
def opened(open_session, trained_run, until):
    """Open a page of Play with runs that have ended, the first one selected and all shown."""
    made = []

    def opened(page, *recipes):
        session = open_session()
        for recipe in recipes or (STEPS, SECOND):
            count = len(session.registry.runs)
            session.open_path(str(trained_run(*recipe)))
            until(lambda count=count: len(session.registry.runs) > count)
        runs = session.registry.runs
        by_recipe = sorted(runs, key=lambda run: run.path.stat().st_ctime_ns)
        session.registry.select(by_recipe[0].key)
        session.registry.show([run.key for run in runs], True)
        panel = PlayPanel(session.plugins, FilterList(session.plugins))
        place = PlayPlace(session.registry, session.model_provider, session.background, panel, TextPages())
        pages = PlayPages(place, session.registry, session.model_provider, session.background)
        window = QWidget()
        row = QHBoxLayout(window)
        row.addWidget(panel)
        row.addWidget(pages, 1)
        made.append((window, pages, panel))
        window.resize(1300, 800)
        place.begin()
        pages.begin()
        panel._edit_length("tokens", 12)
        pages.open_page(page)
        window.show()
        pages.session = session
        return pages

    yield opened
    for window, pages, panel in made:
        pages.close_down()
        pages.write.close_down()
        window.close()
        for widget in (window, panel):
            widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def write(until):
    """Write with a page to the end."""

    def write(page, prompt="the "):
        page.prompt.setPlainText(prompt)
        page.start()
        until(lambda: not page.works)

    return write


def listed(picker, until):
    """Open the list of runs, and return its entries: (text, enabled, entries below it)."""
    seen = []
    picker.menu_of_runs.popup = seen.append  # a menu that is open takes the keyboard
    picker.open()
    until(lambda: seen)

    def entries(menu):
        return [
            (action.text(), action.isEnabled(), entries(action.menu()) if action.menu() else [], action)
            for action in menu.actions()
        ]

    return entries(picker.menu_of_runs)


def text_of(view):
    return view.text.text()


def test_the_shown_runs_have_the_columns_and_write_in_lockstep(opened, write):
    page = opened(LOCKSTEP).lockstep
    assert len(page.columns.views) == 2
    write(page)
    assert page._problem.isHidden()
    for view in page.columns.views:
        assert len(text_of(view)) == len("the ") + 12
    second = page.model.texts.columns[1]
    assert all(one.agreement is not None for one in second.written)
    assert "KL" in page.columns.views[1].note.text()
    assert page.table.rowCount() == 2
    assert page.table.item(1, 1).text() != ""
    (line,) = page.chart._lines
    assert len(line.x) == 12


@pytest.mark.parametrize("quantity", list(Quantity))
def test_each_quantity_is_drawn(opened, write, quantity):
    page = opened(LOCKSTEP).lockstep
    write(page)
    page.quantities.pick(quantity.value)
    assert len(page.chart._lines) == (1 if quantity.compares else 2)
    if quantity is Quantity.LIKELIEST:
        shares = [one.agreement.same_likeliest for one in page.model.texts.columns[1].written]
        assert page.chart._lines[0].y[-1] == pytest.approx(sum(shares) / 12)


def test_held_to_the_text_of_the_first_all_columns_show_it(opened, write):
    page = opened(LOCKSTEP).lockstep
    page.mode.pick("held")
    write(page)
    one, two = page.columns.views
    assert text_of(one) == text_of(two)
    assert page.model.texts.held


def test_going_on_continues_every_column_and_another_seed_writes_other_texts(opened, write, until):
    page = opened(LOCKSTEP).lockstep
    write(page)
    before = [text_of(view) for view in page.columns.views]
    page.go_on()
    until(lambda: not page.works)
    for start, view in zip(before, page.columns.views, strict=True):
        assert text_of(view).startswith(start)
        assert len(text_of(view)) == len(start) + 12
    assert len(page.model.texts.seeds) == 2
    page.write_again()
    until(lambda: not page.works)
    assert [text_of(view) for view in page.columns.views] != before
    assert len(page.model.texts.seeds) == 1


def test_stop_keeps_what_was_written(opened, until):
    pages = opened(LOCKSTEP)
    page = pages.lockstep
    page._panel._edit_length("tokens", 100_000)
    page.prompt.setPlainText("the ")
    page.start()
    assert pages.writes
    until(lambda: len(text_of(page.columns.views[1])) > 20)
    pages.stop()
    assert not pages.writes
    kept = text_of(page.columns.views[1])
    assert len(kept) > 20
    QCoreApplication.processEvents()
    assert text_of(page.columns.views[1]) == kept
    assert page.go_on_button.isEnabled()


def test_the_window_answers_while_columns_write(opened, until):
    page = opened(LOCKSTEP).lockstep
    page._panel._edit_length("tokens", 100_000)
    page.prompt.setPlainText("the ")
    gaps, last = [], [time.perf_counter()]
    timer = QTimer()

    def tick():
        now = time.perf_counter()
        gaps.append(now - last[0])
        last[0] = now

    timer.timeout.connect(tick)
    timer.start(5)
    page.start()
    until(lambda: len(page.model.texts.columns[0].written) > 60)
    timer.stop()
    page.stop()
    assert len(gaps) > 10
    assert sorted(gaps)[len(gaps) // 2] < 0.05


def test_a_column_of_another_vocabulary_goes_on_by_characters_and_says_that_there_is_no_divergence(opened, write):
    page = opened(LOCKSTEP, STEPS, BYTES).lockstep
    write(page)
    assert "no KL" in page.columns.views[1].note.text()
    assert "not defined" in page._sentence.text()
    assert page.table.item(1, 1).text() == ""
    page.mode.pick("held")
    write(page)
    assert "cannot be held" in page.columns.views[1].problem.text()
    assert page.columns.views[1].problem.isVisible()


def test_a_prompt_that_cannot_be_read_is_refused_below_the_field(opened, write):
    page = opened(LOCKSTEP).lockstep
    write(page, "The Cat")
    assert "the character T" in page._problem.text()
    write(page, "")
    assert "is empty" in page._problem.text()
    write(page)
    assert page._problem.isHidden()


def test_columns_are_chosen_from_the_list_of_runs_also_as_checkpoints(opened, write, until):
    page = opened(LOCKSTEP).lockstep
    found = listed(page.add_button, until)
    assert len(found) == 2
    steps = [text for text, *_ in found[0][2]]
    assert steps == ["as it is now", "step 20", "step 10"]
    found[0][2][2][3].trigger()
    assert len(page.columns.views) == 3
    assert page.model.choices[2].name.endswith("step 10")
    write(page)
    assert page.model.texts.columns[2].step == 10
    page.columns.views[1].remove.click()
    assert len(page.columns.views) == 2
    assert not page.go_on_button.isEnabled()
    page.columns.views[0].picked.emit(RunChoice(page.model.choices[0].run, 20))
    assert page.model.choices[0].step == 20
    for _ in range(2):
        page.add_button.picked.emit(page.model.choices[0])
    assert not page.add_button.isEnabled()


def test_texts_are_exported(opened, write, until, tmp_path, monkeypatch):
    page = opened(LOCKSTEP).lockstep
    write(page)
    for kind in ("csv", "json", "html"):
        file = tmp_path / f"texts.{kind}"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, file=file: (str(file), ""))
        page._export(kind)
        until(file.exists)
        until(lambda file=file: file.stat().st_size > 0)
    assert len(list(csv.reader((tmp_path / "texts.csv").read_text().splitlines()))) == 1 + 2 * 12
    assert len(json.loads((tmp_path / "texts.json").read_text())["columns"]) == 2
    assert (tmp_path / "texts.html").read_text().count("<section>") == 2


def test_what_the_page_shows_is_stored(opened):
    pages = opened(LOCKSTEP)
    pages.lockstep.mode.pick("held")
    pages.lockstep.quantities.pick("overlap")
    pages.lockstep.prompt.setPlainText("a dog")
    state = pages.state_dict()
    pages.lockstep.mode.pick("own")
    other = PlayPages(pages.write, *pages._given)
    other.load_state_dict(state)
    assert other.page == LOCKSTEP
    assert other.state_dict() == state
    assert other.lockstep.prompt.toPlainText() == "a dog"
    other.load_state_dict({"page": 99, "lockstep": {"mode": 3, "quantity": "none", "prompt": None}})
    assert other.state_dict() == state
    other.close_down()
    other.deleteLater()


def test_runs_of_another_vocabulary_come_later_and_those_that_cannot_write_last_with_the_reason(
    opened, until, saved_run
):
    pages = opened(WRITE, STEPS, BYTES)
    pages.session.open_path(str(saved_run()))  # it has no checkpoint
    until(lambda: len(pages.session.registry.runs) == 3)
    registry = pages.session.registry
    registry.select(
        next(
            run.key
            for run in registry.runs
            if len(run.source.folder.checkpoint_steps()) > 1 and run.recipe.tokenizer.name == "character"
        )
    )
    access = pages.session.model_provider.current("play")[0]
    fits = [offer.fit for offer in offers_of(pages.session.registry.runs, access)]
    assert fits.count(Fit.SAME) == 1
    assert fits == sorted(fits, key=list(Fit).index)
    pages.write.prompt.setPlainText("the ")
    pages.write.generate()
    until(lambda: not pages.write.busy)
    found = listed(pages.write.go_on_with, until)
    enabled = [text for text, can_be_chosen, *_ in found if can_be_chosen]
    assert any("byte, 256 symbols" in text for text in enabled)
    draft = pages.write.panel
    draft._strategies.setCurrentIndex(draft._strategies.findData("speculative"))
    button = draft._form._knobs["draft"]._browse
    entries = listed(button, until)
    (other,) = [entry for entry in entries if "byte, 256 symbols" in entry[0]]
    assert not other[1]
    entries[0][2][1][3].trigger()
    assert draft._draft.config("strategies", "speculative").draft.endswith("@20")


def test_another_run_goes_on_with_the_text_and_its_writer_is_remembered(opened, until):
    pages = opened(WRITE)
    place, registry = pages.write, pages.session.registry
    first = registry.selected
    second = next(run for run in registry.runs if run is not first)
    place.prompt.setPlainText("the ")
    place.generate()
    until(lambda: not place.busy)
    start = place.text.text()
    place.go_on_with.picked.emit(RunChoice(second, 10))
    until(lambda: not place.busy)
    assert registry.selected is first
    assert place.text.text().startswith(start)
    assert place.model.document.authors == [first.name] * 12 + [second.name] * 12
    assert [piece.step for piece in place.model.tokens] == [20] * 12 + [10] * 12
    assert f"{second.name} · step 10" in place.model.author
    place.pages.quantity.pick("writer")
    assert place.pages.writers.isVisible()
    assert f"{first.name} · step 20" in place.pages.writers.text()
    assert f"{second.name} · step 10" in place.pages.writers.text()
    grounds = [place.text._ground(at) for at in range(24)]
    assert len(set(grounds[:12])) == len(set(grounds[12:])) == 1
    assert grounds[0] != grounds[12]
    assert "step 10" in place.text._describe(20)
    until(lambda: (first.path / "texts.json").exists())
    until(lambda: second.name in (first.path / "texts.json").read_text())


def test_a_checkpoint_that_is_gone_is_reported_and_the_text_stays(opened, until):
    pages = opened(WRITE)
    place, run = pages.write, pages.session.registry.selected
    place.prompt.setPlainText("the ")
    place.generate()
    until(lambda: not place.busy)
    before = place.text.text()
    place.go_on_with.picked.emit(RunChoice(run, 7))
    assert "no checkpoint of step 7" in place._problem.text()
    assert not place.busy
    assert place.text.text() == before


@pytest.fixture
def short_passages(monkeypatch):
    """Let passages have few characters: the text of the tests is short."""
    whole = blind_page.blind_round

    def short(*arguments, **options):
        return whole(*arguments, prompt=6, characters=20, **options)

    monkeypatch.setattr(blind_page, "blind_round", short)


def test_a_passage_is_guessed_and_the_score_is_kept(opened, until, short_passages, button):
    page = opened(BLIND).blind
    page.start()
    until(lambda: page.round is not None)
    names = [one.text() for one in page._guess_buttons]
    assert len(names) == 3
    assert names[-1] == "the corpus"
    assert page._outcome.text() == ""
    assert not page.passages.isVisible()
    page._guess_buttons[1].click()
    right = page.round.author == 1
    assert page._outcome.text().startswith("Right" if right else "No")
    assert page.passages.model().rowCount() == 3
    assert not any(one.isEnabled() for one in page._guess_buttons)
    until(lambda: blind_score(page._keys, 3).guesses == 1)
    until(lambda: page.table.item(0, 2).text() == "1")
    assert blind_score(page._keys, 3).right == right
    assert page.table.item(0, 5).text() == "33 %"
    first = page.round.place
    page.start()
    until(lambda: page.round is not None)
    assert page.round.place != first
    page.forget_button.click()
    until(lambda: blind_score(page._keys, 3).guesses == 0)


def test_nothing_on_the_page_tells_the_author_before_the_guess(opened, until, short_passages):
    page = opened(BLIND).blind
    for _ in range(3):
        page.start()
        until(lambda: page.round is not None)
        author = page.round._author
        assert page.round.author is None
        described = " ".join(
            f"{one.toolTip()} {one.accessibleName()} {one.accessibleDescription()}"
            for one in page.findChildren(QWidget)
        )
        names = [*page.round.names, "the corpus"]
        counts = [described.count(name) for name in names]
        assert counts[author] <= max(count for at, count in enumerate(counts) if at != author)
        page.guess(0)
        page.round = None


def test_authors_are_added_and_removed_and_work_is_cancelled(opened, until, short_passages):
    page = opened(BLIND).blind
    assert len(page.choices) == 2
    page._run_buttons[1].click()
    assert len(page.choices) == 1
    assert not page._run_buttons[0].isEnabled()
    page.add_button.picked.emit(RunChoice(page.choices[0].run, 10))
    assert [choice.step for choice in page.choices] == [None, 10]
    page.start()
    assert page.new_button.text() == "Cancel"
    page.toggle()
    assert page.new_button.text() == "New passage"
    assert page.round is None


def test_a_validation_text_that_is_too_short_is_reported(opened, until, monkeypatch):
    monkeypatch.setattr(blind_page, "blind_round", partial(blind_page.blind_round, characters=10**6))
    page = opened(BLIND).blind
    page.start()
    until(lambda: not page._works)
    assert "the validation text has" in page._problem.text()
    assert page._problem.isVisible()

"""The place Play: generating before, during and after a training, and next tokens."""

import threading

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit

from lab.base import LabError
from lab.base.jobs import running_jobs
from lab.host import Plugins
from lab.recipes import Recipe
from lab.shell.play.filter_list import FilterList
from lab.shell.play.model import TextCost
from lab.shell.play.panel import PlayPanel
from lab.shell.play.uses import costs_of
from lab.widgets.core.theme import themes
from lab.workbench.access.generation import LikeliestTokens, Piece
from lab.workbench.access.text_use import TextUse


@pytest.fixture
def page(open_page):
    """The place with a session, without the window around it."""
    return open_page("play")


@pytest.fixture
def play(page):
    """The place, with a prompt from the vocabulary."""
    page.play.prompt.setPlainText("the ")
    return page.play


def write(play, until, click, count=8):
    """Click Generate and wait for some tokens."""
    click(play.generate_button)
    until(lambda: len(play.model.tokens) >= count)


def test_before_any_training_the_untrained_model_writes_and_next_tokens_are_nearly_equally_probable(play, until, click):
    until(lambda: play.next_card.state == "content" and len(play.next_card.tokens._rows) > 5)
    assert play.next_card.tokens._rows[0][2] < 0.5
    write(play, until, click)
    assert "untrained" in play.text_card._note.full_text
    assert play.text.text().startswith("the ")


def test_writing_ends_after_the_requested_number_of_tokens(play, until, click):
    play._panel._edit_length("tokens", 12)
    write(play, until, click, 12)
    until(lambda: not play.writing)
    assert len(play.model.tokens) == 12
    assert play.generate_button.text() == "Generate"
    until(lambda: not play.busy)
    assert "stopped" not in play._speed.text()


@pytest.fixture
def texts(play, until, click):
    """Write a text twice, and return both with their seeds."""

    def texts():
        play._panel._edit_length("tokens", 6)
        written = []
        for _ in range(2):
            write(play, until, click, 6)
            until(lambda: not play.writing)
            written.append((play._panel.options()["seed"], play.text.text()))
        return written

    return texts


def test_each_text_has_another_seed_which_the_form_shows_and_an_entered_one_writes_its_text_again(
    play, until, click, texts
):
    (first, text), (second, other) = texts()
    assert first == 0
    assert first != second
    assert text != other
    play._panel._edit_length("seed", 0)
    write(play, until, click, 6)
    until(lambda: not play.writing)
    assert play._panel.options()["seed"] == 0
    assert play.text.text() == text


def test_a_fixed_seed_writes_the_same_text_again(play, texts):
    play._panel._edit_length("fixed_seed", True)
    assert len(set(texts())) == 1


def test_stop_leaves_the_text(play, until, click):
    play._panel._edit_length("tokens", 100_000)
    write(play, until, click, 5)
    click(play.generate_button)
    assert not play.writing
    kept = play.text.text()
    assert len(kept) >= len("the ") + 5
    assert kept == play.text.text()
    assert play._speed.text() == f"stopped after {len(play.model.tokens)} of 100,000 tokens"


def test_escape_stops_and_control_return_starts_writing(window, until, qtbot):
    play = window.play
    play.prompt.setPlainText("the ")
    play._panel._edit_length("tokens", 100_000)
    qtbot.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert play.isVisible()
    until(lambda: len(play.model.tokens) > 3)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not play.writing


def test_generating_again_right_after_a_stop_never_mixes_two_texts(play, until, click):
    play._panel._edit_length("tokens", 100_000)
    for _ in range(5):
        write(play, until, click, 2)
        click(play.generate_button)
    assert play.text.text() == "the " + "".join(token.text for token in play.model.tokens)


def test_writing_does_not_stop_a_training_and_continues_when_the_run_ends(running_page, until, click, grown):
    page = running_page("play", "training.evaluate_every=0")
    page.play.prompt.setPlainText("the ")
    page.play._panel._edit_length("tokens", 100_000)
    write(page.play, until, click)
    assert page.session.state == "running"
    grown(page)
    page.session.stop()
    until(lambda: page.session.selected.state == "stopped" and page.session.selected.active is None)
    ended_at = len(page.play.model.tokens)
    until(lambda: len(page.play.model.tokens) > ended_at)
    assert page.play.writing


def test_next_tokens_of_the_prompt_before_give_way_to_why_there_are_none(play, until):
    until(lambda: play.next_card.state == "content")
    play.prompt.setPlainText("Ω")
    until(lambda: play.next_card.state == "empty")
    until(lambda: play._problem.isVisible())
    shown, _ = play.next_card._other.shown_text
    assert "Ω" not in shown  # it is said once, below the prompt


def test_a_prompt_with_characters_that_the_vocabulary_lacks_is_named_at_the_prompt(play, click, until):
    play.prompt.setPlainText("the Ж")
    click(play.generate_button)
    until(lambda: play._problem.isVisible())
    text = "The character Ж (U+0416) does not occur in this model's text (position 5). Remove it, or "
    assert play._problem.text().startswith(text)
    assert play.prompt.property("state") == "bad"
    assert not play.writing
    play.prompt.setPlainText("the ")
    until(lambda: not play._problem.isVisible())
    assert play.prompt.property("state") == ""


def test_a_refused_prompt_removes_the_figures_of_the_text_before(play, click, until):
    written(play, until, click)
    assert play._speed.isVisible()
    play.prompt.setPlainText("the Ж")
    click(play.generate_button)
    until(lambda: play._problem.isVisible())
    assert not play._speed.isVisible()
    assert not play.text.isVisible()
    assert play.next_card.state == "empty"
    assert "Ж" in play._problem.text()


def test_a_text_starts_without_the_rate_of_the_text_before(play, slow, click):
    play._speed.setText("12 tokens · 30 tokens/s")
    click(play.generate_button)
    assert play._speed.text() == ""


def test_an_empty_prompt_is_named_at_the_prompt(play, click, until):
    play.prompt.setPlainText("")
    click(play.generate_button)
    until(lambda: play._problem.isVisible())
    assert "prompt" in play._problem.text()
    assert play.prompt.property("state") == "bad"


def test_an_invalid_setting_of_a_filter_is_named_and_nothing_is_written(page, play, qtbot, click):
    field = page.play_panel.filters.row("temperature").form._knobs["temperature"].control
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "-2")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    click(play.generate_button)
    assert not play.writing
    assert "temperature" in play._problem.text()


def test_every_strategy_writes(page, play, click, until):
    for strategy in range(page.play_panel._strategies.count()):
        page.play_panel._strategies.setCurrentIndex(strategy)
        play._panel._edit_length("tokens", 3)
        click(play.generate_button)
        until(lambda: not play.writing)
        if page.play_panel._draft.strategy == "speculative":
            assert "names no run" in play._problem.text()
        else:
            assert len(play.model.tokens) >= 1, page.play_panel._strategies.currentText()


@pytest.fixture
def filters(page, play):
    """The list of filters, in a window."""
    return page.play_panel.filters


def order(page):
    return [one.name for one in page.play_panel.options()["decoding"].filters]


def shown_order(filters):
    names = filters.draft.filters
    return sorted(names, key=lambda name: filters.row(name).geometry().top())


def test_filters_are_moved_with_the_keyboard_and_keep_the_focus(page, filters, qtbot):
    handle = filters.row("top-p").handle
    handle.setFocus()
    qtbot.keyClick(handle, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert order(page) == ["temperature", "top-p", "top-k"]
    assert QApplication.focusWidget() is handle
    qtbot.keyClick(handle, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    qtbot.keyClick(handle, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert order(page) == ["top-p", "temperature", "top-k"]
    qtbot.keyClick(handle, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert order(page) == ["temperature", "top-p", "top-k"] == shown_order(filters)


def test_filters_are_moved_by_dragging(page, filters, qtbot):
    handle, last = filters.row("temperature").handle, filters.row("top-p")
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton)
    below = handle.mapFromGlobal(last.mapToGlobal(last.rect().bottomLeft()))
    qtbot.mouseMove(handle, below)
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=below)
    assert order(page) == ["top-k", "top-p", "temperature"] == shown_order(filters)
    first = filters.row("top-k")
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton)
    above = handle.mapFromGlobal(first.mapToGlobal(first.rect().topLeft()))
    qtbot.mouseMove(handle, above)
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=above)
    assert order(page) == ["temperature", "top-k", "top-p"] == shown_order(filters)


def test_filters_are_added_and_removed(page, filters, qtbot):
    assert filters.add_button.offers("min-p")
    filters.add_button.pick("min-p")
    assert order(page)[-1] == "min-p"
    assert not filters.add_button.offers("min-p")
    qtbot.keyClick(filters.row("min-p").handle, Qt.Key.Key_Delete)
    qtbot.mouseClick(filters.row("top-k").remove, Qt.MouseButton.LeftButton)
    assert order(page) == ["temperature", "top-p"]
    assert QApplication.focusWidget() is filters.row("top-p").handle


def test_the_order_of_the_tab_key_is_that_of_the_filters(filters):
    filters.move_by("top-p", -2)
    found, widget = [], filters.add_button
    for _ in range(60):
        widget = widget.nextInFocusChain()
        found.append(widget)
    stops = [found.index(filters.row(name).handle) for name in filters.draft.filters]
    assert stops == sorted(stops)


def test_a_text_ends_before_a_stop_string_and_the_reason_stands_below_it(play, until, click):
    play._panel._edit_length("tokens", 12)
    play._panel._edit_length("fixed_seed", True)
    write(play, until, click, 12)
    until(lambda: not play.writing)
    assert play._end_note.text().startswith("The requested number of tokens was reached. · first token after ")
    whole = "".join(token.text for token in play.model.tokens)
    play._panel._edit_length("stop", [whole[5:7]])
    write(play, until, click, 1)
    until(lambda: not play.writing)
    assert "".join(token.text for token in play.model.tokens) == whole[: whole.index(whole[5:7])]
    assert play._end_note.isVisible()
    assert "before the stop string" in play._end_note.text()


def test_what_a_text_costs_stands_below_it_while_it_grows(play, until, click):
    play._panel._edit_length("tokens", 10**5)
    write(play, until, click, 3)
    assert play._end_note.text().startswith("first token after ")
    until(lambda: "decoding state" in play._end_note.text())
    cost = play.model.cost
    assert cost.to_first > 0
    assert cost.state_bytes > 0
    play.stop()
    assert play.model.cost is not None
    play.texts._do("undo")
    play.model.note_text()
    assert play.model.cost is None


def test_the_figures_of_a_strategy_stand_beside_the_costs():
    figures = {"acceptance rate": 0.715, "tokens per pass": 2.5, "heat": 1.23456}
    assert costs_of(TextCost(0.0124, 2_345_678, figures)) == [
        "first token after 12 ms", "decoding state 2.3 MB", "72 % of the draft's tokens accepted",
        "2.50 tokens per pass of the model", "heat 1.23",
    ]  # fmt: skip


def test_beams_write_a_text_with_the_same_words_each_time(page, play, until, click):
    page.play_panel._strategies.setCurrentIndex(page.play_panel._strategies.findData("beam-search"))
    page.play_panel._edit_length("tokens", 6)
    texts = set()
    for _ in range(2):
        write(play, until, click, 6)
        until(lambda: not play.writing)
        texts.add(play.text.text())
    assert len(texts) == 1


def test_a_click_on_a_token_shows_its_alternatives(play, until, click, qtbot):
    play._panel._edit_length("tokens", 12)
    write(play, until, click, 12)
    until(lambda: not play.writing)
    place = play.text._rects_of(3)[0].center().toPoint()
    qtbot.mouseClick(play.text.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert play.next_card._note.full_text == "at token 4"
    assert play.next_card.tokens._rows[0][0] == play.model.tokens[3].alternatives[0][0]
    drawn = play.model.tokens[3].drawn
    assert play.next_card.tokens._drawn == (-1 if drawn is None else drawn)
    assert "was drawn" in play.next_card.tokens._note


def shows_prompt(play):
    """Return True if the rows are those after the prompt."""
    return play.next_card.state == "content" and play.next_card.tokens._note == "after the prompt"


def click_row(play, label, qtbot):
    """Click the row of a label."""
    labels = [row[0] for row in play.next_card.tokens._shown()]
    qtbot.mouseClick(
        play.next_card.tokens, Qt.MouseButton.LeftButton, pos=play.next_card.tokens._rect(labels.index(label)).center()
    )


def click_token(play, number, qtbot):
    """Click a token of the text."""
    place = play.text._rects_of(number)[0].center().toPoint()
    qtbot.mouseClick(play.text.viewport(), Qt.MouseButton.LeftButton, pos=place)


def written(play, until, click, count=12):
    """Generate a short text to its end."""
    play._panel._edit_length("tokens", count)
    write(play, until, click, count)
    until(lambda: not play.writing)


def test_a_click_on_a_next_token_appends_it_to_the_prompt(play, until, qtbot):
    play.resize(play.width(), 2000)
    for label, words in (("␣", " "), ("⏎", "\n"), ("a", "a")):
        until(lambda: shows_prompt(play) and len(play.next_card.tokens._rows) > 5)
        click_row(play, label, qtbot)
        assert play.prompt.toPlainText() == "the " + words
        until(lambda: not play.model.next_requests.pending)
        assert not play._problem.isVisible()
        qtbot.keyClick(play.prompt, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert play.prompt.toPlainText() == "the "


def test_a_click_on_an_alternative_branches_the_text_there_and_the_model_goes_on(play, until, click, qtbot):
    written(play, until, click)
    click_token(play, 3, qtbot)
    drawn = play.next_card.tokens._drawn
    label, words, _ = play.next_card.tokens._rows[0 if drawn else 1]
    before = play.text.text()
    click_row(play, label, qtbot)
    until(lambda: len(play.model.tokens) == 4 + 12 and not play.writing)
    assert play.text.text().startswith(before[: len("the ") + 3] + words)
    assert play.prompt.toPlainText() == "the "
    assert len(play.model.document.tree.nodes) == 4  # the prompt, what both share, and both


def test_an_edited_prompt_gets_new_predictions_and_the_text_stays_usable(play, until, click, qtbot):
    written(play, until, click)
    assert play.next_card._note.full_text == "at token 12"
    qtbot.keyClicks(play.prompt, "s")
    until(lambda: shows_prompt(play))
    click_token(play, 3, qtbot)
    assert play.next_card._note.full_text == "at token 4"
    qtbot.keyClick(play.text, Qt.Key.Key_Escape)
    until(lambda: shows_prompt(play))


def test_the_text_of_another_run_stays_is_faded_and_names_who_wrote_it(page, play, until, click, qtbot, saved_run):
    written(play, until, click)
    assert not play.text.faded
    page.session.open_paths([str(saved_run("Another"))])
    assert play.text.faded
    assert play.next_card.state == "empty"
    until(lambda: page.session.selected is not None and not play.model.next_requests.pending)
    assert play.text_card._note.full_text == "written by the untrained model"
    click_token(play, 3, qtbot)
    assert play.next_card._note.full_text == "at token 4"
    assert play.next_card.tokens._rows == list(play.model.tokens[3].alternatives)


def test_next_tokens_of_another_run_are_cleared_at_once(page, play, until, saved_run):
    until(lambda: shows_prompt(play))
    page.session.open_paths([str(saved_run("Another"))])
    assert page.session.selected is not None
    assert play.next_card.state == "empty"
    assert play.next_card._note.full_text == ""
    assert "Another" in play.next_card._other.shown_text[0]


def test_a_prompt_edited_during_writing_gets_predictions_at_the_end(play, until, click, qtbot):
    play._panel._edit_length("tokens", 100_000)
    write(play, until, click)
    qtbot.keyClicks(play.prompt, "s")
    until(lambda: not play._edited.isActive())
    assert not play.model.next_requests.pending
    assert not shows_prompt(play)
    click(play.generate_button)
    until(lambda: shows_prompt(play))


def test_alternatives_of_a_selected_token_stay_while_the_text_grows(play, until, click, qtbot):
    play._panel._edit_length("tokens", 100_000)
    write(play, until, click)
    qtbot.keyClick(play.text, Qt.Key.Key_Home)
    grown_to = len(play.model.tokens) + 20
    until(lambda: len(play.model.tokens) > grown_to)
    assert play.next_card._note.full_text == "at token 1"
    qtbot.keyClick(play.text, Qt.Key.Key_Escape)
    assert play.writing
    assert play.next_card._note.full_text == f"at token {len(play.model.tokens)}"


def test_a_text_keeps_the_name_and_step_of_the_model_that_wrote_it(running_page, until, click, grown):
    page = running_page("play")
    play = page.play
    play.prompt.setPlainText("the ")
    play._panel._edit_length("tokens", 5)
    steps = []
    subject = page.session.selected.source
    generate = subject.generate

    def watched(*given, **options):
        for piece in generate(*given, **options):
            steps.append(piece.step)
            yield piece

    subject.generate = watched
    write(play, until, click, 5)
    until(lambda: not play.writing)
    reported = play.text_card._note.full_text
    assert reported.endswith(f"step {steps[0]:,}")
    grown(page, 20)
    play._refresh()
    assert play.text_card._note.full_text == reported
    play.prompt.setPlainText("the c")
    until(lambda: shows_prompt(play))
    name, _, step = play.next_card._note.full_text.partition(" · step ")
    assert name == reported.partition(" · ")[0]
    assert int(step.replace(",", "")) > steps[0]


class Slow:
    """A model whose answers wait until the test releases them."""

    text_use = TextUse.PROMPT
    recipe = Recipe()

    def __init__(self):
        self.gate, self.asked = threading.Event(), []
        self.prompt_gate = threading.Event()
        self.prompt_gate.set()

    def default_prompt(self):
        assert self.prompt_gate.wait(20)
        return "the "

    def generate(self, prompt, **_options):
        yield Piece("a", "a", 0.5, (("a", "a", 0.5),), False, 7)

    def next_tokens(self, prompt, count=20):
        self.asked.append(prompt)
        assert self.gate.wait(20)
        return LikeliestTokens(7, ((prompt[-1], prompt[-1], 0.5),))


@pytest.fixture
def slow(play, monkeypatch, until):
    """Let the place use a slow model."""
    until(lambda: shows_prompt(play))
    made = Slow()
    monkeypatch.setattr(play._model_provider, "current", lambda _place: (made, None))
    yield made
    made.gate.set()
    until(lambda: not play.model.next_requests.pending)


def test_a_slow_model_gets_one_request_at_a_time_and_its_last_answer_is_shown(play, slow, until):
    for letter in "xyz":
        play.prompt.setPlainText(letter)
        until(lambda: slow.asked and not play._edited.isActive())
    assert slow.asked == ["x"]
    assert sum("next token" in job.title for job in running_jobs()) == 1
    slow.gate.set()
    until(lambda: play.next_card.tokens._rows == [("z", "z", 0.5)])
    assert slow.asked == ["x", "z"]


@pytest.fixture
def without_prompt(slow):
    """Let the place use a model whose default prompt takes long to find."""
    slow.prompt_gate.clear()
    slow.gate.set()
    yield slow
    slow.prompt_gate.set()


@pytest.fixture
def unedited(play, without_prompt):
    """The place as before a person edits the prompt."""
    play.model.has_default_prompt = True
    return play


def test_generate_shows_at_once_that_the_corpus_is_read_for_a_prompt(unedited, without_prompt, click, until):
    click(unedited.generate_button)
    assert unedited.generate_button.text() == "Stop generating"
    assert unedited._progress.text() == "Reading the corpus for a prompt…"
    assert unedited._progress.isVisible()
    without_prompt.prompt_gate.set()
    until(lambda: len(unedited.model.tokens) == 1 and not unedited.busy)
    assert not unedited._progress.isVisible()
    assert unedited.generate_button.text() == "Generate"


def test_a_text_whose_prompt_is_being_found_can_be_stopped(unedited, without_prompt, click, until):
    click(unedited.generate_button)
    assert unedited.busy
    click(unedited.generate_button)
    assert unedited.generate_button.text() == "Generate"
    assert not unedited._progress.isVisible()
    without_prompt.prompt_gate.set()
    until(lambda: not [job for job in running_jobs() if "prompt" in job.title])
    assert not unedited.busy
    assert not unedited.model.tokens


def test_while_a_run_trains_a_prediction_is_repeated_only_after_its_pause(running_page, monkeypatch, until):
    page, slow = running_page("play"), Slow()
    play, run = page.play, page.session.selected
    until(lambda: not play.model.next_requests.pending)
    monkeypatch.setattr(play._model_provider, "current", lambda _place: (slow, run))
    play.predict_next()
    until(lambda: slow.asked)
    play._timer.stop()  # it is refreshed here
    requests = play.model.next_requests
    requests._started -= 4.0  # it took four seconds
    slow.gate.set()
    until(lambda: not requests.pending)
    assert len(slow.asked) == 1
    assert requests.rest >= 100
    play._refresh()
    assert not requests.pending
    requests._ended -= requests.rest
    play._refresh()
    assert requests.pending
    until(lambda: not requests.pending)


def test_a_prediction_does_not_remove_a_problem_of_the_writing(play, until, click, monkeypatch):
    def fail(*_given, **_options):
        raise LabError("the sampler fell over")

    subject, _ = play._model_provider.current("play")
    monkeypatch.setattr(subject, "generate", fail)
    click(play.generate_button)
    until(lambda: "fell over" in play._problem.text())
    play.predict_next()
    until(lambda: not play.model.next_requests.pending)
    assert play._problem.isVisible()


@pytest.mark.long
def test_files_dropped_on_a_prompt_a_probe_text_or_a_setting_are_opened_by_the_window(window, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr(window.session, "open_paths", opened.append)
    file = tmp_path / "story.txt"
    file.write_text("once upon a time")
    dragged = QMimeData()
    dragged.setUrls([QUrl.fromLocalFile(str(file))])
    targets = {
        "play": window.play.prompt.viewport(),
        "inspect": window.inspect.panel._text.viewport(),
        "train": next(field for field in window.draft_panel.findChildren(QLineEdit) if field.isVisibleTo(window)),
    }
    for place, target in targets.items():
        window.show_place(place)
        kinds = (Qt.DropAction.CopyAction, dragged, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(target, QDragEnterEvent(target.rect().center(), *kinds))
        QApplication.sendEvent(target, QDropEvent(target.rect().center().toPointF(), *kinds))
    assert opened == [[str(file)]] * 3
    assert window.play.prompt.toPlainText() == "The "


@pytest.mark.long
def test_after_a_training_the_saved_model_writes(open_page, until, click):
    page = open_page("play", "training.steps=10")
    page.session.start()
    until(lambda: page.session.selected.state == "finished")
    page.play.prompt.setPlainText("the ")
    write(page.play, until, click)
    assert "step 10" in page.play.text_card._note.full_text


def test_a_missing_corpus_is_reported_in_play_too(page, until, tmp_path):
    assert page.session.draft.apply({"corpus": {"name": "file", "path": str(tmp_path / "gone.txt")}}) is None
    page.play.prompt.setPlainText("the cat")
    until(lambda: "corpus.path" in page.play._problem.text() and page.play._problem.isVisible())


def test_another_theme_does_not_change_the_text(play, until, click):
    play._panel._edit_length("tokens", 60)
    write(play, until, click, 3)
    themes.choose("light")
    until(lambda: not play.writing)
    assert play.text.text() == "the " + "".join(token.text for token in play.model.tokens)


# the default prompt

LOWER = "corpus={name='text', text='" + "once a cat sat on a mat there. " * 60 + "'}"


def test_the_default_prompt_of_a_lower_case_corpus_is_in_its_vocabulary(open_page, until, click):
    play = open_page("play", LOWER).play
    write(play, until, click)
    assert play.prompt.toPlainText() == "the "
    assert play.model.problem is None


def test_a_prompt_that_a_person_wrote_stays_when_another_run_is_selected(play, page, until, trained_run):
    play.prompt.setPlainText("mine ")
    page.session.open_path(str(trained_run("training.steps=2")))
    until(lambda: not play.model.next_requests.pending)
    assert play.prompt.toPlainText() == "mine "


def test_the_row_of_the_drawn_token_is_that_of_its_number_not_of_its_label(play, until, click):
    write(play, until, click)
    play.stop()
    index = next(index for index, token in enumerate(play.model.tokens) if token.drawn is not None)
    play._select_token(index)
    token = play.model.tokens[index]
    assert play.next_card.tokens._drawn == token.drawn
    assert token.alternatives[token.drawn][0] == token.label


def test_the_settings_of_a_text_are_translated(german, qtbot):
    panel = PlayPanel(plugins := Plugins.from_environment(), FilterList(plugins))
    qtbot.addWidget(panel)
    assert "Fester Seed" in {box.accessibleName() for box in panel.findChildren(QCheckBox)}

"""The stages of the next token in Play, and stop symbols."""

import math
import types

import pytest

from lab.recipes import Choice, Decoding
from lab.shell.play.stages import follower
from lab.widgets.forms.row_parts import Slider


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Compute the stages in the main thread, whatever else the machine does."""
    monkeypatch.setattr(follower, "QUICK", math.inf)


@pytest.fixture
def page(open_page, until):
    """The place, with a prompt from the vocabulary and the stages of its next token."""
    page = open_page("play")
    page.play.prompt.setPlainText("the ")
    until(lambda: page.play.next_card.state == "content")
    page.play.next_card.shows_stages.click()
    until(lambda: page.play.next_card.stages.isVisible())
    until(lambda: not page.play.model.next_requests.pending and not page.play._edited.isActive())
    until(lambda: page.play._stages._pending is None)
    return page


def heads(play):
    return [column.title for column in play.next_card.stages.figure.columns]


def test_each_filter_has_a_column_in_its_order_and_each_likely_token_a_row(page):
    figure = page.play.next_card.stages.figure
    assert heads(page.play) == ["model", "Temperature", "Top-k", "Top-p", "renormalised"]
    assert len(figure.columns[0].probabilities) >= 16
    page.play_panel.filters.move_by("top-p", -2)
    assert heads(page.play)[1] == "Top-p"


def test_all_stages_follow_a_setting_at_once_without_asking_the_model(page, monkeypatch):
    monkeypatch.setattr(page.play, "predict_next", lambda: pytest.fail("the model is asked"))
    figure = page.play.next_card.stages.figure
    page.play_panel.filters._edit("top-k", "k", 3)
    assert [column.left for column in figure.columns][2:] == [3, 3, 3]
    before = [column.entropy for column in figure.columns]
    page.play_panel.filters._edit("temperature", "temperature", 0.5)
    after = [column.entropy for column in figure.columns]
    assert after[0] == before[0]
    assert all(new < old for new, old in zip(after[1:], before[1:], strict=True))


def test_a_slider_that_is_dragged_edits_once_in_a_frame(page):
    (slider,) = page.play_panel.filters.row("temperature").form.findChildren(Slider)
    assert slider._timer.interval() <= 16


def test_the_stages_of_another_prompt_wait_for_its_logits(page, until):
    figure = page.play.next_card.stages.figure
    before = figure.columns
    page.play.prompt.setPlainText("a")
    page.play_panel.filters._edit("top-k", "k", 3)
    assert figure.columns == before
    until(lambda: figure.columns[2].left == 3)


def test_stages_that_take_long_are_computed_in_a_thread_one_at_a_time_and_the_last_settings_win(page, until):
    follower, figure = page.play._stages, page.play.next_card.stages.figure
    follower._is_slow = True
    for number in (9, 7, 5, 3):
        page.play_panel.filters._edit("top-k", "k", number)
    assert figure.columns[2].left > 9
    until(lambda: figure.columns[2].left == 3)


def test_the_bars_measure_what_is_chosen(page, click):
    card = page.play.next_card
    card._unit.pick("logit")
    assert card.stages.figure._unit == "logit"
    click(card.shows_stages)
    assert not card._unit.isVisible()


def test_the_stages_and_their_unit_are_stored_with_the_place(page):
    card = page.play.next_card
    card._unit.pick("surprisal")
    stored = page.play.state_dict()
    card._unit.pick("probability")
    card.shows_stages.setChecked(False)
    page.play.load_state_dict(stored)
    assert (card.shows_stages.isChecked(), card.stages.figure._unit) == (True, "surprisal")
    page.play.load_state_dict({**stored, "next": {"stages": "yes", "unit": "furlong"}})
    assert (card.shows_stages.isChecked(), card.stages.figure._unit) == (True, "surprisal")


def test_another_draw_has_another_seed_and_the_taken_token_continues_the_prompt(page, until, click):
    play, stages = page.play, page.play.next_card.stages
    seed = page.play_panel.options()["seed"]
    click(stages.again)
    assert page.play_panel.options()["seed"] != seed
    taken = stages._found.texts[stages._found.picked]
    click(stages.taken)
    assert play.prompt.toPlainText() == f"the {taken}"


def test_the_sentence_names_the_token_that_generating_with_this_seed_writes_first(page, until, click):
    play = page.play
    sentence = play.next_card.stages.sentence.text()
    assert "exponential time" in sentence
    assert page.play.next_card.stages.line._arrivals()
    play._panel._edit_length("tokens", 1)
    click(play.generate_button)
    until(lambda: play.model.tokens and not play.writing)
    assert sentence.split(" is drawn")[0].replace("␣", " ").replace("⏎", "\n") == play.model.tokens[0].text


@pytest.mark.parametrize(
    ("strategy", "expected"), [("greedy", "is the likeliest one left"), ("beam-search", "The strategy takes")]
)
def test_each_strategy_says_how_it_chose(page, until, strategy, expected):
    strategies = page.play_panel._strategies
    strategies.setCurrentIndex(strategies.findData(strategy))
    until(lambda: expected in page.play.next_card.stages.sentence.text())


def test_the_uniform_number_stands_between_the_two_sums(page, until):
    page.play_panel._edit("draw", "inverse")
    until(lambda: "uniform number" in page.play.next_card.stages.sentence.text())
    words = page.play.next_card.stages.sentence.text().rstrip(".").split()
    number, low, high = (float(words[words.index(one) + 1]) for one in ("number", "sums", "and"))
    assert low <= number <= high
    line = page.play.next_card.stages.line
    start, end, _ = next(piece for piece in line._pieces if piece[2] == line._picked)
    assert (round(start, 4), round(end, 4)) == (low, high)


def test_a_filter_that_leaves_nothing_is_named_instead_of_a_table(page, until):
    page.play_panel.filters.add("ban-list")
    vocabulary = page.play._model_provider.current("play")[0].tokenizer
    every = [vocabulary.decode([number]) for number in range(vocabulary.vocabulary_size)]
    page.play_panel.filters._edit("ban-list", "texts", every)
    until(lambda: page.play.next_card.state == "empty")
    assert "leaves no token" in page.play.next_card._other.shown_text[0]


def test_without_stages_the_bars_come_back(page, until, click):
    click(page.play.next_card.shows_stages)
    until(lambda: page.play.next_card.tokens.isVisible())


def test_a_text_ends_at_a_stop_symbol(page, until, click):
    play = page.play
    play._panel._edit_length("fixed_seed", True)
    play._panel._edit_length("tokens", 40)
    click(play.generate_button)
    until(lambda: len(play.model.tokens) == 40 and not play.writing)
    whole = "".join(token.text for token in play.model.tokens)
    play._panel._edit_length("stop_symbols", [whole[10]])
    click(play.generate_button)
    until(lambda: play.model.tokens and not play.writing)
    assert "".join(token.text for token in play.model.tokens) == whole[: whole.index(whole[10])]
    assert "stop symbol" in play._end_note.text()


def test_a_stop_symbol_of_several_tokens_is_refused_by_name(page, until, click):
    play = page.play
    play._panel._edit_length("stop_symbols", ["the"])
    click(play.generate_button)
    until(lambda: play._problem.isVisible())
    assert "3 tokens" in play._problem.text()


def test_the_decoding_of_the_recipe_is_taken_once_and_can_be_changed(page, until, small):
    own = ('decoding.filters=["top-k"]', "decoding.filters.top-k.k=3", 'decoding.stop=["."]')
    assert page.session.draft.take(small(*own), "small") is None
    page.play.predict_next()
    options = page.play_panel.options()["decoding"]
    assert [(one.name, one.settings["k"]) for one in options.filters] == [("top-k", 3)]
    assert options.stop == ["."]
    until(lambda: heads(page.play) == ["model", "Top-k", "renormalised"])
    page.play_panel.filters.remove("top-k")
    page.play.predict_next()
    assert page.play_panel.options()["decoding"].filters == []


def test_the_stages_get_the_width_that_they_need_and_give_it_back(page, click):
    play = page.play
    wide = play.next_card.width()
    assert wide > play.text_card.width()
    click(play.next_card.shows_stages)
    assert play.next_card.width() < wide / 2


class Waiting:
    """Work that is given to a thread, and not done."""

    def __init__(self):
        self.works = []

    def run(self, _what, work, take, _fail):
        self.works.append(lambda: take(work(None)))


def test_what_may_open_a_run_or_is_new_is_computed_in_a_thread():
    options, background = {"decoding": Decoding()}, Waiting()
    stages = follower.StagesFollower(background, lambda: options)
    stages.take(types.SimpleNamespace(stages=lambda **_: None))

    def waits(decoding):
        options["decoding"] = decoding
        stages.follow()
        is_slow = bool(background.works)
        for work in background.works:
            work()
        background.works.clear()
        return is_slow

    background.works.pop()()
    greedy = Choice(name="greedy")
    drafted = Choice(name="speculative", draft="small")
    assert not waits(Decoding(filters=[Choice(name="temperature", temperature=0.5)]))
    assert waits(Decoding(strategy=greedy))
    assert not waits(Decoding(strategy=greedy))
    assert [waits(Decoding(strategy=drafted)) for _ in range(2)] == [True, True]

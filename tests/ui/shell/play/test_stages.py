"""The stages of the next token in Play, and stop symbols."""

import pytest
from PySide6.QtCore import Qt


@pytest.fixture
def page(open_page, until):
    """The place, with a prompt from the vocabulary and the stages of its next token."""
    page = open_page("play")
    page.play.prompt.setPlainText("the ")
    until(lambda: page.play.next_card.state == "content")
    page.play.next_card.shows_stages.click()
    until(lambda: page.play.next_card.stages.isVisible())
    return page


def heads(play):
    table = play.next_card.stages.table
    return [table.horizontalHeaderItem(column).text() for column in range(table.columnCount())]


def struck(play):
    """Return the tokens whose cell is struck through, by the title of its column."""
    table, found = play.next_card.stages.table, {}
    for column in range(1, table.columnCount()):
        for row in range(table.rowCount()):
            if table.item(row, column).font().strikeOut():
                found.setdefault(heads(play)[column], []).append(table.item(row, 0).text())
    return found


def test_each_filter_has_a_column_in_its_order_and_each_likely_token_a_row(page, until):
    assert heads(page.play) == ["token", "model", "Temperature", "Top-k", "Top-p"]
    assert page.play.next_card.stages.table.rowCount() >= 11
    page.play_panel.filters.move_by("top-p", -2)
    until(lambda: heads(page.play)[2] == "Top-p")


def test_a_removed_token_is_struck_through_in_the_column_of_its_filter(page, until):
    assert struck(page.play) == {}
    page.play_panel.filters._edit("top-k", "k", 3)
    until(lambda: len(struck(page.play).get("Top-k", [])) == 7)
    table = page.play.next_card.stages.table
    assert [table.item(table.rowCount() - 1, column).text() for column in (3, 4)] == ["3", "3"]
    assert table.item(5, 4).text() == ""  # no cell after the filter that removed it
    assert table.item(5, 3).data(Qt.ItemDataRole.AccessibleTextRole) == "removed"


def test_the_sentence_names_the_token_that_generating_with_this_seed_writes_first(page, until, click):
    play = page.play
    sentence = play.next_card.stages.sentence.text()
    assert "exponential time" in sentence
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
    until(lambda: heads(page.play) == ["token", "model", "Top-k"])
    page.play_panel.filters.remove("top-k")
    page.play.predict_next()
    assert page.play_panel.options()["decoding"].filters == []


def test_the_table_gets_the_width_that_it_needs_and_gives_it_back(page, click):
    play = page.play
    assert play.next_card.width() >= 420
    click(play.next_card.shows_stages)
    assert play.next_card.width() < 420

"""The token viewer shows one text under several tokenizers side by side, and two classroom examples."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from lab.host import Plugins
from lab.shell.corpus.tokens_tab import TokensTab
from lab.shell.runtime.background import Background
from lab.shell.session.corpus.draft_corpus import DraftCorpus
from lab.shell.session.draft import Draft

TEXT = "the cat sat on the mat. a dog ran to the hat: word, word and why the strawberry is sweet.\n" * 8


@pytest.fixture
def tab(qtbot, until):
    plugins = Plugins.from_environment(later=True)
    background = Background()
    draft = Draft(plugins, background)
    draft.apply({"corpus": {"name": "text", "text": TEXT}, "tokenizer": {"name": "character"}})
    corpus = DraftCorpus(draft, background, background)
    made = TokensTab(corpus, plugins, background)
    qtbot.addWidget(made)
    made.resize(1300, 600)
    with qtbot.waitExposed(made):
        made.show()
    corpus.watch(True)
    until(lambda: all(labels(column) for column in made.columns))
    yield SimpleNamespace(widget=made, draft=draft, corpus=corpus)
    background.close()


def labels(column):
    return [token.label for token in column.view._tokens] if column.view.isVisible() else []


def words(column):
    return " ".join(one.text() for one in column.findChildren(QLabel) if one.isVisible())


def column(tab, value):
    return next(one for one in tab.widget.columns if one.value == value)


def type_text(tab, qtbot, words):
    tab.widget.field.selectAll()
    qtbot.keyClicks(tab.widget.field, words)


def test_the_start_of_the_corpus_is_shown_under_the_draft_tokenizer_and_three_others(tab):
    assert TEXT.startswith(tab.widget.field.toPlainText())
    assert 200 < len(tab.widget.field.toPlainText()) <= 400
    assert [one.value for one in tab.widget.columns] == ["own", "bpe", "word", "unigram"]
    assert labels(column(tab, "own"))[:4] == ["t", "h", "e", "␣"]
    assert len(labels(column(tab, "bpe"))) < len(labels(column(tab, "own")))


def test_text_is_tokenized_while_it_is_typed(tab, qtbot, until):
    type_text(tab, qtbot, "the hat")
    until(lambda: labels(column(tab, "own")) == ["t", "h", "e", "␣", "h", "a", "t"])
    until(lambda: "7 tokens" in words(column(tab, "own")))
    assert "1.00 per byte · 1.00 bytes per token" in words(column(tab, "own"))


def test_text_that_a_tokenizer_refuses_is_reported_only_in_its_column(tab, qtbot, until):
    type_text(tab, qtbot, "the Z")
    until(lambda: "Z does not occur" in words(column(tab, "own")))
    until(lambda: "".join(labels(column(tab, "bpe"))).startswith("the"))


def test_another_tokenizer_and_another_size_can_be_selected(tab, until):
    bpe = column(tab, "bpe")
    many = len(labels(bpe))
    bpe._size._menu.actions()[0].trigger()
    until(lambda: "vocabulary 300" in words(bpe))
    assert len(labels(bpe)) > many
    next(one for one in bpe._kind._menu.actions() if one.data() == "byte").trigger()
    until(lambda: "vocabulary 256" in words(bpe))
    assert not bpe._size.isVisible()


def test_up_to_four_columns_can_be_added_and_removed(tab, click, until):
    assert not tab.widget.add.isEnabled()
    for _ in range(3):
        click(tab.widget.columns[-1].remove)
    assert [one.value for one in tab.widget.columns] == ["own"]
    assert not tab.widget.columns[0].remove.isVisible()
    click(tab.widget.add)
    until(lambda: labels(column(tab, "bpe")))


def test_ids_are_shown_below_the_tokens_on_request(tab, click):
    height = column(tab, "own").view._height
    click(tab.widget.ids)
    assert all(one.view._height > height for one in tab.widget.columns)


def test_strawberry_shows_which_tokens_contain_an_r(tab, click, until):
    click(tab.widget.letters)
    until(lambda: "each r is a separate token" in words(column(tab, "own")))
    assert {labels(column(tab, "own"))[place] for place in column(tab, "own").view._marked} == {"r"}
    until(lambda: "an r is in" in words(column(tab, "bpe")))
    marked = [labels(column(tab, "bpe"))[place] for place in sorted(column(tab, "bpe").view._marked)]
    assert marked
    assert all("r" in label for label in marked)
    assert "never sees letters" in " ".join(one.text() for one in tab.widget.findChildren(QLabel) if one.isVisible())


def test_a_space_before_a_colon_changes_the_tokens(tab, click, until):
    click(tab.widget.colon)
    until(lambda: "“word:” ends in :" in words(column(tab, "own")))
    assert "“word :” in ␣" in words(column(tab, "own"))
    assert len(column(tab, "own").view._marked) == 3


def test_the_explanation_of_an_example_is_hidden_when_the_text_changes(tab, click, qtbot, until):
    click(tab.widget.letters)
    qtbot.keyClick(tab.widget.field, Qt.Key.Key_End)
    qtbot.keyClicks(tab.widget.field, "s")
    until(lambda: not column(tab, "own").view._marked)
    assert not tab.widget._sentence.isVisible()


def test_the_draft_column_follows_the_draft(tab, until):
    tab.draft.apply({"tokenizer": {"name": "byte"}})
    until(lambda: "vocabulary 256" in words(column(tab, "own")))


def test_another_corpus_is_shown_unless_a_person_typed_a_text(tab, until, qtbot):
    tab.draft.apply({"corpus": {"name": "text", "text": "zebras and zoos"}})
    until(lambda: tab.widget.field.toPlainText() == "zebras and zoos")
    until(lambda: labels(column(tab, "own"))[:2] == ["z", "e"])
    type_text(tab, qtbot, "zoo")
    tab.draft.apply({"corpus": {"name": "text", "text": "a zoo of oaks"}})
    until(lambda: tab.corpus.beginning == "a zoo of oaks")
    until(lambda: labels(column(tab, "own")) == ["z", "o", "o"])
    assert tab.widget.field.toPlainText() == "zoo"


def test_examples_are_shown_in_their_own_symbols(tab, until):
    tab.draft.apply({"corpus": {"name": "parity"}})
    until(lambda: tab.corpus.source is not None and tab.corpus.source.name != "pasted text")
    known = set(tab.corpus.source.symbols)
    until(lambda: labels(column(tab, "own")) and {one.replace("␣", " ") for one in labels(column(tab, "own"))} <= known)
    until(lambda: all(labels(one) for one in tab.widget.columns))


def test_a_tab_made_after_the_corpus_was_read_tokenizes_its_start(tab, qtbot, until):
    made = TokensTab(tab.corpus, tab.widget._plugins, tab.widget._background)
    qtbot.addWidget(made)
    made.resize(1300, 600)
    with qtbot.waitExposed(made):
        made.show()
    assert TEXT.startswith(made.field.toPlainText())
    assert made.field.toPlainText()
    until(lambda: all(labels(column) for column in made.columns))


def test_a_long_heading_is_elided_and_complete_in_its_tool_tip(tab, qtbot):
    heading = column(tab, "bpe")._kind
    assert heading.text() == "Byte pair encoding ▾"
    tab.widget.resize(940, 600)
    qtbot.waitUntil(lambda: heading.text().endswith("… ▾"))
    assert heading.toolTip() == "Byte pair encoding"
    tab.widget.resize(1300, 600)
    qtbot.waitUntil(lambda: heading.text() == "Byte pair encoding ▾")


@pytest.mark.parametrize(
    "corpus", [{"name": "points"}, pytest.param({"name": "digits", "rows": 40}, marks=pytest.mark.long)]
)
def test_a_corpus_without_text_has_no_tokens_and_says_so(tab, until, corpus):
    tab.draft.apply({"corpus": corpus})
    until(lambda: tab.corpus.lacks_text)
    for column in tab.widget.columns:
        until(lambda: "no text, so there are no tokens" in words(column))  # noqa: B023 - called at once

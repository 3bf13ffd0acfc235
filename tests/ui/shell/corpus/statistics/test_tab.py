"""The statistics tab counts the draft's corpus in the background, shows the parts, and warns of overlap."""

import threading

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea

from lab.host import Plugins
from lab.shell.corpus.statistics import counting as statistics_counting
from lab.shell.corpus.statistics import tab as statistics_tab
from lab.shell.corpus.statistics.count_cards import CompressedCard, EntropyCard, GramsCard, ZipfCard
from lab.shell.corpus.statistics.counting import PARTS
from lab.shell.corpus.statistics.tab import StatisticsTab
from lab.shell.corpus.statistics.text_cards import DuplicatesCard, OverlapCard, RepeatsCard, SizeCard
from lab.shell.runtime.background import Background
from lab.shell.session.corpus.draft_corpus import DraftCorpus
from lab.shell.session.draft import Draft
from lab.widgets.core.theme import px, themes

WORDS = (
    "the cat",
    "sat on",
    "the mat",
    "and a",
    "dog ran",
    "to the",
    "hat while",
    "one bird",
    "sang of",
    "green hills",
)
TEXT = "\n".join(" ".join(WORDS[(3 * n + k * k) % 10] for k in range(5)) + f" {n}." for n in range(120)) + "\n"
DOUBLED = TEXT * 2


@pytest.fixture
def tab(qtbot, plain_window, quick_turns, monkeypatch):
    monkeypatch.setattr(statistics_tab, "POLL", 2)
    plugins = Plugins.from_environment(later=True)
    background = Background(plain_window)
    draft = Draft(plugins, plain_window)
    draft.apply({"corpus": {"name": "text", "text": TEXT}, "tokenizer": {"name": "character"}})
    corpus = DraftCorpus(draft, background, plain_window)
    made = StatisticsTab(corpus, background)
    plain_window.resize(1100, 700)
    plain_window.setCentralWidget(made)
    corpus.watch(True)
    yield made
    background.close()
    made.hide()


@pytest.fixture
def counted(tab, until):
    """Wait until everything is counted and shown."""

    def counted():
        until(lambda: set(PARTS) <= tab.found.keys() and tab.copy.isVisible())
        until(lambda: len(tab.cards) == 8 and all(one.isVisible() for one in tab.cards))
        return tab

    return counted


def card(tab, kind):
    return next(one for one in tab.cards if isinstance(one, kind))


def words(inside):
    return " · ".join(one.text() for one in inside.findChildren(QLabel) if one.isVisible())


def test_the_charts_keep_their_height_at_the_largest_type_and_the_page_scrolls(counted, until, qtbot):
    tab = counted()
    themes.change(type_size=200)
    for kind in (ZipfCard, EntropyCard):
        until(lambda kind=kind: card(tab, kind).chart.height() >= px(120))
    entropy = card(tab, EntropyCard)
    until(lambda: entropy.sentence.height() >= entropy.sentence.heightForWidth(entropy.sentence.width()))
    assert tab.findChild(QScrollArea).verticalScrollBar().maximum() > 0


def test_the_cards_show_what_was_counted_and_describe_it_to_screen_readers(counted):
    tab = counted()
    size = card(tab, SizeCard)
    assert f"{len(TEXT):,} · characters" in words(size)
    assert "120 · lines of text" in words(size)
    assert "1.00 · tokens per byte" in words(size)
    assert size.note == "tokenizer: Characters"
    zipf = card(tab, ZipfCard)
    found = zipf.found["zipf_words"]
    assert f"words s = {found.exponent:.2f}" in zipf.chart.accessibleDescription()
    assert zipf.chart.readout(1)[0][2] == found.counts[0]
    assert not tab.warning.isVisible()
    assert "Warning" not in words(card(tab, OverlapCard))
    for one in tab.cards:
        assert one.accessibleName()
        assert one.accessibleDescription()


def test_compressors_are_listed_with_the_held_out_entropies_and_passages_with_white_space_and_positions(counted):
    tab = counted()
    bars = card(tab, CompressedCard).bars.list.rows()
    assert [bar.name for bar in bars] == ["zlib", "bz2", "lzma", *(f"order {n}" for n in range(1, 6))]
    assert bars[0].figures[1] == f"{tab.found['compressed'].whole['zlib']:.3f}"
    assert bars[5].figures[0] == f"{tab.found['entropies'].orders[3].held_out:.3f}"
    first = card(tab, RepeatsCard).list.rows()[0]
    found = tab.found["repeats"].passages[0]
    assert first.figures.startswith(f"{found.length:,} characters, {found.times} times, at {found.offsets[0]:,}")
    assert " " not in first.description.split(": ", 1)[1]
    assert "␣" in first.description


def test_the_most_frequent_n_grams_are_listed_by_kind_and_length_and_sparse_entropies_are_marked(counted):
    tab = counted()
    grams = card(tab, GramsCard)
    names = [bar.name for bar in grams.bars.list.rows()]
    assert all(len(name) == 3 for name in names)
    assert "␣th" in names or "the" in names
    choose(grams.kind, "words")
    choose(grams.order, "n = 2")
    first = grams.bars.list.rows()[0]
    assert len(first.name.split(" ")) == 2
    assert first.figures[0] == f"{grams.found['grams_words'][1].top[0][1]:,}"
    entropy = card(tab, EntropyCard)
    values = {name: value for name, _, value in entropy.chart.readout(5)}
    found = entropy.found["entropies"].orders[5]
    assert found.sparse
    assert values == {"held out": pytest.approx(found.held_out), "as counted": pytest.approx(found.bits)}
    assert "the counts are too few" in words(entropy)


def choose(menu_button, label):
    """Select an entry of a menu."""
    next(action for action in menu_button.menu().actions() if action.text() == label).trigger()


def test_a_known_entropy_rate_is_drawn_with_the_entropies(tab, counted):
    tab._corpus.draft.apply({"corpus": {"name": "markov", "length": 5000}})
    tab._corpus.read()
    assert "entropy rate" in card(counted(), EntropyCard).chart.accessibleDescription()


def test_text_in_both_training_and_validation_is_reported_with_a_warning(tab, counted):
    tab._corpus.draft.apply({"corpus": {"name": "text", "text": DOUBLED}})
    tab._corpus.read()
    tab = counted()
    overlap = card(tab, OverlapCard)
    assert "100 % · of the" in words(overlap)
    assert "Warning: 100% of the passages" in words(overlap)
    assert tab.warning.isVisible()
    lines = card(tab, DuplicatesCard).bars.list.rows()[0]
    assert lines.figures == ("240", "50 %", "50 %")


class Slow:
    """A count of one part that waits until the test releases it, or it is cancelled."""

    def __init__(self, part):
        self.go_on, self._part, self.times = threading.Event(), part, 0

    def __call__(self, counting, name, part, before):
        def slow(step):
            self.times += 1
            while not self.go_on.wait(0.01):
                step(1, 2)
            return part(step)

        real_count(counting, name, slow if name == self._part else part, before)


real_count = statistics_counting.Counting._count


@pytest.fixture
def slow(monkeypatch):
    """Hold the counting of duplicates until the test releases it."""
    made = Slow("duplicates")
    monkeypatch.setattr(statistics_counting.Counting, "_count", lambda *given: made(*given))
    yield made
    made.go_on.set()


def test_parts_are_shown_as_they_are_counted_with_the_current_work(slow, tab, until, counted):
    until(lambda: "entropies" in tab.found and len(tab.cards) == 8)
    until(lambda: "Finding duplicates" in words(tab))
    assert card(tab, EntropyCard).state == "content"
    assert card(tab, DuplicatesCard).state == "empty"
    slow.go_on.set()
    counted()
    assert card(tab, DuplicatesCard).state == "content"


def test_cancel_stops_counting_and_the_rest_is_counted_on_request(slow, tab, until, click, button, counted):
    until(lambda: "entropies" in tab.found and len(tab.cards) == 8)
    click(button(tab, "Cancel"))
    assert "Not counted: counting was cancelled." in words(card(tab, DuplicatesCard))
    assert card(tab, EntropyCard).state == "content"
    slow.go_on.set()
    click(button(tab, "Count the rest"))
    counted()
    assert all(one.state == "content" for one in tab.cards)


def test_another_tokenizer_counts_only_what_depends_on_it(counted, until):
    tab = counted()
    before = dict(tab.found)
    tab._corpus.draft.apply({"tokenizer": {"name": "byte"}})
    until(lambda: tab.found["tokenizer"] != before["tokenizer"])
    counted()
    changed = {name for name in PARTS if tab.found[name] is not before[name]}
    assert changed == {"size", "zipf_tokens"}
    assert tab.found["size"].vocabulary == 256


@pytest.mark.long
def test_another_corpus_is_counted_while_the_tab_is_visible(counted, until):
    tab = counted()
    tab._corpus.draft.apply({"corpus": {"name": "text", "text": "another text altogether"}})
    until(lambda: "size" in tab.found and tab.found["size"].characters == 23)
    counted()


def test_another_corpus_is_counted_only_when_the_tab_becomes_visible(counted, until, qtbot):
    tab = counted()
    tab.hide()
    tab._corpus.draft.apply({"corpus": {"name": "text", "text": "another text altogether"}})
    until(lambda: tab._corpus.beginning == "another text altogether")
    assert not tab._later.isActive()
    assert not tab._background._tasks
    assert tab.found["size"].characters == len(TEXT)
    tab.show()
    until(lambda: "size" in tab.found and tab.found["size"].characters == 23)


def test_a_text_that_cannot_be_tokenized_lacks_only_the_parts_about_tokens(tab, counted, until):
    counted()
    tab._corpus.draft.apply({"tokenizer": {"name": "symbol"}})
    until(lambda: tab.found["tokenizer"] == "Symbols of the source")
    counted()
    assert card(tab, SizeCard).state == "empty"
    assert "the corpus has no symbols of its own" in words(card(tab, SizeCard))
    assert card(tab, EntropyCard).state == "content"


def test_the_figures_are_copied_as_text(counted, click, button):
    tab = counted()
    click(button(tab, "Copy figures"))
    copied = QGuiApplication.clipboard().text()
    assert f"characters: {len(TEXT):,}" in copied
    assert all(one.title in copied for one in tab.cards)


def test_a_source_of_examples_is_described_and_its_scored_tokens_are_marked(tab, until):
    tab._corpus.draft.apply({"corpus": {"name": "copy"}})
    tab._corpus.read()
    until(lambda: tab.source is not None and tab.source.examples_card.state == "content")
    corpus = tab._corpus.draft.card("corpus").card
    text = words(tab.source)
    assert corpus.tests in text
    assert corpus.expected in text
    assert corpus.references[0] in text
    assert f"{tab._corpus.source.entropy:.4g} · nats per scored token" in text
    drawn = tab._corpus.source.draw(np.arange(1), 0, "train")
    row, scored = drawn.tokens[0], drawn.scored[0]
    length = int((row >= 0).sum())
    view = tab.source.view
    assert [token.token for token in view._tokens[:length]] == row[:length].tolist()
    assert [place in view._marked for place in range(length)] == scored[:length].tolist()


def test_the_wheel_scrolls_the_page_unless_a_chart_has_the_focus(counted, qtbot):
    tab = counted()
    chart = card(tab, ZipfCard).chart
    tab.copy.setFocus()
    turn_wheel(chart)
    assert chart.follow
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton)
    turn_wheel(chart)
    assert not chart.follow


def turn_wheel(widget):
    middle = QPointF(widget.rect().center())
    no_buttons, no_keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    turned = QWheelEvent(
        middle, middle, QPoint(), QPoint(0, 240), no_buttons, no_keys, Qt.ScrollPhase.NoScrollPhase, False
    )
    QApplication.sendEvent(widget, turned)


def test_every_control_is_named_and_the_tab_key_scrolls_to_each(counted, qtbot):
    tab = counted()
    area = tab.findChild(QScrollArea)
    stops = []
    tab.copy.setFocus()
    while (now := QApplication.focusWidget()) not in stops:
        stops.append(now)
        assert now.accessibleName()
        place = now.mapTo(area.viewport(), QPoint(0, 0)).y()
        assert place + now.height() > 0
        assert place < area.viewport().height()
        qtbot.keyClick(now, Qt.Key.Key_Tab)
    within = [one for one in stops if tab.isAncestorOf(one)]
    assert len(within) >= 9
    assert card(tab, OverlapCard).list in within

"""The page Translate of Play, with untrained models."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from lab.shell.play.translate.page import LINES, MAP, TranslatePage

PAIRS = ("corpus.name=reversal", "corpus.rows=60", "objective.name=sequence-to-sequence", "training.context_length=32",
         "tokenizer.name=character")  # fmt: skip
ATTENTION = ("architecture.name=recurrent-encoder-decoder", "architecture.width=16")
RECURRENT = (*ATTENTION, "architecture.attention=none")
TRANSFORMER = ("architecture.name=encoder-decoder", "architecture.layers=2", "architecture.width=16",
               "architecture.heads=2")  # fmt: skip


@pytest.fixture
def translate(open_session, until):
    """Open the page with the untrained model of a recipe."""
    opened = []

    def translate(*assignments):
        session = open_session(*assignments)
        page = TranslatePage(session.model_provider, session.background)
        opened.append(page)
        page.resize(1200, 700)
        page.begin()
        page.show()
        until(page.button.isEnabled)
        return page

    yield translate
    for page in opened:
        page.close_down()
        page.close()
        page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_an_empty_source_is_the_first_of_the_validation_pairs(translate, until, click):
    page = translate(*PAIRS, *TRANSFORMER)
    click(page.button)
    until(lambda: page.model.translation is not None)
    assert page.field.toPlainText() == page.model.translation.source
    assert page.table.rowCount() == len(page.model.translation.hypotheses)
    assert page.map.isVisible()
    assert page.layers.isVisible()
    page._pick_drawing(LINES)
    assert page.lines.isVisible()
    page._pick_drawing(MAP)
    page.table.selectRow(1)
    assert page.model.selected == 1


def test_a_source_that_cannot_be_read_is_explained_and_another_one_is_translated(translate, until, click):
    page = translate(*PAIRS, *ATTENTION)
    page.field.setPlainText("Ä")
    click(page.button)
    until(lambda: page._problem.isVisible())
    assert "does not occur" in page._problem.text()
    page.field.setPlainText("abc")
    click(page.button)
    until(lambda: page.model.translation is not None)
    assert not page._problem.isVisible()
    assert not page.layers.isVisible()  # one layer


def test_a_model_without_attention_says_that_one_state_is_all_it_has(translate, until, click):
    page = translate(*PAIRS, *RECURRENT)
    page.field.setPlainText("abc")
    click(page.button)
    until(lambda: page.model.translation is not None)
    assert page.alignment_card.state == "empty"


def test_validation_pairs_are_measured_by_the_length_of_their_sources(translate, until, click):
    page = translate(*PAIRS, *ATTENTION)
    page.pairs.set_choices([("3", "3")])
    page.start_measuring()
    until(lambda: page.model.measured is not None)
    assert page.measures.rowCount() == len(page.model.measured.bands) + 1
    assert page.measures.item(page.measures.rowCount() - 1, 1).text() == "3"


def test_a_model_that_translates_nothing_is_refused_in_a_sentence(translate, until, click):
    page = translate("corpus.name=markov", "tokenizer.name=character", "architecture.layers=1", "architecture.width=16")
    click(page.button)
    until(lambda: page._problem.isVisible())
    assert "translates nothing" in page._problem.text()
    assert page.model.work is None

"""The statistics of data in rows: figures, classes, and the first rows as a table, pictures or points."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel

from lab.api import BadInput, Conversations, Turn
from lab.host import Plugins
from lab.shell.corpus.statistics import rows_view
from lab.shell.corpus.statistics.point_cloud import SHAPES, class_colour, class_shape
from lab.shell.corpus.statistics.rows_view import table_of
from lab.shell.corpus.statistics.tab import StatisticsTab
from lab.shell.runtime.background import Background
from lab.shell.session.corpus.draft_corpus import DraftCorpus
from lab.shell.session.draft import Draft
from lab.widgets.figures.table import DataTable, FigureTable


@pytest.fixture
def draft(plain_window):
    return Draft(Plugins.from_environment(later=True), plain_window)


@pytest.fixture
def show(plain_window, draft, until):
    """Show the statistics of a corpus of rows."""
    background = Background(plain_window)

    def show(corpus, wait=True, **settings):
        values = {"name": corpus, "rows": 60, **settings}
        assert draft.apply({"corpus": None}, {"corpus": values}, {"tokenizer": {"name": "character"}}) is None
        found = DraftCorpus(draft, background, plain_window)
        tab = StatisticsTab(found, background)
        plain_window.setCentralWidget(tab)
        tab.show()
        found.watch(True)
        until(lambda: tab.rows_page is not None)
        if wait:
            until(lambda: tab.rows_page.figures.state == "content")
        return tab.rows_page

    yield show
    background.close()


def texts(view):
    return "\n".join(one.text() for one in view.findChildren(QLabel) if one.isVisible())


def pixels_of(widget, colour):
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return (np.frombuffer(image.constBits(), np.uint32) == QColor(colour).rgb()).sum()


def test_pairs_are_shown_with_their_parts_lengths_and_a_table_of_sources_and_targets(show):
    view = show("reversal")
    shown = texts(view.figures)
    assert "60: 54 for training, 6 for validation" in shown
    assert "Length: source" in shown
    table = view.table.toPlainText().split("\n")[1:]
    assert table[:3] == ["row", "source", "target"]
    assert table[4] == table[5][::-1]
    assert not view.classes.isVisible()


def test_pairs_have_reference_lines_although_the_objective_of_the_draft_reads_a_text(show, draft):
    assert draft.recipe.objective.name == "causal"
    shown = texts(show("reversal").figures)
    assert "uniform" in shown
    assert "unigram" in shown
    assert "(nats per target)" in shown


def test_classes_have_bars_of_their_shares(show):
    view = show("polarity")
    assert [(bar.name, bar.figures) for bar in view.bars.list.rows()] == [
        ("negative", ("50 %",)),
        ("positive", ("50 %",)),
    ]


def test_each_token_stands_on_the_colour_of_its_label(show):
    view = show("parts-of-speech")
    html = view.table.toHtml()
    assert "background-color" in html
    assert "noun" in view.table.toPlainText()


def test_two_features_are_drawn_as_points_by_class(show):
    view = show("points")
    assert view.points.isVisible()
    assert pixels_of(view.points, rows_view.class_colour(0)) > 20
    assert pixels_of(view.points, rows_view.class_colour(1)) > 20


def test_classes_differ_in_shape_too_and_no_two_of_them_look_alike():
    outlines = [class_shape(number).toFillPolygon().toPolygon() for number in range(len(SHAPES))]
    assert len(outlines) >= 6
    assert all(one != other for one, other in combinations(outlines, 2))
    looks = [(class_colour(number), number % len(SHAPES)) for number in range(50)]
    assert len(set(looks)) == len(looks)
    assert len({class_colour(number) for number in range(len(SHAPES))}) == len(SHAPES)


def test_points_have_a_sentence_and_a_table_with_the_class_of_each(show):
    view = show("points")
    sentence = view.points.sentence()
    classes = view.points.exported().figure.classes
    assert sentence.startswith("First rows of training: 60 points, ")
    assert all(f"{name} 30" in sentence for name in classes)
    table = FigureTable(view.points.exported().figure)
    assert table.rows == 60
    assert {table.cell(row, 1) for row in range(60)} == set(classes)
    view.points.show_table()
    (shown,) = view.window().findChildren(DataTable)
    assert shown.isVisible()


def test_numbers_over_a_feature_have_a_sentence_and_a_table_without_classes(show):
    view = show("sine")
    assert "class" not in view.points.sentence()
    assert FigureTable(view.points.exported().figure).rows == 60


@pytest.mark.parametrize("corpus", ["points", "sine"])
def test_points_are_drawn_on_paper_by_class(show, corpus):
    figure = show(corpus).points.exported().figure
    (axes,) = figure.draw().axes  # no colour bar, as rows have no order
    assert len(axes.collections) == max(1, len(figure.classes))
    assert sum(len(drawn.get_offsets()) for drawn in axes.collections) == 60


def test_numbers_are_drawn_over_their_feature(show):
    view = show("sine")
    assert view.points.isVisible()
    assert "Predicts: y" in texts(view.figures)


def test_pictures_stand_in_a_grid_with_their_class(show):
    view = show("digits")
    assert view.pictures.isVisible()
    pictures = [one for one in view.pictures.findChildren(QLabel) if not one.pixmap().isNull()]
    assert len(pictures) == 40
    assert {one.accessibleName() for one in pictures} == set("0123456789")
    assert pictures[0].pixmap().width() == 64


def test_captions_stand_below_their_pictures(show):
    view = show("shapes", target="caption")
    pictures = [one for one in view.pictures.findChildren(QLabel) if not one.pixmap().isNull()]
    assert all(len(one.accessibleName().split()) > 1 for one in pictures)


def test_learned_turns_are_bold_and_text_is_never_markup():
    rows = Conversations("Talk", [(Turn("user", "<b>hi"), Turn("bot", "ho", learned=True))] * 2)
    turns = [{"role": turn.role, "text": turn.text, "learned": turn.learned} for turn in rows.conversations[0]]
    html = table_of(rows, [{"row": 1, "turns": turns}])
    assert "&lt;b&gt;hi" in html
    assert "<b>ho</b>" in html


def test_counting_can_be_cancelled_and_made_up_for(show, button, click, until):
    run = show("digits", wait=False)
    click(button(run.figures, "Cancel"))
    assert run.figures.state == "empty"
    click(button(run.figures, "Count the rows"))
    until(lambda: run.figures.state == "content")


def test_rows_that_cannot_be_tokenized_are_reported(show, until, monkeypatch):
    def refuse(*_):
        raise BadInput("cannot be tokenized", field="tokenizer")

    monkeypatch.setattr(rows_view, "_summarize", refuse)
    run = show("reversal", wait=False)
    until(lambda: run.figures.state == "broken")


def test_another_objective_counts_the_rows_anew_and_other_settings_do_not(show, draft, until, monkeypatch):
    counted, summarize = [], rows_view._summarize

    def summary_of_recipe(everything, recipe, plugins, job):
        counted.append(recipe.objective.name)
        return summarize(everything, recipe, plugins, job)

    monkeypatch.setattr(rows_view, "_summarize", summary_of_recipe)
    view = show("reversal")
    assert counted == ["causal"]
    first = view._found
    assert draft.apply({"training": {"steps": 77}}, {"objective": {"name": "sequence-to-sequence"}}) is None
    until(lambda: view._found is not first)
    assert counted == ["causal", "sequence-to-sequence"]
    tab = view.parentWidget()
    assert draft.apply({"training": {"steps": 78}}) is None
    until(lambda: tab._later.isActive())
    until(lambda: not tab._later.isActive())
    assert counted == ["causal", "sequence-to-sequence"]
    assert "60: 54 for training" in texts(view.figures)


def test_a_mixture_shows_the_rows_of_its_parts(show, draft):
    del draft
    run = show("mixture", rows=None, first={"corpus": "reversal"}, second={"corpus": "dates"})
    shown = texts(run.figures)
    assert "10,000: 9,000 for training, 1,000 for validation" in shown
    assert "reversed letters 5,000, dates 5,000" in shown


def test_the_floors_of_the_huber_loss_have_its_unit(show, draft):
    assert draft.apply({"objective": {"name": "regression", "loss": "huber"}}) is None
    assert "(mean Huber loss)" in texts(show("sine").figures)

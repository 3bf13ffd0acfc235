"""An exported map or bar list holds every number with its labels, and needs no lab."""

import csv
import importlib.util
import io
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from lab.api import Reading
from lab.widgets.core.card import Card
from lab.widgets.core.theme import INSIDE, themes
from lab.widgets.figures.csv_table import csv_of
from lab.widgets.figures.export import HEAD, SCALE
from lab.widgets.figures.script import script_of
from lab.widgets.figures.vector import printed
from lab.widgets.figures.view import ExportButton
from lab.widgets.maps.bars import Bars
from lab.widgets.maps.map import SLIDE, MapView
from lab.widgets.readings.views import view_for

TOKENS = tuple("KING: I have")


def shares(rows, columns):
    values = np.random.default_rng(0).uniform(size=(rows, columns)).astype(np.float32)
    return values / values.sum(0)


@pytest.fixture
def a_map(qtbot):
    """Show a map."""

    def a_map(values=None, rows=None, columns=None, **options):
        values = shares(4, len(TOKENS)) if values is None else values
        rows = rows or tuple(map(str, range(1, len(values) + 1)))
        columns = columns or (TOKENS if values.shape[1] == len(TOKENS) else tuple(map(str, range(values.shape[1]))))
        made = MapView()
        qtbot.addWidget(made)
        made.set_map(values, rows, columns, row_name="expert", column_name="token", unit="share", **options)
        made.resize(600, 400)
        return made

    return a_map


def rows_of(export):
    return list(csv.reader(io.StringIO(csv_of(export.figure))))


def words_of(svg):
    return {"".join(one.itertext()).strip() for one in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")}


def loaded(script, folder):
    """Import a script and return its figure."""
    file = folder / "imported.py"
    file.write_text(script, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("imported_map", file)
    module = sys.modules["imported_map"] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules["imported_map"]
    return module.FIGURE


def test_a_table_has_a_row_for_each_row_and_is_exact(a_map):
    values = shares(4, len(TOKENS))
    table = rows_of(a_map(values).export("Experts"))
    assert table[0] == ["expert \\ token (share)", *TOKENS]
    assert [row[0] for row in table[1:]] == ["1", "2", "3", "4"]
    assert (np.array([row[1:] for row in table[1:]], np.float32) == values).all()


def test_masked_cells_are_exported_as_such(a_map):
    values = shares(4, 4)
    values[0, 1:] = np.nan
    assert rows_of(a_map(values).export("Experts"))[1][2:] == ["nan"] * 3


def test_labels_with_commas_quotes_and_lines_are_kept(a_map):
    labels = (",", '"', "a\nb", "=1+1")
    assert rows_of(a_map(shares(2, 4), columns=labels).export("Experts"))[0][1:] == list(labels)


def test_a_slide_has_twice_the_size(a_map):
    slide = a_map().export("Experts").slide()
    assert (slide.width(), slide.height()) == (SCALE * (600 + 2 * INSIDE), SCALE * (400 + HEAD + INSIDE))


def test_the_slide_of_a_small_map_is_large_enough_to_be_read(a_map):
    small = a_map()
    small.resize(100, 80)
    assert small.export("Experts").slide().width() == SCALE * (SLIDE.width() + 2 * INSIDE)


def test_a_slide_shows_neither_selection_nor_crosshair(a_map):
    one = a_map()
    before = one.export("Experts").slide()
    one.select(2, 3)
    one._hover((1, 1))
    assert one.export("Experts").slide() == before


def test_a_slide_uses_the_current_theme(a_map):
    dark = a_map().export("Experts").slide()
    themes.choose("light")
    assert a_map().export("Experts").slide().pixelColor(1, 1).name() == themes.now.panel != dark.pixelColor(1, 1).name()


def test_a_vector_picture_has_labels_names_and_unit_as_text(a_map):
    figure = a_map().export("Experts · Small").figure
    assert {"Experts · Small", "expert", "token", "share", "K", "1"} <= words_of(printed(figure, "svg"))


@pytest.mark.long
def test_a_pdf_has_its_fonts(a_map):
    assert b"/FontFile2" in printed(a_map().export("Experts · Small").figure, "pdf")


@pytest.mark.parametrize(
    ("signed", "root"),
    [
        (True, True),
        *(pytest.param(*pair, marks=pytest.mark.long) for pair in [(False, False), (False, True), (True, False)]),
    ],
)
def test_a_script_holds_every_number_and_draws_the_map(a_map, tmp_path, signed, root):
    values = (shares(4, 6) - (0.2 if signed else 0)).astype(np.float32)
    values[1, 2] = np.nan
    one = a_map(values)
    one.set_root(root)
    figure = loaded(script_of(one.export("Experts").figure), tmp_path)
    assert np.array_equal(figure.values.astype(np.float32), values, equal_nan=True)
    figure.draw().savefig(tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 1000


@pytest.mark.parametrize(
    "shape", [(1, 300), *(pytest.param(each, marks=pytest.mark.long) for each in [(1, 1), (300, 1), (700, 700)])]
)
def test_maps_of_any_shape_are_drawn(a_map, shape):
    figure = a_map(shares(*shape), square=shape[0] == shape[1]).export("Map").figure
    assert b"<svg" in printed(figure, "svg")


def test_a_map_without_cells_has_nothing_to_export(qtbot):
    empty, bars = MapView(), Bars()
    qtbot.addWidget(empty)
    qtbot.addWidget(bars)
    assert empty.export("Map") is None
    assert bars.export("Bars") is None


def test_bars_are_exported_with_their_labels(qtbot, tmp_path):
    bars = Bars()
    qtbot.addWidget(bars)
    values = np.array([0.1, -2.5, np.nan, 1e-7], np.float32)
    bars.set_bars(values, ("a", "b", "c", "$d$"), name="token", unit="bits")
    export = bars.export("Surprise")
    assert rows_of(export) == [["token", "value (bits)"], ["a", "0.1"], ["b", "-2.5"], ["c", "nan"], ["$d$", "1e-07"]]
    assert {"Surprise", "token", "bits", "$d$"} <= words_of(printed(export.figure, "svg"))
    assert not export.slide().isNull()
    figure = loaded(script_of(export.figure), tmp_path)
    assert np.array_equal(figure.values.astype(np.float32), values, equal_nan=True)


@pytest.mark.parametrize(
    ("axes", "words"),
    [
        (("head", "query", "key"), ["Attention", "block 2", "head 1"]),
        (("token", "channel", "state"), ["Attention", "block 2", "1"]),
        (("token",), ["Attention", "block 2"]),
    ],
)
def test_the_title_names_block_and_head(qtbot, axes, words):
    card, view = Card("Attention"), view_for(axes)()
    for option in view.options:
        card.add_control(option)
    card.set_content(view)
    qtbot.addWidget(card)
    sizes = {"head": 2, "channel": 5, "state": 3}
    values = np.abs(np.random.default_rng(0).normal(size=[sizes.get(axis, 6) for axis in axes])).astype(np.float32)
    view.show_readings([Reading("mixing", axes, values, 1)], tuple("abcdef"))
    (button,) = (one for one in card.findChildren(ExportButton) if not one.isHidden())
    title = button.view.exported().figure.title
    assert all(part in title for part in words)

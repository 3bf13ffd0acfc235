"""An exported chart holds every visible point, with names, units, floors and flags, and needs no lab."""

import csv
import importlib.util
import io
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QContextMenuEvent, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication, QMenu

from lab.base.charts.extremes import extreme_indices
from lab.base.charts.layout import spread
from lab.base.problems import BadInput
from lab.widgets.charts.chart import Chart, Flag, Floor, Line
from lab.widgets.charts.export import inked
from lab.widgets.core.card import Card
from lab.widgets.core.theme import DARK, INSIDE, LIGHT, contrast, mixed, themes
from lab.widgets.figures.chart import DENSE
from lab.widgets.figures.csv_table import csv_of
from lab.widgets.figures.export import HEAD, SCALE
from lab.widgets.figures.script import script_of
from lab.widgets.figures.vector import printed
from lab.widgets.figures.view import ExportButton

BLUE = DARK.runs[0]
SVG = "{http://www.w3.org/2000/svg}"


def line(y, x=None, *, key="a", name="train", style="thin", colour=BLUE, dashes=0, reported=""):
    y = np.asarray(y, float)
    x = np.arange(1, len(y) + 1, dtype=float) if x is None else np.asarray(x, float)
    return Line(key, name, colour, x, y, style, dashes, reported)


def noise(count, seed=1):
    return 2 + np.random.default_rng(seed).normal(size=count)


@pytest.fixture
def chart(qtbot):
    """A chart in a visible card."""
    card, made = Card("Loss"), Chart()
    card.set_content(made, margin=0)
    card.add_control(ExportButton(made))
    card.resize(500, 320)
    made.set_axes("step", "loss (nats per token)", x_kind="steps")
    made.card = card  # kept with it
    qtbot.addWidget(card)
    with qtbot.waitExposed(card):
        card.show()
    return made


def draw(chart, *lines, **others):
    for name, value in {"lines": lines, **others}.items():
        getattr(chart, f"set_{name}")(value)
    chart.draw()
    return chart


def figure(chart):
    return chart.exported().figure


def rows(chart):
    return list(csv.reader(io.StringIO(csv_of(figure(chart)))))


def values(table, name):
    return np.array([[float(x), float(y)] for kind, found, x, y in table if (kind, found) == ("line", name)])


def path_of(svg, colour):
    """Return the points of the longest path of a colour in an SVG."""
    paths = [
        one.get("d") for one in ET.fromstring(svg).iter(f"{SVG}path") if f"stroke: {colour}" in one.get("style", "")
    ]
    words = max(paths, key=len).replace("M", " ").replace("L", " ").split()
    return np.array(words, float).reshape(-1, 2)


def plot_of(svg):
    """Return left, top, right and bottom of the plot in an SVG."""
    axes = next(one for one in ET.fromstring(svg).iter(f"{SVG}g") if one.get("id") == "patch_2")
    words = axes.find(f"{SVG}path").get("d").replace("M", " ").replace("L", " ").replace("z", " ").split()
    corners = np.array(words, float).reshape(-1, 2)
    return *corners.min(0), *corners.max(0)


def words_of(svg):
    return ["".join(one.itertext()).strip() for one in ET.fromstring(svg).iter(f"{SVG}text")]


# tables


def test_a_table_has_every_point_exactly(chart):
    y = noise(5000) / 3
    draw(chart, line(y, reported="Small · training loss"))
    table = rows(chart)
    assert table[0] == ["kind", "name", "step", "loss (nats per token)"]
    found = values(table, "Small · training loss")
    assert (found[:, 0] == np.arange(1, 5001)).all()
    assert (found[:, 1] == y).all()


def test_labels_of_close_flags_on_paper_are_level_and_apart(chart):
    labels = [f"learning rate {number}e-4" for number in range(8)]
    draw(chart, line(noise(1000)), flags=[Flag(300 + 20 * number, label) for number, label in enumerate(labels)])
    figure = chart.export("Loss").figure.draw()
    figure.draw_without_rendering()
    texts = [text for text in figure.axes[0].texts if text.get_text() in labels]
    boxes = [text.get_window_extent() for text in texts if text.get_visible()]
    assert len(boxes) == len(labels)
    assert {text.get_rotation() for text in texts} == {0}
    assert not any(one.overlaps(other) for number, one in enumerate(boxes) for other in boxes[:number])


def test_a_table_holds_floors_and_flags(chart):
    draw(chart, line(noise(50)), floors=[Floor("unigram", 2.5)], flags=[Flag(20, "batch size 4 → 8, at once")])
    assert rows(chart)[-2:] == [
        ["reference line", "unigram", "", "2.5"],
        ["flag", "batch size 4 → 8, at once", "20", ""],
    ]


def test_a_table_has_only_the_visible_range(chart):
    draw(chart, line(noise(1000)), flags=[Flag(5, "early"), Flag(990, "late")])
    middle = QPoint(chart.width() // 2, chart.height() // 2)
    chart._zoom(0.1, False, middle)
    frame = chart._scene.frame
    table = rows(chart)
    found = values(table, "train")[:, 0]
    assert found[0] == np.ceil(frame.x0)
    assert found[-1] == np.floor(frame.x1)
    assert [row for row in table if row[0] == "flag"] == []


def test_gaps_are_kept(chart):
    draw(chart, line([3, np.nan, 2, np.inf, 1]))
    assert [row[3] for row in rows(chart)[1:]] == ["3", "nan", "2", "inf", "1"]


def test_lines_of_one_name_get_distinct_names(chart):
    draw(chart, line([3, 2]), line([2, 1], key="b"))
    assert [row[1] for row in rows(chart)[1:]] == ["train", "train", "train (2)", "train (2)"]


def test_a_line_without_a_name_is_named_by_its_key(chart):
    draw(chart, line([3, 2], name="", key="run 1/raw"))
    assert rows(chart)[1][1] == "run 1/raw"


# pictures for slides


def test_a_slide_has_twice_the_size_and_a_title(chart):
    chart.window().resize(1000, 600)
    draw(chart, line(noise(100)))
    slide = chart.exported().slide()
    assert slide.width() == SCALE * chart.width()
    assert slide.height() == SCALE * (chart.height() + HEAD + INSIDE)
    title = slide.copy(0, 0, slide.width(), SCALE * HEAD)
    assert colours(title) > {QColor(themes.now.panel).rgb(), QColor(themes.now.text).rgb()}


def test_the_slide_of_a_small_chart_is_large_enough_to_be_read(chart):
    chart.window().resize(300, 200)
    draw(chart, line(noise(100)))
    assert chart.exported().slide().width() == SCALE * 720


def test_a_slide_shows_neither_crosshair_nor_buttons(chart):
    draw(chart, line(noise(100)))
    before = chart.exported().slide()
    chart._crosshair.move(50)
    assert chart.exported().slide() == before


@pytest.mark.parametrize("mode", ["dark", "light"])
def test_a_slide_uses_the_current_theme(chart, mode):
    themes.choose(mode)
    draw(chart, line(noise(100), colour=themes.now.runs[0]))
    assert colours(chart.exported().slide()) > {QColor(themes.now.panel).rgb(), QColor(themes.now.runs[0]).rgb()}


def colours(image):
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return set(np.frombuffer(image.constBits(), np.uint32).tolist())


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_picture_on_the_clipboard_is_the_slide(chart):
    draw(chart, line(noise(100)))
    where = QPoint(200, 200)
    QApplication.sendEvent(chart, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, chart.mapToGlobal(where)))
    menu = next(menu for menu in chart.findChildren(QMenu) if menu.isVisible())
    next(action for action in menu.actions() if action.text() == "Copy picture").trigger()
    menu.close()
    assert QGuiApplication.clipboard().image().size() == chart.exported().slide().size()


# vector pictures


def test_an_svg_holds_the_line_from_end_to_end_of_its_data(chart):
    y = noise(1000)
    draw(chart, line(y))
    svg = printed(figure(chart), "svg")
    left, top, right, bottom = plot_of(svg)
    path, frame = path_of(svg, LIGHT.runs[0]), chart._scene.frame
    assert len(path) == 1000
    across = left + (np.arange(1, 1001) - frame.x0) / (frame.x1 - frame.x0) * (right - left)
    down = bottom - (y - frame.y0) / (frame.y1 - frame.y0) * (bottom - top)
    assert np.allclose(path, np.column_stack((across, down)), atol=0.01)


def test_an_svg_has_labels_as_text_and_dashes_for_runs_of_one_colour_and_is_the_same_each_time(chart):
    chart.caption = "Small"
    lines = line([3, 2.5, 2]), line([3, 2.75, 2.5], key="b", dashes=1)
    draw(chart, *lines, floors=[Floor("unigram", 2.25)], flags=[Flag(2, "batch size 4 → 8")])
    svg = printed(figure(chart), "svg")
    words = words_of(svg)
    assert {"Loss · Small", "step", "loss (nats per token)", "batch size 4 → 8", "train 2.00", "unigram 2.25"} <= {
        " ".join(one.split()) for one in words
    }
    styles = [one.get("style", "") for one in ET.fromstring(svg).iter(f"{SVG}path")]
    ink = [style for style in styles if f"stroke: {LIGHT.runs[0]}" in style]
    assert {"stroke-dasharray" in style for style in ink} == {True, False}
    assert printed(figure(chart), "svg") == svg


def test_a_pdf_embeds_its_fonts(chart):
    draw(chart, line([3, 2, 1]))
    pdf = printed(figure(chart), "pdf")
    assert pdf.startswith(b"%PDF")
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_every_colour_is_seen_on_paper(theme):
    themes.choose(theme.name)
    given = [*theme.runs, *(mixed(theme.runs[1], theme.text, share / 4) for share in range(5)), "#ffffff"]
    assert all(contrast(inked(colour), "#ffffff") >= 3 for colour in given)


NAMES = ["a$b$", "$x_1$", r"\alpha {", "<b>&amp;</b>", "bell\x07", "学習", "línea ' \" ok"]


@pytest.fixture
def named(chart):
    """A chart whose lines have names that a language of pictures or a font may take for something else."""
    return draw(chart, *(line([3 + place, 2, 1 + place], key=name, name=name) for place, name in enumerate(NAMES)))


def test_any_name_is_written_literally(named):
    words = words_of(printed(figure(named), "svg"))
    for name in NAMES:
        assert any(word.startswith(name.replace("\x07", "�").split()[0]) for word in words), name


@pytest.mark.long
def test_any_name_is_written_into_a_pdf(named):
    assert printed(figure(named), "pdf").startswith(b"%PDF")


def test_without_matplotlib_it_is_said_what_to_install(chart, monkeypatch):
    draw(chart, line([3, 2, 1]))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BadInput) as refused:
        printed(figure(chart), "svg")
    assert "lm-lab[figures]" in refused.value.problem.remedy


# long lines


def test_a_long_line_keeps_its_ends_minima_and_maxima_on_paper():
    y = noise(200_000)
    y[77_777], y[123_456] = 9, -9
    kept = extreme_indices(np.arange(200_000.0), y, DENSE // 4)
    assert len(kept) <= DENSE
    assert {0, 77_777, 123_456, 199_999} <= set(kept.tolist())


def test_a_long_line_of_gaps_can_be_downsampled():
    assert len(extreme_indices(np.arange(50_000.0), np.full(50_000, np.nan), DENSE // 4)) <= DENSE


def test_a_file_names_the_lines_that_were_downsampled(chart):
    draw(chart, line(noise(30_000), reported="Small · training loss"), line(noise(100), key="b"))
    svg = ET.fromstring(printed(figure(chart), "svg"))
    reported = next(svg.iter("{http://purl.org/dc/elements/1.1/}description")).text
    assert "Small · training loss: 30,000" in reported
    assert "train:" not in reported


@pytest.mark.long
@pytest.mark.parametrize("count", [100_000, 1_000_000])
def test_many_points_take_few_bytes(chart, count):
    y = noise(count)
    draw(chart, line(y))
    export = chart.exported()
    sizes = {form: len(printed(export.figure, form)) for form in ("svg", "pdf")}
    table = csv_of(export.figure)
    sizes["py"] = len(script_of(export.figure))
    assert sizes["svg"] < 1_000_000
    assert sizes["pdf"] < 500_000
    assert sizes["py"] < 30 * count + 20_000
    lines = table.count("\n")
    assert lines == count + 1


class PathRecorder(QPainter):
    """A painter that records how many elements each painted path has."""

    def __init__(self, device):
        super().__init__(device)
        self.lengths = []

    def drawPath(self, path):
        self.lengths.append(path.elementCount())
        super().drawPath(path)


@pytest.mark.parametrize("dashes", [0, 1, 2])
@pytest.mark.parametrize("style", ["main", "thin", "faint"])
def test_a_slide_paints_a_line_of_many_points_in_segments(chart, style, dashes):
    draw(chart, line(noise(100_000), style=style, dashes=dashes))
    export = chart.exported()
    image = QImage(export.size * SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SCALE)
    with PathRecorder(image) as painter:
        export.paint(painter)
    assert max(painter.lengths, default=0) < 100  # one wide or dashed path of all points takes Qt ten seconds


# scripts


def run(script, folder, name="figure.py", *arguments):
    """Run a script without the lab: in isolated mode, with its folder removed from the path."""
    file = folder / name
    file.write_text(script, encoding="utf-8")
    guard = "import sys; sys.modules['lab'] = None; import runpy; sys.argv = sys.argv[1:]; "
    guard += "runpy.run_path(sys.argv[0], run_name='__main__')"
    command = [sys.executable, "-I", "-W", "error", "-c", guard, str(file), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def loaded(script, folder):
    """Import a script and return its figure."""
    file = folder / "imported.py"
    file.write_text(script, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("imported_figure", file)
    module = sys.modules["imported_figure"] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules["imported_figure"]
    return module.FIGURE


def test_a_script_draws_the_figure_without_the_lab(chart, tmp_path):
    chart.caption = "Größe"
    lines = line(noise(500)), line(noise(20), key="b", name="validation", style="main", dashes=1)
    draw(chart, *lines, floors=[Floor("unigram", 2.5)], flags=[Flag(20, "batch size")])
    export = figure(chart)
    run(script_of(export), tmp_path, "größe.py")
    assert QImage(str(tmp_path / "größe-redrawn.png")).width() > 1000


@pytest.mark.long
def test_a_script_draws_into_the_file_that_it_is_given(chart, tmp_path):
    draw(chart, line(noise(500)))
    run(script_of(figure(chart)), tmp_path, "figure.py", tmp_path / "again.svg")
    assert b"<svg" in (tmp_path / "again.svg").read_bytes()


def test_a_script_holds_every_number_exactly(chart, tmp_path):
    y = noise(300) / 3
    draw(chart, line(y))
    (found,) = loaded(script_of(figure(chart)), tmp_path).lines
    assert (found.points == figure(chart).lines[0].points).all()
    assert found.name == "train"


def test_a_title_cannot_break_out_of_a_string_of_a_script(chart, tmp_path):
    chart.caption = 'x"""\nimport os\\'
    draw(chart, line([3, 2, 1], name='"""'))
    assert loaded(script_of(figure(chart)), tmp_path).title == f"Loss · {chart.caption}"


# what is hardly a chart


def test_an_empty_chart_has_nothing_to_export(chart):
    assert chart.exported() is None
    draw(chart, line([]))
    assert chart.exported() is None
    draw(chart, line([np.nan, np.nan]))
    assert chart.exported() is None


@pytest.mark.parametrize(
    ("lines", "axes"),
    [
        ([line([2.0]), line([np.nan] * 5, key="b")], {}),
        ([line([1.0, 2.0, 1e300], x=[0.0, 1.0, 2.0])], {"x_log": True, "y_log": True}),
        *(
            pytest.param(lines, axes, marks=pytest.mark.long)
            for lines, axes in [
                ([line([1e-300, 2e-300])], {}),
                ([line([2.0])], {}),
                ([line([2.0, np.nan, 3.0, np.nan, np.nan, 2.5], style="main")], {}),
                ([line([0.0, -1.0, 2.0, 3.0])], {"y_log": True}),
                ([line([1.0, 2.0, 3.0], x=[-1.0, 0.0, 5.0])], {"x_log": True}),
                ([line([5.0] * 10)], {}),
                ([line(noise(30), key=str(run), name=f"run {run} of many with a long name") for run in range(60)], {}),
            ]
        ),
    ],
    ids=["nothing but gaps beside one point", "huge values", "tiny values",
         "one point", "points between gaps", "values below zero on a logarithmic axis",
         "places below zero on a logarithmic axis", "one value", "sixty runs"],
)  # fmt: skip
@pytest.mark.parametrize(("form", "head"), [("svg", b"<?xml"), pytest.param("pdf", b"%PDF", marks=pytest.mark.long)])
def test_an_odd_chart_is_exported_completely_in_every_format(chart, lines, axes, form, head):
    chart.set_axes("step", "loss", **axes, x_kind="steps")
    draw(chart, *lines)
    export = chart.exported()
    assert not export.slide().isNull()
    assert printed(export.figure, form).startswith(head)
    assert len(rows(chart)) > 1
    compile(script_of(export.figure), "script", "exec")


def test_a_zoom_between_two_points_draws_the_segment(chart):
    draw(chart, line([3, 2, 1], x=[0, 100, 200]))
    for _ in range(20):
        chart._zoom(0.5, False, QPoint(chart.width() // 2 - 30, 100))
    path = path_of(printed(figure(chart), "svg"), LIGHT.runs[0])
    assert len(path) >= 2


def test_labels_in_the_margin_never_overlap():
    wanted = np.random.default_rng(0).uniform(0, 1, 12)
    placed = np.array(spread(wanted.tolist(), 0.05, 0.0, 1.0))
    assert (np.diff(np.sort(placed)) >= 0.05 - 1e-9).all()
    assert (np.argsort(placed) == np.argsort(wanted)).all()
    assert placed.max() <= 1 + 1e-9

"""The drawing of a model by mouse and keyboard, and what is read aloud about its parts."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage

from lab.base.model_parts import Branch, ModelPart
from lab.widgets.core.theme import control_height, themes
from lab.widgets.diagram.labels import description_of, figure_of, parts_text
from lab.widgets.diagram.view import DiagramArea
from lab.widgets.figures.csv_table import csv_of
from lab.widgets.figures.script import script_of
from lab.widgets.figures.vector import printed


def leaf(path, name, kind="part", **given):
    return ModelPart(path, name, kind, copies=4, shape=("batch", "tokens", "64"), **given)


def model(width=64):
    inner = (leaf("block.a.q", "query", parameters=400), leaf("block.a.k", "key", parameters=100))
    attention = leaf("block.a", "attention", "tokens", parameters=500, flops=3000.0, rows=(inner,))
    rows = ((leaf("block.n", "norm", "norm", parameters=4 * width),), (attention,))
    block = ModelPart("block", "block", "block", "attention", 4, 4, ("batch", "tokens", "64"), 500 + 4 * width, 0,
                      3000.0, (), rows, (Branch(0, 1),))  # fmt: skip
    embedding = ModelPart("embedding", "embedding", "embedding", parameters=1000, flops=0.0)
    everything = 1500 + 4 * width
    return ModelPart("", "Tiny", "model", parameters=everything, flops=3000.0, rows=((embedding,), (block,)))


@pytest.fixture
def area(qtbot):
    made = DiagramArea()
    qtbot.addWidget(made)
    made.resize(600, 420)
    made.diagram.set_tree(model())
    made.show()
    qtbot.waitExposed(made)
    return made


def click(qtbot, diagram, path):
    rect = diagram.rect_of(path)
    qtbot.mouseClick(diagram, Qt.MouseButton.LeftButton, pos=QPoint(int(rect.left()) + 30, int(rect.center().y())))


def press(qtbot, diagram, *keys):
    for key in keys:
        qtbot.keyClick(diagram, key)


def test_a_click_selects_a_part_and_unfolds_it(area, qtbot):
    diagram = area.diagram
    with qtbot.waitSignal(diagram.picked) as picked:
        click(qtbot, diagram, "block.a")
    assert picked.args == ["block.a"]
    assert diagram.is_open("block.a")
    assert not diagram.rect_of("block.a.q").isEmpty()


def test_a_second_click_on_its_title_folds_it(area, qtbot):
    for _ in range(2):
        click(qtbot, area.diagram, "block.a")
    assert not area.diagram.is_open("block.a")
    assert area.diagram.selected == "block.a"


def test_a_click_on_another_unfolded_part_only_selects_it(area, qtbot):
    click(qtbot, area.diagram, "block")
    assert area.diagram.is_open("block")
    assert area.diagram.selected == "block"


def test_every_part_is_reached_with_the_arrow_keys(area, qtbot):
    diagram, keys = area.diagram, Qt.Key
    diagram.setFocus()
    press(qtbot, diagram, keys.Key_End, keys.Key_Right, keys.Key_Right, keys.Key_Down)
    assert diagram.selected == "block.a.k"
    press(qtbot, diagram, keys.Key_Left)
    assert diagram.selected == "block.a"
    press(qtbot, diagram, keys.Key_Left)
    assert not diagram.is_open("block.a")
    press(qtbot, diagram, keys.Key_Space, keys.Key_Home)
    assert diagram.is_open("block.a")
    assert diagram.selected == ""


def test_the_selected_part_is_read_aloud(area, qtbot):
    press(qtbot, area.diagram, Qt.Key.Key_End)
    text = area.diagram.accessibleDescription()
    assert area.diagram.accessibleName()
    for piece in ("attention", "500 = 4 × 125", "3.0 k", "batch × tokens × 64", "folded", "level 2"):
        assert piece in text


def test_another_width_keeps_what_is_unfolded_and_selected(area, qtbot):
    click(qtbot, area.diagram, "block.a")
    area.diagram.set_tree(model(width=128))
    assert area.diagram.is_open("block.a")
    assert area.diagram.selected == "block.a"


def test_the_drawing_scrolls_to_the_selected_part(area, qtbot):
    click(qtbot, area.diagram, "block.a")
    area.resize(600, 160)
    press(qtbot, area.diagram, Qt.Key.Key_End)
    rect = area.diagram.rect_of(area.diagram.selected)
    shown = area.viewport().rect().translated(0, area.verticalScrollBar().value())
    assert shown.contains(rect.toRect().center())


@pytest.mark.parametrize("mode", ["dark", "light"])
def test_the_drawing_is_sharp_at_scale_two_in_both_themes(area, qapp, mode):
    themes.choose(mode)
    picture = area.diagram.export("Tiny").slide()
    assert isinstance(picture, QImage)
    assert picture.devicePixelRatio() == 2
    colours = {picture.pixelColor(x, y).name() for x in range(0, picture.width(), 3) for y in range(60, 200, 3)}
    assert len(colours) > 8
    themes.choose("dark")


def test_an_export_holds_every_visible_part(area):
    figure = area.diagram.export("Tiny").figure
    table = csv_of(figure).splitlines()
    assert len(table) == 1 + len(area.diagram.diagram.boxes)
    assert "attention,batch × tokens × 64,500,3000" in table[-1]
    assert b"attention" in printed(figure, "svg")
    compile(script_of(figure), "figure.py", "exec")


@pytest.fixture
def large_type():
    """The largest size of the type."""
    themes.change(type_size=200)
    yield
    themes.change(type_size=100)


def test_boxes_follow_the_size_of_the_type(area, request):
    before, paper = area.diagram.rect_of("block.a").height(), area.diagram.export("Tiny").figure.parts[0].title
    request.getfixturevalue("large_type")
    assert area.diagram.rect_of("block.a").height() == control_height(before) > before
    assert area.diagram.export("Tiny").figure.parts[0].title > paper
    assert area.diagram.minimumHeight() > area.diagram.diagram.height


def test_the_focus_leaves_the_description_of_the_selected_part(area, qtbot):
    area.diagram.select("embedding")
    area.diagram.clearFocus()
    area.diagram.setFocus(Qt.FocusReason.TabFocusReason)
    assert area.diagram.accessibleDescription() == area.diagram.text_of("embedding")


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (ModelPart("a", "embedding", "embedding", parameters=0, flops=0.0), "no parameters; no FLOPs, as it has no"),
        (ModelPart("a", "unembedding", "output", flops=6.0, shared=5), "shares its parameters with another part; 6"),
        (ModelPart("a", "scale", "part", parameters=1), "scale; 1 parameter"),
    ],
)
def test_what_a_part_lacks_is_read_as_a_sentence(part, text):
    tree = ModelPart("", "Tiny", "model", flops=6.0, rows=((part,),))
    assert text in description_of(part, tree, is_open=False, depth=1)


@pytest.mark.parametrize(
    ("count", "copies", "parameters", "text"), [(1, 4, 384, "4 × 96"), (2, 8, 1536, "4 × 384"), (4, 4, 2000, "2.0 k")]
)
def test_a_part_of_a_repeated_block_shows_the_parameters_of_each_block(count, copies, parameters, text):
    part = ModelPart("block.norm", "norm", "norm", count=count, copies=copies, parameters=parameters)
    assert figure_of(part) == text


def test_names_of_parts_are_written_in_the_language_piece_by_piece(german):
    assert parts_text("block") == "Block"
    assert parts_text("Mamba + feed-forward, attention × 3") == "Mamba + Feedforward, Attention × 3"

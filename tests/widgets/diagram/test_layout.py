"""The layout of a drawing: boxes lie inside each other or apart, and lines lead from part to part."""

import itertools

import pytest

from lab.base.model_parts import Branch, ModelPart
from lab.widgets.diagram.layout import BOX, VISIBLE, first_open, laid_out


def leaf(path, kind="part"):
    return ModelPart(path, path, kind)


def block(path, count=1):
    rows = ((leaf(f"{path}.norm", "norm"),), (leaf(f"{path}.a", "tokens"), leaf(f"{path}.b", "channels")))
    return ModelPart(path, "block", "block", count=count, rows=rows, branches=(Branch(0, 1), Branch(1, 1)))


@pytest.fixture
def tree():
    rows = ((leaf("embedding"), leaf("position")), (block("one", 4),), (block("two"),), (leaf("output"),))
    return ModelPart("", "model", "model", rows=rows)


ALL = {"one", "two"}


def disjoint(a, b):
    apart_x = a.x + a.width <= b.x or b.x + b.width <= a.x
    return apart_x or a.y + a.height <= b.y or b.y + b.height <= a.y


def contains(outer, inner):
    return (
        outer.x <= inner.x
        and outer.y + BOX <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )


@pytest.mark.parametrize("width", [220, 480, 760])
@pytest.mark.parametrize("opened", [set(), {"one"}, ALL])
def test_boxes_lie_inside_the_part_around_them_or_apart(tree, opened, width):
    diagram = laid_out(tree, opened, width)
    for one, other in itertools.combinations(diagram.boxes, 2):
        around = {box.part.path for box in diagram.boxes if one.part in tuple(other.part.walk())}
        if one.part in tuple(other.part.walk()) or other.part in tuple(one.part.walk()):
            outer, inner = (one, other) if other.part in tuple(one.part.walk()) else (other, one)
            assert contains(outer, inner), (outer.part.path, inner.part.path)
        else:
            assert disjoint(one, other), (one.part.path, other.part.path, around)


@pytest.mark.parametrize("width", [220, 760])
def test_everything_lies_inside_the_drawing(tree, width):
    diagram = laid_out(tree, ALL, width)
    points = [point for line in diagram.lines for point in line.points] + list(diagram.sums)
    assert all(0 <= x <= diagram.width and 0 <= y <= diagram.height for x, y in points)


def test_residual_lines_side_by_side_have_lanes_of_their_own(tree):
    diagram = laid_out(tree, {"one"}, 760)
    lanes = [min(x for x, _ in line.points) for line in diagram.lines if line.kind == "residual"]
    assert len(lanes) == len(set(lanes)) == len(diagram.sums) == 2


def test_parts_of_a_row_that_do_not_fit_side_by_side_go_on_below():
    many = ModelPart("", "model", "model", rows=(tuple(leaf(str(n)) for n in range(5)),))
    wide, narrow = (laid_out(many, (), width).boxes[1:] for width in (760, 260))
    assert len({box.y for box in wide}) == 1
    assert len({box.y for box in narrow}) == 3


def test_a_folded_part_shows_nothing_of_what_is_in_it(tree):
    assert laid_out(tree, (), 760).box_of("one.norm") is None
    assert laid_out(tree, {"one"}, 760).box_of("one.norm") is not None


def test_the_innermost_part_is_found_at_a_position(tree):
    diagram = laid_out(tree, {"one"}, 760)
    box = diagram.box_of("one.norm")
    assert diagram.box_at(box.x + 5, box.y + 5).part.path == "one.norm"
    assert diagram.around("one.norm").part.path == "one"
    assert diagram.around("") is None
    assert diagram.box_at(-5, 5) is None


def test_tables_have_no_lines_between_them():
    tables = ModelPart("", "model", "model", rows=tuple((leaf(str(n), "table"),) for n in range(3)))
    assert laid_out(tables, (), 400).lines == ()


def test_blocks_are_unfolded_at_first_while_there_is_room(tree):
    assert first_open(tree) == {"", "one", "two"}
    large = ModelPart("", "model", "model", rows=tuple((block(str(n)),) for n in range(VISIBLE)))
    assert first_open(large) == {""}

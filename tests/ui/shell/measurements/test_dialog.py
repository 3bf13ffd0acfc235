"""The dialog of the gauges on demand: it measures the selected run, draws and reads what it finds, and is cancelled."""

import numpy as np
import pytest

from lab.shell.measurements.dialog import path_on
from lab.shell.measurements.kinds import KINDS


@pytest.fixture
def opened(open_window, until, click):
    """Return a window with a run that has ended, and the open dialog."""
    window = open_window("training.steps=4", "training.evaluate_every=0", "training.sample_tokens=0")
    window.session.start()
    until(lambda: window.session.registry.selected is not None)
    until(lambda: window.session.registry.selected.is_finished, timeout=30000)
    window.measurements.open()
    return window, window.measurements.dialog


def measure(dialog, key, click, until):
    dialog.select(key)
    click(dialog.start_button)
    assert dialog.works
    assert dialog.cancel.isVisible()
    until(lambda: not dialog.works, timeout=60000)
    return dialog.found


def test_a_click_reads_one_of_the_hardest_tokens(opened, click, until):
    _, dialog = opened
    found = measure(dialog, "hard", click, until)
    assert found is not None, dialog.text.text()
    assert dialog.by_position._lines
    assert dialog.passages.rows()
    dialog.passages.clicked.emit(dialog.passages.model().index(0, 0))
    token = found.tokens[0]
    assert dialog.passage.toPlainText() == f"{token.before}{token.token}{token.after}"
    (mark,) = dialog.passage.extraSelections()
    assert mark.cursor.selectedText() == token.token
    dialog.passages.clicked.emit(dialog.passages.model().index(1, 0))
    assert dialog.passage.toPlainText() == found.passages[0].text


def test_the_texts_of_the_checkpoints_are_read_the_last_one_first(opened, click, until):
    _, dialog = opened
    found = measure(dialog, "texts", click, until)
    assert found is not None, dialog.text.text()
    last = found.texts[-1]
    assert dialog.passage.toPlainText() == found.prompt + last.text
    assert dialog.passages.rows()[0].figures == f"step {last.step}"
    assert len(dialog.by_position._lines[0].x) == len(found.texts)


def test_a_plane_is_a_map_with_the_weights_on_it(opened, click, until, monkeypatch):
    from lab.training.measurements import planes

    monkeypatch.setattr(planes, "SIDE", 5)
    _, dialog = opened
    found = measure(dialog, "random", click, until)
    assert found is not None, dialog.text.text()
    assert dialog.plane._values.shape == (5, 5)
    assert dialog.plane._values[0, 0] == pytest.approx(found.losses[-1][0])
    ((column, row, label),) = dialog.plane.path
    assert (column, row, label) == (2, 2, "4")
    centre = dialog.plane.rect_of(2, 2).center()
    assert (dialog.plane.position_of((2, 2, "")) - centre).manhattanLength() < 1
    figure = dialog.plane.export("plane").figure
    assert figure.path == dialog.plane.path
    assert any(len(line.get_xdata()) == 1 for axes in figure.draw().axes for line in axes.lines)


def test_what_was_measured_until_it_was_cancelled_is_shown(opened, click, until):
    _, dialog = opened
    dialog.select("gradients")
    click(dialog.start_button)
    until(lambda: len(dialog._reported) > 1, timeout=30000)
    click(dialog.cancel)
    until(lambda: not dialog.works, timeout=30000)
    assert "Cancelled" in dialog.text.text()
    assert len(dialog.found.steps) > 1
    assert dialog.chart._lines


def test_a_measurement_ends_when_the_dialog_is_closed(opened, click, until):
    _, dialog = opened
    dialog.select("sharpness")
    click(dialog.start_button)
    dialog.shut()
    assert not dialog.works
    dialog.open()
    assert dialog.found is None


def test_what_needs_another_run_says_so(opened, click, until):
    _, dialog = opened
    dialog.select("line")
    assert dialog.others.isVisible()
    click(dialog.start_button)
    assert not dialog.works
    assert "other run" in dialog.text.text()


def test_a_path_of_too_few_checkpoints_says_so(opened, click, until):
    _, dialog = opened
    assert measure(dialog, "path", click, until) is None
    assert "three checkpoints" in dialog.text.text()


def test_every_kind_has_a_title_an_explanation_and_its_content(opened):
    _, dialog = opened
    for kind in KINDS:
        dialog.select(kind.key)
        assert dialog.explanation.text() == kind.explanation
        assert dialog.menu.value == kind.key


def test_points_of_a_plane_lie_where_their_coordinates_say():
    from lab.training.measurements.planes import LossPlane, PlanePoint

    points = tuple(PlanePoint(x, y, 1.0, str(x)) for x, y in ((0.0, 0.0), (1.0, 0.5), (2.0, 1.0)))
    rows = tuple(tuple(row) for row in np.zeros((3, 5)))
    plane = LossPlane("path", (0.0, 0.5, 1.0, 1.5, 2.0), (0.0, 0.5, 1.0), rows, points, (), 1, 1)
    assert [(column, row) for column, row, _ in path_on(plane)] == [(0, 2), (2, 1), (4, 0)]

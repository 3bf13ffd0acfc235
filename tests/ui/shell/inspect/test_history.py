"""The lines of a reading over the steps of a training."""

import numpy as np
import pytest

from lab.api import Reading
from lab.shell.inspect.history import History
from lab.widgets.readings.head_scores import HeadScoresView
from lab.workbench.access.inspection import Inspection

HERE, THERE = ("a", "b"), ("c", "d")


@pytest.fixture
def drawn(qtbot):
    """Return x and y of a line through scores that were measured on texts with these tokens, one a step."""
    history, view = History(), HeadScoresView()
    for widget in (history, history.export, view):
        qtbot.addWidget(widget)

    def drawn(*labels):
        made = [
            Inspection(
                step,
                tokens,
                [
                    Reading(
                        "head scores",
                        ("quantity", "layer", "head"),
                        np.full((1, 1, 2), step, np.float32),
                        coordinates={"quantity": ("entropy",)},
                        quantity_units={"entropy": "bits"},
                    )
                ],
            )
            for step, tokens in enumerate(labels, start=1)
        ]
        view.show_readings(made[-1].readings, labels[-1])
        history.show_history(view, made[:-1], made[-1])
        line = history.chart._lines[0]
        return line.x.tolist(), [None if np.isnan(y) else y for y in line.y]

    return drawn


def test_values_on_one_text_are_joined(drawn):
    assert drawn(HERE, HERE, HERE) == ([1, 2, 3], [1, 2, 3])


def test_values_on_different_texts_are_not_joined(drawn):
    assert drawn(HERE, HERE, THERE) == ([1, 2, 3, 3], [1, 2, None, 3])
    assert drawn(HERE, THERE, HERE) == ([1, 2, 2, 3, 3], [1, None, 2, None, 3])

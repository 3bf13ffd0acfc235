"""A lesson in a folder, written again for each test."""

import pytest

LESSON = """\
format = 1
title = "More context"
summary = "Counting needs smoothing."
track = "probability"
position = 4
minutes = 10
lectures = ["000 p1"]
mistake = "More context cannot hurt."

[[runs]]
name = "laplace"
title = "Laplace"
settings = ["architecture.name=n-gram", "architecture.smoothing=laplace"]
along = "architecture.order"
values = [1, 2, 3]

[[measures]]
name = "loss"
title = "Loss"
runs = ["laplace"]
figure = "validation loss"
unit = "nats per token"

[prediction]
kind = "curve"
text = "Draw the loss."
of = "loss"
low = 0.5
high = 4.0
right = ["argmin(prediction) = argmin(loss)"]
explanation = "Rare contexts."

[[checks]]
claim = "Two letters are best."
holds = ["argmin(loss) = 2", "loss[2] < loss[1] - 0.1"]

[[questions]]
text = "Why?"
answer = "Counts run out."
"""


@pytest.fixture
def folder(tmp_path):
    """The folder of a sound lesson."""
    made = tmp_path / "more-context"
    made.mkdir()
    (made / "lesson.toml").write_text(LESSON)
    (made / "lesson.md").write_text("A text with $\\alpha$.\n\n$$\\frac{1}{n}$$\n")
    return made


@pytest.fixture
def change(folder):
    """Replace a part of the lesson's file."""

    def replaced(old, new):
        text = (folder / "lesson.toml").read_text()
        assert old in text
        (folder / "lesson.toml").write_text(text.replace(old, new, 1))

    return replaced

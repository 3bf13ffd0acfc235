"""A lesson that plays by itself: the scenes with their seconds, and the row of buttons that stops it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QElapsedTimer, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from lab.lessons.lesson import DEPTHS, Depth, Lesson
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr

WORDS_A_SECOND = 3.0
"""The speed at which texts are read."""
SHORTEST = 6.0
"""The seconds of the shortest scene."""
TICK = 100
"""Milliseconds between two steps of scrolling."""
Kind = Literal["look", "predict", "run", "result", "explain", "question", "further"]


@dataclass(frozen=True)
class Scene:
    """A scene of a demonstration.

    Args:
        kind: What is shown.
        seconds: For how long.
        number: The number of a question, from 1; 0 for other scenes.
    """

    kind: Kind
    seconds: float
    number: int = 0


def scenes(lesson: Lesson, depth: Depth) -> list[Scene]:
    """Return the scenes of a lesson at a depth; each lasts as long as its text takes to read."""
    texts = lesson.texts
    found = [
        Scene("look", _seconds(f"{lesson.summary} {texts.get('look', '')}")),
        Scene("predict", _seconds(lesson.prediction.text)),
        Scene("run", 0.0),
        Scene("result", _seconds(lesson.prediction.explanation + " ".join(check.claim for check in lesson.checks))),
    ]
    if depth != "look":
        found.append(Scene("explain", _seconds(texts.get("lesson", ""))))
        found += [
            Scene("question", _seconds(f"{question.text} {question.answer}"), number)
            for number, question in enumerate(lesson.questions, start=1)
            if DEPTHS.index(question.depth) <= DEPTHS.index(depth)
        ]
    if depth == "further" and texts.get("further"):
        found.append(Scene("further", _seconds(texts["further"])))
    return found


def _seconds(text: str) -> float:
    return max(SHORTEST, len(text.split()) / WORDS_A_SECOND)


class Demonstration(QWidget):
    """The row of a demonstration: the scene that is shown, and buttons that pause, skip and stop.

    A scene without seconds, the run, lasts until `go_on` is called.

    Attributes:
        scenes: The scenes; () while nothing is demonstrated.
    """

    scene_changed = Signal(object)
    """The scene that begins."""
    moved = Signal(object, float)
    """The scene, and the share of it that has passed."""
    ended = Signal()
    """The last scene is over, or it was stopped."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scenes: list[Scene] = []
        self._current = 0
        self._passed = 0.0
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, interval=TICK)
        self._timer.timeout.connect(self._tick)
        self._title = label("", "strong")
        self.pause = Button(tr("Pause"), role="")
        self.pause.setCheckable(True)
        self.pause.toggled.connect(self._show)
        self.skip = Button(tr("Next"), hint=tr("Show the next part of the demonstration"), role="")
        self.skip.clicked.connect(self.go_on)
        self.stop_button = Button(tr("Stop"), role="")
        self.stop_button.clicked.connect(self.stop)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 6, 0, 0)
        row.addWidget(self._title)
        row.addStretch(1)
        for button in (self.pause, self.skip, self.stop_button):
            row.addWidget(button)
        self.hide()

    @property
    def scene(self) -> Scene | None:
        """The scene that is shown; None while nothing is demonstrated."""
        return self.scenes[self._current] if self.scenes else None

    def start(self, scenes: list[Scene]) -> None:
        """Begin with the first scene."""
        self.scenes, self._current = scenes, -1
        self.pause.setChecked(False)
        self.show()
        self._timer.start()
        self.go_on()

    def go_on(self) -> None:
        """Show the next scene; after the last one it ends."""
        if not self.scenes:
            return
        if self._current + 1 >= len(self.scenes):
            self.stop()
            return
        self._current += 1
        self._passed = 0.0
        self._clock.restart()
        self._show()
        self.scene_changed.emit(self.scenes[self._current])

    def stop(self) -> None:
        """End it."""
        if self.scenes:
            self.scenes = []
            self._timer.stop()
            self.hide()
            self.ended.emit()

    def _tick(self) -> None:
        scene = self.scene
        passed = self._clock.restart() / 1000
        if scene is None or self.pause.isChecked() or not scene.seconds:
            return
        self._passed += passed
        self.moved.emit(scene, min(1.0, self._passed / scene.seconds))
        if self._passed >= scene.seconds:
            self.go_on()

    def _show(self) -> None:
        scene = self.scene
        if scene is None:
            return
        titles = {
            "look": tr("Introduction"), "predict": tr("Predict"), "run": tr("Run the lesson"), "result": tr("Result"),
            "explain": tr("Explain"), "question": tr("Questions"), "further": tr("Going further"),
        }  # fmt: skip
        at, total = self._current + 1, len(self.scenes)
        self._title.setText(tr("Demonstration: {scene} ({n} of {total})", scene=titles[scene.kind], n=at, total=total))
        self.pause.setText(tr("Resume") if self.pause.isChecked() else tr("Pause"))

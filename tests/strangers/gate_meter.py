"""A view of two gates together, with a foot: the dropout of the run, and the loss of the model without a block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lab.api import LabError, Problem, Reading, Register, View, hookimpl

if TYPE_CHECKING:
    from lab.widgets.readings.context import Effect, ViewContext

LAB_API_VERSION = 1
DROPOUT = "architecture.dropout"


def build() -> Any:
    """Return the view; only a window calls this, so Qt is imported here."""
    from PySide6.QtWidgets import QLabel

    class GateMeter(QLabel):
        def show_readings(self, readings: list[Reading], labels: tuple[str, ...]) -> None:
            lines = [f"block {one.layer}: {one.name} {one.values.mean():.2f}" for one in readings]
            self.setText("\n".join([f"{len(labels)} tokens", *lines]))

    return GateMeter()


def foot(context: ViewContext) -> Any:
    """Return the foot of the view."""
    from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

    class Foot(QWidget):
        def __init__(self) -> None:
            super().__init__()
            self.message = QLabel()
            self.more = QPushButton("More dropout")
            self.more.clicked.connect(self._add_dropout)
            self.without = QPushButton("Without the first block")
            self.without.clicked.connect(self._evaluate)
            row = QHBoxLayout(self)
            for part in (self.message, self.more, self.without):
                row.addWidget(part)

        def refresh(self) -> None:
            known = context.live_settings.get(DROPOUT)
            value = "none" if known is None else f"{known.value:g} (at first {known.original:g})"
            self.message.setText(f"step {context.step}: dropout {value}")
            self.more.setEnabled(known is not None and context.trains)

        def _add_dropout(self) -> None:
            try:
                context.change_setting(DROPOUT, context.live_settings[DROPOUT].value + 0.25)
            except LabError as error:
                context.report(error.problem)

        def _evaluate(self) -> None:
            self.stop = context.evaluate_without(["layer:1"], "Evaluating without the first block", self._show)

        def _show(self, found: Effect | Problem) -> None:
            self.message.setText(found.line() if isinstance(found, Problem) else f"{found.loss - found.intact:+.3f}")

    return Foot()


@hookimpl
def lab_register_views(register: Register[View]) -> None:
    readings = ("reset", "update")
    register(
        View(
            name="gate-meter",
            title="Gate meter",
            axes=("token", "channel"),
            readings=readings,
            build=build,
            foot=foot,
        )
    )

"""A view in place of the lab's own view of every reading by token and unit: the loudest unit of each token."""

from typing import Any

from lab.api import Reading, Register, View, hookimpl

LAB_API_VERSION = 1


def build() -> Any:
    """Return the view; only a window calls this, so Qt is imported here."""
    from PySide6.QtWidgets import QLabel

    class TokenLoudness(QLabel):
        def show_readings(self, readings: list[Reading], labels: tuple[str, ...]) -> None:
            values = readings[0].values if readings[0].axes[-1] == "unit" else readings[0].values.T
            loudest = values.reshape(len(labels), -1).argmax(axis=-1)
            self.setText(" ".join(f"{label}:{unit + 1}" for label, unit in zip(labels, loudest, strict=True)))

    return TokenLoudness()


@hookimpl
def lab_register_views(register: Register[View]) -> None:
    axes = ("token", "unit")
    register(View(name="token-loudness", title="Loudest unit", axes=axes, replaces=True, build=build))

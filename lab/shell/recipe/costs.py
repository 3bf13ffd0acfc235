"""The costs of a run of the draft: four figures below the configuration, and more after a click."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout

from lab.base.units import duration, short
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.controls import Button, label, plain_tip, set_role
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import LARGE_TYPE, themes
from lab.workbench.launch.preflight import Preflight


class Costs(QFrame):
    """The costs of a run of the draft: four figures, and details that can be opened."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "plain")
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(2)
        first = (tr("Parameters"), tr("Memory"), tr("Tokens per parameter"), tr("This machine"))
        more = (
            tr("By part"),
            tr("FLOP per token"),
            tr("6 × N alone"),
            tr("Activations"),
            tr("Decoding state"),
        )
        self._values = _grid(rows, first)
        self.details = QFrame()
        self.details.setProperty("role", "plain")
        inside = QVBoxLayout(self.details)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(2)
        self._more = _grid(inside, more)
        self._formula, self._measured = label("", "note"), label("", "note")
        for line in (self._formula, self._measured):
            line.setWordWrap(True)
            inside.addWidget(line)
        rows.addWidget(self.details)
        self.details.hide()
        self.opener = Button(tr("All figures"), hint=tr("Parameters by part, operations, activations, decoding state"))
        self.opener.setCheckable(True)
        self.opener.toggled.connect(self.details.setVisible)
        rows.addWidget(self.opener, 0, Qt.AlignmentFlag.AlignLeft)
        self._registry: RunRegistry | None = None
        self._measured.hide()
        self._formula.hide()
        self.show_waiting()

    def show_waiting(self) -> None:
        """Show that the costs are being computed."""
        self._show("…")

    def show_none(self) -> None:
        """Show that there are no costs, since such a run is not possible."""
        self._show("–")

    def _show(self, text: str) -> None:
        for value in (*self._values, *self._more):
            value.setText(text)
        self._formula.clear()

    def show_costs(self, found: Preflight) -> None:
        """Show computed costs."""
        time = tr("≈ {time}", time=duration(found.seconds)) if found.seconds is not None else tr("unknown")
        ratio = found.tokens_per_parameter
        first = (
            short(found.parameters) if found.parameters else tr("counts, no weights"),
            _bytes(found.memory_bytes) if found.memory_bytes is not None else tr("grows with the text"),
            tr("{ratio} of 20", ratio=f"{ratio:.3g}") if ratio is not None else tr("none"),
            time,
        )
        has_flops = found.flops_per_token is not None
        more = (
            _parts(found.blocks),
            short(found.flops_per_token) if found.flops_per_token is not None else tr("none"),
            short(6 * found.active_parameters) if has_flops else tr("none"),
            _bytes(found.backward_bytes) if found.backward_bytes is not None else tr("none"),
            _bytes(found.state_bytes) if found.state_bytes is not None else tr("cannot decode"),
        )
        for value, shown in zip((*self._values, *self._more), first + more, strict=True):
            value.setText(shown)
        self._more[0].setToolTip(plain_tip("\n".join(f"{name}: {size:,}" for name, size in found.blocks.items())))
        self._formula.setText(tr("State: {formula}", formula=found.state_formula) if found.state_formula else "")
        self._formula.setVisible(bool(found.state_formula))
        self.setToolTip(tr("About 20 tokens per parameter make the best use of compute (Hoffmann et al. 2022)."))

    def follow(self, registry: RunRegistry) -> None:
        """Show measured and estimated costs of the selected run from now on."""
        self._registry = registry
        registry.selection_changed.connect(self._show_measured)
        registry.ended.connect(self._show_measured)
        self._show_measured()

    def _show_measured(self) -> None:
        view = None if self._registry is None else self._registry.selected
        folder = None if view is None else view.run.folder
        lines = [] if view is None or folder is None else _compared(view.figures(), folder.facts.get("cost"))
        name, values = view.name if view else "", "; ".join(lines)
        self._measured.setText(tr("Measured in {name}: {values}.", name=name, values=values))
        self._measured.setVisible(bool(lines))


def _compared(summary: Mapping[str, Any], cost: Any) -> list[str]:
    """Return texts that compare the measured costs of a run with those estimated before it."""
    known = cost if isinstance(cost, Mapping) else {}
    pairs = ((tr("activations of a token"), "activation_bytes"), (tr("decoding state"), "state_bytes"))
    lines = [
        tr(
            "{what} {measured}, estimated {computed}",
            what=what,
            measured=_bytes(summary[key]),
            computed=_bytes(known[key]),
        )
        for what, key in pairs
        if _is_number(summary.get(key)) and _is_number(known.get(key))
    ]
    rate, flops = summary.get("tokens_per_second"), known.get("flops_per_token")
    if _is_number(rate) and _is_number(flops):
        lines.append(tr("speed {rate}", rate=short(rate * flops) + "FLOP/s"))  # type: ignore[operator]
    return lines


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and value > 0


def _grid(rows: QVBoxLayout, names: tuple[str, ...]) -> list[QLabel]:
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(8)
    grid.setVerticalSpacing(2)
    values = [label("", "note") for _ in names]
    for row, (name, value) in enumerate(zip(names, values, strict=True)):
        title = label(name, "note")
        follow_type(title, lambda title: title.setWordWrap(themes.scale > LARGE_TYPE))
        grid.addWidget(title, row, 0)
        value.setAlignment(Qt.AlignmentFlag.AlignRight)
        value.setAccessibleName(name)
        set_role(value, "strong")
        grid.addWidget(value, row, 1)
    grid.setColumnStretch(1, 1)
    rows.addLayout(grid)
    return values


def _parts(blocks: Mapping[str, int]) -> str:
    """Return a text with the parameters of blocks and of the rest: "4 × 197k + 16.6k"."""
    numbered = [size for name, size in blocks.items() if name.rpartition(".")[2].isdigit()]
    others = sum(blocks.values()) - sum(numbered)
    if not numbered or len(set(numbered)) > 1:
        return tr("{blocks} + {others}", blocks=short(sum(numbered)), others=short(others))
    return tr("{count} × {each} + {others}", count=len(numbered), each=short(numbered[0]), others=short(others))


def _bytes(value: float) -> str:
    return f"{short(value)}B" if value >= 1000 else f"{value:.0f} B"

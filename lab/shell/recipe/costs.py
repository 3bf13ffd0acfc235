"""The costs of a run of the draft: four figures and warnings below the form, and more beside it after a click."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from lab.base.units import short
from lab.shell.recipe.hints import HintLines
from lab.shell.recipe.limits import Limit, limits_of
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.controls import Button, label, plain_tip, set_role
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import duration, localized, number_text, time_text, tr
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import INSIDE, LARGE_TYPE, themes
from lab.workbench.launch.preflight import Preflight

if TYPE_CHECKING:
    from lab.training.optimizers.listing import UpdatedGroup

WIDTH = 320
"""Width of the further figures in pixels."""
MORE = 6
"""Number of the further figures."""


class Costs(QFrame):
    """The costs of a run of the draft: four figures, and details that open beside the form.

    Attributes:
        limits: The limits of this machine that the run would reach; [] while the costs are not known.
        steps: The steps of the run, which may follow from its budget; None until they are known.
        hints: What is likely to go wrong with the draft.
    """

    computed = Signal()
    """Other costs are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "plain")
        self.limits: list[Limit] = []
        self.steps: int | None = None
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(2)
        first = (tr("Parameters"), tr("Memory"), tr("Tokens per parameter"), tr("Time on this machine"))
        self._values = _lines(rows, first)
        self._warning = label("", "bad")
        self._warning.setWordWrap(True)
        self._warning.hide()
        rows.addWidget(self._warning)
        self.hints = HintLines()
        rows.addWidget(self.hints)
        self._more = [""] * MORE
        self._tip, self._formula, self._measured, self._groups = "", "", "", ""
        self._details: CostDetails | None = None
        self.opener = Button(tr("All figures"), hint=tr("Parameters by part, operations, activations, decoding state"))
        self.opener.setCheckable(True)
        self.opener.toggled.connect(self._open)
        self.tools = QHBoxLayout()
        self.tools.addWidget(self.opener)
        self.tools.addStretch(1)
        rows.addLayout(self.tools)
        self._registry: RunRegistry | None = None
        self.show_waiting()

    def show_waiting(self) -> None:
        """Show that the costs are being computed."""
        self._show("…")

    def show_none(self) -> None:
        """Show that there are no costs, since such a run is not possible."""
        self._show("–")

    def forget_limits(self) -> None:
        """Forget the limits of an earlier draft."""
        self._show_limits([])

    def _show(self, text: str) -> None:
        for value in self._values:
            value.setText(text)
        self._more, self._formula, self._groups = [text] * MORE, "", ""
        self._show_limits([])
        self.hints.show_hints(())
        self._update_details()

    def show_costs(self, found: Preflight, *, measured: bool = False) -> None:
        """Show computed costs.

        Args:
            found: The costs.
            measured: Whether the time is that of such a run on this machine, not an estimate.
        """
        time = tr("unknown") if found.seconds is None else time_text(found.seconds, measured=measured)
        ratio = found.tokens_per_parameter
        first = (
            localized(short(found.parameters)) if found.parameters else tr("counts, no weights"),
            _bytes(found.memory_bytes) if found.memory_bytes is not None else tr("grows with the text"),
            tr("{ratio} of 20", ratio=_ratio(ratio)) if ratio is not None else tr("none"),
            time,
        )
        has_flops = found.flops_per_token is not None
        self._more = [
            number_text(found.steps),
            _parts(found.blocks),
            localized(short(found.flops_per_token)) if found.flops_per_token is not None else tr("none"),
            localized(short(6 * found.active_parameters)) if has_flops else tr("none"),
            _activations(found),
            _bytes(found.state_bytes) if found.state_bytes is not None else tr("cannot decode"),
        ]
        for value, shown in zip(self._values, first, strict=True):
            value.setText(shown)
        self._tip = plain_tip("\n".join(f"{name}: {number_text(size)}" for name, size in found.blocks.items()))
        self._formula = tr("State: {formula}", formula=found.state_formula) if found.state_formula else ""
        self._groups = "\n".join(group_label(group) for group in found.groups)
        self.setToolTip(tr("About 20 tokens per parameter make the best use of compute (Hoffmann et al. 2022)."))
        self._show_limits(limits_of(found))
        self.hints.show_hints(found.hints)
        self._update_details()
        if found.steps != self.steps:
            self.steps = found.steps
            self.computed.emit()

    def _show_limits(self, limits: list[Limit]) -> None:
        self.limits = limits
        severe = any(limit.asks for limit in limits)
        self._warning.setText("\n".join(limit_label(limit) for limit in limits))
        self._warning.setVisible(bool(limits))
        set_role(self._warning, "bad" if severe else "warn")
        by_kind = {limit.kind: "bad" if limit.asks else "warn" for limit in limits}
        for kind, value in (("memory", self._values[1]), ("time", self._values[3])):
            set_role(value, by_kind.get(kind, "strong"))  # type: ignore[call-overload]

    def follow(self, registry: RunRegistry) -> None:
        """Show measured and estimated costs of the selected run from now on."""
        self._registry = registry
        registry.selection_changed.connect(self._show_measured)
        registry.ended.connect(self._show_measured)
        self._show_measured()

    def _show_measured(self) -> None:
        run = None if self._registry is None else self._registry.selected
        folder = None if run is None else run.source.folder
        lines = [] if run is None or folder is None else _compared(run.figures(), folder.facts.get("cost"))
        name, values = run.name if run else "", "; ".join(lines)
        self._measured = tr("Measured in {name}: {values}.", name=name, values=values) if lines else ""
        self._update_details()

    def _open(self, is_open: bool) -> None:
        if self._details is None:
            self._details = CostDetails(self.window(), self, self._closed)
        self._update_details()
        if is_open:
            self._details.show_over(self._details.close_button)
        else:
            self._details.shut()

    def _closed(self) -> None:
        self.opener.setChecked(False)

    def _update_details(self) -> None:
        if self._details is not None:
            self._details.show_figures(self._more, self._tip, self._formula, self._measured, self._groups)


def _more_names() -> tuple[str, ...]:
    return tr("Steps"), tr("By part"), tr("FLOP per token"), tr("6 × N alone"), tr("Activations"), tr("Decoding state")


class CostDetails(Overlay):
    """The further figures, in a panel beside the form."""

    def __init__(self, window: QWidget, costs: QWidget, closed: Any) -> None:
        super().__init__(window, tr("All figures"))
        self._costs, self._closed = costs, closed
        rows = self._rows = QVBoxLayout(self)
        rows.setContentsMargins(INSIDE, 8, INSIDE, INSIDE)
        rows.setSpacing(4)
        head = QHBoxLayout()
        head.addWidget(label(tr("All figures"), "title"))
        head.addStretch()
        self.close_button = Button(hint=tr("Close"), icon_name="close")
        self.close_button.clicked.connect(self.shut)
        head.addWidget(self.close_button)
        rows.addLayout(head)
        self._values = _lines(rows, _more_names())
        self._formula, self._measured, self._groups = (label("", "note") for _ in range(3))
        for line in (self._formula, self._measured, self._groups):
            line.setWordWrap(True)
            rows.addWidget(line)

    def show_figures(self, values: list[str], tip: str, formula: str, measured: str, groups: str) -> None:
        """Show other figures."""
        for shown, value in zip(self._values, values, strict=True):
            shown.setText(value)
        self._values[1].setToolTip(tip)
        for line, text in ((self._formula, formula), (self._measured, measured), (self._groups, groups)):
            line.setText(text)
            line.setVisible(bool(text))
        if self.isVisible():
            self.place()

    def place(self) -> None:
        """Place it to the left of the figures, with the same lower edge."""
        corner = self._costs.mapTo(self._window, QPoint(0, self._costs.height()))
        height = max(
            self._rows.totalHeightForWidth(WIDTH), self._rows.totalSizeHint().height()
        )  # -1 without wrapped text
        self.setGeometry(max(0, corner.x() - WIDTH - 2 * INSIDE), max(0, corner.y() - height), WIDTH, height)

    def shut(self) -> None:
        """Hide it."""
        super().shut()
        self._closed()


def role_label(role: str) -> str:
    """Return the label of a role of parameters."""
    return {
        "embedding": tr("embedding"), "head": tr("head"), "matrix": tr("matrices"), "vector": tr("vectors"),
        "norm": tr("norms"), "recurrence": tr("recurrences"),
    }.get(role, role)  # fmt: skip


def group_label(group: UpdatedGroup) -> str:
    """Return a line about parameters that are updated alike: "matrices of layers 1 to 4: 787 k at 0.001, decay 0.1"."""
    what = role_label(group.role)
    if group.layers is not None:
        first, last = group.layers[0] + 1, group.layers[1] + 1
        what = (
            tr("{what} of layer {n}", what=what, n=first)
            if first == last
            else tr("{what} of layers {first} to {last}", what=what, first=first, last=last)
        )
    rate = "–" if group.rate is None else number_text(group.rate, ".3g")
    decay = tr("decay {n}", n=number_text(group.weight_decay, ".3g")) if group.weight_decay else tr("no decay")
    count = localized(short(group.parameters))
    return tr("{what}: {count} at {rate}, {decay}", what=what, count=count, rate=rate, decay=decay)


def _ratio(ratio: float) -> str:
    """Return a ratio with three digits, or as a whole number if it has more."""
    return number_text(ratio, ".3g" if ratio < 999.5 else ",.0f")


def limit_label(limit: Limit) -> str:
    """Return a sentence about a limit that a run would reach."""
    if limit.kind == "time":
        return tr("It would take {time} on this machine.", time=duration(limit.needed))
    needed, memory = _bytes(limit.needed), _bytes(limit.limit)
    if limit.asks:
        return tr("It needs {needed} of memory; this machine has {memory}.", needed=needed, memory=memory)
    return tr("It needs {needed} of the {memory} of memory.", needed=needed, memory=memory)


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
        lines.append(tr("speed {rate}", rate=localized(short(rate * flops)) + "FLOP/s"))  # type: ignore[operator]
    return lines


def _activations(found: Preflight) -> str:
    """Return the activations of a piece; if blocks are computed again, also what they would be otherwise."""
    stored, plain = found.backward_bytes, found.plain_backward_bytes
    if stored is None:
        return tr("none")
    if plain is None or plain <= stored:
        return _bytes(stored)
    return tr("{stored} instead of {plain}, for a third more time", stored=_bytes(stored), plain=_bytes(plain))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and value > 0


def _lines(rows: QVBoxLayout, names: tuple[str, ...]) -> list[QLabel]:
    """Add a line for each name, in which name and value share the width; return the labels of the values."""
    values = []
    for name in names:
        line = QHBoxLayout()
        line.setSpacing(8)
        title = label(name, "note")
        follow_type(title, lambda title: title.setWordWrap(themes.scale > LARGE_TYPE))
        line.addWidget(title)
        value = label("", "strong")
        value.setAlignment(Qt.AlignmentFlag.AlignRight)
        value.setAccessibleName(name)
        line.addWidget(value, 1)
        rows.addLayout(line)
        values.append(value)
    return values


def _parts(blocks: Mapping[str, int]) -> str:
    """Return a text with the parameters of blocks and of the rest: "4 × 197k + 16.6k"."""
    numbered = [size for name, size in blocks.items() if name.rpartition(".")[2].isdigit()]
    others = sum(blocks.values()) - sum(numbered)
    if not numbered or len(set(numbered)) > 1:
        return tr("{blocks} + {others}", blocks=localized(short(sum(numbered))), others=localized(short(others)))
    return tr(
        "{count} × {each} + {others}",
        count=len(numbered),
        each=localized(short(numbered[0])),
        others=localized(short(others)),
    )


def _bytes(value: float) -> str:
    return f"{localized(short(value))}B" if value >= 1000 else f"{value:.0f} B"

"""The steps of a worked example as a page of text: formula, the numbers filled in, value, and the lecture's figure."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QTextBrowser

from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import SIZES, px, themes, token_font
from lab.worked import Computed
from lab.worked.examples import Printed, Step
from lab.worked.expressions.values import show, show_number
from lab.worked.parts.table import Comparison


class StepsView(QTextBrowser):
    """The steps of an example up to the current one. Text can be selected and copied."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "reading")
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setAccessibleName(tr("Steps"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._shown: tuple[Computed, int, Comparison | None, str] | None = None
        themes.changed.connect(self._draw)
        follow_type(self, StepsView._draw)

    def show_steps(
        self, computed: Computed, count: int, comparison: Comparison | None = None, refusal: str = ""
    ) -> None:
        """Show the first steps of an example.

        Args:
            computed: The example with its values.
            count: How many steps are shown.
            comparison: What the lab's own part computes; None if that was not asked for.
            refusal: Why the lab's part could not compute it.
        """
        self._shown = computed, count, comparison, refusal
        self._draw()

    def _draw(self) -> None:
        if self._shown is None:
            return
        place = self.verticalScrollBar().value()
        self.setHtml(page_of(*self._shown))
        self.verticalScrollBar().setValue(place)


def page_of(computed: Computed, count: int, comparison: Comparison | None, refusal: str) -> str:
    """Return the page in the colours and size of the theme."""
    theme, example = themes.now, computed.example
    figures: dict[str, list[tuple[Printed, float, bool]]] = {}
    for verdict in computed.verdicts():
        figures.setdefault(verdict[0].step, []).append(verdict)
    rows = []
    for step in example.steps[:count]:
        printed = figures.get(step.key, figures.get(step.key.rstrip("'"), []))
        rows.append(_row(computed, step, printed))
    mono = QFontInfo(token_font()).family()
    style = (
        f"<style>td, th {{ padding: 5px 14px 5px 0; }} th {{ color: {theme.dim}; font-weight: 400; text-align: left; }}"
        f".dim {{ color: {theme.dim}; }} .bad {{ color: {theme.bad}; }} .good {{ color: {theme.good}; }}"
        f".mono {{ font-family: '{mono}'; font-size: {px(SIZES['note'])}px; }}"
        f"body {{ font-size: {px(SIZES['text'])}px; color: {theme.text}; }}</style>"
    )
    head = f"<tr><th>{escape(tr('step'))}</th><th>{escape(tr('formula'))}</th><th>{escape(tr('value'))}</th>"
    head += f"<th>{escape(tr('lecture'))}</th></tr>"
    body = f"<table width='100%' cellspacing='0'>{head}{''.join(rows)}</table>"
    return f"<html>{style}<body>{body}{_foot(comparison, refusal)}</body></html>"


def _row(computed: Computed, step: Step, printed: list[tuple[Printed, float, bool]]) -> str:
    is_result = step.key in computed.example.results
    name, value = escape(step.label), escape(show(computed.values[step.key]))
    filled = computed.filled(step)
    formula = f"<span class='dim'>{escape(step.formula)}</span>" if step.is_given else escape(step.formula)
    formula = f"<span class='mono'>{formula}</span>" if not step.is_given else formula
    if filled:
        formula += f"<br><span class='mono dim'>= {escape(filled)}</span>"
    strong, end = ("<b>", "</b>") if is_result else ("", "")
    return (
        f"<tr><td valign='top'>{strong}{name}{end}</td><td valign='top'>{formula}</td>"
        f"<td valign='top'><span class='mono'>{strong}{value}{end}</span></td>"
        f"<td valign='top'>{_printed(printed)}</td></tr>"
    )


def _printed(verdicts: list[tuple[Printed, float, bool]]) -> str:
    """Return what the lecture prints: in one line if all of it agrees, else what differs, each with ours."""
    if not verdicts:
        return ""
    texts = [each.text for each, *_ in verdicts]
    if all(agrees for *_, agrees in verdicts):
        shown = texts if len(texts) <= 6 else [*texts[:6], "…"]
        return f"<span class='good'>{escape(', '.join(shown))} ✓</span>"
    lines = []
    for each, number, agrees in verdicts:
        where = each.name.removeprefix(each.step)
        if agrees:
            lines.append(f"<span class='good'>{escape(where)} {escape(each.text)} ✓</span>")
        else:
            lines.append(
                f"<span class='bad'>{escape(where)} {escape(each.text)} ✗ {escape(verdict_label(each.kind))}</span>"
                f" <span class='dim'>{escape(show_number(number, 5))}</span>"
            )
    return "<br>".join(lines)


def verdict_label(kind: str) -> str:
    """Return how a printed figure differs, in the language of the window."""
    return {"rounding": tr("rounding"), "loose": tr("approximate")}.get(kind, tr("wrong"))


def _foot(comparison: Comparison | None, refusal: str) -> str:
    if refusal:
        return f"<p class='bad'>{escape(refusal)}</p>"
    if comparison is None:
        return ""
    figures = "; ".join(comparison.figures)
    text = tr(
        "The lab computes the same: {part} gives {figures} with a largest relative difference of {difference}.",
        part=comparison.title, figures=figures, difference=f"{comparison.difference:.1e}",
    )  # fmt: skip
    return f"<p class='dim'>{escape(text)}</p>"

"""A lesson as a page to print, with answers for the teacher or with lines to write on."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from html import escape

from lab.lessons.comparisons import Value
from lab.lessons.html import DrawFormula, DrawPicture, html_of
from lab.lessons.lesson import Lesson
from lab.lessons.predictions import answer_of, positions, shown
from lab.lessons.results import Outcome, decide_checks

STYLE = """
body { font: 11pt/1.45 system-ui, sans-serif; color: #1d2129; max-width: 44em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 18pt; margin: 0 0 .2em; } h2 { font-size: 13pt; margin: 1.4em 0 .3em; } h3, h4 { font-size: 11pt; }
p.about { color: #5c6675; } p.formula { text-align: center; } p.name { margin: 1em 0; }
table { border-collapse: collapse; margin: .6em 0; } th, td { text-align: left; border: 1px solid #b9c0cb;
padding: .25em .7em; } table.axes td { width: 4.4em; height: 1.5em; } p.answer { color: #0b4f97; }
p.lines { border-bottom: 1px solid #b9c0cb; height: 1.6em; margin: 0; } img { vertical-align: middle; }
@media print { body { margin: 0; max-width: none; } h2, h3 { break-after: avoid; } tr, p { break-inside: avoid; } }
"""
ENDINGS = (".html", ".pdf")
"""The endings of the files of handouts."""
LINES = 3
"""Lines to write an answer on."""
ROWS = 10
"""Rows of the axes on which a curve is drawn by hand."""
Translate = Callable[[str], str]
"""The type of what translates the headings of a page."""


def handout(
    lesson: Lesson,
    formula: DrawFormula,
    picture: DrawPicture,
    *,
    outcome: Outcome | None = None,
    answers: bool = False,
    translate: Translate = str,
) -> str:
    """Return a page of HTML: introduction, prediction, result, text and questions.

    Args:
        lesson: The lesson.
        formula: Returns the HTML of a formula.
        picture: Returns the HTML of a picture or an explorable.
        outcome: What was measured, for the table of the result; None leaves it to be filled in.
        answers: Whether the page is for the teacher: with the result, the answers and the note.
        translate: Translates headings.
    """

    def text(name: str) -> str:
        return html_of(lesson.texts.get(name, ""), formula, picture)

    tr = translate
    parts = [f"<h1>{escape(lesson.title)}</h1>", f"<p class=about>{escape(_about(lesson, tr))}</p>"]
    if not answers:
        parts.append(f"<p class=name>{escape(tr('Name'))}: ________________________________</p>")
    parts += [f"<p>{escape(lesson.summary)}</p>", text("look"), f"<h2>{escape(tr('Predict'))}</h2>"]
    parts += _prediction(lesson, tr, outcome if answers else None)
    parts.append(f"<h2>{escape(tr('Result'))}</h2>")
    parts += _result(lesson, tr, outcome if answers else None)
    parts += [f"<h2>{escape(tr('Explain'))}</h2>", text("lesson")]
    if lesson.questions:
        parts.append(f"<h2>{escape(tr('Questions'))}</h2>")
    for number, question in enumerate(lesson.questions, start=1):
        parts.append(f"<p><b>{number}. {escape(question.text)}</b></p>")
        parts += [_answer(question.answer)] if answers else ["<p class=lines></p>"] * LINES
    if lesson.texts.get("further"):
        parts += [f"<h2>{escape(tr('Going further'))}</h2>", text("further")]
    if answers:
        parts += [f"<h2>{escape(tr('For the teacher'))}</h2>",
                  f"<p>{escape(tr('The mistake it meets: {mistake}').replace('{mistake}', lesson.mistake))}</p>",
                  text("teacher")]  # fmt: skip
    title = escape(lesson.title)
    head = f"<!DOCTYPE html><html lang={lesson.language}><head><meta charset=utf-8><title>{title}</title>"
    return head + f"<style>{STYLE}</style></head><body>\n" + "\n".join(parts) + "\n</body></html>\n"


def _about(lesson: Lesson, tr: Translate) -> str:
    minutes = tr("{n} minutes").replace("{n}", str(lesson.minutes))
    sections = tr("lectures {sections}").replace("{sections}", ", ".join(lesson.lectures))
    return f"{minutes} · {sections}" if lesson.lectures else minutes


def _answer(text: str) -> str:
    return f"<p class=answer>{escape(text)}</p>"


def _prediction(lesson: Lesson, tr: Translate, outcome: Outcome | None) -> list[str]:
    prediction = lesson.prediction
    parts = [f"<p>{escape(prediction.text)}</p>"]
    if prediction.kind == "pick":
        parts += [f"<p>☐ {escape(option.label)}</p>" for option in prediction.options]
    elif prediction.kind == "number":
        low, high = (_in(lesson, f"{limit:g}") for limit in (prediction.low, prediction.high))
        limits = tr("{low} to {high}").replace("{low}", low).replace("{high}", high)
        parts.append(f"<p>____________ {escape(prediction.unit)} ({escape(limits)})</p>")
    else:
        parts.append(_axes(lesson))
    rule = tr("Right is: {rules}").replace("{rules}", ", ".join(prediction.right))
    parts.append(f"<p class=about>{escape(rule)}</p>")
    if outcome is not None:
        measured = _in(lesson, shown(lesson, answer_of(lesson, outcome.values)))
        parts += [_answer(f"{tr('measured')}: {measured}"), _answer(prediction.explanation)]
    return parts


def _axes(lesson: Lesson) -> str:
    """Return a grid on which a curve is drawn by hand: a column for each position."""
    prediction = lesson.prediction
    low, high = prediction.low, prediction.high
    keys = positions(lesson)
    rows = []
    for row in range(ROWS):
        share = 1 - row / (ROWS - 1)
        value = low * (high / low) ** share if prediction.log else low + share * (high - low)
        rows.append(f"<tr><th>{_in(lesson, f'{value:.3g}')}</th>" + "<td width=64>&nbsp;</td>" * len(keys) + "</tr>")
    heads = "".join(f"<th>{escape(key)}</th>" for key in keys)
    names = f"{escape(prediction.y)} / {escape(prediction.x)}".strip(" /")
    return f"<table class=axes>{''.join(rows)}<tr><th>{names}</th>{heads}</tr></table>"


def _result(lesson: Lesson, tr: Translate, outcome: Outcome | None) -> list[str]:
    parts = []
    for measure in lesson.measures:
        value: Value | None = None if outcome is None else outcome.values.get(measure.name)
        unit = f" ({measure.unit})" if measure.unit else ""
        titles = {run.name: run.title for run in lesson.runs}
        keys = lesson.keys_of(measure)
        if isinstance(value, Mapping) and not keys:
            keys = tuple(value)[:: max(1, len(value) // 8)]
        entries = value if isinstance(value, Mapping) else {}
        heads = (
            "".join(f"<th>{escape(titles.get(key, key))}</th>" for key in keys) or f"<th>{escape(measure.title)}</th>"
        )
        cells = (
            "".join(f"<td>{_number(lesson, entries.get(key))}</td>" for key in keys)
            or f"<td>{_number(lesson, value)}</td>"
        )
        parts.append(f"<p><b>{escape(measure.title + unit)}</b></p><table><tr>{heads}</tr><tr>{cells}</tr></table>")
    decided = [] if outcome is None else decide_checks(lesson, outcome.values)
    signs = {True: "✓", False: "✗", None: "?"}
    for number, check in enumerate(lesson.checks):
        marks = ["☐"] * len(check.holds) if outcome is None else [signs[one.holds] for one in decided[number]]
        held = ", ".join(f"{mark} {text}" for mark, text in zip(marks, check.holds, strict=True))
        parts.append(f"<p>{escape(check.claim)} <span class=about>{escape(held)}</span></p>")
    if outcome is None:
        parts.append(f"<p class=about>{escape(tr('Fill in what was measured.'))}</p>")
    return parts


def _number(lesson: Lesson, value: Value | None) -> str:
    if not isinstance(value, int | float):
        return "&nbsp;" if value is None else escape(str(value))
    return _in(lesson, f"{value:.4g}") if math.isfinite(value) else "∞"


def _in(lesson: Lesson, number: str) -> str:
    """Return a number as the language of a lesson writes it."""
    return re.sub(r"(?<=\d)\.(?=\d)", ",", number) if lesson.language == "de" else number

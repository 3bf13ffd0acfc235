"""A worked example as a page of HTML to print: inputs, steps with formula and value, and what the lecture prints."""

from __future__ import annotations

from html import escape

from lab.worked.examples import Computed
from lab.worked.expressions.values import show, show_number

STYLE = """
body { font: 11pt/1.45 system-ui, sans-serif; color: #1d2129; max-width: 46em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 16pt; margin: 0 0 .2em; } p { margin: .3em 0 1em; color: #5c6675; }
table { border-collapse: collapse; width: 100%; margin-bottom: 1.4em; page-break-inside: auto; }
th, td { text-align: left; vertical-align: top; border-bottom: 1px solid #dde1e7; padding: .35em .6em .35em 0; }
td.number, td.formula { font-family: ui-monospace, monospace; font-size: 9.5pt; overflow-wrap: anywhere; }
tr.result td { font-weight: 600; } td.wrong { color: #c23b38; }
@media print { body { margin: 0; max-width: none; } tr { page-break-inside: avoid; } }
"""


def sheet(computed: Computed, digits: int = 6) -> str:
    """Return the page.

    Args:
        computed: The example with its values.
        digits: Significant digits of the values.
    """
    example = computed.example
    inputs = "".join(
        f"<tr><td>{escape(name)}</td><td class=number>{escape(show(value, digits))}</td></tr>"
        for name, value in computed.inputs.items()
    )
    rows = []
    for step in example.steps:
        marked = " class=result" if step.key in example.results else ""
        filled = computed.filled(step)
        formula = escape(step.formula) + (f"<br>= {escape(filled)}" if filled else "")
        rows.append(
            f"<tr{marked}><td>{escape(step.label)}</td><td class=formula>{formula}</td>"
            f"<td class=number>{escape(show(computed.values[step.key], digits))}</td></tr>"
        )
    printed = "".join(
        f"<tr><td>{escape(each.name)}</td><td class=number>{escape(each.text)}</td>"
        f"<td class=number>{show_number(number, digits)}</td>"
        f"<td{'' if agrees else ' class=wrong'}>{verdict_text(agrees, each.kind)}</td></tr>"
        for each, number, agrees in computed.verdicts()
    )
    lecture = (
        f"<h2>What the lecture prints</h2><table><tr><th>figure<th>printed<th>computed<th></tr>{printed}</table>"
        if printed
        else ""
    )
    note = f"<p>{escape(example.note)}</p>" if example.note else ""
    return (
        f"<!DOCTYPE html><html lang=en><meta charset=utf-8><title>{escape(example.title)}</title><style>{STYLE}</style>"
        f"<h1>{escape(example.title)}</h1><p>Lecture {escape(example.lecture)}, {escape(example.where)}</p>{note}"
        f"<table><tr><th>input<th>value</tr>{inputs}</table>"
        f"<table><tr><th>step<th>formula<th>value</tr>{''.join(rows)}</table>{lecture}</html>\n"
    )


def verdict_text(agrees: bool, kind: str) -> str:
    """Say how a printed figure stands to ours: "agrees", "rounding", "approximate" or "wrong"."""
    return "agrees" if agrees else {"rounding": "rounding", "loose": "approximate"}.get(kind, "wrong")

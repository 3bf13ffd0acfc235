"""What columns have written side by side, and as files: CSV, JSON, or a page of HTML that needs nothing else."""

from __future__ import annotations

import csv
import html
import io
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lab.base.problems import Problem
from lab.base.units import bits, finite
from lab.recipes import Decoding
from lab.workbench.access.generation import Piece
from lab.workbench.lockstep.agreement import AgreementSeries, AgreementSummary
from lab.workbench.lockstep.columns import Written

COLUMNS = (
    "column", "run", "position", "token", "text", "probability", "surprisal", "entropy", "rank", "uniform", "own",
    "kl_nats", "kl_bits", "overlap", "same_likeliest", "same_token", "same_text",
)  # fmt: skip
"""The columns of the table; surprisal and entropy in bits. The last six are against the first column."""
DIRECTION = "KL(first ‖ column)"
"""The direction of the divergence: p is the first column's prediction, q the other one's."""


@dataclass(eq=False)
class ColumnText:
    """What one column has written.

    Args:
        name: The name of the run.
        comparable: Whether it has the vocabulary of the first column.
        problem: Why it does not write (any more); None if nothing went wrong.

    Attributes:
        written: Its tokens.
        series: Its agreement with the first column, token by token.
        lengths: The number of characters up to each token.
        nats: The sum of the surprisals up to each token, under its own model, in nats.
    """

    name: str
    comparable: bool = True
    problem: Problem | None = None
    written: list[Written] = field(default_factory=list, init=False)
    series: AgreementSeries = field(default_factory=AgreementSeries, init=False)
    lengths: list[int] = field(default_factory=list, init=False)
    nats: list[float] = field(default_factory=list, init=False)

    def add(self, written: Iterable[Written]) -> None:
        """Append tokens."""
        for one in written:
            self.written.append(one)
            if one.agreement is not None:
                self.series.add(len(self.written), one.agreement)
            surprisal = -math.log(max(one.piece.probability, 1e-300))
            self.lengths.append((self.lengths[-1] if self.lengths else 0) + len(one.piece.text))
            self.nats.append((self.nats[-1] if self.nats else 0.0) + surprisal)

    @property
    def text(self) -> str:
        """What it wrote after the prompt."""
        return "".join(one.piece.text for one in self.written)

    @property
    def step(self) -> int:
        """Optimizer updates that its model had."""
        return self.written[-1].piece.step if self.written else 0

    @property
    def bits_per_character(self) -> float:
        """The mean surprisal of its text under its own model; NaN of no text."""
        return bits(self.nats[-1]) / self.lengths[-1] if self.lengths and self.lengths[-1] else math.nan

    @property
    def summary(self) -> AgreementSummary | None:
        """Its agreement with the first column; None of the first one and where they do not compare."""
        return self.series.summary


@dataclass
class LockstepTexts:
    """Columns that wrote side by side.

    Args:
        prompt: The prompt of all.
        decoding: How all were written.
        seeds: The seed of each part: going on after a stop takes another one.
        held: Whether all read the text of the first column.
        columns: The columns.
    """

    prompt: str
    decoding: Decoding
    seeds: list[int]
    held: bool
    columns: list[ColumnText]

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON; infinite divergences are null."""
        return {
            "prompt": self.prompt,
            "mode": "on the text of the first" if self.held else "each on its own text",
            "seeds": self.seeds,
            "decoding": self.decoding.stored(),
            "divergence": DIRECTION,
            "columns": [_column(column) for column in self.columns],
        }

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"

    def to_csv(self) -> str:
        """Return a table of all tokens as comma-separated values."""
        file = io.StringIO()
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        for number, column in enumerate(self.columns, start=1):
            for position, one in enumerate(column.written, start=1):
                row = {"column": number, "run": column.name, "position": position, **_token(one)}
                table.writerow(["" if row[name] is None else row[name] for name in COLUMNS])
        return file.getvalue()

    def to_html(self, ground_of: Callable[[Piece], str], legend: str, heading: str) -> str:
        """Return a page that shows the texts beside each other in colours.

        Args:
            ground_of: Returns the colour of a token, "#rrggbb".
            legend: What the colours mean.
            heading: Its heading.
        """
        named, cells = html.escape(heading), "".join(_cell(column, self.prompt, ground_of) for column in self.columns)
        return (
            f'<!doctype html>\n<html><head><meta charset="utf-8"><title>{named}</title><style>\n'
            "body{background:#ffffff;color:#1d2129;font:16px system-ui,sans-serif;margin:2rem}\n"
            "div{display:flex;gap:1.5rem}section{flex:1;min-width:0}h2{font-size:1rem}\n"
            "pre{white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.6 monospace}.prompt,p{color:#5c6675}\n"
            f"</style></head><body>\n<h1>{named}</h1>\n<div>{cells}</div>\n<p>{html.escape(legend)}</p>\n"
            "</body></html>\n"
        )


def _column(column: ColumnText) -> dict[str, Any]:
    found = column.summary
    return {
        "run": column.name,
        "step": column.step,
        "text": column.text,
        "same_vocabulary": column.comparable,
        "bits_per_character": finite(column.bits_per_character),
        "problem": None if column.problem is None else column.problem.what,
        "agreement": None if found is None else _summary(found),
        "tokens": [_token(one) for one in column.written],
    }


def _summary(found: AgreementSummary) -> dict[str, Any]:
    return {
        "tokens": found.tokens,
        "kl_nats": finite(found.kl),
        "kl_bits": finite(bits(found.kl)),
        "overlap": found.overlap,
        "same_likeliest": found.same_likeliest,
        "same_token": found.same_token,
        "texts_differ_from": found.apart,
    }


def _token(one: Written) -> dict[str, Any]:
    piece, found = one.piece, one.agreement
    token: dict[str, Any] = {
        "token": piece.label,
        "text": piece.text,
        "probability": piece.probability,
        "surprisal": bits(-math.log(max(piece.probability, 1e-300))),
        "entropy": piece.entropy,
        "rank": piece.rank,
        "uniform": one.uniform,
        "own": one.own or None,
    }
    names: Sequence[str] = COLUMNS[-6:]
    values: Sequence[Any] = [None] * 6
    if found is not None:
        values = [
            finite(found.kl), finite(bits(found.kl)), found.overlap, found.same_likeliest, found.same_token,
            found.same_text,
        ]  # fmt: skip
    return token | dict(zip(names, values, strict=True))


def _cell(column: ColumnText, prompt: str, ground_of: Callable[[Piece], str]) -> str:
    parts = [f'<span class="prompt">{html.escape(prompt)}</span>']
    for one in column.written:
        piece, found = one.piece, one.agreement
        tip = f"{piece.label!r}: p = {piece.probability:.4g}, rank {piece.rank}"
        if found is not None:
            tip += f", {DIRECTION} = {bits(found.kl):.3g} bits, overlap {found.overlap:.2f}"
        style = f"background:{ground_of(piece)}"
        parts.append(f'<span style="{style}" title="{html.escape(tip, quote=True)}">{html.escape(piece.text)}</span>')
    return f"<section><h2>{html.escape(column.name)}</h2><pre>{''.join(parts)}</pre></section>"

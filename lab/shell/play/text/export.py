"""A text as a table, and as a file: CSV, JSON or a page of HTML that needs nothing else; without Qt."""

from __future__ import annotations

import csv
import html
import io
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lab.workbench.access.generation import Piece
from lab.workbench.texts.tree import is_typed, log_probability

COLUMNS = ("position", "token", "text", "probability", "surprisal", "entropy", "rank", "sum")
"""The names of the columns of `rows_of`; surprisal and entropy in bits, and the sum of ln p so far in nats."""


@dataclass(frozen=True)
class WrittenText:
    """A text as it is exported.

    Args:
        prompt: The prompt.
        pieces: What comes after it.
        author: Who wrote it: the run and its step.
        decoding: The strategy and the filters, as plain data.
        seed: The seed.
        writers: Who wrote each piece.
    """

    prompt: str
    pieces: Sequence[Piece]
    author: str
    decoding: dict[str, Any]
    seed: int
    writers: Sequence[str] = ()


def surprisal_of(piece: Piece) -> float:
    """Return −log₂ p in bits."""
    return max(0.0, -math.log2(max(piece.probability, 1e-300)))


def rows_of(pieces: Sequence[Piece]) -> list[tuple[Any, ...]]:
    """Return the rows of a table, one for each token; None where the user wrote it."""
    rows: list[tuple[Any, ...]] = []
    total = 0.0
    for position, piece in enumerate(pieces, start=1):
        if is_typed(piece):
            rows.append((position, piece.label, piece.text, None, None, None, None, total))
            continue
        total += log_probability([piece])
        rows.append(
            (
                position,
                piece.label,
                piece.text,
                piece.probability,
                surprisal_of(piece),
                piece.entropy,
                piece.rank,
                total,
            )
        )
    return rows


def csv_of(written: WrittenText) -> str:
    """Return the table as comma-separated values."""
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    table.writerow([*COLUMNS, "writer"])
    rows = zip(rows_of(written.pieces), written.writers, strict=True)
    table.writerows([["" if cell is None else cell for cell in (*row, writer)] for row, writer in rows])
    return file.getvalue()


def json_of(written: WrittenText) -> str:
    """Return prompt, text, who wrote it and how, and each token with its alternatives, as JSON."""
    tokens = []
    for piece, row, writer in zip(written.pieces, rows_of(written.pieces), written.writers, strict=True):
        others = [{"token": label, "text": text, "probability": share} for label, text, share in piece.alternatives]
        tokens.append({**dict(zip(COLUMNS, row, strict=True)), "writer": writer, "alternatives": others})
    whole = {
        "prompt": written.prompt,
        "text": "".join(piece.text for piece in written.pieces),
        "author": written.author,
        "decoding": written.decoding,
        "seed": written.seed,
        "log_probability": log_probability(written.pieces),
        "tokens": tokens,
    }
    return json.dumps(whole, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def html_of(written: WrittenText, ground_of: Callable[[Piece, int], str], legend: str, heading: str) -> str:
    """Return a page that shows the text in colours.

    Args:
        written: The text.
        ground_of: (token, number of its writer) -> its colour, "#rrggbb"; "" for none.
        legend: What the colours mean.
        heading: Its heading.
    """
    parts = [f'<span class="prompt">{html.escape(written.prompt)}</span>']
    numbers = {name: number for number, name in enumerate(dict.fromkeys(written.writers))}
    for piece, writer in zip(written.pieces, written.writers, strict=True):
        ground = ground_of(piece, numbers[writer])
        if not ground:
            parts.append(f'<span class="prompt">{html.escape(piece.text)}</span>')
            continue
        bits = f"p = {piece.probability:.4g}, {surprisal_of(piece):.2f} bits, rank {piece.rank}"
        tip = html.escape(f"{piece.label!r}: {bits}, {writer}", quote=True)
        parts.append(f'<span style="background:{ground}" title="{tip}">{html.escape(piece.text)}</span>')
    named = html.escape(heading)
    return (
        f'<!doctype html>\n<html><head><meta charset="utf-8"><title>{named}</title><style>\n'
        "body{background:#ffffff;color:#1d2129;font:16px system-ui,sans-serif;max-width:60rem;margin:2rem auto}\n"
        "pre{white-space:pre-wrap;font:15px/1.7 monospace}.prompt,p{color:#5c6675}\n"
        f"</style></head><body>\n<h1>{named}</h1>\n<pre>{''.join(parts)}</pre>\n<p>{html.escape(legend)}</p>\n"
        "</body></html>\n"
    )

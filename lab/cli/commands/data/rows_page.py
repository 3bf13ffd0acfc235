"""The figures of data in rows in the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lab.cli.table import print_pairs
from lab.text.rows.page import Range, RowsPage

SHOWN = 12
"""Most classes and most columns that are printed; the JSON has all."""
WIDE = 100
"""Most characters of a text of a row that are printed."""


def print_rows(page: RowsPage, floors: Mapping[str, float], unit: str, tokenizer: str) -> None:
    """Print the figures of rows for the user.

    Args:
        page: The figures.
        floors: The losses of the simplest models, by name.
        unit: Their unit.
        tokenizer: The name of the tokenizer that counted the tokens.
    """
    pairs = [
        ("corpus", f"{page.name}, {page.kind}"),
        ("rows", f"{page.rows:,}: {page.training:,} for training, {page.validation:,} for validation"),
    ]
    if page.parts:
        pairs.append(("parts", ", ".join(f"{name} {count:,}" for name, count in page.parts.items())))
    for name, one in page.lengths.items():
        shown = f"{one.shortest:,} to {one.longest:,} tokens, median {one.median:,g}"
        pairs.append((f"{name} length", f"{shown} (tokenizer {tokenizer})"))
    if page.images:
        height, width, channels = page.images
        pairs.append(("pictures", f"{height} × {width} pixels, {'grey' if channels == 1 else 'red, green, blue'}"))
    if page.classes:
        most = sorted(page.classes.items(), key=lambda each: -each[1])
        some = ", ".join(f"{name} {share:.1%}" for name, share in most[:SHOWN])
        pairs.append(("classes", f"{len(most):,}: {some}{', …' if len(most) > SHOWN else ''}"))
    if page.roles:
        pairs.append(("turns", ", ".join(f"{role} {count:,}" for role, count in page.roles.items())))
    if page.learned is not None:
        pairs.append(("learned", f"{page.learned:.1%} of the tokens are scored"))
    for title, ranges in (("reads", page.ranges), ("predicts", page.targets)):
        pairs += [(title, "\n".join(_ranges(ranges)))] if ranges else []
    if page.copied is not None:
        pairs.append(("copying", f"the source itself is the right target in {page.copied:.1%} of the validation rows"))
    if floors:
        known = sorted(floors.items(), key=lambda each: -each[1])
        pairs.append(("floors", ", ".join(f"{name} {value:.4f}" for name, value in known) + f" ({unit})"))
    pairs.append(("examples", "\n".join(_line(row) for row in page.examples)))
    print_pairs(pairs)


def _ranges(ranges: Sequence[Range]) -> list[str]:
    lines = [f"{one.name}: {one.smallest:.4g} to {one.largest:.4g}, mean {one.mean:.4g}" for one in ranges[:SHOWN]]
    return [*lines, f"… {len(ranges):,} columns"] if len(ranges) > SHOWN else lines


def _line(row: Mapping[str, Any]) -> str:
    """Return a row on one line."""
    if "turns" in row:
        turns = (f"{turn['role']}{'*' if turn['learned'] else ''}: {_short(turn['text'])}" for turn in row["turns"])
        shown = "  ".join(turns)
    elif "source" in row:
        shown = f"{_short(row['source'])} → {_short(row['target'])}"
    elif isinstance(row.get("text"), str):
        shown = f"{_short(row['text'])} → {row['label']}"
    elif "text" in row:
        shown = _short(" ".join(f"{token}/{name}" for token, name in zip(row["text"], row["label"], strict=True)))
    elif "inputs" in row:
        numbers = ", ".join(f"{value:.4g}" for value in row["inputs"][:SHOWN])
        target = row.get("label") or ", ".join(f"{value:.4g}" for value in row["numbers"])
        shown = f"({numbers}{', …' if len(row['inputs']) > SHOWN else ''}) → {target}"
    else:
        shown = f"a picture of mean brightness {row['mean']:.2f} → {_short(row.get('label') or row['caption'])}"
    return f"{row['row']:,}: {shown}"


def _short(text: str) -> str:
    text = text.replace("\n", "⏎")
    return text if len(text) <= WIDE else f"{text[: WIDE - 1]}…"

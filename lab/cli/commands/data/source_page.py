"""The description of a source in the terminal: what it tests, which models should do well, entropy, examples."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np

from lab.api import ENTROPY_RATE, Corpus, Examples, Rows
from lab.cli.table import print_pairs
from lab.text.tokenizers.vocabularies import label_of
from lab.training.material import Given

SHOWN = 5
"""Number of examples that are printed."""
SYMBOLS = 40
"""Most symbols that are printed."""


def source_page(card: Corpus, given: Given) -> dict[str, Any]:
    """Return the description of a source, JSON-safe.

    Args:
        card: The card of the source.
        given: The text or examples that it returned.
    """
    page: dict[str, Any] = {
        "name": card.name,
        "title": card.title,
        "summary": card.summary,
        "tests": card.tests,
        "expected": card.expected,
        "references": list(card.references),
    }
    if isinstance(given, Rows):
        return page
    if not isinstance(given, Examples):
        return page | {"entropy": given.floors.get(ENTROPY_RATE)}
    return page | {
        "entropy": given.entropy,
        "symbols": list(given.symbols),
        "length": given.length,
        "longest": given.longest,
        "examples": _examples(given),
    }


def print_source(page: dict[str, Any]) -> None:
    """Print the description of a source as text."""
    pairs = [("source", f"{page['title']} ({page['name']}). {page['summary']}")]
    pairs += [("tests", page["tests"]), ("should do well", page["expected"])]
    if page["references"]:
        pairs.append(("papers", "\n".join(page["references"])))
    of_examples = "examples" in page
    if page.get("entropy") is not None:
        unit = "scored token" if of_examples else "character"
        pairs.append(("entropy", f"{page['entropy']:.6g} nats per {unit}: no model loses less on average"))
    if of_examples:
        symbols = page["symbols"]
        some = " ".join(label_of(symbol.rstrip(" ") or symbol) for symbol in symbols[:SYMBOLS])
        pairs += [
            ("symbols", f"{len(symbols):,}: {some}{' …' if len(symbols) > SYMBOLS else ''}"),
            ("longest", f"{page['longest']:,} tokens, at length {page['length']:,}"),
            ("examples", "\n".join(_marked(each["tokens"], each["scored"]) for each in page["examples"])),
            ("", "scored tokens are in brackets"),
        ]
    print_pairs(pairs)


def _examples(given: Examples) -> list[dict[str, Any]]:
    """Return the first training examples: their tokens as symbols, and whether each is scored."""
    drawn = given.draw(np.arange(SHOWN), 0, "train")
    return [
        {
            "tokens": [given.symbols[token] for token in tokens[tokens >= 0].tolist()],
            "scored": scored[tokens >= 0].tolist(),
        }
        for tokens, scored in zip(drawn.tokens, drawn.scored, strict=True)
    ]


def _marked(tokens: Sequence[str], scored: Sequence[bool]) -> str:
    """Return an example as text, with each run of scored tokens in brackets."""
    parts = []
    for is_scored, run in groupby(zip(tokens, scored, strict=True), key=lambda each: each[1]):
        text = "".join(token for token, _ in run).replace("\n", "⏎")
        bare = text.rstrip(" ") or text
        parts.append(f"[{bare}]{text[len(bare) :]}" if is_scored else text)
    return "".join(parts)

"""`lm-lab corpus`: statistics of a text before anything is trained on it."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from lab.api import Examples, LongText, Rows, Text
from lab.base.problems import attributed
from lab.base.units import duration
from lab.cli.commands import train
from lab.cli.commands.data.rows_page import print_rows
from lab.cli.commands.data.source_page import print_source, source_page
from lab.cli.options import named_by_option
from lab.cli.output import Progress, print_json, print_text
from lab.cli.table import print_pairs, print_table
from lab.host import Plugins
from lab.recipes import Recipe
from lab.text.statistics.duplicates import Duplicates
from lab.text.statistics.grams import Grams
from lab.text.statistics.overlap import LENGTH, Overlap
from lab.text.statistics.repeats import SHORTEST, Repeats
from lab.text.statistics.report import CorpusPage, statistics
from lab.text.statistics.zipf import LEAST_COUNT, Zipf
from lab.training.material import read_corpus
from lab.training.resolution import Resolved, resolve_all
from lab.training.row_summary import summarize_rows

RANKS = 1000
"""Number of ranks whose counts are in the JSON."""
PASSAGES = 5
"""Number of repeated passages that are printed; the JSON has all."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab corpus`."""
    parser.add_argument(
        "place",
        nargs="?",
        metavar="PATH|NAME",
        help="a text file or folder, or a corpus of the lab",
    )
    parser.add_argument("--tokenizer", metavar="NAME", help="the tokenizer that splits the text")
    parser.add_argument(
        "--set",
        metavar="PATH=VALUE",
        action="append",
        default=[],
        help="a setting such as corpus.path; may be repeated",
    )


@named_by_option({"--corpus": "PATH|NAME"})
def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Print the description of a source and the statistics of its text; with --json all figures."""
    others = dict.fromkeys(("recipe", "architecture", "preset", "objective", "steps", "device", "seed", "size"))
    options = {"corpus": arguments.place, "tokenizer": arguments.tokenizer, "set": arguments.set}
    recipe = train.recipe_of(argparse.Namespace(**others, **options), plugins)
    everything = resolve_all(recipe, plugins)
    card = everything["corpus"].card
    if card.kind not in ("text", "examples"):
        return _rows(everything, recipe, plugins, as_json=arguments.json)
    given = read_corpus(everything["corpus"])
    assert not isinstance(given, Rows)  # the card says what it gives
    source = source_page(card, given) if card.tests or isinstance(given, Examples) else None
    page = None if isinstance(given, Examples) else _counted(given, everything["tokenizer"], recipe, progress)
    if arguments.json:
        print_json(({} if source is None else {"source": source}) | ({} if page is None else as_dict(page)))
        return 0
    if source is not None:
        print_source(source)
    if page is not None:
        print_text("\n" * (source is not None), end="")
        print_page(page, recipe.tokenizer.name)
    return 0


def _rows(everything: Mapping[str, Resolved], recipe: Recipe, plugins: Plugins, *, as_json: bool) -> int:
    """Print the figures of data in rows."""
    card, found = everything["corpus"].card, summarize_rows(everything, recipe, plugins)
    source = source_page(card, found.rows) if card.tests else None
    page, floors = found.page, found.floors
    if as_json:
        print_json(({} if source is None else {"source": source}) | asdict(page) | {"floors": dict(floors)})
        return 0
    if source is not None:
        print_source(source)
        print_text()
    print_rows(page, floors, found.unit, everything["tokenizer"].card.name)
    return 0


def as_dict(page: CorpusPage) -> dict[str, Any]:
    """Return a page for JSON, with the counts of the first ranks."""
    stored = asdict(page)
    for name in ("zipf_words", "zipf_tokens"):
        stored[name]["counts"] = stored[name]["counts"][:RANKS].tolist()
    return stored


def print_page(page: CorpusPage, tokenizer: str) -> None:
    """Print a page for the user."""
    size = page.size
    pairs = [("corpus", page.name)]
    if page.read < page.characters:
        pairs.append(("read", f"the first {page.read:,} of {page.characters:,} characters"))
    pairs += [
        (
            "length",
            f"{size.characters:,} characters, {size.bytes:,} bytes, {size.lines:,} lines, "
            f"{size.words:,} words, {size.tokens:,} tokens",
        ),
        ("vocabulary", f"{size.characters_used:,} different characters, {size.words_used:,} different words"),
        ("tokenizer", f"{tokenizer}, {size.tokens_used:,} of its {size.vocabulary:,} symbols occur"),
        ("Zipf, words", _zipf(page.zipf_words)),
        ("Zipf, tokens", _zipf(page.zipf_tokens)),
        *((f"repeated {each.unit}", _duplicates(each)) for each in page.duplicates),
        ("validation", _overlap(page.overlap)),
    ]
    print_pairs(pairs)
    print_text(f"\nentropy after Shannon, bits per character{_of(page.entropies.read, page)}")
    print_table(
        ("order", "counted", "held out", "contexts", "seen once"),
        [
            (str(each.order), _bits(each.bits), _bits(each.held_out), f"{each.contexts:,}", f"{each.once:.1%}")
            for each in page.entropies.orders
        ],
        right=(True,) * 5,
    )
    print_text(page.entropies.note)
    print_text(f"\ncompressors, bits per byte{_of(page.compressed.read, page)}")
    print_table(
        ("name", "all of it", "validation after training"),
        [(name, _bits(bits), _bits(page.compressed.validation[name])) for name, bits in page.compressed.whole.items()],
        right=(False, True, True),
    )
    _print_grams("characters", page.grams_characters)
    _print_grams("words", page.grams_words)
    print_text(f"\nlongest repeated passages{_of(page.repeats.read, page)}")
    if page.repeats.passages:
        _print_repeats(page.repeats)
    else:
        print_text(f"none of {SHORTEST} characters or more")
    if page.overlap.warning:
        print_text(f"\nwarning: {page.overlap.warning}")


def _print_repeats(found: Repeats) -> None:
    print_table(
        ("length", "times", "first at", "passage"),
        [
            (f"{each.length:,}", f"{each.times:,}", f"{each.offsets[0]:,}", repr(each.text)[1:-1])
            for each in found.passages[:PASSAGES]
        ],
        right=(True, True, True, False),
    )


def _of(read: int, page: CorpusPage) -> str:
    """Return the addition to a heading whose statistics read less than the page."""
    return f" (the first {read:,} characters)" if read < page.read else ""


def _bits(bits: float | None) -> str:
    return "" if bits is None else f"{bits:.3f}"


def _zipf(found: Zipf) -> str:
    if found.exponent is None:
        return f"too few symbols that occur {LEAST_COUNT} times or more"
    first = " ".join(found.top[:10])
    return f"exponent {found.exponent:.3f} (maximum likelihood for ranks 1 to {found.last:,}); most frequent: {first}"


def _duplicates(found: Duplicates) -> str:
    share = f"{found.repeated:,} of {found.count:,} are repeated, {found.characters:.1%} of the characters"
    if not found.examples:
        return share
    text, times = found.examples[0]
    return f"{share}; {times:,} times {text[:40]!r}"


def _overlap(found: Overlap) -> str:
    longest = f"the longest passage in both has {found.longest:,} characters"
    if found.share is None:
        return f"too short to compare passages of {LENGTH} characters; {longest}"
    return f"{found.share:.2%} of its passages of {LENGTH} characters are also in training; {longest}"


def _print_grams(title: str, found: Sequence[Grams]) -> None:
    print_text(f"\nn-grams of {title}")
    print_table(
        ("n", "different", "seen once", "most frequent"),
        [
            (
                str(each.order),
                f"{each.distinct:,}",
                f"{each.once / each.distinct:.1%}",
                ", ".join(f"{gram} {count:,}" for gram, count in each.top[:8]),
            )
            for each in found
        ],
        right=(True, True, True, False),
    )


def _counted(given: Text | LongText, cut: Resolved, recipe: Recipe, progress: Progress) -> CorpusPage:
    """Return the statistics of a text, with a tokenizer and the recipe's share of validation.

    Raises:
        BadInput: The tokenizer cannot encode it.
    """
    text = given.text if isinstance(given, Text) else given.beginning
    tokenizer = cut.make(text)
    with attributed(cut.plugin, cut.card.title):
        tokens = tokenizer.encode(text)
    started = time.monotonic()
    page = statistics(
        given,
        tokens,
        tokenizer,
        share=1 - recipe.training.validation_share,
        progress=lambda done, total: progress.show(
            f"counting {given.name}: {done / total:.0%}, {duration(time.monotonic() - started)}"
        ),
    )
    progress.clear()
    return page

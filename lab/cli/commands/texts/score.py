"""`lm-lab score`: the surprisal of each token of a text under one run or several, and what follows from it."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lab.base import BadInput
from lab.base.units import bits, finite
from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import INFINITE, Progress, print_json, print_text, printable
from lab.cli.table import print_table
from lab.host import Plugins
from lab.workbench import SavedRun
from lab.workbench.scoring.comparison import Comparison, bits_from, compare, score_under
from lab.workbench.scoring.scores import PSEUDO, TextScore, read_text_of

MOST_ROWS = 60
"""Tokens of a text up to which a table of all of them is printed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab score`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument("file", metavar="FILE", nargs="?", help="a file with the text, of at most 1 MiB")
    parser.add_argument("--text", metavar="T", help="the text itself")
    parser.add_argument(
        "--with", metavar="RUN", action="append", default=[], dest="others",
        help="another run to score it under, of any tokenizer; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--protocol", metavar="P",
        help="windows, stream or strided:N; without one, windows that move by half their length, or a stream",
    )  # fmt: skip
    parser.add_argument("--alternatives", metavar="N", type=int, default=5, help="likeliest tokens with each (5)")
    parser.add_argument("--device", metavar="D", default="auto", help="auto, cpu, cuda, cuda:1, mps")


def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Print the score of a text under the runs; with --json every token."""
    if not 0 <= arguments.alternatives <= 100:
        allowed = "0 ≤ N ≤ 100"
        raise BadInput("is out of range", field="--alternatives", value=arguments.alternatives, allowed=allowed)
    names = [arguments.run, *arguments.others]
    runs = [SavedRun.find(name, plugins) for name in names]
    options = {"training.device": "--device", "text": "--text" if arguments.file is None else "FILE"}
    with named_by_option(options):
        text = _text(arguments)
        scores = []
        for at, saved in enumerate(runs):
            scores += score_under(
                [saved], text, protocol=arguments.protocol, device=arguments.device,
                progress=lambda share, at=at: progress.show(f"scoring under {names[at]}: {share:.0%}"),  # type: ignore[misc]
            )  # fmt: skip
        progress.clear()
        compared = [compare(other, scores[0]) for other in scores[1:]]
        start, per_byte, per_character = bits_from(scores) if compared else (0, [], [])
    if arguments.json:
        print_json(
            {
                "bytes": len(text.encode()),
                "characters": len(text),
                "runs": [_as_dict(*pair, arguments.alternatives) for pair in zip(runs, scores, strict=True)],
                "comparison": [
                    _compared(runs[0], saved, found) for saved, found in zip(runs[1:], compared, strict=True)
                ],
                **(
                    {"common": {"from_byte": start, "bits_per_byte": per_byte, "bits_per_character": per_character}}
                    if compared
                    else {}
                ),
            }
        )
        return 0
    for saved, score in zip(runs, scores, strict=True):
        _print(saved, score)
    if compared:
        _print_comparison(runs, scores, compared, per_byte)
    return 0


def _text(arguments: argparse.Namespace) -> str:
    if (arguments.file is None) == (arguments.text is None):
        what = "is missing" if arguments.file is None else "is given besides --text"
        raise BadInput(what, field="FILE", remedy='Give a file, or --text "…"')
    return str(arguments.text) if arguments.file is None else read_text_of(Path(arguments.file))


def _as_dict(saved: SavedRun, score: TextScore, alternatives: int) -> dict[str, Any]:
    values, pieces = score.values, score.pieces()
    lower, upper = score.guesses
    tokens = []
    for at, piece in enumerate(pieces):
        row: dict[str, Any] = {"text": piece, "label": score.labels[at], "scored": bool(values.scored[at])}
        if row["scored"]:
            row |= {
                "nats": finite(float(values.nats[at])),
                "entropy": finite(float(values.entropies[at])),
                "rank": int(values.ranks[at]),
                "context": int(values.contexts[at]),
                "sum": finite(float(score.sums[at])),
                "log10_product": finite(-float(score.sums[at]) / math.log(10)),
                "alternatives": [
                    {"token": score.names[int(number)], "probability": float(share)}
                    for number, share in zip(
                        values.likeliest[at, :alternatives], values.shares[at, :alternatives], strict=True
                    )
                ],
            }
        tokens.append(row)
    return {
        "run": str(saved.path.absolute()),
        "step": score.step,
        "protocol": score.protocol,
        "context_length": score.context_length,
        "context": score.context_sentence(),
        "pseudo": score.is_pseudo,
        "scored": score.scored,
        "nats": finite(score.nats),
        "nats_per_token": finite(score.nats_per_token),
        "perplexity": finite(score.perplexity),
        "bits_per_byte": finite(score.bits_per_byte),
        "bits_per_character": finite(score.bits_per_character),
        "entropy_per_token": finite(score.entropy),
        "guess_bounds_bits": {"lower": finite(lower), "upper": finite(upper)},
        "tokens": tokens,
        **({"infinite": ["nats"]} if math.isinf(score.nats) else {}),
    }


def _compared(first: SavedRun, other: SavedRun, found: Comparison) -> dict[str, Any]:
    return {
        "run": str(other.path.absolute()),
        "over": str(first.path.absolute()),
        "log_likelihood_ratio": finite(found.total),
        "running": [[int(end), finite(float(one))] for end, one in zip(found.ends, found.ratio, strict=True)],
        "same_tokens": found.differences is not None,
        "differences": None if found.differences is None else [finite(float(one)) for one in found.differences],
    }


def _print(saved: SavedRun, score: TextScore) -> None:
    pseudo = "pseudo-" if score.is_pseudo else ""
    print_text(f"{saved.name}, step {score.step}")
    if score.scored <= MOST_ROWS:
        _print_tokens(score)
    kinds = "pseudo-log-likelihood" if score.is_pseudo else "log-probability"
    if math.isinf(score.nats):
        print_text(f"loss {INFINITE}")
    else:
        print_text(f"{kinds} −{score.nats:.4f} nats, {bits(score.nats):.4f} bits, {_power(score.nats)}")
    per_byte = "" if math.isnan(score.bits_per_byte) else f", {score.bits_per_byte:.3f} bits per byte"
    print_text(f"{score.nats_per_token:.4f} nats per token, {pseudo}perplexity {score.perplexity:.2f}{per_byte}")
    lower, upper = score.guesses
    print_text(
        f"entropy of the model {score.entropy:.4f} nats per token; "
        f"by the ranks alone between {lower:.3f} and {upper:.3f} bits per token"
    )
    protocol = PSEUDO if score.is_pseudo else f"protocol {score.protocol}"
    print_text(f"{protocol}, {score.scored:,} tokens scored; {score.context_sentence()}")


def _print_tokens(score: TextScore) -> None:
    values = score.values
    rows = []
    for at in range(len(score.labels)):
        if not values.scored[at]:
            rows.append([printable(score.labels[at]), *[""] * 5])
            continue
        nats, total = float(values.nats[at]), float(score.sums[at])
        entropy = bits(float(values.entropies[at]))
        rows.append(
            [printable(score.labels[at]), f"{bits(nats):.3f}", f"{entropy:.3f}", str(values.ranks[at]),
             f"{bits(total):.3f}", _power(total)]
        )  # fmt: skip
    print_table(["token", "bits", "entropy", "rank", "sum", "product"], rows, right=[False] + [True] * 5)


def _print_comparison(
    runs: Sequence[SavedRun], scores: Sequence[TextScore], compared: Sequence[Comparison], per_byte: Sequence[float]
) -> None:
    rows = [
        [saved.name, f"{bits(score.nats):.2f}", f"{each:.3f}",
         "" if at == 0 else f"{bits(compared[at - 1].total):+.2f}"]
        for at, (saved, score, each) in enumerate(zip(runs, scores, per_byte, strict=True))
    ]  # fmt: skip
    print_table(["run", "bits", "bits per byte", "ratio (bits)"], rows, right=[False, True, True, True])
    best = max(range(len(compared)), key=lambda number: compared[number].total)
    name = runs[1 + best].name if compared[best].total > 0 else runs[0].name
    print_text(f"the text fits {name} best; a ratio of n bits means 2^n times as likely as under {runs[0].name}")


def _power(nats: float) -> str:
    """Return exp(−nats) with a power of ten, also where a float underflows."""
    if math.isinf(nats):
        return "0"
    power = math.floor(-nats / math.log(10))
    factor = 10 ** (-nats / math.log(10) - power)
    return f"{factor:.3f}" if power == 0 else f"{factor:.3f}e{power:+03d}"

"""`lm-lab translate`: what a run writes for a source, with the other hypotheses, their scores and the alignment."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from lab.base import BadInput
from lab.base.files.reading import read_text
from lab.base.units import finite
from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import Progress, print_json, print_text, printable
from lab.cli.table import print_table
from lab.host import Plugins
from lab.recipes import Decoding, merged, parse_assignment
from lab.workbench import SavedRun
from lab.workbench.scoring.translation import BEAMS, MOST, Hypothesis, Translation, beam_search, translate
from lab.workbench.scoring.translation_measures import PAIRS, Band, Measured, measure_translations

EXAMPLES = 5
"""Wrong translations that are printed beside the measures."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab translate`."""
    parser.add_argument("run", metavar="RUN", help=f"{RUN_HELP}; RUN@STEP takes a checkpoint of it")
    parser.add_argument("words", metavar="TEXT", nargs="?", help="the source")
    parser.add_argument("--file", metavar="FILE", help="a UTF-8 file instead, each line of which is a source")
    parser.add_argument(
        "--validation", metavar="N", nargs="?", type=int, const=PAIRS,
        help=f"translate the first N validation pairs instead ({PAIRS}), and print exact match, token accuracy, BLEU "
        "and chrF by the length of the source",
    )  # fmt: skip
    parser.add_argument("--beams", metavar="N", type=int, help=f"hypotheses of the beam search ({BEAMS}); 1 is greedy")
    parser.add_argument("--strategy", metavar="NAME", help="another strategy, as of lm-lab generate, without filters")
    parser.add_argument(
        "--set", metavar="PATH=VALUE", action="append", default=[],
        help="a setting, as in strategy.length_penalty=1; may be repeated",
    )  # fmt: skip
    parser.add_argument("--alignment", action="store_true", help="show which tokens of the source each token reads")
    parser.add_argument("--average", action="store_true", help="the averaged weights of the run instead of its own")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of strategies that draw")
    parser.add_argument("--max-tokens", metavar="N", type=int, default=MOST, help=f"most tokens ({MOST})")
    parser.add_argument("--device", metavar="D", default="cpu", help="auto, cpu, cuda, cuda:1, mps")


@named_by_option(
    {
        "training.device": "--device", "strategy.name": "--strategy", "strategy.width": "--beams", "prompt": "TEXT",
        "run": "RUN",
    }
)  # fmt: skip
def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Translate a text, the lines of a file, or validation pairs."""
    given = [arguments.words is not None, arguments.file is not None, arguments.validation is not None]
    if sum(given) != 1:
        what = "is missing" if not any(given) else "excludes --file and --validation, and they exclude each other"
        raise BadInput(what, field="TEXT", remedy="Give one of TEXT, --file and --validation")
    if arguments.max_tokens < 1 or (arguments.validation is not None and arguments.validation < 1):
        field = "--max-tokens" if arguments.max_tokens < 1 else "--validation"
        raise BadInput("is too small", field=field, value=0, allowed="1 or more")
    decoding = _decoding(arguments)
    saved = SavedRun.find_at(arguments.run, plugins, averaged=arguments.average)
    options: dict[str, Any] = {"decoding": decoding, "count": arguments.max_tokens, "device": arguments.device}
    if arguments.validation is not None:
        measured = measure_translations(
            saved, pairs=arguments.validation, progress=lambda share: progress.show(f"translating … {share:.0%}"),
            **options,
        )  # fmt: skip
        progress.clear()
        _print_measured(measured, saved, as_json=arguments.json)
        return 0
    sources = [arguments.words] if arguments.file is None else _lines(Path(arguments.file).expanduser())
    found = []
    for number, source in enumerate(sources, start=1):
        if arguments.file is not None:
            progress.show(f"line {number} of {len(sources)}")
        found.append(translate(saved, source, seed=arguments.seed, **options))
        if not arguments.json:
            progress.clear()
            _print(found[-1], alignment=arguments.alignment, alone=arguments.file is None)
    progress.clear()
    if arguments.json:
        table = [_stored(one) for one in found]
        page = table[0] if arguments.file is None else {"translations": table}
        print_json({"run": str(saved.path.absolute()), **page})
    return 0


def _decoding(arguments: argparse.Namespace) -> Decoding:
    """Return the decoding that the options describe.

    Raises:
        BadInput: They exclude each other, or are not allowed.
    """
    if arguments.strategy is not None and arguments.beams is not None:
        what = "is given besides --strategy"
        raise BadInput(what, field="--beams", value=arguments.beams, remedy="Use --set strategy.width=N")
    decoding = beam_search(BEAMS if arguments.beams is None else arguments.beams)
    if arguments.strategy is not None:
        decoding = Decoding.read({"strategy": {"name": arguments.strategy}, "filters": []})
    table: dict[str, Any] = decoding.stored()
    for assignment in arguments.set:
        table = merged(table, parse_assignment(assignment))
    return Decoding.read(table)


def _lines(path: Path) -> list[str]:
    """Return the lines of a file that are not empty.

    Raises:
        BadInput: It cannot be read, or has none.
    """
    try:
        lines = [line for line in read_text(path).splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise BadInput(f"cannot be read: {reason}", field="--file", value=str(path)) from None
    if not lines:
        raise BadInput("has no line to translate", field="--file", value=str(path), allowed="at least one line")
    return lines


def _print(found: Translation, *, alignment: bool, alone: bool) -> None:
    if not alone:
        print_text(printable(found.source))
    if not found.hypotheses:
        print_text("lm-lab: the strategy ended no text.", error=True)
        return
    rows = [(f"{one.score:.4f}", f"{one.log_probability:.3f}", printable(one.text)) for one in found.hypotheses]
    print_table(("score", "log p", "translation"), rows, right=(True, True, False))
    if alignment:
        _print_alignment(found, found.hypotheses[0])


def _print_alignment(found: Translation, best: Hypothesis) -> None:
    weights = best.mean_alignment
    if weights is None:
        print_text("lm-lab: this model has no attention to its source, so nothing is aligned.", error=True)
        return
    rows = []
    for label, row in zip(best.labels, weights, strict=True):
        at = int(row.argmax())
        rows.append((printable(label), printable(found.labels[at]), str(at + 1), f"{row[at]:.3f}"))
    print_table(("token", "reads", "position", "weight"), rows, right=(False, False, True, True))


def _stored(found: Translation) -> dict[str, Any]:
    return {
        "source": found.source,
        "step": found.step,
        "source_tokens": list(found.labels),
        "hypotheses": [
            {
                "text": one.text,
                "score": finite(one.score),
                "log_probability": finite(one.log_probability),
                "tokens": list(one.labels),
                "alignment": None if one.mean_alignment is None else one.mean_alignment.tolist(),
            }
            for one in found.hypotheses
        ],
    }


def _print_measured(found: Measured, saved: SavedRun, *, as_json: bool) -> None:
    if as_json:
        bands = [{"shortest": band.shortest, "longest": band.longest, **band.measures.stored()} for band in found.bands]
        pairs = [{"source": one.source, "target": one.target, "written": one.written} for one in found.pairs]
        page = {"run": str(saved.path.absolute()), "step": found.step, **found.measures.stored(), "bands": bands}
        print_json({**page, "translations": pairs, "problem": found.problem})
        return
    rows = [_row(_lengths(band), band.measures.stored()) for band in found.bands]
    rows.append(_row("all", found.measures.stored()))
    heads = ("tokens of the source", *found.measures.stored())
    print_table(heads, rows, right=(False, *(True for _ in heads[1:])))
    wrong = [one for one in found.pairs if one.written != one.target][:EXAMPLES]
    for one in wrong:
        print_text(f"{printable(one.source)} → {printable(one.written)}, not {printable(one.target)}")
    if found.problem:
        print_text(f"lm-lab: {found.problem}.", error=True)


def _lengths(band: Band) -> str:
    return str(band.longest) if band.shortest == band.longest else f"{band.shortest} to {band.longest}"


def _row(name: str, measures: dict[str, float | None]) -> tuple[str, ...]:
    pairs, exact, accuracy, *scores = measures.values()
    shown = [f"{pairs:.0f}", f"{exact:.3f}", f"{accuracy:.3f}"]
    return (name, *shown, *("" if one is None else f"{one:.1f}" for one in scores))

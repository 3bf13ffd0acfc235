"""`lm-lab evaluate`: the loss of a run under a protocol."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from lab.api.text import ENTROPY_RATE
from lab.base import BadInput
from lab.base.units import finite, infinite
from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import BELOW_ENTROPY, INFINITE, READS_LATER, loss_line, metric_lines, print_json, print_text
from lab.cli.table import print_table
from lab.host import Plugins
from lab.runs.floor_list import known_losses
from lab.workbench import SavedRun
from lab.workbench.access.model_access import EVALUATED_IN
from lab.workbench.analysis.lengths import over_lengths
from lab.workbench.launch.summary import below_entropy


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab evaluate`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument("--text", metavar="FILE", help="a text file; without one, the validation text")
    parser.add_argument("--protocol", metavar="P", help="windows, stream or strided:N; without one, the model's own")
    parser.add_argument(
        "--lengths",
        metavar="N,N…",
        nargs="?",
        const="auto",
        help="loss at these lengths, of examples or windows of the text; without numbers, up to four times the trained "
        "length",
    )
    parser.add_argument(
        "--without",
        metavar="T,T…",
        help="also the loss without these parts of the model, such as head:2.3,layer:4,expert:2.5, counted from 1; "
        "head:* means each head (lm-lab plugins lists the interventions)",
    )
    parser.add_argument(
        "--reference", metavar="TEXT", help="the text for mean:… and other:…; without one, the run's probe text"
    )
    parser.add_argument("--average", action="store_true", help="the averaged weights of the run instead of its own")
    parser.add_argument("--device", metavar="D", default="auto", help="auto, cpu, cuda, cuda:1, mps")


def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Print the loss of a run under a protocol."""
    saved = SavedRun.find(arguments.run, plugins, averaged=arguments.average)
    text = None if arguments.text is None else Path(arguments.text)
    options = {"training.device": "--device"} | ({} if text is None else {"corpus.path": "--text"})
    if arguments.lengths is not None:
        return _over_lengths(saved, arguments)
    if arguments.without is not None:
        with named_by_option({**options, "without": "--without", "text": "--reference"}):
            return _without(saved, text, arguments)
    if arguments.reference is not None:
        raise BadInput("only goes with --without", field="--reference", remedy="Leave it out")
    with named_by_option(options):
        result = saved.evaluate(text=text, protocol=arguments.protocol, device=arguments.device)
    if arguments.json:
        endless = infinite({"loss": result.loss})
        print_json(
            {
                "run": str(saved.path.absolute()),
                "loss": finite(result.loss),
                "standard_error": finite(result.standard_error),
                "unit": result.unit,
                "perplexity": finite(result.perplexity),
                "bits_per_byte": finite(result.bits_per_byte),
                "metrics": {name: finite(value) for name, value in result.metrics.items()},
                "targets": result.targets,
                "protocol": result.protocol,
                "reads_later_tokens": saved.reads_later,
                "precision": EVALUATED_IN,
                "run_precision": saved.precision,
                "context_length": result.context_length,
                **({"infinite": endless} if endless else {}),
            }
        )
        return 0
    figures = loss_line(result.loss, result.unit, result.perplexity, result.bits_per_byte)
    print_text(f"loss {INFINITE}" if infinite({"loss": result.loss}) else figures)
    for line in metric_lines(result.metrics):
        print_text(line)
    window = f", windows of {result.context_length} tokens" if result.context_length else ""
    print_text(f"protocol {result.protocol}{window}, {result.targets:,} targets")
    entropy = None if text is not None else known_losses(saved.folder.facts.get("floors")).get(ENTROPY_RATE)
    below = below_entropy(result.loss, result.standard_error, entropy)
    if below is not None:
        print_text(BELOW_ENTROPY.format(below))
    _print_notes(saved)
    return 0


def _over_lengths(saved: SavedRun, arguments: argparse.Namespace) -> int:
    """Print the losses and accuracies of a model at several lengths."""
    for option in ("text", "protocol", "without", "reference"):
        if getattr(arguments, option) is not None:
            raise BadInput("cannot be combined with --lengths", field=f"--{option}", remedy="Leave one of them out")
    with named_by_option({"training.device": "--device"}):
        points = over_lengths(saved, _lengths(arguments.lengths), device=arguments.device)
    if arguments.json:
        print_json(
            {
                "run": str(saved.path.absolute()),
                "lengths": [asdict(point) for point in points],
                "reads_later_tokens": saved.reads_later,
                "precision": EVALUATED_IN,
                "run_precision": saved.precision,
            }
        )
        return 0
    rows = [
        [
            f"{point.length}{'' if point.trained else ' *'}",
            str(point.tokens),
            "too long" if point.loss is None else f"{point.loss:.4f}",
            *("" if share is None else f"{share:.1%}" for share in (point.accuracy, point.faultless)),
        ]
        for point in points
    ]
    titles = ["length", "tokens", "nats", "accuracy", "faultless"]
    if all(point.accuracy is None for point in points):  # windows of a text
        titles, rows = titles[:3], [row[:3] for row in rows]
    print_table(titles, rows, right=[True] * len(titles))
    print_text("* not trained at this length")
    _print_notes(saved)
    return 0


def _without(saved: SavedRun, text: Path | None, arguments: argparse.Namespace) -> int:
    """Print the losses of a model without parts of it."""
    found = saved.evaluate_without(
        arguments.without,
        reference=arguments.reference,
        tokens=0,
        text=text,
        protocol=arguments.protocol,
        device=arguments.device,
    )
    if arguments.json:
        endless = infinite({"loss": found.together, "intact": found.intact})
        print_json(
            {
                "run": str(saved.path.absolute()),
                "without": [{"target": effect.target, "loss": finite(effect.loss)} for effect in found.each],
                "loss": finite(found.together),
                "intact": finite(found.intact),
                "targets": found.targets,
                "protocol": found.protocol,
                "reads_later_tokens": saved.reads_later,
                "precision": EVALUATED_IN,
                "run_precision": saved.precision,
                **({"infinite": endless} if endless else {}),
            }
        )
        return 0
    rows = [("none", found.intact), *((effect.target, effect.loss) for effect in found.each)]
    if found.together is not None and len(found.each) > 1:
        rows.append(("all of these", found.together))
    table = [[name, f"{loss:.4f}", f"{loss - found.intact:+.4f}"] for name, loss in rows]
    print_table(["without", "nats", "change"], table, right=[False, True, True])
    print_text(f"protocol {found.protocol}, {found.targets:,} targets")
    _print_notes(saved)
    return 0


def _print_notes(saved: SavedRun) -> None:
    """Print in which format was computed if it is not the run's, and whether the model sees what it predicts."""
    if saved.precision != EVALUATED_IN:
        print_text(f"computed in {EVALUATED_IN}; the run trained, and evaluated meanwhile, in {saved.precision}")
    if saved.reads_later:
        print_text(READS_LATER)


def _lengths(text: str) -> list[int]:
    """Return the numbers in "8,16,32"."""
    parts = [part.strip() for part in text.split(",") if part.strip()] if text != "auto" else []
    wrong = next((part for part in parts if not (part.isascii() and part.isdecimal() and 0 < int(part) <= 2**16)), None)
    if wrong is not None:
        allowed = "whole numbers from 1 to 65,536, such as 8,16"
        raise BadInput("is not a length", field="--lengths", value=wrong, allowed=allowed)
    return [int(part) for part in parts]

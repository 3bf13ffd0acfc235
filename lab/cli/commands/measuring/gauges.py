"""`lm-lab gauges`: measure a run's checkpoint on demand: what it finds hard, its gradients, the loss around it."""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lab.base import BadInput
from lab.base.units import finite
from lab.cli.commands.measuring.find import noise_sentence
from lab.cli.options import RUN_HELP, add_common
from lab.cli.output import Progress, print_json, print_text, printable
from lab.cli.table import print_table
from lab.host import Plugins
from lab.runs import RunFolder
from lab.runs.library.names import resolve_checkpoint
from lab.workbench.analysis.measurements import Measurer

if TYPE_CHECKING:
    from lab.training.measurements.difficulty import ClassLoss
    from lab.training.measurements.planes import LossPlane

SHADES = " .:-=+*#%@"
"""From low to high loss."""
AT_MOST = 10
"""Most rows of a table of hard tokens that are printed."""
BINS = 16
"""Rows of the table of losses by position, and of the spectrum."""

Found = tuple[dict[str, Any], Callable[[], None]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab gauges`."""
    actions = parser.add_subparsers(dest="what", metavar="WHAT", title="what to measure", required=True)

    def add(name: str, summary: str) -> argparse.ArgumentParser:
        action: argparse.ArgumentParser = actions.add_parser(name, help=summary, description=summary)
        action.add_argument("run", metavar="RUN", help=f"{RUN_HELP}; RUN@STEP names a checkpoint, else the last")
        add_common(action, again=True)
        return action

    def add_examples(action: argparse.ArgumentParser) -> None:
        action.add_argument("--examples", metavar="N", type=int, help="examples on which a loss is measured (16)")

    hard = add("hard", "loss by position and class of token, the hardest tokens and documents of the validation text")
    hard.add_argument("--targets", metavar="N", type=int, help="most targets that are read (200,000); 0 reads all")
    gradients = add("gradients", "cosine between the gradients of halves of a batch and of steps, and the noise scale")
    gradients.add_argument("--trial", metavar="N", type=int, help="steps of a copy that are compared (20)")
    sharpness = add("sharpness", "the largest eigenvalue of the Hessian, and its spectrum")
    add_examples(sharpness)
    sharpness.add_argument("--dimensions", metavar="N", type=int, help="steps of the Lanczos method (24); 0 for none")
    sharpness.add_argument("--vectors", metavar="N", type=int, help="random vectors of the spectrum (2)")
    plane = add("plane", "a map of the loss on a plane through the weights")
    plane.add_argument(
        "--plane", metavar="KIND", default="random", help="random, between (with --with), or path of the checkpoints"
    )
    plane.add_argument("--with", dest="other", metavar="RUN", help="the other run of a plane between two, or RUN@STEP")
    plane.add_argument("--points", metavar="N", type=int, help="points along each axis (15)")
    plane.add_argument("--reach", metavar="X", type=float, help="how far a random plane reaches, in filter lengths (1)")
    add_examples(plane)
    texts = add("texts", "one prompt continued with one seed at every checkpoint")
    texts.add_argument("--prompt", metavar="TEXT", help="the prompt; without one, a word that the vocabulary has")
    texts.add_argument("--seed", metavar="N", type=int, help="the seed of all texts (0)")
    texts.add_argument("--max-tokens", metavar="N", type=int, help="tokens that each checkpoint writes (60)")
    line = add("line", "the loss on the line to the weights of another run (mode connectivity)")
    line.add_argument("--with", dest="other", metavar="RUN", required=True, help="the other run, or RUN@STEP")
    line.add_argument("--points", metavar="N", type=int, help="points on the line (21)")
    add_examples(line)


def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Measure, and print what was found.

    Raises:
        BadInput: There is no such run, or an option cannot be used.
        LabError: The run is damaged, or a plugin's code raised.
    """
    plugins = plugins.load()
    folder, step = checkpoint_named(arguments.run, "RUN")
    measurer = Measurer(folder, step, plugins, lambda share, doing: progress.show(f"{doing} … {share:.0%}"))
    measure: dict[str, Callable[[argparse.Namespace, Measurer], Found]] = {
        "hard": _hard,
        "gradients": _gradients,
        "sharpness": _sharpness,
        "plane": _plane,
        "line": _line,
        "texts": _texts,
    }
    found, show = measure[arguments.what](arguments, measurer)
    progress.clear()
    if arguments.json:
        print_json({"run": str(folder.path.absolute()), "step": step, **plain(found)})
    else:
        print_text(f"{folder.name}, step {step:,}")
        show()
    return 0


def checkpoint_named(text: str, field: str) -> tuple[RunFolder, int]:
    """Return the run and the step of the checkpoint that "RUN" or "RUN@STEP" names.

    Raises:
        BadInput: There is no such run or checkpoint.
    """
    folder, step = resolve_checkpoint(text)
    steps = folder.checkpoint_steps()
    if step is None and not steps:
        raise BadInput("has no checkpoint", field=field, value=folder.name, remedy="Wait until the run has ended")
    if step is not None and step not in steps:
        raise BadInput(
            f"has no checkpoint of step {step}", field=field, value=folder.name, allowed=", ".join(map(str, steps))
        )
    return folder, steps[-1] if step is None else step


def plain(value: Any) -> Any:
    """Return plain data in which numbers that JSON cannot express are null."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return finite(value) if isinstance(value, float) else value


def _given(arguments: argparse.Namespace, **options: str) -> dict[str, Any]:
    """Return the options that were given, by the names of the measurement's."""
    found = {name: getattr(arguments, option) for name, option in options.items()}
    return {name: value for name, value in found.items() if value is not None}


def _hard(arguments: argparse.Namespace, measurer: Measurer) -> Found:
    found = measurer.difficulty(**_given(arguments, targets="targets"))

    def show() -> None:
        print_text(f"{found.loss:.4f} {found.unit} over {found.targets:,} targets")
        rows = [(label, f"{loss:.4f}") for label, loss in binned(found.by_position)]
        print_table(("position", "loss"), rows, right=(True, True))
        for title, classes in (("token", found.by_kind), ("frequency", found.by_rank), ("symbol", found.symbols)):
            if classes:
                print_text()
                _print_classes(title, classes[: AT_MOST * (1 + (title != "symbol"))])
        if found.tokens:
            print_text()
            rows = [
                (f"{one.loss:.2f}", f"{printable(one.before[-24:])}[{printable(one.token)}]{printable(one.after[:16])}")
                for one in found.tokens[:AT_MOST]
            ]
            print_table(("loss", "the hardest tokens, with the text around them"), rows, right=(True, False))
        if found.passages:
            print_text()
            rows3 = [(f"{one.loss:.3f}", str(one.number), printable(one.text[:64])) for one in found.passages[:AT_MOST]]
            print_table(("loss", "number", f"the hardest {found.passage_kind}"), rows3, right=(True, True, False))

    return asdict(found), show


def _print_classes(title: str, classes: Sequence[ClassLoss]) -> None:
    rows = [(printable(one.name), f"{one.loss:.4f}", f"{one.targets:,}", f"{one.share:.1%}") for one in classes]
    print_table((title, "loss", "targets", "of the loss"), rows, right=(False, True, True, True))


def binned(values: Sequence[float], most: int = BINS) -> list[tuple[str, float]]:
    """Return labels and means of at most so many stretches of positions, which get longer from the first on."""
    edges = sorted({0, len(values), *(round(len(values) ** (step / most)) for step in range(most + 1))})
    found = []
    for first, last in itertools.pairwise(edges):
        known = [value for value in values[first:last] if math.isfinite(value)]
        label = f"{first + 1}" if last == first + 1 else f"{first + 1} to {last}"
        if known:
            found.append((label, sum(known) / len(known)))
    return found


def _gradients(arguments: argparse.Namespace, measurer: Measurer) -> Found:
    found = measurer.agreement(**_given(arguments, steps="trial"))

    def show() -> None:
        rows = [
            (str(one.step), f"{one.halves:+.3f}", _number(one.previous, "+.3f"), f"{one.norm:.4g}")
            for one in found.steps
        ]
        print_table(("step", "halves", "step before", "norm"), rows, right=(True,) * 4)
        mean = _number(found.previous, "+.3f")
        print_text(f"mean cosine: {found.halves:+.3f} between halves, {mean} between steps")
        print_text(noise_sentence(found.noise.examples, found.batch_size))

    return {**asdict(found), "halves": found.halves, "previous": found.previous}, show


def _sharpness(arguments: argparse.Namespace, measurer: Measurer) -> Found:
    options = _given(arguments, examples="examples", dimensions="dimensions", vectors="vectors")
    found = measurer.sharpness(**options)

    def show() -> None:
        print_text(
            f"largest eigenvalue {found.largest:.4g} after {found.iterations} steps of the power iteration "
            f"(last change {found.change:.1%})"
        )
        print_text(
            f"2 / learning rate is {found.bound:.4g}: plain gradient descent with this rate "
            f"{'diverges' if found.largest > found.bound else 'is stable'} here"
        )
        if found.eigenvalues:
            print_text(f"smallest {found.eigenvalues[0]:.4g}, trace {_number(found.trace, '.4g')}")
            rows = [
                (f"{value:.4g}", f"{share:.2%}")
                for value, share in zip(found.eigenvalues, found.shares, strict=True)
                if share >= 0.0005
            ]
            print_table(("eigenvalue", "of the spectrum"), rows[:: max(1, -(-len(rows) // BINS))], right=(True, True))

    return {**asdict(found), "bound": found.bound}, show


def _plane(arguments: argparse.Namespace, measurer: Measurer) -> Found:
    other = None if arguments.other is None else checkpoint_named(arguments.other, "--with")
    options = _given(arguments, side="points", reach="reach", examples="examples")
    found = measurer.plane(arguments.plane, other=other, **options)

    def show() -> None:
        print_text("\n".join(picture(found)))
        rows = [
            (point.label, f"{point.x:.3g}", f"{point.y:.3g}", _number(point.loss, ".4f"), f"{point.distance:.3g}")
            for point in found.points
        ]
        print_table(("weights", "x", "y", "loss", "off the plane"), rows, right=(False,) + (True,) * 4)
        if found.shares:
            print_text(f"{found.shares[0]:.1%} and {found.shares[1]:.1%} of the path's variance along the axes")

    return asdict(found), show


def picture(plane: LossPlane) -> list[str]:
    """Return a plane as lines of characters, darker where the loss is higher; "o" marks the weights of trainings."""
    known = [value for row in plane.losses for value in row if math.isfinite(value)]
    least, most = min(known), max(known)
    rows = []
    for row in plane.losses:
        shades = [
            "?" if not math.isfinite(value) else SHADES[_shade(value, least, most)] for value in row for _ in range(2)
        ]
        rows.append(shades)
    for point in plane.points:
        up = round((point.y - plane.y[0]) / (plane.y[-1] - plane.y[0]) * (len(plane.y) - 1))
        right = round((point.x - plane.x[0]) / (plane.x[-1] - plane.x[0]) * (len(plane.x) - 1))
        rows[up][2 * right] = "o"
    return ["".join(row) for row in reversed(rows)] + [f"loss {least:.4f} (blank) to {most:.4f} ({SHADES[-1]})"]


def _shade(value: float, least: float, most: float) -> int:
    """Return the number of a shade, by the logarithm of what the loss is above the least."""
    if not most > least:
        return 0
    share = math.log1p(20 * (value - least) / (most - least)) / math.log1p(20)
    return min(len(SHADES) - 1, int(share * len(SHADES)))


def _line(arguments: argparse.Namespace, measurer: Measurer) -> Found:
    other = checkpoint_named(arguments.other, "--with")
    found = measurer.line(other, **_given(arguments, points="points", examples="examples"))
    barriers = {name: found.barrier(name) for name in found.losses}

    def show() -> None:
        rows = [
            (f"{position:.3f}", *(_number(losses[index], ".4f") for losses in found.losses.values()))
            for index, position in enumerate(found.positions)
        ]
        print_table(("position", *found.losses), rows, right=(True,) * (1 + len(found.losses)))
        each = ", ".join(f"{value:.4f} in {name}" for name, value in barriers.items())
        print_text(f"barrier: {each}; distance {found.distance:.4g}, cosine of the weights {found.similarity:.3f}")

    return {**asdict(found), "barriers": barriers}, show


def _texts(arguments: argparse.Namespace, measurer: Measurer) -> Found:
    found = measurer.texts(**_given(arguments, prompt="prompt", seed="seed", count="max_tokens"))

    def show() -> None:
        for one in found.texts:
            print_text(f"{one.step:>8,}  {printable(found.prompt)}|{printable(one.text)}")

    return asdict(found), show


def _number(value: float, style: str) -> str:
    return format(value, style) if math.isfinite(value) else ""

"""`lm-lab train`: train a recipe in the terminal."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.api.text import ENTROPY_RATE
from lab.base import BadInput, Problem
from lab.base.files.reading import exists
from lab.base.notices import notify
from lab.base.run_state import RunState
from lab.base.system.folders import shared_files
from lab.base.system.policy import report_problems
from lab.base.units import duration, short
from lab.cli import together
from lab.cli.dry_run import dry_run
from lab.cli.output import (
    BELOW_ENTROPY,
    INFINITE,
    READS_LATER,
    Progress,
    loss_line,
    metric_lines,
    part_label,
    print_json,
    print_problem,
    print_text,
)
from lab.cli.settings_help import settings_help
from lab.host import Plugins
from lab.recipes import (
    LISTED,
    QUICK_START,
    Link,
    Recipe,
    Training,
    is_link,
    parse_assignment,
    parse_assignments,
    shared_recipe,
    shared_recipes,
    shipped,
    shipped_names,
    shipped_titles,
)
from lab.recipes.recipe import Readings
from lab.runs import RunFolder, resolve_checkpoint
from lab.text.corpora.downloads import catalogue
from lab.training.corpus_fit import (
    changed_names,
    expected_target,
    fitted_to_corpus,
    inputs_of,
    target_of,
)
from lab.training.material import read_corpus
from lab.training.resolution import NAMES_OF_DATA, resolve
from lab.workbench import ActiveRun, Workbench
from lab.workbench.exchange.link import is_same_corpus, open_link, recipe_here
from lab.workbench.launch.baselines import baselines
from lab.workbench.launch.known_corpora import load_recipe, path_of
from lab.workbench.launch.origins import BranchedRun, NewRun
from lab.workbench.launch.summary import below_entropy


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab train`."""
    add_recipe_arguments(parser)
    parser.add_argument("--out", metavar="FOLDER", help="a new or empty folder for the run")
    text = "train nothing: print what the training would cost here, measured for two seconds, and hints"
    parser.add_argument("--dry-run", action="store_true", help=text)
    together.add_arguments(parser)


def add_recipe_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what is trained."""
    text = "a recipe file, the name of a recipe of the lab, or a link; without one, the defaults"
    parser.add_argument("recipe", nargs="?", metavar="RECIPE", help=text)
    text = "a run whose weights the training starts with, at step 0; RUN@STEP for one of its checkpoints"
    parser.add_argument("--from", dest="start", metavar="RUN", help=text)
    parser.add_argument("--architecture", metavar="NAME", help="the model; its settings are listed below")
    parser.add_argument("--preset", metavar="NAME", help="a named set of settings of the architecture and its training")
    parser.add_argument("--size", metavar="NAME", help="a size of the preset; `lm-lab sizes` lists them")
    text = "the name of a simpler model to compare the architecture with"
    parser.add_argument("--baseline", metavar="NAME", help=text)
    parser.add_argument("--corpus", metavar="PATH|NAME", help="a file or folder of texts, or a corpus of the lab")
    parser.add_argument("--tokenizer", metavar="NAME", help="the tokenizer that splits the text")
    parser.add_argument("--objective", metavar="NAME", help="the objective of the training")
    parser.add_argument(
        "--set",
        metavar="PATH=VALUE",
        action="append",
        default=[],
        help="any setting of the recipe; may be repeated; PATH= restores the default",
    )
    parser.add_argument("--steps", metavar="N", help="optimizer updates")
    text = "a budget in place of the steps, such as '2e6 tokens', '3 epochs', '90 seconds', '1e15 FLOPs'"
    parser.add_argument("--budget", metavar="B", help=text)
    parser.add_argument("--device", metavar="D", help="auto, cpu, cuda, cuda:1, mps")
    parser.add_argument("--seed", metavar="N", help="seed of initial weights, order of the data and dropout")


def run(arguments: argparse.Namespace, plugins: Plugins, command: list[str], progress: Progress) -> int:
    """Train a recipe, and print the figures; with --dry-run print what that would cost."""
    if arguments.dry_run:
        plugins = plugins.load()
        return dry_run(origin_of(arguments, plugins), plugins, progress, as_json=arguments.json)
    status = together.run_beside(arguments, plugins, command)
    if status is not None:
        return status
    if arguments.start is not None:
        return _train_from(arguments, plugins, command, progress)
    recipe = fitted_recipe(arguments, plugins)
    if arguments.recipe and is_link(arguments.recipe):
        _check_corpus(open_link(arguments.recipe, plugins), recipe, plugins)
    if arguments.baseline is not None:
        recipe = _baseline(recipe, arguments.baseline, plugins)
    return train(recipe, plugins, _out(arguments), command, progress, as_json=arguments.json)


def origin_of(arguments: argparse.Namespace, plugins: Plugins) -> NewRun:
    """Return where a training of these options would start."""
    if arguments.start is None:
        return NewRun(fitted_recipe(arguments, plugins), None)
    folder, step, changes = start_of(arguments, plugins)
    return BranchedRun(folder, step, changes, None, weights_only=True)


def _out(arguments: argparse.Namespace) -> Path | None:
    """Return the folder for the run."""
    out = None if arguments.out is None else Path(arguments.out)
    # no shell replaces it in --out=~/runs/first
    return out.expanduser() if out is not None and out.parts[:1] == ("~",) else out


def _train_from(arguments: argparse.Namespace, plugins: Plugins, command: list[str], progress: Progress) -> int:
    """Train from the weights of a run, and print the figures."""
    plugins = plugins.load()
    folder, step, changes = start_of(arguments, plugins)
    bench = Workbench(plugins, floors=True)
    branch = bench.branch(folder.path, step, changes, out=_out(arguments), command=command, weights_only=True)
    return follow(branch, bench, progress, as_json=arguments.json)


def start_of(arguments: argparse.Namespace, plugins: Plugins) -> tuple[RunFolder, int, list[str]]:
    """Return the run of --from, the step of its checkpoint, and the changes that the other options say.

    Raises:
        BadInput: There is no such run or checkpoint, or an option cannot be used with --from.
    """
    for option in ("recipe", "architecture", "preset", "size", "baseline", "tokenizer"):
        value = getattr(arguments, option)
        if value is not None:
            raise BadInput(
                "a training from a run has the model and the tokenizer of that run",
                field="RECIPE" if option == "recipe" else f"--{option}",
                value=value,
                remedy="Leave it out; --set changes single settings",
            )
    folder, step = resolve_checkpoint(arguments.start)
    steps = folder.checkpoint_steps()
    if step is None and not steps:
        raise BadInput("has no checkpoint", field="--from", value=folder.name, remedy="Wait until the run has ended")
    changes = [
        f"training.{name}={value}"
        for name, value in (("steps", arguments.steps), ("device", arguments.device), ("seed", arguments.seed))
        if value is not None
    ]
    changes += [f"objective.name={arguments.objective}"] if arguments.objective else []
    corpus = _corpus(arguments.corpus, plugins) if arguments.corpus else {}
    changes += [f"corpus.{name}={value}" for name, value in corpus.items()]
    return folder, steps[-1] if step is None else step, [*changes, *arguments.set]


def quick_start(plugins: Plugins, progress: Progress, *, as_json: bool = False) -> int:
    """Train the quick-start recipe."""
    report_problems()
    recipe = shipped(QUICK_START)
    print_text(f"{recipe.title}. `lm-lab --help` lists all commands; Ctrl+C stops and saves.", error=True)
    return train(recipe, plugins, None, ["lm-lab"], progress, as_json=as_json)


def recipe_of(arguments: argparse.Namespace, plugins: Plugins) -> Recipe:
    """Return the recipe that the options describe: file, architecture, preset and size, single settings, then --set.

    Raises:
        BadInput: An option cannot be used.
    """
    recipe = _recipe(arguments.recipe, plugins, has_corpus=bool(arguments.corpus)) if arguments.recipe else Recipe()
    architecture = arguments.architecture or recipe.architecture.name
    pieces: list[Mapping[str, Any]] = []
    if arguments.architecture:
        pieces.append({"architecture": {"name": architecture}})
    if arguments.preset:
        pieces.append(_preset(architecture, arguments.preset, plugins))
    if arguments.size:
        pieces.append({"architecture": _size(architecture, arguments.preset, arguments.size, plugins)})
    if arguments.corpus:
        pieces.append({"corpus": _corpus(arguments.corpus, plugins)})
    if arguments.tokenizer:
        pieces.append({"tokenizer": {"name": arguments.tokenizer}})
    if arguments.objective:
        pieces.append({"objective": {"name": arguments.objective}})
    budget = getattr(arguments, "budget", None)  # which only a training has
    if arguments.steps is not None and budget is not None:
        raise BadInput("cannot be combined with --steps", field="--budget", remedy="Leave one of them out")
    if arguments.steps is not None:
        pieces.append({"training": {"budget": ""}})
    shortcuts = {
        "steps": arguments.steps,
        "budget": budget,
        "device": arguments.device,
        "seed": arguments.seed,
    }
    pieces += [parse_assignment(f"training.{name}={value}") for name, value in shortcuts.items() if value is not None]
    return recipe.with_values(*pieces, *parse_assignments(arguments.set))


def fitted_recipe(arguments: argparse.Namespace, plugins: Plugins) -> Recipe:
    """Return the recipe that the options describe, with what fits its corpus where nothing was named.

    Raises:
        BadInput: An option cannot be used.
    """
    return _fitted(recipe_of(arguments, plugins), arguments, plugins)


def _fitted(recipe: Recipe, arguments: argparse.Namespace, plugins: Plugins) -> Recipe:
    """Return the recipe with an objective and an architecture that fit its corpus where none was named, and say so."""
    if arguments.recipe or _is_named("objective", arguments):
        return recipe
    corpus = resolve(plugins, "corpora", recipe.corpus, "corpus")
    target = expected_target(corpus.card.kind)
    if inputs_of(corpus.card.kind) != "tokens":
        target = target_of(read_corpus(corpus))
    named = [field for field in ("architecture", "tokenizer") if _is_named(field, arguments)]
    named += ["architecture"] if arguments.preset else []
    fitted = fitted_to_corpus(recipe, plugins, target, named)
    changed = changed_names(recipe, fitted)
    if changed:
        given, what = NAMES_OF_DATA[corpus.card.kind], ", ".join(f"{field} {name}" for field, name in changed.items())
        notify("info", f"{corpus.card.title} gives {given}; chosen for it: {what}")
    return fitted


def _is_named(field: str, arguments: argparse.Namespace) -> bool:
    """Return True if an option, or an assignment, names or sets a part of the recipe."""
    return bool(getattr(arguments, field)) or any(field in one for one in parse_assignments(arguments.set))


def help_of(arguments: argparse.Namespace, plugins: Plugins) -> str:
    """Return the help of every setting of the selected architecture and of its training."""
    recipe = recipe_of(arguments, plugins)
    width = min(shutil.get_terminal_size().columns, 110)
    sections = []
    for path, (kind, choice) in recipe.choices().items():
        card = plugins.card(kind, choice.name, field=path)
        if card.config.model_fields:
            title = f"{path} {choice.name}: {card.summary.rstrip('.')}"
            sections.append(settings_help(title, path, card.config, width))
        others = ", ".join(other for other in plugins.cards(kind) if other != choice.name)
        if others and kind not in LISTED:  # a list may hold several of them
            sections.append(f"  {path}.name = {choice.name}   [others: {others}]")
    for name, card in plugins.cards("observers").items():
        if f"observers.{name}" not in recipe.choices() and card.config.model_fields:
            sections.append(
                settings_help(f"observer {name}: {card.summary.rstrip('.')}", f"observers.{name}", card.config, width)
            )
    probes = ", ".join(name for name in plugins.cards("probes") if f"readings.probes.{name}" not in recipe.choices())
    if probes:
        sections.append(f"  readings.probes.NAME={{}} adds a probe   [others: {probes}]")
    sections.append(settings_help("training", "training", Training, width))
    sections.append(settings_help("readings", "readings", Readings, width))
    card = plugins.card("architectures", recipe.architecture.name)
    if card.presets:
        sections.append(f"presets of {recipe.architecture.name}: {', '.join(card.presets)}   [sizes: lm-lab sizes]")
    if card.baselines:
        sections.append(f"baselines of {recipe.architecture.name}: {', '.join(map(repr, card.baselines))}")
    titles = shipped_titles()
    own = [f"  {name:<{max(map(len, titles))}}  {title}" for name, title in titles.items()]
    sections.append("\n".join(["recipes of the lab, as in `lm-lab train NAME`:", *own]))
    shared = [f"  {file.stem}  {title}  ({file})" for file, title in shared_recipes().items()]
    shared += [f"  --corpus {file.stem}  ({file})" for file in shared_files("corpora")]
    if shared:
        sections.append("\n".join(["recipes and texts shared on this machine:", *shared]))
    return "\n\n".join(sections)


def train(
    recipe: Recipe, plugins: Plugins, out: Path | None, command: list[str], progress: Progress, *, as_json: bool
) -> int:
    """Train a recipe; see `follow`."""
    bench = Workbench(plugins, floors=True)
    return follow(bench.start(recipe, out=out, command=command), bench, progress, as_json=as_json)


def follow(run: ActiveRun, bench: Workbench, progress: Progress, *, as_json: bool) -> int:
    """Show the progress of a run in one line, and its figures at the end; Ctrl+C stops and saves it.

    Args:
        run: A run that was started.
        bench: The workbench of the run; it is closed at the end.
        progress: The line of progress.
        as_json: Print the figures as JSON.

    Returns:
        0, 130 after Ctrl+C, or 1 if the run failed or something could not be saved; its figures are printed in
        any case.

    Raises:
        BadInput: The recipe cannot be used.
        LabError: The run failed before its first step.
    """
    interrupted = False
    try:
        while not run.wait(0.1):
            _show(run, progress)
            if run.waits_for is not None:
                break
    except KeyboardInterrupt:
        interrupted = True
        progress.clear()
        print_text("stopping and saving; a second Ctrl+C or signal quits at once", error=True)
    except Exception:
        bench.close()
        raise
    waited_for = run.waits_for
    bench.close()  # not in a `finally`: a second Ctrl+C must never wait for it
    progress.clear()
    problem = waited_for or run.problem
    if run.folder is None or run.trainer is None:
        run.wait_out()  # raises the error that prevented the start
        return 130
    result = {"run": str(run.path.absolute()), "state": run.state, **run.summary()}
    if as_json:
        print_json(result if problem is None else {**result, "problem": problem.as_dict()})
    else:
        _print_result(run, result)
    if problem is not None:
        print_problem(problem)
        return 1
    return 130 if interrupted else 0


def _show(run: ActiveRun, progress: Progress) -> None:
    trainer = run.trainer
    if trainer is None:
        share, doing = run.preparing or (0.0, run.state)
        progress.show(f"{doing[:1].lower()}{doing[1:]} {share:.0%}" if run.preparing else f"{run.state} …")
        return
    step, last = trainer.step, trainer.last_step
    parts = [f"step {step:,} of {last:,}"]
    loss = trainer.train_loss()
    parts += [f"loss {loss:.3f}"] if loss is not None else []
    parts += [f"validation {trainer.evaluation.loss:.3f} {trainer.experiment.loss_unit}"] if trainer.evaluation else []
    speed = trainer.speed.tokens_per_second()
    parts += [f"{short(speed)} tokens/s"] if speed else []
    if step and step < last:
        parts.append(f"{duration(trainer.seconds / step * (last - step))} left")
    elif step == last and run.state == RunState.RUNNING:
        parts.append("evaluating")
    parts += [run.state] if run.state not in (RunState.RUNNING, RunState.QUEUED) else []
    progress.show(" · ".join(parts))


def _print_result(run: ActiveRun, result: dict[str, Any]) -> None:
    loss, train_loss = result["validation_loss"], result["train_loss"]
    speed = result["tokens_per_second"]
    print_text(
        f"{run.recipe.architecture.name}: {short(result['parameters'])} parameters, {result['steps']:,} steps "
        f"in {duration(result['seconds'])}" + (f", {short(speed)} tokens/s" if speed else "") + f", {result['state']}"
    )
    endless = result.get("infinite", [])
    if "train_loss" in endless:
        print_text(f"train loss       {INFINITE}")
    if "validation_loss" in endless:
        print_text(f"validation loss  {INFINITE} (protocol {result['protocol']}, {part_label(result['part'])})")
    if train_loss is not None:
        counts = run.trainer is not None and run.trainer.model.learns == "counting"
        of = "on text not counted yet" if counts else f"mean of the last {min(100, result['steps'])} steps"
        print_text(f"train loss       {train_loss:.4f} {result['loss_unit']} ({of})")
    if loss is not None:
        figures = loss_line(loss, result["loss_unit"], result["perplexity"], result["bits_per_byte"])
        print_text(f"validation loss  {figures} (protocol {result['protocol']}, {part_label(result['part'])})")
    for line in metric_lines(result["metrics"]):
        print_text(line)
    if result["reads_later_tokens"]:
        print_text(READS_LATER)
    floors = sorted(result["floors"].items(), key=lambda floor: -(floor[1] or 0))
    if floors:
        print_text(
            "floors           " + ", ".join(f"{name} {value:.4f}" for name, value in floors if value is not None)
        )
    below = below_entropy(loss, result["standard_error"], result["floors"].get(ENTROPY_RATE))
    if below is not None:
        print_text(BELOW_ENTROPY.format(below))
    samples = run.folder.samples() if run.folder is not None else []
    if samples:
        print_text(f"sample           {samples[-1]['text'][:300]!r}")
    print_text(f"run              {result['run']}")


def _recipe(name: str, plugins: Plugins, *, has_corpus: bool) -> Recipe:
    """Return the recipe in a link or file, or the shipped or shared one of this name; what cannot be a path is a name.

    Args:
        name: The link, file or name.
        plugins: The plugins that provide its cards.
        has_corpus: True if another option names the corpus, so that the one of a link is not searched for.
    """
    if is_link(name):
        link = open_link(name, plugins)
        return link.recipe if has_corpus else recipe_here(link, folder=Path.cwd())
    if name in shipped_names() or (not set(name) & set("/\\.") and not exists(Path(name))):
        shared = None if name in shipped_names() else shared_recipe(name)
        return shipped(name) if shared is None else load_recipe(shared)
    return load_recipe(Path(name))


def _check_corpus(link: Link, recipe: Recipe, plugins: Plugins) -> None:
    """Report if the corpus is not the text that a link names, so that losses cannot be compared."""
    if link.corpus is not None and path_of(recipe) is not None and not is_same_corpus(link, recipe, plugins):
        what = f"this text is not the {link.corpus.name} of the link, so losses cannot be compared"
        notify("warning", Problem(what, field="corpus.path", value=path_of(recipe)))


def _preset(architecture: str, name: str, plugins: Plugins) -> Mapping[str, Any]:
    card = plugins.card("architectures", architecture, field="--architecture")
    if name not in card.presets:
        raise BadInput(
            f"{card.name} has no such preset",
            field="--preset",
            value=name,
            allowed=", ".join(card.presets) or "none",
        )
    preset: Mapping[str, Any] = card.presets[name]
    return preset


def _size(architecture: str, preset: str | None, name: str, plugins: Plugins) -> Mapping[str, Any]:
    if preset is None:
        remedy = "Add --preset: lm-lab sizes lists the presets with their sizes"
        raise BadInput("needs a preset", field="--size", value=name, remedy=remedy)
    card = plugins.card("architectures", architecture, field="--architecture")
    sizes = {size.name: size.settings for size in card.sizes.get(preset, ())}
    if name not in sizes:
        raise BadInput(f"{preset} has no such size", field="--size", value=name, allowed=", ".join(sizes) or "none")
    settings: Mapping[str, Any] = sizes[name]
    return settings


def _baseline(recipe: Recipe, name: str, plugins: Plugins) -> Recipe:
    card = plugins.card("architectures", recipe.architecture.name, field="--architecture")
    if name not in card.baselines:
        what = f"{card.name} has no such baseline" if card.baselines else f"{card.name} has no baselines"
        raise BadInput(what, field="--baseline", value=name, allowed=", ".join(map(repr, card.baselines)) or None)
    found = baselines(recipe, plugins)
    if name not in found:
        what = f"{card.name} with these settings is this baseline already"
        remedy = "Leave --baseline out, or use the settings of the model to compare it with"
        raise BadInput(what, field="--baseline", value=name, remedy=remedy)
    return found[name]


def _corpus(text: str, plugins: Plugins) -> dict[str, Any]:
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):  # bytes that are not UTF-8
        what, remedy = "cannot be stored: its name is not UTF-8", "Give that file or folder another name"
        raise BadInput(what, field="--corpus", value=ascii(text), remedy=remedy)
    if text in plugins.cards("corpora") and text not in ("file", "text"):
        return {"name": text}
    if not set(text) & set("/\\.") and not exists(Path(text)):
        if text in {download.name for download in catalogue()}:
            return {"name": "download", "download": text}
        variants = {name: (card.name, one) for card in plugins.cards("corpora").values()
                    for name, one in card.variants.items()}  # fmt: skip
        if text in variants:
            corpus, settings = variants[text]
            return {"name": corpus, **settings}
        shared = next((file for file in shared_files("corpora") if file.stem == text), None)
        if shared is not None:
            return {"name": "file", "path": str(shared)}
        plugins.card("corpora", text, field="--corpus")  # raises with the names there are
    return {"name": "file", "path": text}

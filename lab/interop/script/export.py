"""The export of a run as one script of plain PyTorch that repeats its training without the lab."""

from __future__ import annotations

import dataclasses
import inspect
import io
import platform
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from lab.api import Objective, Rows, Task, Text, Tokenizer, load
from lab.base import BadInput, LabError
from lab.base.files.writing import named_by_user, write_files
from lab.base.problems import attributed
from lab.base.run_state import RunState
from lab.diagnostics.cost import blueprint
from lab.interop.script.plan import PlanText
from lab.interop.script.row_data import arrays_of, hash_of
from lab.interop.script.text import joined_text
from lab.interop.script.token_data import TRAINING, VALIDATION
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.runs.fitting import FITTED_TO
from lab.text.corpora.mixture import MIXTURE, RowMixture
from lab.text.documents import FACT, DocumentTokenizer
from lab.text.rows.source import RowShape
from lab.text.tokenizers.pretrained import PretrainedTokenizer
from lab.text.tokenizers.subwords import SubwordTokenizer
from lab.training.evaluation import default_protocol
from lab.training.experiment import Shape
from lab.training.material import Material
from lab.training.resolution import Cards, Resolved, resolve_all, written_out

TEXT_DATA, ROW_DATA = "lab.interop.script.text_data", "lab.interop.script.row_data"
TOKEN_DATA = "lab.interop.script.token_data"
"""The modules that read the data of a run in a script."""
SERIES = ("train loss", "gradient norm", "validation loss")
COMPARED = 24
"""Number of recorded values of a series in a script, for comparison with its own."""

_SEPARATE = frozenset({"optimizer", "schedule", "edits", "device", "precision", "threads"})


def export_script(
    run: RunFolder, cards: Cards, file: Path, *, text: Text | None = None, material: Material | None = None
) -> Path:
    """Write a script that repeats the training of a run, with the same losses, using only torch and numpy.

    The script contains the currently installed source, reduced to the parts that this model and this training use. It
    does not contain the corpus: it reads a file, and refuses one with another SHA-256.

    Args:
        run: The run.
        cards: Source of the cards of its recipe.
        file: The script, "NAME.py"; an existing file is replaced.
        text: The corpus of the run, to be written next to the script as "NAME.txt".
        material: The data of a run for which `needs_arrays` holds, to be written next to the script as "NAME.npz".

    Returns:
        The script.

    Raises:
        BadInput: The model learns by counting, the run started from another's checkpoint, its source needs more than
            torch or is not available, the tokenizer of its text needs a library, it learns from generated examples, it
            needs arrays and none are given, or the text is another.
        LabError: The run is damaged, or a file cannot be written.
    """
    if text is not None:
        check_text(run, text)
    return write_script(script_of(run, cards, name=file.stem, material=material), file, text, material)


def check_text(run: RunFolder, text: Text) -> None:
    """Refuse a text that is not the run's.

    Raises:
        BadInput: It is another.
    """
    wanted = _fact(run, "corpus", "sha256")["sha256"]
    if text.sha256 != wanted:
        what = "this is not the text that the run was trained on"
        raise BadInput(what, field="text", value=text.name, allowed=f"the text with SHA-256 {wanted}")


def needs_arrays(run: RunFolder) -> bool:
    """Return True if the script of a run reads arrays and no text: for rows, documents and mixtures."""
    corpus = _fact(run, "corpus")
    return not {"kind", FACT}.isdisjoint(corpus) or run.read_recipe().corpus.name == MIXTURE


def write_script(source: str, file: Path, text: Text | None, material: Material | None = None) -> Path:
    """Write the source of a script, and its text or arrays next to it if there are some, all or none.

    Raises:
        LabError: A file cannot be written.
    """
    written: dict[Path, bytes | str] = {file: source}
    if text is not None:
        written[file.with_suffix(".txt")] = text.text.encode()
    if material is not None:
        written[file.with_suffix(".npz")] = arrays_file(material)
    with named_by_user():
        write_files(written)
    return file


def arrays_file(material: Material) -> bytes:
    """Return the content of the file of arrays that a script reads."""
    made = io.BytesIO()
    np.savez(made, **_arrays(material))  # type: ignore[arg-type]  # no column is called allow_pickle
    return made.getvalue()


def _arrays(material: Material) -> dict[str, np.ndarray]:
    """Return the arrays of a script by name: columns of rows, or tokens of documents or of the parts of a mixture."""
    if isinstance(material.given, Rows):
        return arrays_of(material.columns)
    small = np.min_scalar_type(material.tokenizer.vocabulary_size - 1)
    if not material.parts:
        return {"tokens": material.tokens.astype(small), "border": np.array([material.border])}
    return {
        f"{index}{end}": tokens.astype(small)
        for index, pair in enumerate(material.parts.values())
        for end, tokens in zip((TRAINING, VALIDATION), pair, strict=True)
    }


def script_of(run: RunFolder, cards: Cards, *, name: str, material: Material | None = None) -> str:
    """Return the source of the script.

    Args:
        run: The run.
        cards: Source of the cards of its recipe.
        name: The name of its file, without the suffix.
        material: The data of a run for which `needs_arrays` holds, with the tokenizer of the run.

    Raises:
        BadInput: No script can be made of this run; see `export_script`.
        LabError: The run is damaged.
    """
    if run.facts.get("parent"):
        raise BadInput(
            "this run started from a checkpoint of another run, and a script starts with new weights",
            field="run",
            value=run.name,
            remedy="Export the run it started from",
        )
    recipe = run.read_recipe()
    if recipe.distillation.teacher:
        raise _not_in_a_script("this run learned from a teacher, which is another run", recipe)
    corpus = _fact(run, "corpus")
    if "symbols" in corpus:
        raise _not_in_a_script("this run learns from generated examples; a script reads a text or rows", recipe)
    if material is None and needs_arrays(run):
        raise _not_in_a_script("this run learns from rows, documents or a mixture, and none are given", recipe)
    everything = resolve_all(recipe, cards)
    recipe = written_out(recipe, everything)
    placement = _fact(run, "placement", "device", "precision", "threads")
    plan = PlanText()
    training = recipe.training.model_dump(exclude=set(_SEPARATE))
    objective: Objective = everything["objective"].make()
    of_rows = "kind" in corpus
    size, data = _text_data(run, plan, everything) if material is None else _array_data(run, plan, material, everything)
    shape = RowShape.stored(corpus) if of_rows else RowShape()
    task = objective.task(Shape(size, training["context_length"], shape))  # type: ignore[arg-type]
    mixed = bool(everything["corpus"].parts)
    pieces, protocol = _evaluation(everything["architecture"], objective, task, plan, of_rows=of_rows, of_parts=mixed)
    edits = _edits(run, recipe)
    fields = {
        "data": data,
        "objective": plan.made(everything["objective"]),
        "training": plan.plain_settings(
            {one: value for one, value in training.items() if plan.joined.reads_attribute(one)}
        ),
        "architecture": plan.settings(everything["architecture"].config),
        "build": plan.factory(everything["architecture"].card.build),
        "optimizer": plan.settings(everything["training.optimizer"].config),
        "make_optimizer": plan.factory(everything["training.optimizer"].card.build),
        "roles": repr(everything["training.optimizer"].card.roles),
        "schedule": plan.settings(everything["training.schedule"].config),
        "make_schedule": plan.factory(everything["training.schedule"].card.build),
        "pieces": pieces,
        "protocol": repr(protocol),
        "precision": repr(placement["precision"]),
        "threads": repr(placement["threads"]),
        "device": repr(placement["device"]),
        "edits": plan.literal(edits),
        "recorded": plan.literal(_recorded(run, training["evaluate_every"], edits)),
    }
    if mixed:
        parts = everything["corpus"].config.used()
        fields["weights"] = plan.literal({name: part.weight for name, part in parts.items()})
    if objective.carries:
        fields["recut"] = plan.name("lab.training.steps.gradient", "recut")
    body = plan.finished(fields, lambda: joined_text(plan.joined))
    return f"{_head(run, name)}\n{body}"


def _not_in_a_script(what: str, recipe: Recipe) -> BadInput:
    return BadInput(
        what,
        field="corpus.name",
        value=recipe.corpus.name,
        remedy="Export it as a bundle (.lmlab), which the lab can train again anywhere",
    )


def _text_data(run: RunFolder, plan: PlanText, everything: Mapping[str, Resolved]) -> tuple[int, str]:
    """Return the number of symbols of a text, and the code of its data."""
    vocabulary = _fact(run, "vocabulary")
    tokenizer = _loaded(everything["tokenizer"], vocabulary)
    sha256, fitted_to = _fact(run, "corpus", "sha256")["sha256"], _fact(run, "corpus").get(FITTED_TO, "all")
    made = _tokenizer(plan, everything["tokenizer"], tokenizer, vocabulary)
    values = {"sha256": repr(sha256), "tokenizer": made, "fitted_to": repr(fitted_to)}
    return tokenizer.vocabulary_size, plan.call_with(f"{TEXT_DATA}:TextData", values)


def _array_data(
    run: RunFolder, plan: PlanText, material: Material, everything: Mapping[str, Resolved]
) -> tuple[int, str]:
    """Return the number of symbols, and the code of the data of rows, documents or a mixture."""
    size, parts = material.tokenizer.vocabulary_size, tuple(everything["corpus"].parts)
    values = {"sha256": repr(hash_of(_arrays(material))), "vocabulary_size": repr(size)}
    given = material.given
    if isinstance(given, Rows):
        shape = RowShape.stored(_fact(run, "corpus"))
        settings = {one.name: plan.literal(getattr(shape, one.name)) for one in dataclasses.fields(shape)}
        values["shape"] = plan.call_with("lab.text.rows.source:RowShape", settings)
        if not isinstance(given, RowMixture):
            return size, plan.call_with(f"{ROW_DATA}:RowData", values)
        sizes = {name: len(part) for name, part in zip(parts, given.parts, strict=True)}
        return size, plan.call_with(f"{TOKEN_DATA}:RowMixtureData", values | {"sizes": repr(sizes)})
    tokenizer = material.tokenizer
    values["end"] = repr(tokenizer.end if isinstance(tokenizer, DocumentTokenizer) else None)
    if not parts:
        return size, plan.call_with(f"{TOKEN_DATA}:DocumentData", values)
    return size, plan.call_with(f"{TOKEN_DATA}:MixtureData", values | {"parts": repr(parts)})


def _loaded(cut: Resolved, vocabulary: Mapping[str, Any]) -> Tokenizer:
    with attributed(cut.plugin, f"Loading the tokenizer {cut.card.title}"):
        tokenizer: Tokenizer = load(cut.card.load)(vocabulary)
    return tokenizer


def _tokenizer(plan: PlanText, cut: Resolved, tokenizer: Tokenizer, vocabulary: Mapping[str, Any]) -> str:
    """Return the code that makes the tokenizer: its class if it accepts the vocabulary, or the card's `load`."""
    kind = type(tokenizer)
    if kind in (SubwordTokenizer, PretrainedTokenizer):
        raise BadInput(
            "needs the library tokenizers, and a script has only torch, numpy and Python's own modules",
            field="tokenizer.name",
            value=cut.card.name,
            allowed="character, byte or word",
            remedy="Train with one of these",
        )
    if set(inspect.signature(kind).parameters) == set(vocabulary) and kind(**vocabulary).vocabulary() == vocabulary:
        return plan.call(kind, ", ".join(f"{name}={plan.literal(value)}" for name, value in vocabulary.items()))
    return plan.call(cut.card.load, plan.literal(vocabulary))


def _evaluation(
    architecture: Resolved, objective: Objective, task: Task, plan: PlanText, *, of_rows: bool, of_parts: bool
) -> tuple[str, str]:
    """Return the code that yields the losses of the validation split, and the name of the protocol."""
    with attributed(architecture.plugin, f"Building {architecture.card.title}"):
        model = blueprint(architecture.card, architecture.config, task)
    if model.learns == "counting":
        what = "this model learns by counting, and the script is for training by gradient"
        raise BadInput(what, field="architecture.name", value=architecture.card.name)
    protocol = default_protocol(model, objective, of_text=not of_rows and not of_parts)
    if of_rows:
        return plan.name(ROW_DATA, "row_pieces"), protocol
    module, given = "lab.training.evaluation", "lambda model, objective, text, device, limit:"
    if protocol == "windows":
        return plan.name(module, "_windows"), protocol
    if model.history is not None:
        return f"{given} {plan.name(module, '_overlapping')}(model, text, model.history, device, limit)", protocol
    return f"{given} {plan.name(module, '_carried')}(model, text, device, limit)", protocol


def _edits(run: RunFolder, recipe: Recipe) -> dict[int, list[tuple[str, Any]]]:
    """Return the changes during training by the number of steps before them: planned ones, then those by hand."""
    by_hand = [event for event in run.events() if event.get("event") == "set" and not event.get("scheduled")]
    edits: dict[int, list[tuple[str, Any]]] = {}
    for planned in recipe.training.edits:
        edits.setdefault(planned.step, []).append((planned.path, planned.value))
    for event in by_hand:
        edits.setdefault(int(event["step"]), []).append((event["path"], event["value"]))
    return dict(sorted(edits.items()))


def _recorded(run: RunFolder, every: int, edits: Mapping[int, list[tuple[str, Any]]]) -> dict[str, dict[int, float]]:
    """Return some recorded values of the series that a script recomputes."""
    reader = run.metrics()
    known, finished = reader.series(), run.status().state == RunState.FINISHED
    prolonged = [step for step, changes in edits.items() if any(path == "training.steps" for path, _ in changes)]
    found = {}
    for series in SERIES:
        if series not in known:
            continue
        steps, values = reader.read(series)
        if series == "validation loss":  # evaluations at an end, also a temporary one, read other lengths
            last = steps == (steps[-1] if finished and len(steps) else -1)
            picked = last | ((steps % every == 0) & ~np.isin(steps, prolonged) if every else False)
            steps, values = steps[picked], values[picked]
        if len(steps):
            indices = np.unique(np.geomspace(1, len(steps), COMPARED).round().astype(int)) - 1
            found[series] = dict(zip(steps[indices].tolist(), values[indices].tolist(), strict=True))
    return found


def _fact(run: RunFolder, name: str, *parts: str) -> Mapping[str, Any]:
    """Return a table of run.json that has these parts."""
    table = run.facts.get(name)
    if not isinstance(table, dict) or not set(parts) <= table.keys():
        raise LabError(
            f"this run lacks its {name}", field="run.json", value=run.name, remedy="Use another copy of the run"
        )
    return table


def _head(run: RunFolder, name: str) -> str:
    corpus, placement, then = _fact(run, "corpus"), _fact(run, "placement"), _fact(run, "versions")
    arrays = needs_arrays(run)
    data = f"{name}.npz" if arrays else f"{name}.txt"
    text = [
        f"Text         {corpus.get('name')}, {corpus.get('characters')} characters, as UTF-8 with SHA-256",
        f"             {corpus.get('sha256')}; another one is refused",
    ]
    count = f"{corpus.get('rows')} {corpus['kind']}" if "kind" in corpus else f"{corpus.get('characters')} characters"
    numbers = [f"Data         {corpus.get('name')}, {count} as numbers; others are refused"]
    now = {"python": platform.python_version(), **{one: metadata.version(one) for one in ("torch", "numpy")}}
    lines = [
        "One training of LM Lab, repeated without the lab, in plain PyTorch.",
        "",
        f"    python {name}.py {data}        # --help lists its options",
        "",
        f"Run          {run.name}, made {run.created}",
        *(numbers if arrays else text),
        "Needs        Python 3.11 or later, torch and numpy (in which the order of the data is drawn)",
        f"Trained with {', '.join(f'{one} {version}' for one, version in then.items() if version)}",
        f"             on {run.facts.get('platform')} {run.facts.get('machine')}, {placement['device']}, "
        f"{placement['precision']}, {placement['threads']} threads",
        f"Written with {', '.join(f'{one} {version}' for one, version in now.items())}",
        "",
        "With the same versions on the same kind of processor losses are the same to the last bit; elsewhere close.",
        "Model, objective, optimizer and data are the source of the lab and its plugins, cut down to what they use;",
        "the readings that a model reports are ignored here. The lab's source is under the MIT License.",
    ]
    plain = ("".join(letter if letter.isprintable() else " " for letter in line).rstrip() for line in lines)
    return "\n".join(f"# {line}".rstrip() for line in plain) + "\n"

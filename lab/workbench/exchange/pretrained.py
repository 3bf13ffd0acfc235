"""Pretrained models: inspection, import as a run at step 0 with a recipe for fine-tuning, and export."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.api import Tokenizer
from lab.base import BadInput, LabError
from lab.base.files.temporary import temporary_path
from lab.base.files.writing import folder_for, place, sync_tree
from lab.base.folders import runs_folder
from lab.base.jobs import Cancelled
from lab.base.run_state import RunState
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.runs.folder import check_new
from lab.runs.library.labels import change_label
from lab.runs.library.names import new_run_name
from lab.workbench.access.saved import SavedRun
from lab.workbench.launch.origins import NewRun
from lab.workbench.launch.summary import summary_of
from lab.workbench.runners.thread_run import run_facts

if TYPE_CHECKING:
    from lab.interop.pretrained.reading import Pretrained
    from lab.interop.pretrained.writing import Written
    from lab.training.experiment import Experiment

FACT = "pretrained"
"""The fact of a run that names the source of its weights."""
MASKS = ("<mask>", "[MASK]")
"""What stands for a hidden token in the tokenizers of published models."""
TRAINING = {
    "batch_size": 8,
    "accumulation": 8,
    "steps": 1000,
    "evaluate_every": 100,
    "optimizer": {"name": "adamw", "learning_rate": 3e-5, "weight_decay": 0.01},
    "schedule": {"name": "cosine", "warmup": 50},
}
"""The defaults of fine-tuning: a small learning rate, so that the model does not forget."""

Progress = Callable[[float, str], None]
"""Called with the share that is done and what is being done."""


@dataclass(frozen=True)
class Found:
    """A pretrained model that can be imported.

    Args:
        model: The content of its folder.
        name: Its name, as shown to the user.
        tokenizer: Its tokenizer.
    """

    model: Pretrained
    name: str
    tokenizer: Tokenizer

    @property
    def mask(self) -> int | None:
        """The symbol of the tokenizer that stands for a hidden token; None if it has none."""
        read = (self.tokenizer.encode(mark).tolist() for mark in MASKS)
        return next((tokens[0] for tokens in read if len(tokens) == 1), None)

    def facts(self) -> dict[str, Any]:
        """Return its figures, JSON-safe."""
        config = self.model.architecture.config
        return {
            "name": self.name,
            "model_type": self.model.model_type,
            "title": self.model.card.title,
            "architecture": self.model.card.architecture,
            "layers": config.layers,
            "width": config.width,
            "parameters": self.model.parameters,
            "context_length": self.model.task.context_length,
            "symbols": self.tokenizer.vocabulary_size,
            "bytes": self.model.weights.bytes,
        }


def find_pretrained(folder: Path, plugins: Plugins) -> Found:
    """Return the model in a folder; its weights are not read.

    Raises:
        BadInput: The folder has no model that can be imported; the problem gives the reason.
        LabError: A plugin's code raised.
    """
    from lab.interop.pretrained.reading import check_memory, inspect_pretrained
    from lab.text.tokenizers.pretrained import FILE, tokenizer_of

    model = inspect_pretrained(folder, plugins)
    if model.task.input_shape is not None:
        raise BadInput(
            "this checkpoint reads images, and a run is imported only of models that continue texts or fill them in",
            field="folder",
            value=str(folder),
            remedy="A script can load it, and call it with images: lab.interop.load_pretrained",
        )
    if not (folder / FILE).is_file():
        raise BadInput(
            f"has no {FILE}, so the model cannot read text",
            field="folder",
            value=str(folder),
            remedy=f"Download {FILE} too, or write it with AutoTokenizer.from_pretrained(…).save_pretrained(…) of "
            "transformers. A script can load the model without it: lab.interop.load_pretrained",
        )
    tokenizer = tokenizer_of(folder / FILE, model.task.vocabulary_size, end_of_text=model.end_of_text)
    check_memory(model)
    found = Found(model, name_of(folder), tokenizer)
    if not model.task.causal:
        _check_masked(found)
    return found


def _check_masked(found: Found) -> None:
    """Refuse a model that reads both ways and learned something else than hidden tokens, or has no symbol for them.

    Raises:
        BadInput: It is one.
    """
    task = found.model.task
    if task.classes is not None or task.replaced or task.next_sentence:
        named = "classes" if task.classes is not None else "replaced tokens" if task.replaced else "the next sentence"
        raise BadInput(
            f"this checkpoint learned {named}, and a run is imported only of next or hidden tokens",
            field="folder",
            value=str(found.model.folder),
            remedy="Choose the same model for masked language modelling; lab.interop.load_pretrained reads this one",
        )
    if found.mask is None:
        raise BadInput(
            "its tokenizer has no symbol for a hidden token",
            field="folder",
            value=str(found.model.folder),
            allowed=f"a tokenizer with one of {', '.join(MASKS)}",
        )


def name_of(folder: Path) -> str:
    """Return the name of the model in a folder: that of the folder, or in the cache of Hugging Face the model's."""
    path = folder.expanduser().absolute()
    if path.parent.name == "snapshots":
        return path.parent.parent.name.removeprefix("models--").replace("--", " ") or path.name
    return path.name or "model"


def import_pretrained(
    folder: Path,
    plugins: Plugins,
    out: Path | None = None,
    *,
    progress: Progress = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> RunFolder:
    """Import a pretrained model as a run that is finished at step 0. No code of the folder is run.

    Its recipe names the corpus python-manual, so that there is a text to inspect and train on, and settings for
    fine-tuning; both can be changed in a branch.

    Args:
        folder: The folder, with config.json, safetensors and tokenizer.json.
        plugins: The plugins that provide formats, architectures and probes.
        out: A new or empty folder for the run; None makes one among the lab's runs.
        progress: Called with the share that is done and what is being done.
        cancelled: Called now and then; True ends the import.

    Returns:
        The run.

    Raises:
        BadInput: The folder has no model that can be imported; no run is left behind.
        LabError: The run cannot be written, or a plugin's code raised; no run is left behind.
        Cancelled: The import was cancelled; no run is left behind.
    """
    from lab.training.experiment import prepare

    if out is not None:
        check_new(out)
    progress(0.0, "Reading the files")
    found = find_pretrained(folder, plugins)
    if found.model.task.source_vocabulary_size is not None:
        raise BadInput(
            "reads a source, and a run of the lab begins and ends targets with symbols of its own, which it lacks",
            field="folder",
            value=str(folder),
            allowed="models that continue a text",
            remedy="A script can load it and call it with (source, tokens): lab.interop.load_pretrained",
        )
    progress(0.0, "Reading a text to train on")
    experiment = prepare(
        recipe_of(found),
        plugins,
        vocabulary=found.tokenizer.vocabulary(),
        progress=progress,
        cancelled=cancelled,
    )
    path = runs_folder() / new_run_name(experiment.recipe.architecture.name) if out is None else out
    with contextlib.ExitStack() as entered:
        try:
            entered.enter_context(folder_for(path.absolute().parent))
        except BadInput as error:
            raise BadInput(replace(error.problem, field="out", value=str(path))) from None
        temporary = entered.enter_context(temporary_path(path, recorded=True))
        origin = NewRun(experiment.recipe, temporary)
        try:
            run = _imported(found, experiment, origin, plugins, progress, cancelled)
        finally:
            origin.release()
        change_label(run.path, name=found.name[:200])
        sync_tree(temporary)
        with contextlib.suppress(OSError):
            path.rmdir()  # the empty folder that may be there
        return RunFolder.open(place(temporary, path))


def recipe_of(found: Found) -> Recipe:
    """Return the recipe of a pretrained model's run."""
    model = found.model
    return Recipe().with_values(
        {
            "title": found.name[:200],
            "tokenizer": {"name": "pretrained", "path": "tokenizer.json"},
            "architecture": {"name": model.card.architecture, **model.architecture.config.stored()},
            "objective": {"name": "causal" if model.task.causal else "masked"},
            "training": {**TRAINING, "context_length": model.task.context_length},
        }
    )


def export_pretrained(
    saved: SavedRun,
    plugins: Plugins,
    folder: Path,
    *,
    model_type: str | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Written:
    """Write the model of a run's last checkpoint to a folder that transformers can load.

    Args:
        saved: The run.
        plugins: The plugins that provide formats.
        folder: A new or empty folder.
        model_type: The kind of model to write; None uses the kind it was imported as, else the first that fits.
        cancelled: Called now and then; True ends the export.

    Raises:
        BadInput: The run has no checkpoint, no format fits its model, or the folder is not empty.
        LabError: The run is damaged, or the folder cannot be written.
        Cancelled: The export was cancelled; nothing of it is left.
    """
    from lab.interop.pretrained.writing import write_pretrained
    from lab.training.adapters.attaching import merge

    stored = saved.folder.facts.get(FACT)
    before: Mapping[str, Any] = stored if isinstance(stored, dict) else {}
    config, kind = before.get("config"), before.get("model_type")
    model = saved.model()
    merge(model)  # refuses an adapter that no weights can express
    return write_pretrained(
        model,
        saved.tokenizer,
        folder,
        plugins,
        architecture=saved.recipe.architecture.name,
        model_type=model_type or (kind if isinstance(kind, str) else None),
        before=config if isinstance(config, dict) else None,
        cancelled=cancelled,
    )


def _imported(
    found: Found,
    experiment: Experiment,
    origin: NewRun,
    plugins: Plugins,
    progress: Progress,
    cancelled: Callable[[], bool],
) -> RunFolder:
    """Make the run, with the weights as its checkpoint of step 0, and readings of them."""
    from lab.interop.pretrained.writing import RETAINED
    from lab.training.recording.recorder import Recorder
    from lab.training.recording.telemetry import Ring
    from lab.training.trainer import Trainer
    from lab.workbench.launch.preflight import cost_of

    model = found.model
    progress(0.0, "Checking the weights")
    where = {
        "name": found.name,
        "model_type": model.model_type,
        "folder": model.folder.absolute().name,
        "sha256": model.weights.sha256(cancelled),
        "config": {key: model.config[key] for key in RETAINED if isinstance(model.config.get(key), int)},
    }
    cost, _ = cost_of(experiment.architecture, experiment.task, experiment.recipe.training, experiment.placement)
    run = origin.open(experiment, {**run_facts(experiment, cost, plugins, None), FACT: where})
    ring = Ring()
    recorder = Recorder(run, ring, experiment.recipe.training)
    try:
        probes = [(one.plugin, one.make()) for one in experiment.probes]
        trainer = Trainer(experiment, ring=ring, log=recorder, probes=probes, run=run.path)
        symbols = () if model.task.causal or found.mask is None else (found.mask,)
        model.read_into(
            trainer.model,
            symbols=symbols,
            progress=lambda share: progress(share, "Reading the weights"),
            cancelled=cancelled,
        )
        progress(1.0, "Writing the run")
        recorder.start()
        trainer.periodic.probe(0)
        trainer.save_checkpoint("start")
    finally:
        recorder.close()
    if cancelled():
        raise Cancelled
    problem = recorder.problem or recorder.checkpoint_problem
    if problem is not None:
        raise LabError(problem)
    run.update(state=RunState.FINISHED, step=0, summary=summary_of(trainer))
    return run

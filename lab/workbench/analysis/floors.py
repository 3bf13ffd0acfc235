"""Floors of a run, found in the background: the losses of n-grams and compressors on its validation text."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import math
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.base import BadInput, LabError
from lab.base.files.writing import make_folder, write_json
from lab.base.folders import cache_folder
from lab.base.jobs import Cancelled, Job
from lab.base.notices import notify
from lab.host import Plugins
from lab.recipes import Choice
from lab.runs import RunFolder
from lab.runs.fitting import FITTED_TO
from lab.runs.floor_list import FILE, has_all, known_losses, read_floors, write_floors
from lab.runs.records import read_record
from lab.workbench.launch.known_corpora import fitted_in, localised, sha256_of
from lab.workbench.launch.preflight import model_of

if TYPE_CHECKING:
    from lab.training.experiment import Experiment

VERSION = 2
"""Increased when the same recipe would give other floors."""

OBJECTIVES = "lab.training.builtins"
"""The plugin whose objectives score the same tokens as an n-gram."""

MIDDLE, LONGEST = 5, 10
"""The order at which the search for the best order starts, unless the bigram is better, and the largest order."""

COUNTED = 4_000_000
"""Most tokens of the training part that are counted: the last ones, next to the validation part."""

COMPRESSED = 16 << 20
"""Most bytes of text that are compressed."""


class FloorFinder:
    """Finds the floors of runs, one run after the other, in jobs of low priority.

    Args:
        plugins: The plugins, of which one provides the n-grams.
    """

    def __init__(self, plugins: Plugins) -> None:
        self._plugins = plugins
        self._turn = threading.Lock()
        self._jobs: list[Job] = []
        self._started: set[Path] = set()

    def find(self, experiment: Experiment, protocol: str, folder: RunFolder) -> None:
        """Find the floors of a run in the background, and write each into its folder as soon as it is known.

        Args:
            experiment: The prepared experiment of the run.
            protocol: The evaluation protocol of its loss curve.
            folder: Its folder.
        """
        self._start(folder, lambda _: (experiment, protocol))

    def find_missing(self, folder: RunFolder) -> None:
        """Find the missing floors of a run on disk in the background, once for each run.

        They stay missing if the run's corpus is not found, or cannot be read any more.
        """
        if folder.path not in self._started and not has_all(folder.path):
            self._start(folder, functools.partial(_prepared_again, folder, self._plugins))

    def _start(self, folder: RunFolder, prepared: Callable[[Callable[[], bool]], tuple[Experiment, str]]) -> None:
        self._started.add(folder.path)

        def work(job: Job) -> None:
            with contextlib.suppress(OSError, AttributeError):  # only Linux has priorities of threads
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
            with self._turn:
                try:
                    self._find(folder, *prepared(lambda: job.cancelled), job)
                except (BadInput, Cancelled):
                    return
                except LabError as error:
                    notify("info", error.problem)

        self._jobs = [job for job in self._jobs if not job.join(0)]
        self._jobs.append(Job(f"Floors of {folder.name}", work).start())

    def _find(self, folder: RunFolder, experiment: Experiment, protocol: str, job: Job) -> None:
        floors: dict[str, float] = {}
        # floors are bounds only for next-token objectives of the lab: a model that reads both ways may be better
        next_token = experiment.objective.needs == "causal" and experiment.objective_plugin == OBJECTIVES
        if experiment.floors and next_token:
            for floors in floors_of(experiment, protocol, self._plugins, lambda: job.cancelled):
                write_floors(folder.path, floors, protocol)
        if not job.cancelled:
            write_floors(folder.path, floors, protocol, complete=True)

    def join(self, seconds: float | None = None) -> bool:
        """Wait until all floors are found. Return False if the time is over first."""
        return all(job.join(seconds) for job in self._jobs)

    def close(self) -> None:
        """Cancel the search, and wait until it has ended."""
        for job in self._jobs:
            job.cancel()
        self.join()


def floors_of(
    experiment: Experiment, protocol: str, plugins: Plugins, cancelled: Callable[[], bool]
) -> Iterator[dict[str, float]]:
    """Yield the floors found so far in addition to `experiment.floors`, more each time, in nats per scored token.

    "bigram" and "kneser-ney N" are the losses of interpolated modified Kneser-Ney models under the protocol, of order 2
    and of the best order N; "zlib", "bz2" and "lzma" are the cost of compressing the validation part after the training
    part.

    Raises:
        LabError: A plugin's code raised, or the cache cannot be written.
    """
    file = cache_folder() / "floors" / f"{_key(experiment, protocol)}.json"
    with contextlib.suppress(LabError):
        known = read_record(file)
        if known.get("complete") is True:
            yield {name: float(value) for name, value in known["floors"].items()}
            return
    found: dict[str, float] = {}
    for some in (_ngrams(experiment, protocol, plugins, cancelled), _compressors(experiment, cancelled)):
        for name, value in some:
            if cancelled():  # perhaps during the evaluation, which then has no loss
                return
            if name.startswith("kneser-ney"):  # it replaces that of a worse order
                found = {one: nats for one, nats in found.items() if not one.startswith("kneser-ney")}
            found[name] = value
            yield dict(found)
        if cancelled():
            return
    make_folder(file.parent)
    write_json(file, {"complete": True, "floors": found})


def _prepared_again(folder: RunFolder, plugins: Plugins, cancelled: Callable[[], bool]) -> tuple[Experiment, str]:
    """Return the experiment of a run on disk, placed on the CPU, and the evaluation protocol of its loss curve."""
    from lab.training.evaluation import default_protocol
    from lab.training.experiment import prepare

    recipe = localised(folder.read_recipe(), folder).with_values({"training": {"device": "cpu"}})
    vocabulary = folder.facts.get("vocabulary")
    known = vocabulary if isinstance(vocabulary, dict) else None
    sha256, fitted = sha256_of(folder), fitted_in(folder)
    experiment = prepare(recipe, plugins, vocabulary=known, sha256=sha256, fitted=fitted, cancelled=cancelled)
    model = model_of(experiment.architecture, experiment.task)
    if model is None:
        return experiment, "windows"
    return experiment, default_protocol(model, experiment.objective, of_text=experiment.is_of_text)


class KnownFloors:
    """The known floors of a run, read again when more are found.

    Attributes:
        is_complete: True if no floors are missing, or none were searched for.
    """

    def __init__(self) -> None:
        self.is_complete = True
        self._floors: dict[str, float] | None = None
        self._stamp = 0  # modification time of the file of floors when it was last read

    def of(self, folder: RunFolder | None) -> dict[str, float]:
        """Return the floors by name, in nats per scored token; {} for a run without a folder."""
        if self._floors is None:
            self.take(folder)
        return self._floors or {}

    def take(self, folder: RunFolder | None) -> bool:
        """Read the floors if they changed, and report a damaged file. Return True if they changed."""
        if folder is None:
            return False
        try:
            stamp = (folder.path / FILE).stat().st_mtime_ns
        except OSError:
            stamp = 0
        if self._floors is not None and stamp == self._stamp:
            return False
        self._stamp, recorded = stamp, folder.facts.get("floors")
        self.is_complete = not stamp or has_all(folder.path)
        try:
            self._floors = read_floors(folder.path, recorded)
        except LabError as error:
            notify("warning", error.problem)
            self._floors = known_losses(recorded)
        return True


def _key(experiment: Experiment, protocol: str) -> str:
    recipe = experiment.recipe
    decides = [
        VERSION,
        experiment.corpus["sha256"],
        experiment.corpus["vocabulary"],
        recipe.training.validation_share,
        recipe.training.context_length,
        0 if experiment.is_of_text else recipe.training.seed,  # it selects the validation examples
        recipe.objective.model_dump(mode="json"),
        protocol,
    ]
    if experiment.corpus.get(FITTED_TO) == "training":
        decides.append("training")  # then the text decides where validation starts, not the number of tokens
    return hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()[:32]


def _ngrams(
    experiment: Experiment, protocol: str, plugins: Plugins, cancelled: Callable[[], bool]
) -> Iterator[tuple[str, float]]:
    """Yield the loss of the bigram, then that of each order that is better than all before it."""
    losses: dict[int, float] = {}

    def loss(order: int) -> float:
        if order not in losses:
            losses[order] = _ngram_loss(experiment, order, protocol, plugins, cancelled)
        return losses[order]

    yield "bigram", loss(2)
    best = min((2, MIDDLE), key=loss)  # the loss has one minimum over the orders; with few repeats the bigram is best
    yield f"kneser-ney {best}", loss(best)
    for direction in (1, -1):
        while 1 <= best + direction <= LONGEST and not cancelled() and loss(best + direction) < loss(best):
            best += direction
            yield f"kneser-ney {best}", loss(best)


def _ngram_loss(
    experiment: Experiment, order: int, protocol: str, plugins: Plugins, cancelled: Callable[[], bool]
) -> float:
    import torch

    from lab.training.evaluation import evaluate
    from lab.training.experiment import build_model
    from lab.training.resolution import resolve
    from lab.training.steps.counting import slices

    if cancelled():
        return math.inf
    choice = Choice.model_validate({**_ngram_of(plugins), "order": order})
    model = build_model(resolve(plugins, "architectures", choice, "architecture"), experiment.task)
    source: Any = experiment.train
    text = source.tokens[-COUNTED:]
    for part in slices(len(text)):
        if cancelled():
            return math.inf
        model.count(text[part].astype("int64"))
    evaluation = evaluate(
        model,
        experiment.objective,
        experiment.validation,
        protocol=protocol,
        device=torch.device("cpu"),
        cancelled=cancelled,
    )
    return evaluation.loss


def _ngram_of(plugins: Plugins) -> dict[str, Any]:
    """Return the name and the settings of the architecture whose losses are floors.

    Raises:
        BadInput: No plugin provides it.
    """
    for name, card in plugins.cards("architectures").items():
        if card.floor is not None:
            return {**card.floor, "name": name}
    raise BadInput("no plugin that is enabled has the n-grams of the floors", field="architecture")


def _compressors(experiment: Experiment, cancelled: Callable[[], bool]) -> Iterator[tuple[str, float]]:
    from lab.text.statistics.compressors import COMPRESSORS, compressed_bits

    train: Any = experiment.train
    validation: Any = experiment.validation
    if not experiment.is_of_text or experiment.tokenizer is None or len(train.tokens) > COMPRESSED:
        return
    learned, wanted = (experiment.tokenizer.decode(part.tokens).encode() for part in (train, validation))
    if len(learned) + len(wanted) > COMPRESSED:
        return
    for name in COMPRESSORS:
        if cancelled():
            return
        bits_per_byte = compressed_bits(learned, wanted, name)
        yield name, bits_per_byte * len(wanted) * math.log(2) / max(1, len(validation.tokens) - 1)

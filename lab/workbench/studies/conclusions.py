"""What a study lets one conclude: arms with intervals, and paired tests on the same validation windows."""

from __future__ import annotations

import contextlib
import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.base import BadInput, LabError
from lab.base.files.reading import read_json
from lab.base.files.writing import write_json
from lab.base.units import finite
from lab.host import Plugins
from lab.runs.library.measure import RunMeasure
from lab.studies.statistics import Arm, Decomposition, PairedTest, compare_arms
from lab.workbench.access.saved import SavedRun
from lab.workbench.launch.known_tokenizers import vocabulary_digest
from lab.workbench.measures import measure_run
from lab.workbench.studies.decomposition import FEWEST, decomposition_of
from lab.workbench.studies.results import ArmResult, StudyResults

MOST_COMPARED = 12
"""Most arms that are compared with the best one."""
WINDOWS, MEASURES = "windows.json", "measures.json"
LIMIT = 1 << 18
"""Most targets that are read for the windows of one run."""


@dataclass(frozen=True)
class Conclusions:
    """What a study lets one conclude.

    Args:
        arms: Its arms, the lowest mean loss first.
        tests: The best arm against each other one.
        notes: What forbids a comparison, one sentence each.
        measured: By arm and title, what the study measures besides: a value for each run of the arm.
        decompositions: Bias, variance and noise of each arm, if each seed drew its own data.
    """

    arms: list[ArmResult]
    tests: list[PairedTest]
    notes: list[str]
    measured: Mapping[str, Mapping[str, list[float]]] = field(default_factory=dict)
    decompositions: list[Decomposition] = field(default_factory=list)


@dataclass(frozen=True)
class Windows:
    """The validation windows of a run.

    Args:
        losses: (W,) their mean losses.
        digest: A digest of the vocabulary and of what is scored in them.
    """

    losses: NDArray[np.float64]
    digest: str


def windows_of(run: Path, plugins: Plugins) -> Windows:
    """Return the losses of a finished run on its validation windows; the run's folder stores them.

    Raises:
        BadInput: Its corpus is not here any more.
        LabError: The run is damaged, or has no checkpoint.
    """
    from lab.training.evaluation import window_losses

    saved = SavedRun.find(run, plugins)
    step, file = max(saved.folder.checkpoint_steps(), default=0), run / WINDOWS
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        stored = read_json(file)
        if stored["step"] == step:
            return Windows(np.array(stored["losses"], float), str(stored["digest"]))
    data = saved.evaluation_data()
    with saved.borrow_for_evaluation("cpu") as borrowed:
        found: NDArray[np.float64]
        found, targets = window_losses(borrowed.model, data.objective, data.source, device=borrowed.device, limit=LIMIT)
    digest = hashlib.sha256(f"{vocabulary_digest(saved.folder)} {targets}".encode()).hexdigest()
    found = found[~np.isnan(found)]  # windows without a target
    if not np.isfinite(found).all():
        raise BadInput(
            "gives some target of the validation text probability 0, so that its mean loss is infinite",
            field="runs",
            value=run.name,
            remedy="Leave this run out",
        )
    with contextlib.suppress(LabError):  # a read-only run is measured again next time
        rounded = [float(f"{loss:.7g}") for loss in found]
        write_json(file, {"step": step, "digest": digest, "losses": rounded})
    return Windows(found, digest)


def arm_of(name: str, runs: Mapping[int, Windows]) -> Arm:
    """Return an arm for a paired test.

    Args:
        name: Its name.
        runs: The windows of its runs by seed.
    """
    losses = {seed: windows.losses for seed, windows in runs.items()}
    return Arm(name, losses, frozenset(windows.digest for windows in runs.values()))


def conclude(
    results: StudyResults, plugins: Plugins, progress: Callable[[float], object] = lambda _share: None
) -> Conclusions:
    """Compare the best arm of a study with the others on the same windows.

    Args:
        results: The results.
        plugins: The plugins.
        progress: Called with the share that is done.
    """
    arms = results.arms
    if results.study.fair is not None:
        arms = _of_best_rates(arms)
    unmeasured: list[str] = []
    measured_arms = _measured(arms, results.study.measures, plugins, unmeasured, progress)
    if results.study.figure != "validation_loss":
        note = "arms of different tokens have no windows in common: their intervals over seeds are all there is"
        return Conclusions(arms, [], [note, *unmeasured], measured_arms)
    if results.study.data_per_seed:
        return _of_data_sets(arms, plugins, progress, [*unmeasured], measured_arms)
    some = arms[: MOST_COMPARED + 1]
    notes = [f"only the {MOST_COMPARED + 1} best of {len(arms)} arms are compared"] if len(arms) > len(some) else []
    measured: list[Arm] = []
    for at, arm in enumerate(some):
        try:
            runs = {each.trial.seed: windows_of(each.run.path, plugins) for each in arm.trials if each.run is not None}
            measured.append(arm_of(arm.name, runs))
        except LabError as error:
            notes.append(f"{arm.name} cannot be measured on the windows: {error.problem.line()}")
        progress((at + 1) / len(some))
    return Conclusions(arms, *_tests(measured, notes + unmeasured), measured_arms)


def _measured(
    arms: Sequence[ArmResult],
    measures: Sequence[RunMeasure],
    plugins: Plugins,
    notes: list[str],
    progress: Callable[[float], object],
) -> dict[str, dict[str, list[float]]]:
    """Measure the runs of arms; what cannot be measured is added to the notes, and its arm has no value of it."""
    found: dict[str, dict[str, list[float]]] = {}
    for at, arm in enumerate(arms if measures else ()):
        for measure in measures:
            try:
                values = [value_of(measure, each.run.path, plugins) for each in arm.trials if each.run is not None]
            except LabError as error:
                notes.append(f"{measure.title} of {arm.name} is unknown: {error.problem.line()}")
                continue
            found.setdefault(arm.name, {})[measure.title] = values
        progress((at + 1) / len(arms))
    return found


def value_of(measure: RunMeasure, run: Path, plugins: Plugins) -> float:
    """Return a quantity of a finished run; the run's folder stores it.

    Raises:
        BadInput: The run has no such figure.
        LabError: The run is damaged, or a plugin's code raised.
    """
    saved = SavedRun.find(run, plugins)
    step, file = max(saved.folder.checkpoint_steps(), default=0), run / MEASURES
    plain = measure.model_copy(update={"title": "-", "unit": ""})
    key, known = hashlib.sha256(plain.model_dump_json().encode()).hexdigest()[:20], dict[str, Any]()
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        stored = read_json(file)
        if stored["step"] == step:
            known = dict(stored["values"])
            return math.inf if known[key] is None else float(known[key])
    found = measure_run(measure, saved, field=f"measures {measure.title}")
    if math.isnan(found):
        return found
    with contextlib.suppress(LabError):  # a read-only run is measured again next time
        write_json(file, {"step": step, "values": {**known, key: finite(found)}})
    return found


def _of_data_sets(
    arms: list[ArmResult],
    plugins: Plugins,
    progress: Callable[[float], object],
    unmeasured: Sequence[str],
    measured: Mapping[str, Mapping[str, list[float]]],
) -> Conclusions:
    """Return the arms of a study whose seeds drew data sets, with bias and variance where these are many."""
    own = "each seed drew rows of its own, so that runs have no windows in common: intervals are over data sets"
    notes = [*unmeasured, own]
    found = []
    for at, arm in enumerate(arms):
        if arm.spread.count >= FEWEST:
            try:
                found.append(decomposition_of(arm, plugins))
            except LabError as error:
                notes.append(f"{arm.name} has no bias and variance: {error.problem.line()}")
        progress((at + 1) / len(arms))
    return Conclusions(arms, [], notes, measured, found)


def _tests(measured: Sequence[Arm], notes: list[str]) -> tuple[list[PairedTest], list[str]]:
    tests = []
    for other in measured[1:]:
        try:
            tests.append(compare_arms(measured[0], other))
        except BadInput:
            notes.append(
                f"{measured[0].name} and {other.name} were evaluated on different windows, and are not compared"
            )
    return tests, notes


def _of_best_rates(arms: Sequence[ArmResult]) -> list[ArmResult]:
    """Return for each architecture of a fair fight the arm with the most seeds, which is that of its best rate."""
    best: dict[str, ArmResult] = {}
    for arm in arms:  # the lowest loss first
        name = arm.trials[0].trial.recipe.architecture.name
        if name not in best or arm.spread.count > best[name].spread.count:
            best[name] = arm
    return sorted(best.values(), key=lambda arm: arm.spread.mean)

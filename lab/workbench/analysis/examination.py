"""The examination of a run by the rules of the doctor: while it trains, at its end, or from its folder."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lab.api import ENTROPY_RATE, Finding, Rule, RuleFunction, RunRecord
from lab.base import LabError
from lab.host import BUILT_INS, Plugins
from lab.recipes import Choice
from lab.runs import RunFolder
from lab.runs.finding_list import RuleFinding, read_findings, write_findings
from lab.runs.floor_list import read_floors

if TYPE_CHECKING:
    from lab.training.experiment import Experiment
    from lab.training.trainer import Trainer

MOST_TOKENS = 2_000_000
"""Tokens of the training text in which those of the validation text are searched."""
LENGTH = 24
"""Tokens in a row that are the same in both texts by chance only in the simplest ones."""
PIECES = 2000
"""Most pieces of the validation text that are searched."""
PAIRS, ROWS = 48, 64
"""Pairs of successive batches whose symbols are compared, and most rows of each that are read."""
NOTICEABLE = 0.01
"""The distance between distant batches below which they are all alike, in any order."""
LIMIT = 10.0
"""Seconds that a rule of a third party may take for one examination."""


class Examiner:
    """The rules of the registered plugins, each made once; one that raises is reported and left out.

    Args:
        plugins: The plugins.
    """

    def __init__(self, plugins: Plugins) -> None:
        self._plugins = plugins
        self._rules: dict[str, tuple[str, RuleFunction]] = {}
        from lab.training.resolution import resolve

        for name, card in plugins.cards("rules").items():
            assert isinstance(card, Rule)
            owner = plugins.owner("rules", name)
            try:
                self._rules[name] = owner, resolve(plugins, "rules", Choice(name=name), f"rules.{name}").make()
            except LabError as error:
                plugins.report_failure(owner, error)

    def examine(self, record: RunRecord) -> list[RuleFinding]:
        """Return what the rules find, in the order of the steps."""
        found: list[RuleFinding] = []
        for name, (owner, rule) in tuple(self._rules.items()):
            try:
                given: Any = rule(record) if owner in BUILT_INS else within(LIMIT, rule, record)
                if not isinstance(given, list) or not all(isinstance(one, Finding) for one in given):
                    raise TypeError("a rule must return a list of lab.api.Finding")  # noqa: TRY301
            except BaseException as error:  # noqa: BLE001 - a plugin's code
                del self._rules[name]
                self._plugins.report_failure(owner, error)
                continue
            found += [RuleFinding(name, one) for one in given]
        return sorted(found, key=lambda one: (one.finding.step, one.rule))


def within(seconds: float, rule: RuleFunction, record: RunRecord) -> Any:
    """Return what a rule returns, in a thread of its own.

    Args:
        seconds: How long it may take; the thread of one that takes longer is left to itself.
        rule: The rule.
        record: What it reads.

    Raises:
        LabError: It took longer.
        BaseException: What the rule raised.
    """
    outcome: list[tuple[Any, BaseException | None]] = []

    def call() -> None:
        try:
            outcome.append((rule(record), None))
        except BaseException as error:  # noqa: BLE001 - a plugin's code, raised again below
            outcome.append((None, error))

    thread = threading.Thread(target=call, name="lab: rule", daemon=True)
    thread.start()
    thread.join(seconds)
    if not outcome:
        raise LabError(f"the rule took longer than {seconds:g} seconds", remedy="Shorten it, or disable the plugin")
    given, error = outcome[0]
    if error is not None:
        raise error
    return given


Series = Mapping[str, tuple[NDArray[np.int64], NDArray[np.float64]]]


def record_of(folder: RunFolder, series: Series, facts: Mapping[str, Any], problem: str = "") -> RunRecord:
    """Return the record of a run for the rules.

    Args:
        folder: The run.
        series: Steps and values of its series.
        facts: The facts of `facts_of`.
        problem: Why it failed; "" if it did not.
    """
    floors: Mapping[str, Any] = {}
    with contextlib.suppress(LabError):
        floors = read_floors(folder.path, folder.facts.get("floors"))
    events: Sequence[Mapping[str, Any]] = ()
    with contextlib.suppress(LabError):
        events = folder.events()
    recipe: Mapping[str, Any] = {}
    with contextlib.suppress(LabError):
        recipe = folder.read_recipe().model_dump(mode="json", exclude_none=True)
    known = {"targets": folder.facts.get("targets"), "floors": floors}
    return RunRecord(recipe, series, {**facts, **{k: v for k, v in known.items() if v is not None}}, events, problem)


def examine_folder(folder: RunFolder, plugins: Plugins) -> list[RuleFinding]:
    """Examine a run on disk, and store what is found in its folder if nobody else writes it.

    Raises:
        LabError: Its series cannot be read.
    """
    reader = folder.metrics()
    series = {name: reader.read(name) for name in reader.series()}
    facts: Mapping[str, Any] = {}
    with contextlib.suppress(LabError):
        _, facts = read_findings(folder.path)
    status = folder.status()
    problem = str((status.problem or {}).get("what", ""))
    found = Examiner(plugins).examine(record_of(folder, series, facts, problem))
    with contextlib.suppress(LabError):  # on read-only media, or while it trains
        lock = folder.write_alone()
        try:
            write_findings(folder.path, found, facts)
        finally:
            lock.release()
    return found


def facts_of(trainer: Trainer, cancelled: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """Return facts about data and optimizer that no series tells: see `RunRecord`.

    Args:
        trainer: The trainer, which trains meanwhile; only what does not change is read.
        cancelled: Returns True to end early.
    """
    from lab.training.steps.gradient import GradientLearner

    experiment = trainer.experiment
    facts: dict[str, Any] = {}
    tokens = getattr(experiment.train, "tokens", None)
    if isinstance(tokens, np.ndarray) and experiment.tokenizer is not None:
        facts["tokens"] = len(tokens)
        size = int(experiment.train.vocabulary_size)
        facts["unseen"] = int(size - (np.bincount(tokens, minlength=size)[:size] > 0).sum())
        held = getattr(experiment.validation, "tokens", None)
        is_text = ENTROPY_RATE not in experiment.floors
        if isinstance(held, np.ndarray) and is_text and not cancelled():
            facts["overlap"] = overlap(tokens[:MOST_TOKENS], held)
    ratio = None if cancelled() else neighbours(experiment)
    if ratio is not None:
        facts["neighbours"] = ratio
    if isinstance(trainer.learner, GradientLearner):
        facts["decayed norms"] = _decayed_norms(trainer.model, trainer.learner.optimizer)
    return facts


def neighbours(experiment: Experiment) -> float | None:
    """Return how far apart successive batches are over how far apart distant ones are, in their symbols or classes.

    The distance is the mean squared difference of the shares of symbols; 1 if the order of batches says nothing of what
    is in them, or all are alike. None if batches have no symbols or classes.
    """
    training, source = experiment.recipe.training, experiment.train
    size = training.batch_size
    steps = min(training.steps, max(2, int(getattr(source, "examples", 0) or 0) // size))
    if steps < 8:
        return None
    rows = min(size, ROWS)
    firsts = np.unique(np.linspace(0, steps - 2, min(PAIRS, steps - 1)).astype(np.int64))

    def shares(step: int) -> NDArray[np.float64] | None:
        found = source.rows(np.arange(step * size, step * size + rows), training.seed)
        named = next((found[name] for name in ("label", "tokens", "target", "inputs") if name in found), None)
        if not isinstance(named, np.ndarray) or named.dtype.kind != "i":
            return None
        counts = np.bincount(named[named >= 0]).astype(np.float64)
        found_shares: NDArray[np.float64] = counts / max(1.0, float(counts.sum()))
        return found_shares

    pairs = [(shares(int(step)), shares(int(step) + 1)) for step in firsts]
    known = [(one, other) for one, other in pairs if one is not None and other is not None]
    if len(known) < 8:
        return None
    width = max(max(len(one), len(other)) for one, other in known)
    first, second = (np.stack([np.pad(pair[at], (0, width - len(pair[at]))) for pair in known]) for at in (0, 1))
    near = float(((first - second) ** 2).sum(axis=1).mean())
    half = len(known) // 2
    far = float(((first - np.roll(second, half, axis=0)) ** 2).sum(axis=1).mean())
    return near / far if far > NOTICEABLE else 1.0


def overlap(train: NDArray[Any], held: NDArray[Any]) -> float:
    """Return the share of pieces of LENGTH tokens of one text that stand in another one.

    Args:
        train: (N,) tokens that are searched.
        held: (M,) tokens, of which PIECES evenly spaced pieces are looked up.
    """
    if min(len(train), len(held)) < LENGTH:
        return 0.0
    known, pieces = _hashes(train), _hashes(held)
    some = pieces[np.linspace(0, len(pieces) - 1, min(PIECES, len(pieces))).astype(int)]
    return float(np.isin(some, known).mean())


def _hashes(tokens: NDArray[Any]) -> NDArray[np.uint64]:
    """Return a hash of the LENGTH tokens from each position on, (N − LENGTH + 1,)."""
    wide = tokens.astype(np.uint64) + np.uint64(1)
    count = len(tokens) - LENGTH + 1
    found = np.zeros(count, np.uint64)
    factor = np.uint64(0x9E3779B97F4A7C15)
    with np.errstate(over="ignore"):
        for index in range(LENGTH):
            found = found * factor + wide[index : index + count]
    return found


def _decayed_norms(model: Any, optimizer: Any) -> list[str]:
    """Return the names of parameters of norms to which weight decay applies."""
    from lab.layers import parameter_roles

    roles, names = parameter_roles(model), {id(p): name for name, p in model.named_parameters()}
    return [
        name
        for group in optimizer.param_groups
        if group.get("weight_decay")
        for p in group["params"]
        if (name := names.get(id(p), "")) and roles.get(name) == "norm"
    ]

"""The examination of a run by the rules of the doctor: while it trains, at its end, or from its folder."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lab.api import ENTROPY_RATE, Finding, Rule, RuleFunction, RunRecord
from lab.base import LabError
from lab.host import Plugins
from lab.recipes import Choice
from lab.runs import RunFolder
from lab.runs.finding_list import RuleFinding, read_findings, write_findings
from lab.runs.floor_list import read_floors

if TYPE_CHECKING:
    from lab.training.trainer import Trainer

MOST_TOKENS = 2_000_000
"""Tokens of the training text in which those of the validation text are searched."""
LENGTH = 24
"""Tokens in a row that are the same in both texts by chance only in the simplest ones."""
PIECES = 2000
"""Most pieces of the validation text that are searched."""


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
                given: Any = rule(record)
                if not isinstance(given, list) or not all(isinstance(one, Finding) for one in given):
                    raise TypeError("a rule must return a list of lab.api.Finding")  # noqa: TRY301
            except BaseException as error:  # noqa: BLE001 - a plugin's code
                del self._rules[name]
                self._plugins.report_failure(owner, error)
                continue
            found += [RuleFinding(name, one) for one in given]
        return sorted(found, key=lambda one: (one.finding.step, one.rule))


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
    if isinstance(trainer.learner, GradientLearner):
        facts["decayed norms"] = _decayed_norms(trainer.model, trainer.learner.optimizer)
    return facts


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

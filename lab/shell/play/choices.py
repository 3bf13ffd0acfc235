"""The runs that can write beside another one, or be read by it, and why others cannot; without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from lab.base.problems import LabError
from lab.runs import RunFolder
from lab.shell.session.model_provider import model_name
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import message_text
from lab.workbench import SavedRun
from lab.workbench.access.other_runs import shares_vocabulary

if TYPE_CHECKING:
    from lab.shell.session.runs.model import RunModel
    from lab.workbench.access.model_access import ModelAccess


class Fit(Enum):
    """How a run fits another one."""

    SAME = auto()
    """It has the same vocabulary."""
    OTHER = auto()
    """It writes text, with another vocabulary."""
    NONE = auto()
    """It cannot write."""


@dataclass(frozen=True)
class RunOffer:
    """A run that may be chosen.

    Args:
        run: The run.
        fit: How it fits.
        steps: The steps of its checkpoints.
        tokenizer: The name of its tokenizer.
        symbols: The size of its vocabulary.
        reason: Why it cannot write; "" if it can.
    """

    run: RunModel
    fit: Fit
    steps: tuple[int, ...] = ()
    tokenizer: str = ""
    symbols: int = 0
    reason: str = ""


@dataclass(frozen=True)
class RunChoice:
    """A run, as it is or at one of its checkpoints.

    Args:
        run: The run; None for the untrained model of the draft.
        step: The step of the checkpoint; None for the run as it is.
        own: The model of the draft, or of a run that is used untrained; None for that of the run.
    """

    run: RunModel | None
    step: int | None = None
    own: ModelAccess | None = None

    @property
    def name(self) -> str:
        """Its name, with the step of the checkpoint."""
        if self.run is None:
            return model_name(None, 0)
        return self.run.name if self.step is None else model_name(self.run, self.step)

    @property
    def key(self) -> str:
        """What identifies it, also in another session."""
        identity = "" if self.run is None else self.run.id or self.run.key
        return identity if self.step is None else f"{identity}@{self.step}"

    def access(self) -> ModelAccess:
        """Return its model.

        Raises:
            BadInput: There is no such checkpoint any more.
            LabError: The run is damaged.
        """
        if self.own is not None:
            return self.own
        assert self.run is not None
        source: ModelAccess = self.run.source
        if self.step is None or self.run.path is None:
            return source
        return SavedRun(RunFolder.open(self.run.path), source.plugins).at(self.step)

    def forget(self, access: ModelAccess, selected: RunModel | None) -> None:
        """Free the model, unless it is that of the selected run."""
        if isinstance(access, SavedRun) and (self.run is not selected or self.step is not None):
            access.forget_model()


def offers_of(runs: Sequence[RunModel], reference: ModelAccess | None) -> list[RunOffer]:
    """Return the runs, those with the vocabulary of a model first; files are read.

    Args:
        runs: The runs.
        reference: The model; None if any vocabulary is as good.
    """
    order = list(Fit)
    try:
        known = None if reference is None else reference.tokenizer
    except LabError:  # it is reported when that model writes
        known = None
    if known is None:
        reference = None
    return sorted((_offer(run, reference) for run in runs), key=lambda one: order.index(one.fit))


def _offer(run: RunModel, reference: ModelAccess | None) -> RunOffer:
    access = run.source
    try:
        steps = tuple(access.folder.checkpoint_steps()) if access.folder is not None else ()
        if not access.text_use.writes:
            return RunOffer(run, Fit.NONE, reason=tr("it predicts no text"))
        tokenizer = access.tokenizer
        fits = reference is None or shares_vocabulary(reference, access)
        if not steps and (run.active is None or run.active.ring is None):
            return RunOffer(run, Fit.NONE, reason=tr("it has no checkpoint yet"))
    except LabError as error:
        return RunOffer(run, Fit.NONE, reason=message_text(error.problem.what))
    kind = access.recipe.tokenizer.name
    return RunOffer(run, Fit.SAME if fits else Fit.OTHER, steps, kind, tokenizer.vocabulary_size)

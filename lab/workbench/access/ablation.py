"""The worth of the parts of a model: its loss as it is, and with some of it changed by interventions."""

from __future__ import annotations

import contextlib
import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lab.api import BadInput, Intervention
from lab.base.jobs import Cancelled
from lab.base.problems import LabError, Problem, attributed
from lab.host import Plugins
from lab.workbench.access.threads import rest

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from lab.layers import LanguageModel
    from lab.training.evaluation import Evaluation
    from lab.workbench.access.evaluation_data import EvaluationData

FIELD = "without"
"""The field that a problem with a target names; the command line calls it --without."""
FORM = "name:address, as head:2.3, layer:4 or expert:2.*, several with commas between them"
SHARE_WHILE_TRAINING = 0.5
"""Share of the time that measuring many parts may take while the same process trains a run."""


@dataclass(frozen=True)
class Target:
    """The effect of one intervention on the loss of one model.

    Args:
        card: The intervention.
        address: Where.
    """

    card: Intervention
    address: str

    def __str__(self) -> str:
        """As the user writes it."""
        return f"{self.card.name}:{self.address}"


@dataclass(frozen=True)
class Effect:
    """A loss with one thing changed.

    Args:
        target: What was changed ("head:2.3").
        loss: Nats per target.
    """

    target: str
    loss: float


@dataclass(frozen=True)
class Ablation:
    """Losses on the same tokens.

    Args:
        intact: Nats per target of the model as it is.
        each: With one change at a time.
        together: With all changes at once; None where that was not evaluated.
        targets: How many tokens were scored.
        protocol: How the text was read.
        step: Optimizer updates that the model had; 0 is untrained.
    """

    intact: float
    each: tuple[Effect, ...]
    together: float | None
    targets: int
    protocol: str
    step: int = 0


@dataclass(frozen=True)
class Baseline:
    """The loss of a model as it is, with which the losses without its parts are compared.

    Args:
        loss: Nats per target.
        step: Optimizer updates that the model had; 0 is untrained.
        targets: How many tokens were scored.
        protocol: How the text was read.
    """

    loss: float
    step: int
    targets: int
    protocol: str


@dataclass(frozen=True)
class PartLoss:
    """A loss without one part, or why it cannot be computed.

    Args:
        target: What was changed ("head:2.3").
        loss: Nats per target; None where there is a problem.
        problem: Why there is no loss.
    """

    target: str
    loss: float | None
    problem: Problem | None = None


def parse_targets(text: str, model: LanguageModel, plugins: Plugins, tokens: Tensor) -> tuple[list[Target], bool]:
    """Return the targets that the user wrote, each once, and whether a star stood for several of them.

    "head" and "head:*" are all heads, "head:2.*" those of block 2.

    Args:
        text: Targets with commas between them.
        model: The model, in eval mode.
        plugins: Where interventions are found.
        tokens: (1, T) of a text that the model can read.

    Raises:
        BadInput: There is no such intervention, or no such target in this model.
        LabError: A plugin's code raised.
    """
    found: dict[str, Target] = {}
    starred = False
    for word in filter(None, (part.strip() for part in text.split(","))):
        name, _, pattern = word.partition(":")
        cards = plugins.cards("interventions")
        if name not in cards:
            raise BadInput("names no intervention", field=FIELD, value=word, allowed=FORM, remedy=_names(cards))
        card = cards[name]
        with attributed(plugins.owner("interventions", name), card.title):
            addresses = card.addresses(model, tokens)
        if not addresses:
            raise BadInput(
                f"this model has nothing that the intervention {name} can change",
                field=FIELD,
                value=word,
                allowed=offered(model, plugins, tokens),
            )
        wanted = re.compile(".*".join(map(re.escape, (pattern or "*").split("*"))))
        several = "*" in (pattern or "*")
        matching = [address for address in addresses if wanted.fullmatch(address)]
        if not matching:
            raise BadInput("is not in this model", field=FIELD, value=word, allowed=_span(name, addresses))
        starred |= several
        found |= {str(target): target for target in (Target(card, address) for address in matching)}
    if not found:
        raise BadInput("names nothing", field=FIELD, allowed=FORM)
    return list(found.values()), starred


def addresses_in(model: LanguageModel, plugins: Plugins, tokens: Tensor) -> dict[str, list[str]]:
    """Return the addresses of what can be changed in a model, by intervention; those without any are left out.

    Raises:
        LabError: A plugin's code raised.
    """
    found = {}
    for name, card in plugins.cards("interventions").items():
        with attributed(plugins.owner("interventions", name), card.title):
            addresses = card.addresses(model, tokens)
        if addresses:
            found[name] = addresses
    return found


def offered(model: LanguageModel, plugins: Plugins, tokens: Tensor) -> str:
    """Return what can be changed in a model, in one line: the first and last target of each intervention."""
    spans = [_span(name, addresses) for name, addresses in addresses_in(model, plugins, tokens).items()]
    return "; ".join(spans) or "nothing: this model has no hook points"


@contextlib.contextmanager
def changed(model: LanguageModel, targets: Sequence[Target], plugins: Plugins, tokens: Tensor) -> Iterator[None]:
    """Inside, a model that nobody else uses is changed at all these targets.

    Raises:
        BadInput: They do not go together.
        LabError: A plugin's code raised.
    """
    by_card: dict[str, list[Target]] = {}
    for target in targets:
        by_card.setdefault(target.card.name, []).append(target)
    with contextlib.ExitStack() as held:
        for name, some in by_card.items():
            card, addresses = some[0].card, [target.address for target in some]
            with attributed(plugins.owner("interventions", name), card.title):
                held.enter_context(card.make(model, addresses, tokens))
        yield


class Ablator:
    """Evaluates a model that nobody else uses, as it is and with changes, always on the same tokens.

    Args:
        model: The model, in eval mode.
        data: What it is evaluated on.
        plugins: Where interventions are found.
        tokens: (1, T) of a reference text, for changes that are measured on one.
        reader: The model as it is called with these tokens alone.
        protocol: As of an evaluation; None takes the model's own.
        device: Where the model is.
        limit: Targets to read; 0 reads all.
        cancelled: Called between batches; True ends an evaluation.

    Attributes:
        protocol: How the text is read.
    """

    def __init__(
        self,
        model: LanguageModel,
        data: EvaluationData,
        plugins: Plugins,
        tokens: Tensor,
        *,
        reader: Any,
        protocol: str | None,
        device: torch.device,
        limit: int,
        cancelled: Callable[[], bool],
    ) -> None:
        from lab.text.streams import TokenSource
        from lab.training.evaluation import default_protocol

        of_text = isinstance(data.source, TokenSource)
        self.protocol = protocol or default_protocol(model, data.objective, of_text=of_text)
        self._model, self._data, self._plugins, self._tokens = model, data, plugins, tokens
        self._reader, self._device, self._limit, self._cancelled = reader, device, limit, cancelled

    def targets(self, text: str) -> tuple[list[Target], bool]:
        """Return the targets that the user wrote; see `parse_targets`."""
        return parse_targets(text, self._reader, self._plugins, self._tokens)

    def evaluate(self, targets: Sequence[Target] = ()) -> Evaluation:
        """Evaluate the model with changes.

        Raises:
            BadInput: They do not go together, or the protocol cannot be used.
            Cancelled: It was cancelled.
            LabError: A plugin's code raised.
        """
        from lab.training.evaluation import evaluate

        with changed(self._reader, targets, self._plugins, self._tokens):
            found = evaluate(
                self._model, self._data.objective, self._data.source, protocol=self.protocol, device=self._device,
                limit=self._limit, cancelled=self._cancelled,
            )  # fmt: skip
        if self._cancelled():
            raise Cancelled
        return found


def ablate(ablator: Ablator, text: str, *, each: bool, step: int = 0) -> Ablation:
    """Evaluate a model as it is and with changes.

    Args:
        ablator: Evaluates it.
        text: The targets; see `parse_targets`.
        each: Whether each change is evaluated alone. All together are evaluated where no star stands for several, or
            where they are not evaluated alone.
        step: Optimizer updates that the model had.

    Raises:
        BadInput: A target or the protocol cannot be used.
        Cancelled: It was cancelled.
        LabError: A plugin's code raised.
    """
    targets, starred = ablator.targets(text)
    alone = each or len(targets) == 1
    effects = tuple(Effect(str(target), ablator.evaluate([target]).loss) for target in targets) if alone else ()
    together = None
    if len(effects) == 1:
        together = effects[0].loss
    elif not starred or not alone:
        together = ablator.evaluate(targets).loss
    intact = ablator.evaluate()
    return Ablation(intact.loss, effects, together, intact.targets, ablator.protocol, step)


def measure_parts(
    ablator: Ablator,
    targets: Iterable[str],
    report: Callable[[Baseline | PartLoss], object],
    *,
    step: int,
    known: Baseline | None = None,
    plugin: str = "",
) -> None:
    """Evaluate a model as it is and without one part after the other, and report each loss as soon as it is known.

    A part that cannot be measured is reported with its problem, and does not end the others.

    Args:
        ablator: Evaluates it.
        targets: What to change, as "head:2.3"; read one by one, so that more may be added meanwhile.
        report: Called with the loss of the model as it is, and then with that without each part.
        step: Optimizer updates that the model had.
        known: The loss of the model as it is; at another step it is measured again.
        plugin: The plugin of the architecture, for what its code raises.

    Raises:
        Cancelled: It was cancelled.
        LabError: The model as it is cannot be evaluated.
    """
    if known is None or known.step != step:
        found = ablator.evaluate()
        known = Baseline(found.loss, step, found.targets, ablator.protocol)
    report(known)
    for target in targets:
        try:
            with attributed(plugin, "Evaluating"):
                loss = ablator.evaluate(ablator.targets(target)[0]).loss
            not_finite = None if math.isfinite(loss) else Problem("the loss without it is not a finite number")
            report(PartLoss(target, None if not_finite else loss, not_finite))
        except Cancelled:
            raise
        except LabError as error:
            report(PartLoss(target, None, error.problem))


class Paced:
    """The check between two batches of an evaluation; it rests while a run trains, so that the run keeps its speed.

    Args:
        trains: Returns True while a run trains in this process.
        cancelled: Returns True once the evaluation is to end.
    """

    def __init__(self, trains: Callable[[], bool], cancelled: Callable[[], bool]) -> None:
        self._trains, self._cancelled = trains, cancelled
        self._since = time.perf_counter()

    def __call__(self) -> bool:
        """Rest after a batch; return True if the evaluation is to end."""
        rest(time.perf_counter() - self._since, SHARE_WHILE_TRAINING, self._trains, self._cancelled)
        self._since = time.perf_counter()
        return self._cancelled()


def _names(cards: Any) -> str:
    return f"Write one of {', '.join(cards)} before the colon"


def _span(name: str, addresses: Sequence[str]) -> str:
    first, last = f"{name}:{addresses[0]}", f"{name}:{addresses[-1]}"
    return first if first == last else f"{first} to {last}"

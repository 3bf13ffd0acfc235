"""What parts of a model are worth: its loss as it is, and with some of it changed by interventions."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lab.api import BadInput, Intervention
from lab.base.jobs import Cancelled
from lab.base.problems import attributed
from lab.host import Plugins

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from lab.layers import LanguageModel
    from lab.training.evaluation import Evaluation
    from lab.workbench.access.evaluation_data import EvaluationData

FIELD = "without"
"""What a problem with a target names; the command line calls it --without."""
FORM = "name:address, as head:2.3, layer:4 or expert:2.*, several with commas between them"
EXPERT = re.compile(r"([1-9]\d{0,5}):([1-9]\d{0,5})", re.ASCII)
"""An expert as block:expert, the only target that was without a name once."""


@dataclass(frozen=True)
class Target:
    """What one intervention changes in one model.

    Args:
        card: The intervention.
        address: Where.
    """

    card: Intervention
    address: str

    def __str__(self) -> str:
        """As a person writes it."""
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
    """

    intact: float
    each: tuple[Effect, ...]
    together: float | None
    targets: int
    protocol: str


def parse_targets(text: str, model: LanguageModel, plugins: Plugins, tokens: Tensor) -> tuple[list[Target], bool]:
    """Return the targets that a person wrote, each once, and whether a star stood for several of them.

    "head" and "head:*" are all heads, "head:2.*" those of block 2; "2:5" is "expert:2.5".

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
        numbers = EXPERT.fullmatch(word)
        name, _, pattern = (f"expert:{numbers[1]}.{numbers[2]}" if numbers else word).partition(":")
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


def offered(model: LanguageModel, plugins: Plugins, tokens: Tensor) -> str:
    """Return what can be changed in a model, in one line: the first and last target of each intervention."""
    spans = []
    for name, card in plugins.cards("interventions").items():
        with attributed(plugins.owner("interventions", name), card.title):
            addresses = card.addresses(model, tokens)
        if addresses:
            spans.append(_span(name, addresses))
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


def ablate(
    model: LanguageModel,
    text: str,
    data: EvaluationData,
    plugins: Plugins,
    tokens: Tensor,
    *,
    each: bool,
    protocol: str | None,
    device: torch.device,
    limit: int,
    cancelled: Callable[[], bool],
) -> Ablation:
    """Evaluate a model that nobody else uses, as it is and with changes.

    Args:
        model: The model, in eval mode.
        text: The targets; see `parse_targets`.
        data: What it is evaluated on.
        plugins: Where interventions are found.
        tokens: (1, T) of a reference text, for changes that are measured on one.
        each: Whether each change is evaluated alone. All together are evaluated where no star stands for several, or
            where they are not evaluated alone.
        protocol: As of an evaluation; None takes the model's own.
        device: Where the model is.
        limit: Targets to read; 0 reads all.
        cancelled: Called between batches; True ends it.

    Raises:
        BadInput: A target or the protocol cannot be used.
        Cancelled: It was cancelled.
        LabError: A plugin's code raised.
    """
    from lab.text.streams import TokenSource
    from lab.training.evaluation import default_protocol, evaluate

    of_text = isinstance(data.source, TokenSource)
    read = protocol or default_protocol(model, data.objective, of_text=of_text)
    targets, starred = parse_targets(text, model, plugins, tokens)

    def evaluated(some: Sequence[Target]) -> Evaluation:
        with changed(model, some, plugins, tokens):
            found = evaluate(
                model, data.objective, data.source, protocol=read, device=device, limit=limit, cancelled=cancelled
            )
        if cancelled():
            raise Cancelled
        return found

    alone = each or len(targets) == 1
    effects = tuple(Effect(str(target), evaluated([target]).loss) for target in targets) if alone else ()
    together = None
    if len(effects) == 1:
        together = effects[0].loss
    elif not starred or not alone:
        together = evaluated(targets).loss
    intact = evaluated([])
    return Ablation(intact.loss, effects, together, intact.targets, read)


def _names(cards: Any) -> str:
    return f"Write one of {', '.join(cards)} before the colon"


def _span(name: str, addresses: Sequence[str]) -> str:
    first, last = f"{name}:{addresses[0]}", f"{name}:{addresses[-1]}"
    return first if first == last else f"{first} to {last}"

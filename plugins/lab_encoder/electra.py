"""ELECTRA: an encoder that tells the tokens that a small generator replaced from the others."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from torch import Tensor

from lab.layers import LanguageModel, name_readings
from lab.layers.documents import Documents
from lab_encoder.model import Encoder

if TYPE_CHECKING:
    from lab.api import Task
    from lab_encoder.settings import ElectraConfig


class Electra(LanguageModel):
    """A generator that fills in hidden tokens, and a discriminator that tells which tokens it replaced.

    Both read both ways and share the embedding of tokens, positions and segments (Clark et al. 2020, section 3.2). For
    classes and numbers there is the discriminator alone.

    Args:
        config: The settings of the discriminator.
        task: The task that the model is built for.
    """

    reads_documents = True
    head_parts = ("generator", *(f"discriminator.{name}" for name in Encoder.head_parts))

    def __init__(self, config: ElectraConfig, task: Task) -> None:
        super().__init__(config, task)
        self.causal = False
        predicts = task.classes is None and task.outputs is None
        judged = dataclasses.replace(task, replaced=True) if predicts else task
        self.discriminator = Encoder(config, judged)
        self.reach = self.discriminator.reach
        self.generator: Encoder | None = None
        if predicts:
            name_readings(self.discriminator, "discriminator ")
            self.generator = Encoder(config.generator(), task)
            for name in ("embedding", "position", "segment"):
                own = getattr(self.discriminator, name, None)
                if own is not None:
                    getattr(self.generator, name).weight = own.weight
            if config.tie:
                self.generator.output.weight = self.discriminator.embedding.weight

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return the generator's logits (B, T, V) of hidden tokens; for classes and numbers the discriminator's."""
        if self.generator is None:
            return self.discriminator(tokens, **given)  # type: ignore[no-any-return]
        logits: Tensor = self.filled(tokens, **given)
        if self.reporting("replaced"):
            self.report("replaced", self.replaced(tokens, **given).sigmoid(), axes=("batch", "token"))
        return logits

    def filled(self, tokens: Tensor, *, hidden: Tensor | None = None, **given: Tensor) -> Tensor:
        """Return the generator's logits of all tokens (B, T, V), or of those where hidden (B, T) is True, (N, V).

        Raises:
            ValueError: The model was built for classes or numbers, and has no generator.
        """
        if self.generator is None:
            raise ValueError("a model of classes or numbers has no generator")
        live = {name: getattr(self.config, name) for name in ("dropout", "layer_dropout")}
        self.generator.config.__dict__.update(live)  # may change while the run trains
        if hidden is None:
            return self.generator(tokens, **given)  # type: ignore[no-any-return]
        documents = given.get("documents")
        mask = given.get("mask") if documents is None else Documents(documents, causal=False)
        further = {name: given[name] for name in self.generator.further if name in given}
        return self.generator.head(self.generator.residual(tokens, mask, **further)[hidden])

    def replaced(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return the logits (B, T) that each token was replaced."""
        return self.discriminator(tokens, **given)  # type: ignore[no-any-return]


def build(config: ElectraConfig, task: Task) -> Electra:
    """Return the model of a config, with new weights."""
    return Electra(config, task)

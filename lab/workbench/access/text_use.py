"""The use of a text for the model of a run: a beginning, a source, a text to classify, or none."""

from __future__ import annotations

from enum import Enum

from lab.api import DataKind, Objective


class TextUse(Enum):
    """The uses that a model has for a text of the user."""

    PROMPT = "prompt"
    """It continues the text, or answers it as a turn of a conversation."""
    SOURCE = "source"
    """It writes the target of the text."""
    CLASSES = "classes"
    """It predicts the class of the text, or of each of its tokens; it writes nothing."""
    HIDDEN = "hidden"
    """It predicts hidden tokens from both sides, and fills them in; it continues nothing."""
    VECTORS = "vectors"
    """It reads numbers, and no text."""
    IMAGES = "images"
    """It reads images, and no text."""
    MATCHING = "matching"
    """It tells which of several texts belongs to an image."""
    CAPTIONS = "captions"
    """It reads images, and writes a caption of each."""
    NONE = "none"
    """It predicts something else."""

    @property
    def writes(self) -> bool:
        """True if the model writes text after the text."""
        return self in (TextUse.PROMPT, TextUse.SOURCE)

    @property
    def is_of_rows(self) -> bool:
        """True if it reads rows of numbers or images, of which one is inspected."""
        return self in (TextUse.VECTORS, TextUse.IMAGES, TextUse.MATCHING)

    @property
    def reads(self) -> bool:
        """True if the model can be asked something about a text."""
        return self.writes or self is TextUse.CLASSES


def text_use(objective: Objective, kind: DataKind) -> TextUse:
    """Return what a model does with a text.

    Args:
        objective: The objective it is trained on.
        kind: The kind of data of its corpus.
    """
    if kind == "images" and objective.needs == "sequence-to-sequence":
        return TextUse.CAPTIONS
    if objective.needs == "contrastive":
        return TextUse.MATCHING
    if kind in ("vectors", "images"):
        return TextUse(kind)
    uses = {
        "causal": TextUse.PROMPT,
        "sequence-to-sequence": TextUse.SOURCE,
        "classification": TextUse.CLASSES,
        "masked": TextUse.HIDDEN,
        "next-sentence": TextUse.HIDDEN,
        "replaced-tokens": TextUse.HIDDEN,
    }
    return uses.get(objective.needs, TextUse.NONE)

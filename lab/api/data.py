"""Data that is not one text: pairs, labelled texts, conversations, vectors and images."""

from __future__ import annotations

import functools
import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np

DataKind: TypeAlias = Literal["text", "examples", "pairs", "labels", "conversations", "vectors", "images"]
"""The kinds of data that corpora give and objectives read."""


@dataclass(frozen=True, eq=False)
class Rows(ABC):
    """The base of data of which every row is an example of its own. Their number is finite and their order is fixed.

    Fields are not checked here: the lab checks what a corpus gives before it is used, and names the row that is wrong.

    Args:
        name: Its name, shown to the user.
        facts: Everything else that determines its content; stored with the run.
        floors: By name, losses that a class of models cannot beat on average, if the source knows them: in nats per
            label or per token of the target, or the mean squared error of numbers. No objective with another unit has
            them.
    """

    kind: ClassVar[DataKind]

    name: str
    facts: Mapping[str, Any] = field(kw_only=True, default_factory=dict)
    floors: Mapping[str, float] = field(kw_only=True, default_factory=dict)

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of rows."""

    @abstractmethod
    def _content(self) -> Iterator[bytes]:
        """Yield the content as bytes, the same at each call, from which the hash is computed."""

    @functools.cached_property
    def sha256(self) -> str:
        """SHA-256 of the content in hex, by which a run recognises its data."""
        digest = hashlib.sha256(self.kind.encode())
        for piece in self._content():
            digest.update(piece)
        return digest.hexdigest()


@dataclass(frozen=True, eq=False)
class Pairs(Rows):
    """Sources and targets, both text: translations, questions and answers, a date in two formats.

    Args:
        sources: The text that is read, one per row.
        targets: The text that is written, one per row.
    """

    kind: ClassVar[DataKind] = "pairs"

    sources: Sequence[str]
    targets: Sequence[str]

    def __len__(self) -> int:
        return len(self.sources)

    def _content(self) -> Iterator[bytes]:
        for pair in zip(self.sources, self.targets, strict=True):
            yield _json(pair)


@dataclass(frozen=True, eq=False)
class LabelledTexts(Rows):
    """Texts with one label each, or with one for each of their tokens.

    Args:
        texts: The text of each row; where every token has a label, its tokens in order.
        labels: (N,) the index of each text's class; or for each row that of each of its tokens.
        classes: The name of each class.
    """

    kind: ClassVar[DataKind] = "labels"

    texts: Sequence[str] | Sequence[Sequence[str]]
    labels: Sequence[int] | Sequence[Sequence[int]]
    classes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def by_token(self) -> bool:
        """True if each token has its own label."""
        return len(self.texts) > 0 and not isinstance(self.texts[0], str)

    def _content(self) -> Iterator[bytes]:
        yield _json(self.classes)
        labels: Sequence[Any] = self.labels
        for text, label in zip(self.texts, labels, strict=True):
            yield _json([text, list(map(int, label)) if self.by_token else int(label)])


@dataclass(frozen=True)
class Turn:
    """One turn of a conversation.

    Args:
        role: Who speaks: "system", "user", "assistant".
        text: What is said.
        learned: Whether the model is trained to write this turn; otherwise it only reads it.
    """

    role: str
    text: str
    learned: bool = False


@dataclass(frozen=True, eq=False)
class Conversations(Rows):
    """Conversations, each a list of turns of which some are learned.

    Args:
        conversations: The turns of each row, at least one of them learned.
    """

    kind: ClassVar[DataKind] = "conversations"

    conversations: Sequence[Sequence[Turn]]

    def __len__(self) -> int:
        return len(self.conversations)

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that occur, in alphabetical order; each has a symbol of its own."""
        return tuple(sorted({turn.role for turns in self.conversations for turn in turns}))

    def _content(self) -> Iterator[bytes]:
        for turns in self.conversations:
            yield _json([[turn.role, turn.text, turn.learned] for turn in turns])


@dataclass(frozen=True, eq=False)
class Vectors(Rows):
    """Vectors of numbers with a class each, or with numbers as target.

    Args:
        inputs: (N, F) float32, finite.
        targets: (N,) int64 indices of classes, or (N, K) float32 numbers, finite.
        classes: The name of each class; () if the targets are numbers.
        features: The name of each column of the inputs.
        outputs: The name of each column of the targets, if they are numbers.
        by_training: Whether columns of numbers are shifted and scaled to mean 0 and standard deviation 1 over the rows
            for training, once these are known. The run stores both by column as the fact "scaled".
    """

    kind: ClassVar[DataKind] = "vectors"

    inputs: np.ndarray
    targets: np.ndarray
    classes: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    by_training: bool = field(kw_only=True, default=False)

    def __len__(self) -> int:
        return len(self.inputs)

    def _content(self) -> Iterator[bytes]:
        yield _json([self.classes, self.features, self.outputs, *(["by training"] if self.by_training else [])])
        yield self.inputs.astype("<f4").tobytes()
        yield self.targets.astype("<i8" if self.classes else "<f4").tobytes()


@dataclass(frozen=True, eq=False)
class Images(Rows):
    """Pictures of one size with a class each, or with a caption.

    Args:
        pixels: (N, H, W, C) uint8; C is 1 for grey, 3 for red, green, blue.
        labels: (N,) int64 indices of classes; None if they have captions.
        classes: The name of each class; () if they have captions.
        captions: The text of each picture; () if they have classes.
    """

    kind: ClassVar[DataKind] = "images"

    pixels: np.ndarray
    labels: np.ndarray | None = None
    classes: tuple[str, ...] = ()
    captions: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.pixels)

    def _content(self) -> Iterator[bytes]:
        yield _json([self.pixels.shape, self.classes, list(self.captions)])
        yield self.pixels.tobytes()
        if self.labels is not None:
            yield self.labels.astype("<i8").tobytes()


def _json(plain: Any) -> bytes:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass") + b"\n"

"""Mixtures of corpora: several texts, of which each has a weight among the tokens of a batch."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from lab.api import BadInput, ModelConfig, Text, setting
from lab.text.documents import training_share

MIXTURE = "mixture"
"""The name of the card."""
PARTS = ("first", "second", "third", "fourth")
"""The settings of its parts."""


CORPUS_HELP = "Name of a corpus of text, which is read with its default settings, such as python-manual."
"""The help of the setting of a part that names a corpus."""


class PartConfig(ModelConfig):
    """A part of a mixture."""

    path: str = setting("", path=True, help="A file or folder of texts. Empty: the corpus that is named.")
    corpus: str = setting("", when={"path": False}, help=CORPUS_HELP)
    weight: float = setting(
        1.0,
        gt=0,
        le=1000,
        live=True,
        help="Tokens of this part in relation to the weights of the others, and its weight in the validation loss.",
    )

    documents: bool = setting(
        False, help="Treat its rows, files or sentences as documents, if its corpus has such a setting."
    )

    @property
    def is_used(self) -> bool:
        """True if it names a corpus or a file."""
        return bool(self.corpus or self.path)


class FirstConfig(PartConfig):
    """The first part, which has a default so that a mixture can be tried."""

    corpus: str = setting("python-manual", when={"path": False}, help=CORPUS_HELP)


class SecondConfig(PartConfig):
    """The second part, which has a default so that a mixture can be tried."""

    corpus: str = setting("grammar", when={"path": False}, help=CORPUS_HELP)


class MixtureConfig(ModelConfig):
    """The parts of a mixture, at least two."""

    first: FirstConfig = setting(FirstConfig(), label="First corpus", help="The first corpus.")
    second: SecondConfig = setting(SecondConfig(), label="Second corpus", help="The second corpus.")
    third: PartConfig = setting(PartConfig(), label="Third corpus", help="The third corpus; nothing leaves it out.")
    fourth: PartConfig = setting(PartConfig(), label="Fourth corpus", help="The fourth corpus; nothing leaves it out.")

    def used(self) -> dict[str, PartConfig]:
        """Return the parts that name a corpus or a file."""
        named = {name: getattr(self, name) for name in PARTS}
        return {name: part for name, part in named.items() if part.is_used}


@dataclass(frozen=True)
class Mixture(Text):
    """Texts that are mixed; as a text they stand one after the other.

    Args:
        parts: The texts, with different names.
        weights: Returns the weight of each part that is in force.
    """

    parts: tuple[Text, ...] = ()
    weights: Callable[[], Sequence[float]] = lambda: ()

    @functools.cached_property
    def sha256(self) -> str:
        """SHA-256 of the hashes of its parts, in hex."""
        return hashlib.sha256(",".join(part.sha256 for part in self.parts).encode()).hexdigest()

    def split(self, share: float) -> tuple[str, str]:
        """Return the training text and the validation text of all parts, with a line break between two parts."""
        borders = [int(training_share(part, share) * len(part.text)) for part in self.parts]
        pairs = list(zip(self.parts, borders, strict=True))
        return "\n".join(p.text[:end].rstrip("\n") for p, end in pairs), "\n".join(p.text[end:] for p, end in pairs)


def read_mixture(config: MixtureConfig, texts: Mapping[str, Any]) -> Mixture:
    """Return the mixture of the texts of its parts.

    Args:
        config: The settings; weights are read from it at use.
        texts: What the corpora of its parts gave, by the names of their settings.

    Raises:
        BadInput: There are fewer than two parts, or one of them is no text in memory.
    """
    if len(texts) < 2:
        raise BadInput(
            "a mixture has at least two parts",
            field="corpus.second",
            value=f"{len(texts)}",
            remedy="Name a corpus or a path in corpus.first and in corpus.second",
        )
    parts: list[Text] = []
    for name, text in texts.items():
        if not isinstance(text, Text) or isinstance(text, Mixture):
            raise BadInput(
                "is no text that fits into memory, of which mixtures are made",
                field=f"corpus.{name}",
                value=text.name,
                remedy="Choose another corpus of text, or a part of this one",
            )
        taken = [part.name for part in parts]
        own = next(each for each in (text.name, *(f"{text.name} {n}" for n in range(2, 6))) if each not in taken)
        parts.append(Text(text.text, own, text.dropped, text.facts, text.floors, text.starts))
    offsets = accumulate((len(part.text) + 1 for part in parts), initial=0)
    starts = [offset + start for part, offset in zip(parts, offsets, strict=False) for start in part.starts]
    return Mixture(
        "\n".join(part.text for part in parts),
        " + ".join(part.name for part in parts),
        sum(part.dropped for part in parts),
        {"parts": {part.name: {"characters": len(part.text), "sha256": part.sha256} for part in parts}},
        starts=tuple(starts) if all(part.starts for part in parts) else (),
        parts=tuple(parts),
        weights=lambda: [getattr(config, name).weight for name in texts],
    )

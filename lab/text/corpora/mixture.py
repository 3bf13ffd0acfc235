"""Mixtures of corpora of one kind: texts, or rows, of which each part has a weight among the examples of a batch."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, Literal

import numpy as np

from lab.api import (
    BadInput,
    Conversations,
    Images,
    LabelledTexts,
    ModelConfig,
    Pairs,
    Rows,
    Text,
    Vectors,
    setting,
)
from lab.base.files.reading import parse_toml
from lab.recipes.assignments import merged, parse_assignments
from lab.text.corpora.files import LONG
from lab.text.documents import training_share

MIXTURE = "mixture"
"""The name of the card."""
PARTS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""The settings of its parts."""
MIXED = ("text", "pairs", "labels", "conversations", "vectors", "images")
"""The kinds of data that are mixed, each with others of its kind."""
READERS = {
    "text": "file",
    "dataset": "dataset",
    "pairs": "pairs-file",
    "labels": "labels-file",
    "conversations": "conversations-file",
    "vectors": "vectors-file",
    "images": "images-folder",
}
"""The corpora that read the file of a part, by what it holds."""

CORPUS_HELP = "Name of a corpus, such as python-manual. Generated examples and texts beyond memory are not mixed."
"""The help of the setting of a part that names a corpus."""


class PartConfig(ModelConfig):
    """A part of a mixture."""

    path: str = setting("", path=True, help="A file, or a folder of texts. Empty: the corpus that is named.")
    holds: Literal["text", "dataset", "pairs", "labels", "conversations", "vectors", "images"] = setting(
        "text",
        when={"path": True},
        names={"dataset": "texts of a data set"},
        help="What it holds. Rows are read from the columns with the usual names, unless settings name others.",
    )
    corpus: str = setting("", when={"path": False}, help=CORPUS_HELP)
    settings: str = setting(
        "",
        max_length=2000,
        help="Settings of its corpus, separated by commas, such as column=story, split=test. Text with a comma stands "
        "in quotes. Empty: the defaults.",
    )
    weight: float = setting(
        1.0,
        ge=0,
        le=1000,
        live=True,
        help="Tokens, or rows, of this part in relation to the weights of the others, and its weight in the "
        "validation loss. 0 reads none of it while another weight is above 0.",
    )
    documents: bool = setting(
        False, help="Treat its rows, files or sentences as documents, if its corpus has such a setting."
    )

    @property
    def is_used(self) -> bool:
        """True if it names a corpus or a file."""
        return bool(self.corpus or self.path)

    @property
    def reader(self) -> str:
        """The name of the corpus that reads it."""
        return READERS[self.holds] if self.path else self.corpus

    def corpus_settings(self) -> dict[str, Any]:
        """Return the settings of its corpus, without its path.

        Raises:
            BadInput: They are not assignments.
        """
        read = _read_table(self.settings)
        if read is None:
            pieces = parse_assignments(each for each in self.settings.split(",") if each.strip())
            read = functools.reduce(merged, pieces, dict[str, Any]())
        return read | ({"documents": True} if self.documents else {})


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
    fifth: PartConfig = setting(PartConfig(), label="Fifth corpus", help="The fifth corpus; nothing leaves it out.")
    sixth: PartConfig = setting(PartConfig(), label="Sixth corpus", help="The sixth corpus; nothing leaves it out.")
    seventh: PartConfig = setting(
        PartConfig(), label="Seventh corpus", help="The seventh corpus; nothing leaves it out."
    )
    eighth: PartConfig = setting(PartConfig(), label="Eighth corpus", help="The eighth corpus; nothing leaves it out.")

    @classmethod
    def unused(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the names of the parts that name nothing, except the first of them."""
        return frozenset([name for name in PARTS if not _is_used(values.get(name))][1:])

    def used(self) -> dict[str, PartConfig]:
        """Return the parts that name a corpus or a file."""
        named = {name: getattr(self, name) for name in PARTS}
        return {name: part for name, part in named.items() if part.is_used}

    def change(self, name: str, value: Any, *, field: str = "settings") -> None:
        """Set a weight while a run trains.

        Raises:
            BadInput: It is not allowed, or no weight would be above 0.
        """
        part, _, last = name.partition(".")
        others = (one.weight for other, one in self.used().items() if other != part)
        if last == "weight" and value == 0 and not any(others):
            raise no_weight(f"{field}.{name}")
        super().change(name, value, field=field)


def no_weight(field: str) -> BadInput:
    """Return the problem of a mixture without a weight above 0, about the setting of one of them."""
    remedy = "Raise the weight of another part first"
    return BadInput("no weight would be above 0", field=field, value="0", remedy=remedy)


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


@dataclass(frozen=True, eq=False)
class RowMixture(Rows):
    """Rows of one kind that are mixed; as rows they stand one part after the other.

    Args:
        parts: The parts, with different names.
        weights: Returns the weight of each part that is in force.
    """

    parts: tuple[Rows, ...] = field(kw_only=True)
    weights: Callable[[], Sequence[float]] = field(kw_only=True)

    @functools.cached_property
    def sha256(self) -> str:
        """SHA-256 of the hashes of its parts, in hex."""
        return hashlib.sha256(",".join(part.sha256 for part in self.parts).encode()).hexdigest()


@dataclass(frozen=True, eq=False)
class MixedPairs(RowMixture, Pairs):
    """Pairs that are mixed."""


@dataclass(frozen=True, eq=False)
class MixedTexts(RowMixture, LabelledTexts):
    """Labelled texts that are mixed."""


@dataclass(frozen=True, eq=False)
class MixedConversations(RowMixture, Conversations):
    """Conversations that are mixed."""


@dataclass(frozen=True, eq=False)
class MixedVectors(RowMixture, Vectors):
    """Vectors that are mixed."""


@dataclass(frozen=True, eq=False)
class MixedImages(RowMixture, Images):
    """Pictures that are mixed."""


def read_mixture(config: MixtureConfig, given: Mapping[str, Any]) -> Mixture | RowMixture:
    """Return the mixture of its parts.

    Args:
        config: The settings; weights are read from it at use.
        given: What the corpora of its parts gave, all of one kind, by the names of their settings.

    Raises:
        BadInput: There are fewer than two parts, or no weight above 0; a text does not fit into memory; or rows have
            other classes, numbers or sizes than the first ones.
    """
    if len(given) < 2:
        raise BadInput(
            "a mixture has at least two parts",
            field="corpus.second",
            value=f"{len(given)}",
            remedy="Name a corpus or a path in corpus.first and in corpus.second",
        )
    if not any(getattr(config, name).weight for name in given):
        raise no_weight(f"corpus.{next(iter(given))}.weight")
    names: dict[str, str] = {}
    for setting_name, part in given.items():
        others = (f"{part.name} {number}" for number in range(2, len(PARTS) + 1))
        names[setting_name] = next(each for each in (part.name, *others) if each not in names.values())

    def weights() -> list[float]:
        return [getattr(config, name).weight for name in given]

    if all(isinstance(part, Rows) for part in given.values()):
        return _mixed_rows(given, names, weights)
    return _mixed_texts(given, names, weights)


def _mixed_texts(given: Mapping[str, Any], names: Mapping[str, str], weights: Callable[[], Sequence[float]]) -> Mixture:
    parts: list[Text] = []
    for name, text in given.items():
        if not isinstance(text, Text):
            raise BadInput(
                "is too long for a mixture, whose parts are held in memory",
                field=f"corpus.{name}",
                value=text.name,
                allowed=f"texts of up to {LONG:,} characters",
                remedy="Shorten it, or train on a folder with all of the texts, each read in proportion to its length",
            )
        parts.append(Text(text.text, names[name], text.dropped, text.facts, text.floors, text.starts))
    offsets = accumulate((len(part.text) + 1 for part in parts), initial=0)
    starts = [offset + start for part, offset in zip(parts, offsets, strict=False) for start in part.starts]
    return Mixture(
        "\n".join(part.text for part in parts),
        " + ".join(part.name for part in parts),
        sum(part.dropped for part in parts),
        {"parts": {part.name: {"characters": len(part.text), "sha256": part.sha256} for part in parts}},
        starts=tuple(starts) if all(part.starts for part in parts) else (),
        parts=tuple(parts),
        weights=weights,
    )


def _mixed_rows(
    given: Mapping[str, Any], names: Mapping[str, str], weights: Callable[[], Sequence[float]]
) -> RowMixture:
    parts = [replace(part, name=names[name]) for name, part in given.items()]
    shares = [weight / sum(weights()) for weight in weights()]
    known = set.intersection(*(set(part.floors) for part in parts))
    common: dict[str, Any] = {
        "facts": {"parts": {part.name: {"rows": len(part), "sha256": part.sha256} for part in parts}},
        "floors": {
            name: sum(share * part.floors[name] for share, part in zip(shares, parts, strict=True))
            for name in sorted(known)
        },
        "parts": tuple(parts),
        "weights": weights,
    }
    name, first = " + ".join(part.name for part in parts), parts[0]
    for setting_name, part in zip(given, parts, strict=True):
        _check_alike(f"corpus.{setting_name}", part, first)
    if isinstance(first, Pairs):
        return MixedPairs(name, _joined(parts, "sources"), _joined(parts, "targets"), **common)
    if isinstance(first, Conversations):
        return MixedConversations(name, _joined(parts, "conversations"), **common)
    if isinstance(first, Vectors):
        inputs, targets = (np.concatenate([getattr(part, column) for part in parts]) for column in _NUMBERS)
        common |= {"features": first.features, "outputs": first.outputs}
        common["by_training"] = any(part.by_training for part in parts)
        return MixedVectors(name, inputs, targets, first.classes, **common)
    if isinstance(first, Images):
        pixels = np.concatenate([part.pixels for part in parts])
        labels = None if first.labels is None else np.concatenate([part.labels for part in parts])
        return MixedImages(name, pixels, labels, first.classes, _joined(parts, "captions"), **common)
    return MixedTexts(name, _joined(parts, "texts"), _joined(parts, "labels"), first.classes, **common)


_NUMBERS = ("inputs", "targets")  # the columns of vectors


def _check_alike(field: str, part: Any, first: Any) -> None:
    """Refuse rows that one model cannot read together with the first ones.

    Raises:
        BadInput: They have other classes, other numbers, or another size.
    """
    if isinstance(first, LabelledTexts | Vectors | Images) and (
        part.classes != first.classes or getattr(part, "by_token", False) != getattr(first, "by_token", False)
    ):
        raise BadInput(
            "has other classes than the first corpus, or labels words where that labels texts",
            field=field,
            value=", ".join(part.classes),
            allowed=", ".join(first.classes),
            remedy="Mix labelled texts with the same classes"
            if isinstance(first, LabelledTexts)
            else "Mix rows with the same classes",
        )
    if isinstance(first, Vectors | Images) and _sizes(part) != _sizes(first):
        raise BadInput(
            "has rows of another size than the first corpus, or other columns",
            field=field,
            value=_sizes(part),
            allowed=_sizes(first),
            remedy="Mix vectors with the same columns, or pictures of the same size",
        )


def _sizes(rows: Vectors | Images) -> str:
    """Return what the rows of a mixture have in common, for display."""
    if isinstance(rows, Images):
        return f"{' × '.join(map(str, rows.pixels.shape[1:]))}"
    columns = [", ".join(rows.features) or str(rows.inputs.shape[1])]
    if not rows.classes:
        columns.append(", ".join(rows.outputs) or str(rows.targets.shape[1]))
    return " → ".join(columns)


def _read_table(text: str) -> dict[str, Any] | None:
    """Return settings that are written as the inside of an inline table of TOML; None if they are not."""
    try:
        read = parse_toml(f"settings = {{{text}}}")
    except ValueError:
        return None
    return read["settings"] if read.keys() == {"settings"} else None


def _joined(parts: Sequence[Rows], column: str) -> list[Any]:
    """Return a column of all parts, one part after the other."""
    return [value for part in parts for value in getattr(part, column)]


def _is_used(part: Any) -> bool:
    """Return True if a part, or a table of its settings, names a corpus or a file."""
    if isinstance(part, PartConfig):
        return part.is_used
    return isinstance(part, Mapping) and bool(part.get("corpus") or part.get("path"))

"""Models of the lab as folders of Hugging Face: config.json, model.safetensors, tokenizer.json where it can be said.

What is written is read by transformers to the same logits, or is not written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.api import BadInput, CheckpointFormat, Converter, Tokenizer
from lab.base import LabError
from lab.base.jobs import Cancelled
from lab.base.problems import attributed
from lab.base.writing import make_folder, sync_tree, told_as_problem, write_aside
from lab.text.tokenizers.pretrained import FILE, json_of
from lab.training.resolution import Cards

if TYPE_CHECKING:
    from lab.layers import LanguageModel

KEPT = (
    "bos_token_id", "eos_token_id", "pad_token_id", "max_position_embeddings", "chunk_size", "residual_in_fp32",
)  # fmt: skip
"""Keys of a config.json that nothing in the lab says: those of the model that was imported stay."""


@dataclass(frozen=True)
class Written:
    """What was written.

    Args:
        folder: Where.
        model_type: As its config.json calls it.
        tokenizer: Whether there is a tokenizer.json.
    """

    folder: Path
    model_type: str
    tokenizer: bool


def write_pretrained(
    model: LanguageModel,
    tokenizer: Tokenizer,
    folder: Path,
    cards: Cards,
    *,
    architecture: str,
    model_type: str | None = None,
    before: Mapping[str, Any] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Written:
    """Writes a model as a folder that transformers reads, whole or not at all.

    Args:
        model: The model.
        tokenizer: Its tokenizer.
        folder: A new or empty folder; its parents are made.
        cards: Where formats are found.
        architecture: Name of the architecture of the model.
        model_type: Which kind of model it is to be there; None takes the first that can say it.
        before: The config.json it was imported with, of which KEPT stays.
        cancelled: Asked before anything is written, and before it takes its place.

    Raises:
        BadInput: No format can say this model, or something stands in the folder.
        LabError: It cannot be written, or a plugin's code raised.
        Cancelled: It was cancelled; nothing is left of it.
    """
    from safetensors.torch import save_file

    _check_free(folder)
    card, converter, config = _said(model, cards, architecture, model_type)
    config |= {key: value for key, value in (before or {}).items() if key in KEPT and _may_stay(key, config)}
    with attributed(cards.owner("checkpoint_formats", card.name), f"Writing a checkpoint of {card.title}"):
        tensors = converter.tensors(model.config, model.tables())
    said = json_of(tokenizer)

    def write(aside: Path) -> None:
        aside.mkdir()
        _write_json(aside / "config.json", config)
        if said is not None:
            (aside / FILE).write_text(said, encoding="utf-8")
            _write_json(aside / "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast"})
        save_file({name: part.cpu() for name, part in tensors.items()}, aside / "model.safetensors", {"format": "pt"})
        sync_tree(aside)
        if cancelled():
            raise Cancelled

    if cancelled():
        raise Cancelled
    make_folder(folder.absolute().parent)
    write_aside(folder.absolute(), write)
    return Written(folder, card.model_type, said is not None)


def _check_free(folder: Path) -> None:
    with told_as_problem(folder):
        free = not folder.is_symlink() and (not folder.exists() or (folder.is_dir() and not any(folder.iterdir())))
    if not free:
        what, remedy = "something stands there already", "Choose another folder"
        raise BadInput(what, field="folder", value=str(folder), allowed="a new or empty folder", remedy=remedy)


def _said(
    model: LanguageModel, cards: Cards, architecture: str, model_type: str | None
) -> tuple[CheckpointFormat, Converter, dict[str, Any]]:
    """The first format that can say a model, and the config.json."""
    formats: list[CheckpointFormat] = list(cards.cards("checkpoint_formats").values())
    fitting = [card for card in formats if card.architecture == architecture]
    if not fitting:
        raise BadInput(
            "no format for other programs is known for this architecture",
            field="architecture.name",
            value=architecture,
            allowed=", ".join(sorted({card.architecture for card in formats})) or "none",
            remedy="Export the run as a bundle (.lmlab) or as a script (.py): lm-lab runs export",
        )
    wanted = [card for card in fitting if model_type in (None, card.model_type)]
    if not wanted:
        allowed = ", ".join(card.model_type for card in fitting)
        raise BadInput("is not known for this architecture", field="--as", value=model_type, allowed=allowed)
    refused: list[BadInput] = []
    for card in wanted:
        with attributed(cards.owner("checkpoint_formats", card.name), f"Writing a checkpoint of {card.title}"):
            converter: Converter = card.make()
            try:
                return card, converter, converter.config(model.config, model.task)
            except BadInput as error:
                refused.append(error)
    if len(refused) == 1:
        raise refused[0]
    reasons = [f"{card.model_type}: {error.problem.field}" for card, error in zip(wanted, refused, strict=True)]
    raise BadInput(
        "no format of Hugging Face can say this model",
        field="architecture",
        value="; ".join(reasons),
        remedy="Export the run as a bundle (.lmlab) or as a script (.py): lm-lab runs export",
    )


def _may_stay(key: str, config: Mapping[str, Any]) -> bool:
    """Whether a key of before is not against what is said now: learned positions are as many as they are."""
    return key != "max_position_embeddings" or key in config


def _write_json(file: Path, value: Mapping[str, Any]) -> None:
    try:
        words = json.dumps(value, indent=2, allow_nan=False)
    except ValueError as error:
        raise LabError(f"{file.name} cannot be written: {error}", field="folder", value=file.parent.name) from None
    file.write_text(words + "\n", encoding="utf-8")

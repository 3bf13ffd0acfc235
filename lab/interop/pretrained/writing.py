"""Models of the lab as Hugging Face folders: config.json, model.safetensors, and tokenizer.json where possible.

transformers computes the same logits from the folder; a model for which that is impossible is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.api import BadInput, CheckpointFormat, Converter, Tokenizer
from lab.base import LabError
from lab.base.files.writing import folder_for, named_by_user, sync_tree, write_atomically, write_errors_as_problems
from lab.base.jobs import Cancelled
from lab.base.problems import attributed
from lab.text.tokenizers.pretrained import FILE, json_of
from lab.training.resolution import Cards

if TYPE_CHECKING:
    from lab.layers import LanguageModel

RETAINED = (
    "bos_token_id", "eos_token_id", "pad_token_id", "max_position_embeddings", "chunk_size", "residual_in_fp32",
)  # fmt: skip
"""Keys of a config.json without a counterpart in the lab, which are retained from an imported model."""


@dataclass(frozen=True)
class Written:
    """The result of writing a model.

    Args:
        folder: The folder.
        model_type: The value of "model_type" in its config.json.
        tokenizer: Whether a tokenizer.json was written.
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
    """Write a model as a folder for transformers, completely or not at all.

    Args:
        model: The model.
        tokenizer: Its tokenizer.
        folder: A new or empty folder; its parents are made.
        cards: Source of formats.
        architecture: Name of the architecture of the model.
        model_type: The kind of model to write; None for the first that can express it.
        before: The config.json it was imported with, whose keys RETAINED are copied.
        cancelled: Polled before anything is written, and before the folder is renamed into place.

    Raises:
        BadInput: No format can express this model, or the folder is not empty.
        LabError: It cannot be written, or a plugin's code raised.
        Cancelled: It was cancelled; nothing was written.
    """
    from lab.training.recording.checkpoints import save_tensors

    _check_free(folder)
    card, converter, config = _format_for(model, cards, architecture, model_type)
    config |= {key: value for key, value in (before or {}).items() if key in RETAINED and _may_stay(key, config)}
    with attributed(cards.owner("checkpoint_formats", card.name), f"Writing a checkpoint of {card.title}"):
        tensors = converter.tensors(model.config, model.tables())
    tokenizer_json = json_of(tokenizer)

    def write(new: Path) -> None:
        new.mkdir()
        _write_json(new / "config.json", config)
        if tokenizer_json is not None:
            (new / FILE).write_text(tokenizer_json, encoding="utf-8")
            _write_json(new / "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast"})
        save_tensors({name: part.cpu() for name, part in tensors.items()}, new / "model.safetensors", {"format": "pt"})
        sync_tree(new)
        if cancelled():
            raise Cancelled

    if cancelled():
        raise Cancelled
    with named_by_user(), folder_for(folder.absolute().parent):
        write_atomically(folder.absolute(), write, recorded=True)
    return Written(folder, card.model_type, tokenizer_json is not None)


def _check_free(folder: Path) -> None:
    with write_errors_as_problems(folder):
        free = not folder.is_symlink() and (not folder.exists() or (folder.is_dir() and not any(folder.iterdir())))
    if not free:
        what, remedy = "this folder is not empty", "Choose another folder"
        raise BadInput(what, field="folder", value=str(folder), allowed="a new or empty folder", remedy=remedy)


def _format_for(
    model: LanguageModel, cards: Cards, architecture: str, model_type: str | None
) -> tuple[CheckpointFormat, Converter, dict[str, Any]]:
    """Return the first format that can express a model, its converter and the config.json."""
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
        "no format of Hugging Face can express this model",
        field="architecture",
        value="; ".join(reasons),
        remedy="Export the run as a bundle (.lmlab) or as a script (.py): lm-lab runs export",
    )


def _may_stay(key: str, config: Mapping[str, Any]) -> bool:
    """Return True unless a retained key contradicts the new config: the number of learned positions is the model's."""
    return key != "max_position_embeddings" or key in config


def _write_json(file: Path, value: Mapping[str, Any]) -> None:
    try:
        text = json.dumps(value, indent=2, allow_nan=False)
    except ValueError as error:
        raise LabError(f"{file.name} cannot be written: {error}", field="folder", value=file.parent.name) from None
    file.write_text(text + "\n", encoding="utf-8")

"""Pretrained models: inspect, check and read a local Hugging Face folder as a model of the lab."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.api import BadInput, CheckpointFormat, Converter, Task
from lab.base import LabError
from lab.base.problems import attributed
from lab.base.units import short
from lab.training.resolution import Cards, Resolved

if TYPE_CHECKING:
    from torch import Tensor

    from lab.interop.pretrained.files import Weights
    from lab.layers import LanguageModel

CONTEXT = 1024
"""Largest context length of a training window if the config.json does not define one, in tokens."""
GENERATION = "generation_config.json"
"""The file next to a config.json that says how the model is to generate."""
END = "eos_token_id"
"""The key of both files that holds the number of the symbol for the end of a text, or several."""
POSITIONS = ("n_positions", "max_position_embeddings")
"""Keys of a config.json that hold the number of tokens the model reads."""


@dataclass(frozen=True)
class Pretrained:
    """A pretrained model in a folder, checked by its config and the headers of its weights.

    Args:
        folder: The folder.
        config: Its config.json.
        card: Its format.
        converter: The converter of that format.
        architecture: The architecture with its settings.
        task: The task it was trained for.
        parameters: Number of parameters.
        weights: Its weights.
    """

    folder: Path
    config: Mapping[str, Any]
    card: CheckpointFormat
    converter: Converter
    architecture: Resolved
    task: Task
    parameters: int
    weights: Weights

    @property
    def model_type(self) -> str:
        """The value of "model_type" in its config.json."""
        return self.card.model_type

    @property
    def end_of_text(self) -> tuple[int, ...]:
        """The symbols with which it ends a text: those of its generation_config.json, or else of its config.json."""
        from lab.interop.pretrained.files import read_json

        own = self.folder / GENERATION
        named = (read_json(own) if own.is_file() else {}).get(END, self.config.get(END))
        numbers = named if isinstance(named, list) else [named]
        return tuple(number for number in numbers if type(number) is int and 0 <= number < self.task.vocabulary_size)

    def read_into(
        self,
        model: LanguageModel,
        *,
        symbols: Sequence[int] = (),
        progress: Callable[[float], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        """Load the weights into a model of these settings.

        Args:
            model: The model, which may have further symbols of its objective.
            symbols: The checkpoint's symbols whose rows these get, such as that of its mask.
            progress: Called with the share that has been read.
            cancelled: Polled regularly; True stops it.

        Raises:
            BadInput: A file cannot be read.
            Cancelled: It was cancelled.
        """
        from torch import cat

        with attributed(self.architecture.plugin, f"Reading a checkpoint of {self.card.title}"):
            tables = self.converter.tables(self.config, self.weights.tensors(progress, cancelled))
            if symbols:
                more, size = list(symbols), self.task.vocabulary_size
                wanted = model.tables()
                tables = {
                    name: cat([table, table[more]]) if len(table) == size < len(wanted.get(name, ())) else table
                    for name, table in tables.items()
                }
            model.load_tables(tables)


def inspect_pretrained(folder: Path, cards: Cards) -> Pretrained:
    """Return the model in a folder, checked as far as possible without reading its weights.

    Args:
        folder: A folder with config.json and safetensors. Links are followed: Hugging Face's cache consists of them.
        cards: Source of formats and architectures.

    Raises:
        BadInput: It holds no model that the lab can read; the problem names the file, and in config.json the key.
        LabError: A plugin's code raised.
    """
    from lab.interop.pretrained.files import CONFIG, Weights, model_folder, read_json

    config = read_json(model_folder(folder) / CONFIG)
    card = format_of(config, cards)
    weights = Weights(folder)
    plugin = cards.owner("checkpoint_formats", card.name)
    doing = f"Reading a checkpoint of {card.title}"
    with attributed(plugin, doing):
        converter: Converter = card.make()
        settings = converter.settings(config)
    architecture = cards.card("architectures", card.architecture, field="architecture.name")
    resolved = Resolved(architecture, architecture.config.read(settings, field=CONFIG), plugin, "architecture")
    from lab.diagnostics.cost import blueprint  # imports torch, which a refused folder does not need

    with attributed(plugin, doing):
        shapes = weights.shapes()
        tables = converter.tables(config, shapes)
        task = converter.task(config, shapes, Task(_vocabulary(config), _context(config, tables)))
        wanted = blueprint(architecture, resolved.config, task).tables()
    _compare(tables, wanted, plugin)
    parameters = sum(table.numel() for table in wanted.values())
    return Pretrained(folder, config, card, converter, resolved, task, parameters, weights)


def load_pretrained(folder: str | Path, cards: Cards | None = None) -> LanguageModel:
    """Return the model of a local Hugging Face folder, on the CPU, in float32 and eval mode, without running its code.

    Args:
        folder: A folder with config.json and safetensors, in one file or in shards.
        cards: Source of formats and architectures; None uses the plugins of the environment.

    Raises:
        BadInput: It holds no model that the lab can read; the problem names the file, and in config.json the key.
        LabError: A plugin's code raised.
    """
    from lab.host import Plugins
    from lab.training.experiment import build_model

    found = inspect_pretrained(Path(folder).expanduser(), cards or Plugins.from_environment())
    check_memory(found)
    model = build_model(found.architecture, found.task)
    found.read_into(model)
    return model.eval()


def check_memory(found: Pretrained) -> None:
    """Refuse a model that does not fit into memory twice, as model and as weights while they are read.

    Raises:
        BadInput: It does not fit.
    """
    import psutil  # type: ignore[import-untyped]

    needed, free = 8 * found.parameters, psutil.virtual_memory().available
    if needed > free:
        what = f"does not fit into memory: {short(needed)}B are needed to read it, and {short(free)}B are free"
        raise BadInput(
            what, field="folder", value=str(found.folder), remedy="Close other programs, or choose a smaller one"
        )


def format_of(config: Mapping[str, Any], cards: Cards) -> CheckpointFormat:
    """Return the format of a config.json.

    Raises:
        BadInput: No format reads it.
    """
    known: dict[str, CheckpointFormat] = {}
    for card in cards.cards("checkpoint_formats").values():
        known.setdefault(card.model_type, card)
    kind = config.get("model_type")
    if not isinstance(kind, str) or kind not in known:
        raise BadInput(
            "names no kind of model" if kind is None else "names a kind of model that the lab cannot read",
            field="config.json: model_type",
            value=None if kind is None else str(kind)[:80],
            allowed=", ".join(sorted(known)) or "none: no plugin reads checkpoints",
        )
    return known[kind]


def _vocabulary(config: Mapping[str, Any]) -> int:
    return int(config.get("vocab_size", 1))  # the converter has read it; models of images have none


def _context(config: Mapping[str, Any], tables: Mapping[str, Tensor]) -> int:
    """Return the context length in tokens: the number of learned positions if the model has them."""
    if "position.weight" in tables:
        return len(tables["position.weight"])
    known = next((config[key] for key in POSITIONS if type(config.get(key)) is int), CONTEXT)
    return max(1, min(known, CONTEXT))


def _compare(tables: Mapping[str, Tensor], wanted: Mapping[str, Tensor], plugin: str) -> None:
    """Raise LabError if a converter does not deliver the tables of its architecture."""
    strange = sorted(tables.keys() ^ wanted.keys()) or sorted(
        name for name, table in wanted.items() if table.shape != tables[name].shape
    )
    if strange:
        what = f"the tables of this checkpoint are not those of its model: {', '.join(strange[:3])}"
        raise LabError(what, field="checkpoint_formats", plugin=plugin)

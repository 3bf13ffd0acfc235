"""The settings and figures that the table of runs offers as columns: which of them, and by what names; without Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from lab.api import settings_of
from lab.host import Plugins
from lab.recipes import Recipe, Training
from lab.runs.library.recipe_fields import Value
from lab.runs.metrics.gauges import MACHINE, gauge_of, is_step_part

OFFERED = 14
"""Most entries of a menu of settings or figures, which fit into the smallest window; the next ones are below "More"."""
FIRST = (
    "architecture.name", "architecture.layers", "architecture.width", "training.optimizer.learning_rate",
    "training.batch_size", "training.context_length", "training.steps", "training.seed", "corpus.name",
    "tokenizer.name",
)  # fmt: skip
"""The settings that are offered first."""
SILENT = ("format", "title", "readings.", "observers", "decoding.")
"""Starts of the paths of settings that distinguish no runs."""
WITH_BEST = ("loss", "accuracy", "perplexity", "bits per byte")
"""Ends of the names of series that have a best value; that of a norm or a rate says nothing."""
Translate = Callable[[str], str]


def offered_settings(runs: Sequence[Mapping[str, Value]]) -> list[str]:
    """Return the paths of the settings in which runs differ, or of those that are known if they differ in none.

    Args:
        runs: The settings of each run by path.
    """
    paths = [path for path in dict.fromkeys(path for run in runs for path in run) if not path.startswith(SILENT)]
    differing = [path for path in paths if len({run[path] for run in runs if path in run}) > 1]
    return sorted(differing or paths, key=lambda path: FIRST.index(path) if path in FIRST else len(FIRST))


def offered_figures(series: Iterable[str]) -> list[str]:
    """Return the names of the figures of series, as `lab.runs.library.columns` reads them.

    Losses have a best value and its step, other series a last value, all of them a mean. Series of parts of the model
    or of a step, such as the norms of each block, are left out.
    """
    overall = {name for name in series if gauge_of(name) is None and not is_step_part(name) and name not in MACHINE}
    names = sorted(overall, key=lambda name: (name != "validation loss", not name.endswith(WITH_BEST), name))
    whole = [name for name in names if not any(name.startswith(f"{other} ") for other in names)]
    found = []
    for name in whole:
        found += [f"best {name}", f"step of best {name}"] if name.endswith(WITH_BEST) else [f"last {name}"]
        found.append(f"mean {name}")
    return found


def setting_titles(plugins: Plugins, translate: Translate) -> dict[str, str]:
    """Return the title of each setting of recipes by its path, as the form writes it.

    Args:
        plugins: The plugins whose cards have settings.
        translate: Translates a title.
    """
    titles = {f"training.{one.name}": translate(one.title) for one in settings_of(Training)}
    recipe = {one.name: translate(one.title) for one in settings_of(Recipe)}
    titles |= {path: title for path, title in recipe.items() if path.startswith("distillation.")}
    for path, (kind, _) in Recipe().choices().items():
        titles[f"{path}.name"] = recipe.get(path) or titles.get(path) or path_title(path)
        for card in plugins.cards(kind).values():
            for one in settings_of(card.config, prefix=f"{path}."):
                titles.setdefault(one.name, translate(one.title))
    return titles


def path_title(path: str) -> str:
    """Return a title for the path of a setting that no card has any more: its last part."""
    text = path.removesuffix(".name").rpartition(".")[2].replace("_", " ")
    return text[:1].upper() + text[1:]


def distinct_titles(titles: Mapping[str, str]) -> dict[str, str]:
    """Return titles by path; where two are equal, what they belong to follows: "Name · schedule"."""
    counts = Counter(titles.values())
    return {
        path: f"{title} · {path.split('.')[-2].replace('_', ' ')}" if counts[title] > 1 and "." in path else title
        for path, title in titles.items()
    }

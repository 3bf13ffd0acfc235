"""The content of a link as it is shown before anything is done with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lab.api import Setting
from lab.base.problems import LabError, Problem
from lab.host import Plugins
from lab.recipes import Link, Recipe
from lab.shell.session.draft import shown_title
from lab.shell.session.draft_changes import differences, shown_short
from lab.shell.session.setting_labels import setting_title, settings_by_path
from lab.training.resolution import resolve_all
from lab.widgets.core.i18n import language, number_text, tr, tr_registered
from lab.workbench.exchange.link import open_link, recipe_here

FROM_FAR = ("dataset",)
"""Corpora that may be fetched when they are read, which a preview must not do."""


@dataclass(frozen=True)
class Preview:
    """A link that can be opened.

    Args:
        link: The link.
        recipe: Its recipe with the path of its text on this machine; None if the text is not found.
        facts: (name, value) of what is shown, in order.
        changes: The differences from the configuration, one line each.
        is_local: True if the text can be read without fetching anything and without code of third parties.
    """

    link: Link
    recipe: Recipe | None
    facts: Sequence[tuple[str, str]]
    changes: Sequence[str]
    is_local: bool

    @property
    def name(self) -> str:
        """The name of the recipe or run."""
        run = self.link.run.name if self.link.run is not None else ""
        return run or shown_title(self.link.recipe.title) or tr("a recipe without a title")

    @property
    def missing(self) -> str:
        """The name of the text that has to be selected; "" if it is found or there is none."""
        if self.recipe is not None:
            return ""
        return self.link.corpus.name if self.link.corpus is not None else str(self.link.recipe.corpus.name)

    def with_text(self, file: Path) -> Preview:
        """Return the preview with the text in a file."""
        return replace(self, recipe=recipe_here(self.link, file))


def preview_of(text: str, plugins: Plugins, draft: Recipe) -> Preview | Problem:
    """Return the content of a link for display, or the problem if it cannot be opened.

    Args:
        text: The link.
        plugins: The plugins that provide the cards it names.
        draft: The current configuration.
    """
    try:
        link = open_link(text, plugins)
        cards = resolve_all(link.recipe, plugins)
        changes = differences(link.recipe, draft, plugins)
    except LabError as error:
        return error.problem
    try:
        recipe: Recipe | None = recipe_here(link)
    except LabError:
        recipe = None
    corpus = cards["corpus"]
    is_local = corpus.card.name not in FROM_FAR and corpus.plugin.startswith("lab.")
    known = settings_by_path(plugins)
    lines = [_change(_name_of(path, known), before, now) for path, (before, now) in changes.items()]
    return Preview(link, recipe, _facts(link, cards), lines, is_local)


def _facts(link: Link, cards: dict[str, Any]) -> list[tuple[str, str]]:
    recipe, run = link.recipe, link.run
    facts = [(tr("Title"), shown_title(recipe.title))] if recipe.title else []
    if run is not None:
        result = tr("step {step}", step=number_text(run.step))
        if run.validation_loss is not None:
            loss = number_text(run.validation_loss, ".4f")
            result = tr("validation loss {loss} nats after {step} steps", loss=loss, step=number_text(run.step))
        facts += [(tr("Run"), run.name)] if run.name else []
        facts.append((tr("Result"), result))
        facts += [(tr("Start"), tr("a checkpoint of another run, which is not in the link"))] if run.branched else []
    facts.append((tr("Architecture"), tr_registered(cards["architecture"].card.title)))
    training = recipe.training
    steps = tr(
        "{steps} steps of {batch} × {length} tokens, seed {seed}",
        steps=number_text(training.steps), batch=training.batch_size, length=training.context_length,
        seed=training.seed,
    )  # fmt: skip
    corpus = tr_registered(cards["corpus"].card.title)
    if link.corpus is not None:
        corpus = link.corpus.name
        if link.corpus.characters:
            corpus = tr("{name}, {n} characters", name=corpus, n=number_text(link.corpus.characters))
    return [*facts, (tr("Corpus"), corpus), (tr("Training"), steps)]


def _name_of(path: str, known: Mapping[str, Setting]) -> str:
    """Return a setting by its path in English, where the form has no title, and otherwise by the title of the form."""
    if language.code == "en":
        return path.removesuffix(".name").replace(".", " · ").replace("_", " ")
    return setting_title(path, known.get(path))


def _change(setting: str, before: Any, now: Any) -> str:
    unset = tr("default")
    shown = [unset if value is None else shown_short(value) for value in (before, now)]
    return tr("{setting}: {before} → {now}", setting=setting, before=shown[0], now=shown[1])

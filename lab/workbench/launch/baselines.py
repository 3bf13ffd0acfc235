"""Recipes of the plainer models that the model of a recipe is compared with."""

from __future__ import annotations

from lab.base.problems import attributed
from lab.recipes import Recipe
from lab.training.resolution import Cards, resolve


def baselines(recipe: Recipe, cards: Cards) -> dict[str, Recipe]:
    """Return the recipes that a recipe is compared with, by name; without those that equal it.

    The recipes differ in settings of the architecture alone, and in the title, which says what they are.

    Args:
        recipe: Stays as it is.
        cards: Where its architecture is found.

    Raises:
        BadInput: There is no such architecture, or a setting of it is not allowed.
        LabError: The plugin's code raised.
    """
    model = resolve(cards, "architectures", recipe.architecture, "architecture")
    found = {}
    for name in model.card.baselines:
        with attributed(model.plugin, f"Making the baseline {name}"):
            config = model.card.baseline(name, model.config)
        settings = config.stored()
        if settings != model.config.stored():
            own = {"name": model.card.name, "version": config.version, **settings}
            title = f"{name} · {recipe.title or model.card.title}"
            found[name] = recipe.with_values({"architecture": None}, {"architecture": own, "title": title[:200]})
    return found

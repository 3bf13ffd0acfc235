"""Recipes of the simpler models that the model of a recipe is compared with."""

from __future__ import annotations

from lab.base.problems import attributed
from lab.recipes import Recipe
from lab.training.resolution import Cards, resolve


def baselines(recipe: Recipe, cards: Cards) -> dict[str, Recipe]:
    """Return the recipes of a recipe's baselines by name, without those that equal it.

    They differ from it only in settings of the architecture, and in the title, which names the baseline.

    Args:
        recipe: The recipe; it is not changed.
        cards: The registered cards, among them its architecture.

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

"""The validation split of a run on disk: its corpus found on this machine, checked to be the same, and cut as then."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lab.api import BadInput, LabError, Tokenizer
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.workbench.launch import known_corpora


def validation_split(folder: RunFolder, recipe: Recipe, plugins: Plugins, tokenizer: Tokenizer, remedy: str) -> Any:
    """The source whose examples its evaluations read.

    Args:
        folder: The run.
        recipe: Its own.
        plugins: Where corpus and tokenizer are found.
        tokenizer: As the run keeps it.
        remedy: What to do where the corpus is not here; "" leaves it to what went wrong.

    Raises:
        BadInput: The corpus cannot be read, or is another one now.
        LabError: The run does not say what it was.
    """
    from lab.training.material import read_material
    from lab.training.resolution import resolve

    sha256 = known_corpora.sha256_of(folder)
    if sha256 is None:
        raise LabError("this run does not say what its corpus was", field="run.json", remedy="Give --text FILE")
    try:
        here = known_corpora.localised(recipe, folder)
        named = {"corpus": ("corpora", here.corpus), "tokenizer": ("tokenizers", here.tokenizer)}
        cards = {field: resolve(plugins, kind, choice, field) for field, (kind, choice) in named.items()}
        material = read_material(cards, tokenizer.vocabulary())
    except BadInput as error:
        what = f"the corpus of this run cannot be read: {error.problem.what}"
        raise BadInput(replace(error.problem, what=what, remedy=remedy or error.problem.remedy)) from None
    if material.sha256 != sha256:
        raise BadInput(
            "the corpus is not the text this run was trained on any more",
            field="corpus",
            value=material.given.name,
            remedy=remedy or None,
        )
    return material.splits(here, carries=False)[1]

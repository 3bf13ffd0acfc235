"""The vocabularies of runs: their digest, and the tokenizer files of pretrained models.

A run stores the content of such a file; a recipe names its path.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from lab.base import LabError
from lab.base.files.writing import make_folder, write_file
from lab.base.folders import cache_folder
from lab.base.notices import notify
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.text.tokenizers.pretrained import FILE


def with_tokenizer_here(recipe: Recipe, run: RunFolder) -> Recipe:
    """Return a run's recipe with the path of a tokenizer file written from the run; other recipes are unchanged.

    The path in the recipe itself is never opened, since it may come from a stranger.

    Args:
        recipe: The recipe of a run.
        run: The run.
    """
    vocabulary = run.facts.get("vocabulary")
    text = vocabulary.get("tokenizer") if isinstance(vocabulary, dict) else None
    if recipe.tokenizer.name != "pretrained" or not isinstance(text, str):
        return recipe
    data = text.encode(errors="backslashreplace")
    file = cache_folder() / "tokenizers" / hashlib.sha256(data).hexdigest()[:32] / FILE
    try:
        if not file.is_file():
            make_folder(file.parent)
            write_file(file, data)
    except LabError as error:  # the run itself does not need the file
        notify("warning", error.problem)
        return recipe
    return recipe.with_values({"tokenizer": {"path": str(file)}})


def vocabulary_digest(run: RunFolder) -> str | None:
    """Return a digest of a run's vocabulary; None if it stores none."""
    vocabulary: Any = run.facts.get("vocabulary")
    if not isinstance(vocabulary, Mapping):
        return None
    return hashlib.sha256(json.dumps(vocabulary, sort_keys=True).encode("utf-8", "replace")).hexdigest()

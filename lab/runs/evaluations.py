"""The part of the validation text on which each evaluation of a run was measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lab.recipes import Recipe


def reads_all(recipe: Recipe, evaluation: Mapping[str, Any], *, finished: bool) -> bool:
    """Return True if the last evaluation of a run read all of the validation text.

    Examples that are generated have no end, so a run on them never reads all.

    Args:
        recipe: The recipe of the run.
        evaluation: Its last evaluation: "part" and "targets".
        finished: Whether the run is finished; only then is its last evaluation the one of all of the text.
    """
    return evaluation.get("part") == "all" and finished and recipe.tokenizer.name != "symbol"


def part_tokens(recipe: Recipe, evaluation: Mapping[str, Any], *, finished: bool) -> int | None:
    """Return the validation tokens that evaluations during a training read, if only the last one read more of them.

    A chart does not join that last loss to the others. None if all read the same, or there is no last one yet.

    Args:
        recipe: As for `reads_all`.
        evaluation: As for `reads_all`.
        finished: As for `reads_all`.
    """
    limit, targets = recipe.training.evaluate_tokens, evaluation.get("targets")
    reads_part = limit > 0 and (not isinstance(targets, int) or targets > limit)
    return limit if reads_part and reads_all(recipe, evaluation, finished=finished) else None

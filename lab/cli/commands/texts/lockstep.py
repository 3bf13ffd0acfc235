"""`lm-lab generate --beside`: runs that write in lockstep, and how alike their predictions are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lab.base import BadInput
from lab.base.units import bits
from lab.cli.output import Progress, print_json, print_text
from lab.cli.table import print_table
from lab.recipes import Decoding
from lab.workbench import SavedRun
from lab.workbench.lockstep.columns import MOST, Column, Lockstep
from lab.workbench.lockstep.texts import DIRECTION, ColumnText, LockstepTexts

FIELD = "--beside"


def print_lockstep(
    saved: SavedRun,
    named: str,
    others: Sequence[str],
    prompt: str,
    progress: Progress,
    *,
    decoding: Decoding,
    settings: Mapping[str, Any],
    seed: int,
    count: int,
    held: bool,
    device: str,
    json: bool,
) -> None:
    """Let runs continue a prompt in lockstep, and print the texts and their agreement with the first one.

    Args:
        saved: The first run.
        named: How the user named it.
        others: The names of the others, "RUN" or "RUN@STEP".
        prompt: The prompt of all.
        progress: Shows the progress.
        decoding: How all write.
        settings: As of ModelAccess.generate.
        seed: Of all.
        count: Most tokens of the first run.
        held: Whether all read the text of the first one.
        device: Where to compute.
        json: Whether one JSON object is printed.

    Raises:
        BadInput: A run cannot be found, or cannot write, or there are too many.
    """
    if len(others) >= MOST:
        allowed = f"at most {MOST - 1} times"
        raise BadInput("is given too often", field=FIELD, value=len(others), allowed=allowed)
    columns = [Column(saved, named), *(Column(_found(saved, name), name) for name in others)]
    texts = [ColumnText(column.name) for column in columns]
    lockstep = Lockstep(
        columns, [prompt] * len(columns), decoding=decoding, settings=settings, seed=seed, count=count, held=held,
        device=device,
    )  # fmt: skip
    for rounds, new in enumerate(lockstep.write(), start=1):
        progress.show(f"token {rounds} of {count}")
        for one in new:
            texts[one.column].add([one])
    progress.clear()
    for at, problem in lockstep.problems.items():
        given = {"field": FIELD, "value": columns[at].name}
        what = problem.what if problem.field in (None, "run") else f"{problem.field}: {problem.what}"
        raise BadInput(replace(problem, what=what, **given))
    for text, comparable in zip(texts, lockstep.comparable, strict=True):
        text.comparable = comparable
    found = LockstepTexts(prompt, decoding, [seed], held, texts)
    if json:
        print_json(found.as_dict())
        return
    for text in texts:
        print_text(f"{text.name}, step {text.step}:")
        print_text(f"{prompt}{text.text}\n", exact=True)
    _print_agreement(texts)


def _found(saved: SavedRun, name: str) -> SavedRun:
    try:
        return saved.open_run(name)
    except BadInput as error:
        raise BadInput(replace(error.problem, field=FIELD, value=name)) from None


def _print_agreement(texts: Sequence[ColumnText]) -> None:
    rows = []
    for text in texts[1:]:
        found = text.summary
        if found is None:
            rows.append([text.name, *[""] * 5])
            continue
        divergences = ["∞" if math.isinf(found.kl) else f"{value:.4f}" for value in (found.kl, bits(found.kl))]
        shares = [f"{share:.1%}" for share in (found.overlap, found.same_likeliest, found.same_token)]
        rows.append([text.name, *divergences, *shares])
    heads = ["beside the first", "KL (nats)", "KL (bits)", "overlap", "same likeliest", "same token"]
    print_table(heads, rows, right=[False] + [True] * 5)
    print_text(f"{DIRECTION}, before all filters, mean per token; drawn with the same random numbers")
    if any(not text.comparable for text in texts):
        print_text("KL is not defined where vocabularies differ; such runs go on character by character")

"""The table of `lm-lab generate --table`: ways of decoding, measured beside the corpus itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from lab.base.units import finite
from lab.cli.output import Progress, print_json, print_text
from lab.cli.table import print_table
from lab.workbench import SavedRun
from lab.workbench.scoring.by_checkpoint import SETTINGS, tables_by_checkpoint
from lab.workbench.scoring.degeneration import GRID, MEASURES, Measures, Table, degeneration_table

HEADS = {
    "perplexity": "perplexity", "repetition": "repetition", "repeated": "repeated 4", "self_bleu": "self-BLEU",
    "distinct_1": "distinct 1", "distinct_2": "distinct 2", "distinct_3": "distinct 3", "zipf": "Zipf",
}  # fmt: skip
"""The titles of the measures' columns."""


def print_degeneration(
    saved: SavedRun,
    settings: Sequence[str],
    progress: Progress,
    *,
    texts: int,
    prompt: int,
    tokens: int,
    seed: int,
    device: str,
    json: bool,
) -> None:
    """Measure settings of decoding, those of the grid if none are named, and print them beside the corpus."""
    table = degeneration_table(
        saved, settings or GRID, texts=texts, prompt=prompt, tokens=tokens, seed=seed, device=device,
        progress=lambda share, setting: progress.show(f"{share:.0%}: {setting}"),
    )  # fmt: skip
    progress.clear()
    if json:
        print_json(_as_dict(saved, table, prompt))
        return
    rows = _rows(table)
    print_table(["setting", *(HEADS[measure] for measure in MEASURES)], rows, right=[False] + [True] * len(MEASURES))
    print_text(
        f"{len(table.prompts)} texts of {table.tokens} tokens after {prompt} tokens of the validation text, "
        f"{saved.name}, step {table.step}"
    )
    if table.nearest() is not None:
        print_text(f"nearest to the corpus by perplexity: {table.nearest()}; * marks the nearest by each measure")


def print_by_checkpoint(
    saved: SavedRun,
    names: Sequence[str],
    settings: Sequence[str],
    progress: Progress,
    *,
    texts: int,
    prompt: int,
    tokens: int,
    seed: int,
    device: str,
    json: bool,
) -> None:
    """Measure settings at checkpoints of a run, and print them one below the other."""
    found = tables_by_checkpoint(
        saved, names, settings or SETTINGS, texts=texts, prompt=prompt, tokens=tokens, seed=seed, device=device,
        progress=lambda share, setting: progress.show(f"{share:.0%}: {setting}"),
    )  # fmt: skip
    progress.clear()
    if json:
        print_json(
            {
                "run": str(saved.path.absolute()),
                "checkpoints": [
                    {**_as_dict(saved, one.table, prompt), "validation_loss": finite(one.loss), "best": one.is_best}
                    for one in found
                ],
            }
        )
        return
    rows = []
    for one in found:
        loss = "" if one.loss is None else f"{one.loss:.3f}" + (" (best)" if one.is_best else "")
        rows += [[f"{one.step:,}", loss, *row] for row in _rows(one.table)]
    heads = ["step", "validation loss", "setting", *(HEADS[measure] for measure in MEASURES)]
    print_table(heads, rows, right=[True, False, False] + [True] * len(MEASURES))
    table = found[-1].table
    print_text(
        f"{len(table.prompts)} texts of {table.tokens} tokens after {prompt} tokens of the validation text, "
        f"{saved.name}; * marks the nearest to the corpus at the same step"
    )


def _rows(table: Table) -> list[list[str]]:
    nearest = {measure: table.nearest(measure) for measure in MEASURES}
    rows = [["the corpus", *_cells(table.human, "", {})]]
    return rows + [[row.setting, *_cells(row.measures, row.setting, nearest)] for row in table.rows]


def _cells(measures: Measures, setting: str, nearest: dict[str, str | None]) -> list[str]:
    cells = []
    for name, value in measures.as_dict().items():
        star = " *" if setting and nearest.get(name) == setting else "  "
        shown = "" if math.isnan(value) else f"{value:.1%}" if name in ("repetition", "repeated") else f"{value:.3f}"
        cells.append(shown + star)
    return cells


def _as_dict(saved: SavedRun, table: Table, prompt: int) -> dict[str, Any]:
    def measures(found: Measures) -> dict[str, float | None]:
        return {name: finite(value) for name, value in found.as_dict().items()}

    return {
        "run": str(saved.path.absolute()),
        "step": table.step,
        "texts": len(table.prompts),
        "prompt_tokens": prompt,
        "tokens": table.tokens,
        "corpus": measures(table.human),
        "rows": [{"setting": row.setting, **measures(row.measures), "example": row.texts[0]} for row in table.rows],
        "nearest": {measure: table.nearest(measure) for measure in MEASURES},
        "prompt_example": table.prompts[0],
        "corpus_example": table.originals[0],
    }

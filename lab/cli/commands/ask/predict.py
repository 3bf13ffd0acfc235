"""`lm-lab predict`: what a run of vectors predicts for each row of a table."""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.base.files.writing import check_output, write_file
from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import print_json, print_text
from lab.cli.table import print_table
from lab.host import Plugins
from lab.workbench import SavedRun

MOST_ROWS = 60
"""Rows that are printed; all of them are in the file of --csv, and in JSON."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab predict`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument(
        "table", metavar="FILE", help="CSV, TSV, JSON lines or Parquet with the columns that the run was trained on"
    )
    parser.add_argument(
        "--header", choices=("auto", "yes", "no"), default="auto", help="whether its first line names the columns"
    )
    parser.add_argument("--csv", metavar="FILE", help="write the probability of each class, or each number, as CSV")
    parser.add_argument("--overwrite", action="store_true", help="replace an existing file")


@named_by_option({"corpus.path": "FILE", "run": "RUN"})
def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Print the class or the numbers that are predicted for each row."""
    from lab.workbench.analysis.predictions import predict

    table = Path(arguments.table).expanduser()
    written = None if arguments.csv is None else Path(arguments.csv).expanduser()
    if written is not None:
        check_output(written, overwrite=arguments.overwrite, read=[table], field="--csv")
    saved = SavedRun.find(arguments.run, plugins)
    found = predict(saved, table, header=arguments.header)
    if written is not None:
        write_file(written, found.as_csv())
    rows = found.rows()
    if arguments.json:
        page = {"run": str(saved.path.absolute()), "step": found.step, "rows": len(rows)}
        page |= {"classes": list(found.classes)} if found.classes else {"names": list(found.names)}
        written_to = {} if written is None else {"written": str(written.absolute())}
        print_json({**page, "probabilities": found.probable, "values": found.values.tolist(), **written_to})
        return 0
    cells = [[str(number), *(one if isinstance(one, str) else f"{one:.4g}" for one in row)] for number, row in
             enumerate(rows[:MOST_ROWS], start=1)]  # fmt: skip
    right = (True, *(not found.classes or at > 0 for at in range(len(found.heads))))
    print_table(("row", *found.heads), cells, right=right)
    if len(rows) > MOST_ROWS:
        print_text(f"… and {len(rows) - MOST_ROWS:,} more rows; --csv FILE writes all of them")
    if written is not None:
        print_text(f"written: {written}")
    return 0

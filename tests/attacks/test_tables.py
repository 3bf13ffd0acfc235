"""Tables of runs by a grammar, and what a class hands in: laws are fitted or refused, and no file hides another."""

import json
import os
import random
import shutil

import pytest
from attacking import bounded_memory, damage, refusal
from test_bundles import Grammar

from lab.cli.main import main
from lab.runs import RunFolder
from lab.runs.bundle import export_bundle
from lab.studies.scaling import FORMS, FitOptions, fit_envelope, fit_isoflops, fit_law, fit_single_laws, read_table
from lab.studies.scaling.table import MOST_ROWS, rows_of
from lab.workbench.classroom.table import class_csv, read_class

SAMPLE = 40
ROWS = 9
NAMES = (
    "N",
    "Parameters",
    "D",
    "tokens",
    "C",
    "FLOPs",
    "loss",
    "L",
    "seed",
    "",
    "U",
    "unique_tokens",
    "\x1b[2J",
    "=1+1",
)
CELLS = (
    *("1e400", "-1", "0", "nan", "inf", "-inf", "x", "", " ", "1_000", "\u0661\u0662", "1e308", "1e-320", "9" * 400),
    *("=cmd|' /C calc'!A0", '"', "1,5", "\0", "\x1b[2J", "true", "0x10"),
)
OPTIONS = FitOptions(resamples=20)


def csv_text(draw):
    """Return a table of runs of a law, in which some titles and cells are others."""
    sign = draw.choice(",;\t")
    titles = ["parameters", "tokens", "flops", "loss"]
    rows = []
    for at in range(draw.choice((0, 1, 2, 4, ROWS))):
        size, tokens = 1e6 * 3 ** (at % 3), 1e7 * 4 ** (at // 3)
        rows.append([size, tokens, 6 * size * tokens, 1.7 + 400 / size**0.34 + 410 / tokens**0.28])
    lines = [[str(cell) for cell in row] for row in rows]
    for _ in range(draw.randint(0, 2)):
        titles[draw.randrange(4)] = draw.choice(NAMES)
    for _ in range(draw.choice((0, 1, 1, 20))):
        if lines:
            draw.choice(lines)[draw.randrange(4)] = draw.choice(CELLS)
    if lines and draw.random() < 0.2:
        draw.choice(lines).extend(draw.choice(CELLS) for _ in range(draw.choice((1, 500))))
    return "\n".join(sign.join(line) for line in (titles, *lines))


def try_tables(tmp_path, seeds, tally):
    """Fit all laws to tables of the grammar. Return how many fits there were."""
    file, fits = tmp_path / "table.csv", 0
    asked = [lambda table, form=form: fit_law(form, table, OPTIONS) for form in FORMS]
    asked += [lambda table: fit_isoflops(table, OPTIONS), lambda table: fit_envelope(table, OPTIONS)]
    asked += [lambda table: fit_single_laws(table, OPTIONS)]
    tally.seeds(f"seeds {seeds[0]} to {seeds[-1]}")
    for seed in seeds:
        draw = random.Random(seed)
        text = csv_text(draw)
        content = damage(text, draw)[1] if draw.random() < 0.2 else text.encode()
        file.write_bytes(content)
        tally.begin("tables")
        ask = draw.choice(asked)
        try:
            with bounded_memory():
                problem = refusal(lambda ask=ask: ask(read_table(file)))
        except Exception as error:
            error.add_note(f"seed {seed}: {text[:500]}")
            raise
        assert problem is None or (problem.what, problem.field) > ("", ""), seed
        fits += problem is None
    tally.end()
    return fits


def test_a_table_of_any_cells_has_a_law_or_is_refused(tmp_path, tally):
    assert 0 < try_tables(tmp_path, range(SAMPLE), tally) < SAMPLE


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_thousands_of_tables(tmp_path, tally):
    assert try_tables(tmp_path, range(1000, 4000), tally) > 100


@pytest.mark.parametrize(
    "content",
    [
        b"loss\n" + b"1\n" * (MOST_ROWS + 1),
        b"loss," * 1000,
        b"loss\n" + b"," * 2**20,
        b'loss\n"' + b"x" * 2**20,
        b"\0" * 100,
        b"\xff\xfe",
        b"",
    ],
    ids=["rows", "titles", "columns", "a field", "null", "no text", "nothing"],
)
def test_a_table_that_is_none_is_refused(tmp_path, capsys, content):
    (tmp_path / "table.csv").write_bytes(content)
    assert main(["scaling", "fit", str(tmp_path / "table.csv"), "--resamples", "20"]) == 2
    found = capsys.readouterr().err
    assert "Traceback" not in found
    assert len(found) < 5000


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes in folders")
@pytest.mark.parametrize("path", ["pipe", "/dev/zero", ".", "a" * 4096, "no\udcff"])
def test_a_path_that_is_no_table_is_refused_at_once(tmp_path, monkeypatch, capsys, path):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    assert main(["scaling", "fit", path]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("text", ["1-999999", ",".join(["1-999999"] * 500), "9" * 5000, "3-1", "-", "٣"], ids=len)
def test_rows_that_are_left_out_are_few(text):
    with bounded_memory(2**27):
        problem = refusal(lambda: rows_of(text))
    assert problem is not None or len(set(rows_of(text))) <= MOST_ROWS


@pytest.mark.parametrize(
    "options",
    [
        *(["--resamples", "10000000000"], ["--resamples", "-1"], ["--delta", "nan"], ["--delta", "-1"]),
        *(["--level", "1"], ["--level", "nan"], ["--seed", "-1"], ["--predict", "N=1e999"], ["--predict", "x"]),
        *(["--flops", "inf"], ["--flops", "-1"], ["--flops", "1e-300"], ["--predict", "N=1e308,D=1e308"]),
        *(["--reach", "nan", "--read", "1"], ["--reach", "0", "--read", "1"], ["--reach", "3", "--read", "1e308"]),
        *(["--column", "N=none"], ["--column", "="], ["--leave-out", "1-9"]),
    ],
    ids=" ".join,
)  # fmt: skip
def test_an_option_of_the_fit_that_cannot_be_is_refused(tmp_path, capsys, options):
    draw = random.Random(3)
    draw.choice = lambda values: values[-1] if values == (0, 1, 2, 4, ROWS) else values[0]
    (tmp_path / "table.csv").write_text(csv_text(draw))
    code = main(["scaling", "fit", str(tmp_path / "table.csv"), "--resamples", "20", *options])
    found = capsys.readouterr().err
    assert code in (0, 2), found
    assert "failed" not in found


# --------------------------------------------------------------------------------------------------------- hand-ins


def try_classes(target, tmp_path, seeds, tally):
    """Read folders in which one bundle of the grammar stands beside a sound one. Return how many were refused."""
    folder = tmp_path / "class"
    folder.mkdir()
    intact = export_bundle(RunFolder.open(target), tmp_path / "intact.lmlab")
    shutil.copy(intact, folder / "Ada.lmlab")
    tally.seeds(f"seeds {seeds[0]} to {seeds[-1]}")
    refused = 0
    for seed in seeds:
        lies = Grammar(intact, seed).write(folder / "Bob.lmlab")
        tally.begin(lies[0].partition(" ")[0])
        try:
            with bounded_memory():
                rows = read_class(folder)
        except Exception as error:
            error.add_note(f"seed {seed}: {lies}")
            raise
        assert "Ada.lmlab" in [row.entry.file for row in rows if row.entry.problem is None], lies
        text = class_csv(rows)
        assert "\x1b" not in text, lies
        assert not any(cell.startswith(("=", "+", "@")) for line in text.splitlines() for cell in line.split(",")), lies
        assert sorted(path.name for path in folder.iterdir()) == ["Ada.lmlab", "Bob.lmlab"], lies
        refused += any(row.entry.problem is not None for row in rows)
    tally.end()
    return refused


def test_a_bundle_with_any_lie_hides_no_other_of_a_class(target, tmp_path, tally):
    assert try_classes(target, tmp_path, range(SAMPLE), tally) > 0


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_classes_with_thousands_of_bundles_with_lies(target, tmp_path, tally):
    assert try_classes(target, tmp_path, range(1000, 4000), tally) > 1000


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes in folders")
def test_what_is_no_bundle_in_the_folder_of_a_class_is_a_row_that_says_so(target, tmp_path, capsys):
    folder = tmp_path / "class"
    folder.mkdir()
    export_bundle(RunFolder.open(target), folder / "Ada.lmlab")
    os.mkfifo(folder / "pipe.lmlab")
    (folder / "zero.lmlab").symlink_to("/dev/zero")
    (folder / "loop.lmlab").symlink_to("loop.lmlab")
    (folder / "folder.lmlab").mkdir()
    (folder / "empty.lmlab").touch()
    with (folder / "hole.lmlab").open("wb") as file:
        file.truncate(2**40)
    main(["class", "table", str(folder), "--json"])
    found = capsys.readouterr()
    assert "Traceback" not in found.err
    rows = json.loads(found.out)["runs"]
    assert len([row for row in rows if row["problem"]]) == 6

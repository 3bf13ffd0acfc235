"""Bundles by a grammar, each production of which may lie: an import refuses all of it or opens a run, and no more."""

import collections
import contextlib
import hashlib
import json
import os
import random
import shutil
import sqlite3
import struct
import sys
import warnings
import zipfile
from pathlib import Path

import pytest
from attacking import NUMBERS, bounded_memory, refusal
from damage import tree

from lab.base.folders import runs_folder
from lab.runs import RunFolder
from lab.runs.bundle import export_bundle, import_bundle

SAMPLE = 50
LIMIT = 2**24
"""Most bytes that a bundle may unpack to here."""

NAMES = (
    *("../out", "/out", "C:\\out", "..\\out", "run.json/x", "RUN.JSON", "", ".", "\0", "readings/-1.safetensors"),
    *(
        "checkpoints/1/2/state.json",
        "readings/٣.safetensors",
        "metrics.sqlite-wal",
        "plugin.py",
        "é" * 200,
        "x" * 60_000,
    ),
)
TEXTS = (
    *("", "null", "[]", "{}", "\ufeff{}", '{"format": 2}', '{"format": NaN}', '{"format": 1e400}', "[" * 10_000),
    *('{"a":' * 10_000, '{"format": 1' + "0" * 5000 + "}", '{"format": 2, "placement": {"threads": 1000000}}'),
    *('{"state": "finished", "summary": {"validation_loss": 1' + "0" * 400 + "}}", "\0" * 2000, "\ud800"),
)
SIZES = (-1, 0, 1, 2**31, 2**40, 2**63, 2**64, True, None, "1", 1.5, [1], 10**400)


class Grammar:
    """bundle = members list end, with one to three productions replaced by lies, drawn from a seed.

    Args:
        intact: An intact bundle.
        seed: The seed.
    """

    def __init__(self, intact, seed):
        self.draw = random.Random(seed)
        with zipfile.ZipFile(intact) as archive:
            self.members = {name: archive.read(name) for name in archive.namelist()}
        self.manifest = json.loads(self.members.pop("manifest.json"))
        self.files = {each["name"]: each for each in self.manifest["files"]}
        self.entries, self.twice, self.lies = {}, [], []
        self.raw = bytes

    def write(self, file):
        """Write one bundle. Return the lies in it."""
        productions = [self.name, self.content, self.size, self.digest, self.listed, self.run, self.format]
        productions += [self.kind, self.method, self.repeated, self.bomb, self.cut, self.field, self.number]
        for production in self.draw.sample(productions, self.draw.randint(1, 3)):
            self.lies.append(f"{production.__name__} {production()}"[:120])
        self.manifest["files"] = list(self.files.values())
        with zipfile.ZipFile(file, "w") as archive:
            members = [*self.members.items(), *self.twice, ("manifest.json", json.dumps(self.manifest))]
            for name, content in members:
                info = zipfile.ZipInfo("x")
                info.filename, info.compress_type = name, zipfile.ZIP_DEFLATED
                self.entries.get(name, lambda _: None)(info)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of a name that is there twice
                    archive.writestr(info, content)
        file.write_bytes(self.raw(file.read_bytes()))
        return self.lies

    def put(self, name, content, *, listed=True):
        self.members[name] = content
        if listed:
            digest = hashlib.sha256(content).hexdigest()
            self.files[name] = {"name": name, "bytes": len(content), "sha256": digest}

    def name(self):
        name = self.draw.choice(NAMES)
        self.put(name, b"out", listed=self.draw.random() < 0.7)
        return ascii(name[:20])

    def content(self):
        name, text = self.draw.choice(sorted(self.files)), self.draw.choice(TEXTS)
        self.put(name, text.encode(errors="surrogatepass"))
        return name, text[:20]

    def number(self):
        name = self.draw.choice([name for name in sorted(self.members) if name.endswith(".json")])
        record = json.loads(self.members[name])
        key = self.draw.choice(sorted(record))
        what, value = self.draw.choice(sorted(NUMBERS.items()))
        record[key] = "@@"
        self.put(name, json.dumps(record).replace('"@@"', value).encode())
        return name, key, what

    def size(self):
        name, size = self.draw.choice(sorted(self.files)), self.draw.choice(SIZES)
        self.files[name] = {**self.files[name], "bytes": size}
        return name, str(size)[:10]

    def digest(self):
        name = self.draw.choice(sorted(self.files))
        self.files[name] = {**self.files[name], "sha256": self.draw.choice(("0" * 64, "", None, 5, ["x"]))}
        return name

    def listed(self):
        name = self.draw.choice(sorted(self.files))
        other = self.draw.choice((*NAMES, None, 3, {}))
        self.files[name] = {**self.files[name], "name": other}
        return name, ascii(other)[:20]

    def run(self):
        names = ("a" * 5000, "../../out", "con", "\x1b[2J", "\ud800", "", ".", None, 7, {"a": 1})
        self.manifest["run"] = self.draw.choice([{"id": "0" * 32, "name": name} for name in names] + [None, [], "x"])
        return ascii(self.manifest["run"])[:40]

    def format(self):
        self.manifest["format"] = self.draw.choice(SIZES)
        return str(self.manifest["format"])[:10]

    def kind(self):
        name, mode = self.draw.choice(sorted(self.members)), self.draw.choice((0o120777, 0o10644, 0o20644, 0o40755))
        self.entries[name] = lambda info: setattr(info, "external_attr", mode << 16)
        return name, oct(mode)

    def method(self):
        sign, at = self.draw.choice(((b"PK\x01\x02", 10), (b"PK\x03\x04", 8), (b"PK\x01\x02", 8)))
        number = self.draw.choice((1, 9, 12, 14, 99))
        self.raw = lambda content: _patched(content, sign, at, number)
        return sign, number

    def repeated(self):
        self.twice.append((name := self.draw.choice(sorted(self.members)), b"{}"))
        return name

    def bomb(self):
        self.put("samples.jsonl", bytes(self.draw.choice((LIMIT // 2, LIMIT * 2))))
        return "zeros"

    def cut(self):
        share = self.draw.random()
        self.raw = lambda content: content[: int(len(content) * share)]
        return share

    def field(self):
        at, value = self.draw.random(), self.draw.choice((0, 1, 0x7FFF, 0xFFFF))
        self.raw = lambda content: _patched(content, b"PK\x05\x06", 4 + 2 * int(at * 8), value)
        return at, value


def _patched(content, sign, at, number):
    start, changed = content.rfind(sign), bytearray(content)
    if start >= 0 and start + at + 2 <= len(changed):
        struct.pack_into("<H", changed, start + at, number)
    return bytes(changed)


def try_bundles(target, tmp_path, seeds, tally):
    """Import bundles of the grammar. Return how many were refused and how many opened, by the production that lied."""
    intact = export_bundle(RunFolder.open(target), tmp_path / "intact.lmlab")
    file, results = tmp_path / "bundle.lmlab", collections.Counter()
    runs_folder().mkdir(parents=True)
    file.touch()
    before = set(tree(tmp_path))
    tally.seeds(f"seeds {seeds[0]} to {seeds[-1]}")
    for seed in seeds:
        lies = Grammar(intact, seed).write(file)
        tally.begin(lies[0].partition(" ")[0])
        try:
            with bounded_memory():
                problem = refusal(lambda: import_bundle(file, limit=LIMIT))
        except Exception as error:
            error.add_note(f"seed {seed}: {lies}")
            raise
        made = list(runs_folder().iterdir())
        if problem:
            assert (problem.what, problem.remedy) > ("", ""), lies
            assert len(problem.line()) < 2000, lies
            assert made == [], lies
        else:
            assert [path.parent for path in made] == [runs_folder()], lies
            assert RunFolder.open(made[0]).metrics().series(), lies
            shutil.rmtree(made[0])
        results["refused" if problem else "opened"] += 1
    assert set(tree(tmp_path)) == before
    tally.end()
    return results


def test_a_bundle_with_any_lie_is_refused_whole_or_opens(target, tmp_path, tally):
    results = try_bundles(target, tmp_path, range(SAMPLE), tally)
    assert results.total() == SAMPLE
    assert results["refused"] > results["opened"] > 0


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_thousands_of_bundles_with_lies(target, tmp_path, tally):
    results = try_bundles(target, tmp_path, range(1000, 6000), tally)
    assert results["refused"] > results["opened"] > 0


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices are not files there")
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), Path.mkdir])
def test_a_bundle_that_is_no_regular_file_is_refused_at_once(tmp_path, make):
    file = tmp_path / "bundle.lmlab"
    make(file)
    with bounded_memory(2**26):
        problem = refusal(lambda: import_bundle(file))
    assert problem.field == "file"
    assert problem.remedy


@pytest.mark.parametrize("column", ["series.name", "tail.value"])
def test_a_bundle_whose_metrics_would_fill_the_memory_is_refused(target, tmp_path, column):
    grammar = Grammar(export_bundle(RunFolder.open(target), tmp_path / "intact.lmlab"), 0)
    file = tmp_path / "metrics.sqlite"
    file.write_bytes(grammar.members["metrics.sqlite"])
    table, name = column.split(".")
    with contextlib.closing(sqlite3.connect(file)) as db:
        columns = [one[1] for one in db.execute(f"PRAGMA table_info({table})") if one[1] != name]
        db.execute(f"DROP TABLE {table}")
        generated = f"{name} TEXT GENERATED ALWAYS AS (hex(zeroblob(400000000)))"
        db.execute(f"CREATE TABLE {table} ({', '.join(columns)}, {generated})")
        db.execute(f"INSERT INTO {table} ({columns[0]}) VALUES (1), (2)")
        db.commit()
    grammar.put("metrics.sqlite", file.read_bytes())
    grammar.manifest["files"] = list(grammar.files.values())
    with zipfile.ZipFile(tmp_path / "bundle.lmlab", "w") as archive:
        for member, content in (*grammar.members.items(), ("manifest.json", json.dumps(grammar.manifest))):
            archive.writestr(member, content)
    with bounded_memory(2**26):
        problem = refusal(lambda: import_bundle(tmp_path / "bundle.lmlab"))
    assert "does not hold the metrics of a run" in problem.what
    assert not runs_folder().exists() or list(runs_folder().iterdir()) == []

"""Damaged bundles and run folders, made from an intact run by a seed: the same seed makes the same damage."""

import copy
import functools
import hashlib
import io
import json
import random
import shutil
import sqlite3
import stat
import struct
import zipfile
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from lab.api.readings import Reading
from lab.recipes import Recipe
from lab.runs import MetricWriter, RunFolder, write_readings

KINDS = (None, True, -1, 0.5, 1e308, 10**400, "x", "\ud800", [], {}, [None], {"a": [{}]})
"""Values of which a JSON field may be given any."""
DEEP = "[" * 100_000
LONG_NUMBER = '{"format": 1' + "0" * 5000 + "}"
STRANGE = ("٣", "007", "-1", "1e3", "9" * 200)
"""Names that are almost those of a step."""


def made_run(path, steps=100):
    """A finished run with something of everything in it."""
    draw = np.random.default_rng(0)
    facts = {"device": "cpu", "corpus": {"name": "the manual", "sha256": "0" * 64}, "vocabulary": {"words": ["a", "b"]}}
    run = RunFolder.create(path, Recipe().to_toml(), facts)
    with MetricWriter(run.metrics_file) as writer:
        writer.add_series("train/loss", "nats/token")
        for name in ("train/loss", "validation/loss"):
            writer.append([(step, name, float(value)) for step, value in enumerate(draw.normal(size=4200))])
    for step in (50, steps):
        offset = run.checkpoint_folder(step)
        offset.mkdir()
        for name in ("model", "training"):
            table = draw.normal(size=(40, 40)).astype(np.float32)
            (offset / f"{name}.safetensors").write_bytes(save({"weight": table}))
        (offset / "state.json").write_text(json.dumps({"format": 1, "step": step, "reason": "end", "live": {}}))
    for step in (0, 50):
        weights = draw.random((2, 8, 8), np.float32)
        reading = Reading("attention", ("head", "query", "key"), weights, layer=0, path="blocks.0")
        write_readings(path, step, [reading])
        run.append_sample({"step": step, "text": "To be, or not"})
        run.append_event({"kind": "set", "step": step, "changes": {"training.clip": 1.0}})
    run.update(state="finished", step=steps, summary={"train_loss": 2.5, "validation_loss": None})
    return run


def tree(folder):
    """Return the content of a folder by path: the hash of each file, the target of each link, None for folders."""
    found = {}
    for path in sorted(folder.rglob("*")) if folder.exists() else ():
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = str(path.readlink())
        else:
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
    return found


def packed(run, file, **changes):
    """Pack a folder as it is, without checks."""
    files = [path for path in sorted(run.rglob("*")) if path.is_file()]
    members = [(path.relative_to(run).as_posix(), path.read_bytes()) for path in files]
    return _write(file, {"id": "0" * 32, "name": "first"}, members, **changes)


def forge(source, file, *, replace=None, add=(), **changes):
    """A bundle made from another one.

    Args:
        source: The other one.
        file: Where it is written.
        replace: New content by name.
        add: Further members, (name, content) each.
        changes: What `_write` takes.
    """
    with zipfile.ZipFile(source) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist() if name != "manifest.json"]
        run = json.loads(archive.read("manifest.json"))["run"]
    members = [(name, (replace or {}).get(name, content)) for name, content in members]
    return _write(file, run, [*members, *add], **changes)


def _write(file, run, members, *, manifest=None, text=None, entry=None):
    """Write a bundle with a matching manifest.

    Args:
        file: Where.
        run: Its id and name.
        members: (name, content) each.
        manifest: Changes the manifest in place.
        text: Changes the manifest's text.
        entry: Changes the zip's entry of a member, by name.
    """
    listed = [
        {"name": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in members
    ]
    record = {"format": 1, "run": dict(run), "files": listed}
    if manifest:
        manifest(record)
    written = (text or (lambda text: text))(json.dumps(record))
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in [*members, ("manifest.json", written)]:
            info = zipfile.ZipInfo("x")
            info.filename, info.compress_type = name, zipfile.ZIP_DEFLATED  # as it is: no cut at a null character
            (entry or {}).get(name, lambda _: None)(info)
            archive.writestr(info, content)
    return file


def damaged_bundles(intact, folder, seed, *, flips=120, cuts=60, forgeries=None):
    """Damaged bundles, one after the other: (what was done to it, the file).

    Args:
        whole: A bundle.
        folder: Where they are written; each is gone when the next one is asked for.
        seed: Decides all of it.
        flips: How many have a bit changed, or some.
        cuts: How many are cut short, or have a piece taken out or put in.
        forgeries: How many of the forgeries are tried; None for all.
    """
    draw, content = random.Random(seed), intact.read_bytes()
    made = {
        **{f"bit {at}": flipped(content, at) for at in _offsets(content, draw, flips)},
        **{f"cut {number}": _cut(content, draw) for number in range(cuts)},
    }
    file = folder / "damaged.lmlab"
    for what, damaged in made.items():
        file.write_bytes(damaged)
        yield what, file
    for what, forge_one in draw.sample([*_FORGERIES.items()], forgeries or len(_FORGERIES)):
        file.unlink(missing_ok=True)
        forge_one(intact, file, draw)
        yield what, file
    file.unlink()


def flipped(content, offset):
    """The content with one bit changed: (byte, bit)."""
    changed = bytearray(content)
    changed[offset[0]] ^= 1 << offset[1]
    return bytes(changed)


def _offsets(content, draw, count):
    """Return offsets all over a file, and as many in the metadata of a zip: headers, its list, its end."""
    reported = [at for sign in (b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06") for at in _all(content, sign)]
    spread = [(draw.randrange(len(content)), draw.randrange(8)) for _ in range(count - count // 2)]
    near = [(draw.choice(reported) + draw.randrange(60), draw.randrange(8)) for _ in range(count // 2)]
    return spread + [(min(len(content) - 1, at), bit) for at, bit in near]


def _all(content, sign):
    at = content.find(sign)
    while at >= 0:
        yield at
        at = content.find(sign, at + 1)


def _cut(content, draw):
    start, end = sorted(draw.randrange(len(content)) for _ in range(2))
    kind = draw.choice(["end", "begin", "middle", "put in", "twice", "zeros"])
    return {
        "end": content[:start],
        "begin": content[start:],
        "middle": content[:start] + content[end:],
        "put in": content[:start] + draw.randbytes(50) + content[start:],
        "twice": content + content[start:],
        "zeros": content[:start] + bytes(end - start) + content[end:],
    }[kind]


def _patched(sign, at, form, value, which=-1):
    """A forgery: one number of the zip's own records is another."""

    def forge_one(intact, file, _):
        content = bytearray(intact.read_bytes())
        offsets = list(_all(content, sign))
        struct.pack_into(form, content, offsets[which] + at, value)
        file.write_bytes(content)

    return forge_one


def _with(**changes):
    return lambda intact, file, _: forge(intact, file, **changes)


def _manifest(**values):
    return _with(manifest=lambda record: record.update(values))


def _listed(**values):
    return _with(manifest=lambda record: record["files"][0].update(values))


def _zip64_end(*, size, offset, count):
    """Return a forgery: a second, longer end of the zip with other content."""

    def forge_one(intact, file, _):
        content = intact.read_bytes()
        end = content.rfind(b"PK\x05\x06")
        record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, offset)
        locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
        last = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
        file.write_bytes(content[:end] + record + locator + last)

    return forge_one


def _not_utf8(intact, file, _):
    forge(intact, file, add=[("label.jsoü", b"{}")])
    file.write_bytes(file.read_bytes().replace("label.jsoü".encode(), b"label.jso\xff\xfe"))


def _lying_bomb(intact, file, _):
    """Fifty megabytes that zip and manifest call a hundred bytes."""
    zeros = bytes(50 * 2**20)

    def small(record):
        next(each for each in record["files"] if each["name"] == "samples.jsonl").update(bytes=100)

    forge(intact, file, replace={"samples.jsonl": zeros}, manifest=small)
    file.write_bytes(file.read_bytes().replace(struct.pack("<L", len(zeros)), struct.pack("<L", 100)))


def _renamed(intact, file, _):
    file.write_bytes(intact.read_bytes().replace(b"manifest.json", b"manifest.jsom"))


def _nested(intact, file, _):
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.json", bytes(10**6))
    forge(intact, file, replace={"run.json": inner.getvalue()})


def _mode(mode):
    return _with(add=[("label.json", b"/etc/passwd")], entry={"label.json": lambda entry: _set_mode(entry, mode)})


def _set_mode(entry, mode):
    entry.external_attr = (mode | 0o777) << 16


def _method(number):
    return lambda intact, file, _: (
        forge(intact, file),
        _patched(b"PK\x01\x02", 10, "<H", number, 0)(file, file, None),
        _patched(b"PK\x03\x04", 8, "<H", number, 0)(file, file, None),
    )


_END, _LIST, _HEADER = b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04"
_FORGERIES = {
    **{
        f"a member named {name[:24]!a}": _with(add=[(name, b"out")])
        for name in (
            *("../out", "../../../../out", "readings/../../out", "/out", "//out", "C:\\out", "C:out", "..\\out"),
            *("\\\\s\\out", "out\0.json", "", ".", "..", "RUN.JSON", "run.json/x", "readings/1.safetensors/../../out"),
            "x" * 60_000,
        )
    },
    **{f"a member of the kind {mode:o}": _mode(mode) for mode in (stat.S_IFLNK, stat.S_IFDIR, stat.S_IFIFO)},
    **{f"packed in the way {number}": _method(number) for number in (1, 9, 12, 14, 99)},
    **{
        f"the end says at {at} {value:x}": _patched(_END, at, "<H", value)
        for at in (4, 6, 8, 10, 20)
        for value in (1, 0xFFFF)
    },
    **{
        f"the end says at {at} {value:x}, long": _patched(_END, at, "<L", value)
        for at in (12, 16)
        for value in (0, 1, 10**6, 0x7FFFFFFF, 0xFFFFFFFF)
    },
    **{
        f"the list says at {at} {value:x}": _patched(_LIST, at, "<L", value, which)
        for at in (16, 20, 24, 42)
        for value, which in ((0, 0), (0xFFFFFFFF, 1), (0x7FFFFFFF, 2))
    },
    **{f"the list says at {at} ffff": _patched(_LIST, at, "<H", 0xFFFF, 0) for at in (6, 8, 10, 28, 30, 32)},
    **{f"a header says at {at} ffff": _patched(_HEADER, at, "<H", 0xFFFF, 0) for at in (4, 6, 8, 26, 28)},
    "members that overlap": _patched(_LIST, 42, "<L", 0, 1),
    "a long end with a huge list": _zip64_end(size=2**63 - 1, offset=0, count=2**40),
    "a long end far away": _zip64_end(size=100, offset=2**63, count=1),
    "a long end beyond all": _zip64_end(size=2**64 - 1, offset=2**64 - 1, count=2**64 - 1),
    "a name that is no UTF-8": _not_utf8,
    "a bomb": _with(replace={"samples.jsonl": bytes(64 * 2**20)}),
    "a bomb that lies": _lying_bomb,
    "a zip in a zip": _nested,
    "no manifest": _renamed,
    "a file that is not listed": _with(manifest=lambda record: record["files"].pop(0)),
    **{
        f"a manifest that is {text[:12]!a}": _with(text=lambda _, text=text: text)
        for text in ("", "null", "[]", "{}", '{"format": 1}', '{"format": NaN}', DEEP, '{"a":' * 10_000, LONG_NUMBER)
    },
    "a manifest that is no UTF-8": _with(text=lambda text: text.encode("utf-16")),
    **{f"the format {value!a:.12}": _manifest(format=value) for value in (2, *KINDS)},
    **{f"the files {value!a:.12}": _manifest(files=value) for value in KINDS},
    **{f"the run {value!a:.12}": _manifest(run=value) for value in KINDS},
    **{f"the id {value!a:.12}": _manifest(run={"id": value, "name": "first"}) for value in KINDS},
    **{f"the name {value!a:.12}": _manifest(run={"id": "0" * 32, "name": value}) for value in KINDS},
    **{f"a size {value!a:.12}": _listed(bytes=value) for value in (0, 2**63, *KINDS)},
    **{f"a hash {value!a:.12}": _listed(sha256=value) for value in ("0" * 64, *KINDS)},
    **{f"a listed name {value!a:.12}": _listed(name=value) for value in ("../out", *KINDS)},
}


def damaged_folders(run, folder, seed, *, changes=60, flips=60, most=None):
    """Damaged run folders, one after the other: (what was done to it, the folder).

    Args:
        run: The folder of a whole run.
        folder: Where they are made; each is gone when the next one is asked for.
        seed: Decides all of it.
        changes: How many have a value in a JSON file replaced by one of another kind.
        flips: How many have bits changed in one file.
        most: How many of all these are tried; None for all.
    """
    draw, offset = random.Random(seed), folder / "damaged"
    names = sorted(path.relative_to(run).as_posix() for path in run.rglob("*") if path.is_file())
    folders = sorted(path.relative_to(run).as_posix() for path in run.rglob("*") if path.is_dir())
    texts = [name for name in names if name.endswith((".json", ".jsonl"))]
    todo = [(f"{name} {how}", name, change) for name in names for how, change in _FILE_DAMAGE.items()]
    todo += [(f"{name}/ {how}", name, change) for name in folders for how, change in _FOLDER_DAMAGE.items()]
    todo += [(f"{name} with {how}", name, change) for name in texts for how, change in _TEXT_DAMAGE.items()]
    todo += [(f"recipe.toml with {text[:20]!a}", "recipe.toml", functools.partial(_append, text)) for text in _TOML]
    todo += [(f"metrics.sqlite {how}", "metrics.sqlite", change) for how, change in _METRIC_DAMAGE.items()]
    for number in range(flips):
        change = functools.partial(_flip_some, seed=f"{seed} {number}")
        todo.append((f"{names[number % len(names)]} flipped {number}", names[number % len(names)], change))
    for number in range(changes):
        change = functools.partial(_change_json, seed=f"{seed} {number}")
        todo.append((f"{texts[number % len(texts)]} changed {number}", texts[number % len(texts)], change))
    draw.shuffle(todo)
    for what, name, change in todo[:most]:
        shutil.rmtree(offset, ignore_errors=True)
        shutil.copytree(run, offset)
        change(offset / name)
        yield what, offset
    shutil.rmtree(offset)


def _to_folder(path):
    path.unlink()
    path.mkdir()


def _to_link(target):
    def change(path):
        path.unlink()
        path.symlink_to(target(path))

    return change


def _garbage(path):
    path.write_bytes(random.Random(path.name).randbytes(5000))


def _huge(path):
    """Larger than any honest one of its kind; a hole, so that it takes no room."""
    with path.open("r+b") as file:
        file.truncate(2**36)


def _half(path):
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def _flip_some(path, seed):
    draw, content = random.Random(seed), path.read_bytes()
    for _ in range(draw.choice((1, 1, 5, 50))):
        end = draw.choice((min(100, len(content)), len(content)))
        content = flipped(content, (draw.randrange(end), draw.randrange(8)))
    path.write_bytes(content)


def _change_json(path, seed):
    """Give one value in a JSON file, or in a line of one, another type."""
    draw = random.Random(seed)
    lines = path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]
    number = draw.randrange(len(lines))
    record = json.loads(lines[number])
    inner, key = draw.choice(list(_slots(record)))
    inner[key] = copy.deepcopy(draw.choice(KINDS))
    lines[number] = json.dumps(record)
    path.write_text("\n".join(lines) + "\n")


def _slots(value):
    """Every (container, key) in plain data."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield value, key
        yield from _slots(item)


def _append(text, path):
    path.write_text(path.read_text().replace("[corpus]", f"{text}\n[corpus]"))


def _sql(*statements):
    def change(path):
        db = sqlite3.connect(path)
        db.execute("PRAGMA writable_schema=ON")
        for statement in statements:
            db.execute(statement)
        db.commit()
        db.close()

    return change


_FILE_DAMAGE = {
    "deleted": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "a folder": _to_folder,
    "garbage": _garbage,
    "huge": _huge,
    "half": _half,
    "a link to itself": _to_link(lambda path: path.name),
    "a link to a device": _to_link(lambda _: "/dev/zero"),
}
_FOLDER_DAMAGE = {
    "deleted": shutil.rmtree,
    "a file": lambda path: (shutil.rmtree(path), path.write_text("x")),
    "with strange folders": lambda path: [(path / name).mkdir() for name in STRANGE],
    "with strange files": lambda path: [(path / f"{name}.safetensors").touch() for name in STRANGE],
    "with strange links": lambda path: [(path / name).symlink_to(path) for name in STRANGE],
}
_TEXT_DAMAGE = {
    "NaN": lambda path: path.write_text('{"format": NaN, "step": Infinity}\n'),
    "deep JSON": lambda path: path.write_text('{"format": 1, "a": ' + DEEP + "\n"),
    "deep objects": lambda path: path.write_text('{"format":' * 50_000 + "\n"),
    "a long number": lambda path: path.write_text('{"format": 1' + "0" * 10_000 + "}\n"),
    "a list": lambda path: path.write_text("[1, 2]\n"),
    "null": lambda path: path.write_text("null\n"),
    "UTF-16": lambda path: path.write_bytes(path.read_text().encode("utf-16")),
    "null characters": lambda path: path.write_bytes(bytes(2000)),
    "half a pair": lambda path: path.write_text('{"format": 1, "created": "\\ud800", "state": "\\udfff"}\n'),
}
_TOML = (
    *(
        f"x = {DEEP}",
        "x = " + "{a=" * 50_000,
        "a" + ".a" * 50_000 + " = 1",
        "[" + "a." * 50_000 + "a]",
        "x = 1" + "0" * 5000,
    ),
    *(
        "x = nan",
        "x = 1979-05-27T07:32:00Z",
        'title = "\\uD800"',
        "title = 1",
        "training = 1",
        'training = "x"',
        "probes = 1",
    ),
    *("[training]\nsteps = 1e308", "[training]\nsteps = inf", "[training]\nseed = 1" + "0" * 400, "[[training]]"),
    *(
        '[architecture]\nname = ""',
        "[architecture]\nname = 1",
        "architecture = []",
        "[architecture.name]",
        "\0",
        "format = 99",
    ),
)
"""The keys of a recipe before its first table."""
_METRIC_DAMAGE = {
    "of a newer lab": _sql("PRAGMA user_version=99"),
    "without its tables": _sql("DROP TABLE block", "DROP TABLE tail"),
    "with other columns": _sql("DROP TABLE series", "CREATE TABLE series (a, b)"),
    "with a view": _sql("ALTER TABLE series RENAME TO other", "CREATE VIEW series AS SELECT * FROM other"),
    "with a trigger": _sql("CREATE TRIGGER t AFTER INSERT ON series BEGIN DELETE FROM series; END"),
    "with texts for numbers": _sql("UPDATE block SET count='many', first_step='x', last_step=x'00'"),
    "with nothing for numbers": _sql("PRAGMA ignore_check_constraints=ON", "UPDATE block SET minimum=NULL, first=NULL"),
    "with short blocks": _sql("UPDATE block SET value_blob=x'0011'"),
    "with blocks too long": _sql("UPDATE block SET count=1000000000"),
    "with a tail of texts": _sql("UPDATE tail SET value='x'"),
    "with a tail of blobs": _sql("UPDATE tail SET value=x'00'"),
    "with a strange type": _sql("UPDATE series SET dtype='object'"),
    "with names that are blobs": _sql("UPDATE series SET name=id || x'ff', unit=x'ff'"),
    "with a strange schema": _sql("UPDATE sqlite_master SET sql='CREATE TABLE series (name AS (load_extension(1)))'"),
}

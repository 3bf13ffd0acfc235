"""Attacks on files, made from a seed, and the limit of memory under which they run."""

import contextlib
import functools
import json
import re
import sqlite3
import struct

from lab.base.problems import LabError

MEMORY = 2**30
"""Bytes that an attack may take beyond what the process has."""

NUMBERS = {
    "ten to the 400": "1" + "0" * 400,
    "five thousand digits": "9" * 5000,
    "1e400": "1e400",
    "NaN": "NaN",
    "a text": '"many"',
    "a list": "[1, [2]]",
    "a table": '{"a": 1}',
    "minus one": "-1",
    "two to the 63": str(2**63),
    "true": "true",
}
"""What stands where a number belongs, as JSON."""


@contextlib.contextmanager
def bounded_memory(extra=MEMORY):
    """Limit the memory of this process, where the system can: what asks for more raises MemoryError."""
    try:
        import resource
        from pathlib import Path

        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + extra, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def refusal(query):
    """Return the problem with which a query is refused, None if it is answered; any other exception passes."""
    try:
        query()
    except LabError as error:
        return error.problem
    return None


def with_everything(run):
    """Add the files to a run that not every run has."""
    event = {"time": 1.8e9, "event": "set", "step": 3, "path": "training.clip", "value": 0.5, "before": 1.0}
    (run / "events.jsonl").write_text(json.dumps(event) + "\n")
    verification = {"kind": "close", "first": 0, "last": 6, "largest": 1e-5, "why": "", "time": 1.8e9}
    (run / "verification.json").write_text(json.dumps(verification))
    floors = {"format": 1, "protocol": "windows", "floors": {"unigram": 2.5}, "whole": True}
    (run / "floors.json").write_text(json.dumps(floors))
    label = {"format": 1, "name": "theirs", "note": "", "star": False, "tags": [], "colour": 3, "shown": True}
    (run / "label.json").write_text(json.dumps(label))
    return run


def attacks_on_numbers(run):
    """Return (what, file, function that makes its content) for every number of a run and every value of NUMBERS.

    Of a list the first element stands for all.
    """
    found = []
    for path in sorted(path for path in run.rglob("*") if path.is_file()):
        name = path.relative_to(run).as_posix()
        attack = _ATTACKS.get(path.suffix)
        found += [(f"{name}: {what}", path, make) for what, make in (attack(path) if attack else ())]
    return found


def _in_json(path):
    text = path.read_text()
    lines = text.splitlines() if path.suffix == ".jsonl" else [text]
    record = json.loads(lines[0])
    for container, key, field in _places(record):
        before, container[key] = container[key], "@@"
        written = json.dumps(record)
        container[key] = before
        for what, value in NUMBERS.items():
            first = written.replace('"@@"', value)
            yield f"{field} is {what}", "\n".join([first, *lines[1:], ""]).encode


def _in_toml(path):
    text = path.read_text()
    for number in re.finditer(r"(?m)^(\w+) = (-?[\d.e_-]+)$", text):
        for what, value in NUMBERS.items():
            written = {"1e400": "inf", "NaN": "nan", "a table": "{a = 1}"}.get(what, value)
            yield f"{number[1]} is {what}", f"{text[: number.start(2)]}{written}{text[number.end(2) :]}".encode


def _in_safetensors(path):
    content = path.read_bytes()
    (size,) = struct.unpack("<Q", content[:8])
    header, data = json.loads(content[8 : 8 + size]), content[8 + size :]
    for container, key, field in _places(header):
        before, container[key] = container[key], "@@"
        written = json.dumps(header)
        container[key] = before
        for what, value in NUMBERS.items():
            changed = written.replace('"@@"', value).encode()
            yield (
                f"{field} is {what}",
                functools.partial(bytes.join, b"", (struct.pack("<Q", len(changed)), changed, data)),
            )


def _in_sqlite(path):
    written = {"ten to the 400": "9e999", "five thousand digits": "9e999", "1e400": "9e999", "NaN": "NULL"}
    written |= {"a text": "'many'", "a list": "x'0001'", "a table": "zeroblob(200000)", "true": "1"}
    columns = {
        "block": ("series", "count", "first_step", "last_step", "minimum", "maximum", "first", "last"),
        "tail": ("series", "step", "value"),
    }
    for table, names in columns.items():
        for name in names:
            for what, value in NUMBERS.items():
                update = f"UPDATE OR REPLACE {table} SET {name} = {written.get(what, value)}"
                yield f"{table}.{name} is {what}", functools.partial(_updated, path, update)


def _updated(path, update):
    """Return the content of a database after a statement, unless its schema forbids that; the file stays as it is."""
    before = path.read_bytes()
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=DELETE")
        with contextlib.suppress(sqlite3.Error):
            db.execute(update)
        db.commit()
    content = path.read_bytes()
    path.write_bytes(before)
    return content


_ATTACKS = {
    ".json": _in_json,
    ".jsonl": _in_json,
    ".toml": _in_toml,
    ".safetensors": _in_safetensors,
    ".sqlite": _in_sqlite,
}


def _places(value, path=""):
    """Yield (container, key, field) of every number in plain data, of a list only the first element."""
    items = list(value.items()) if isinstance(value, dict) else list(enumerate(value[:1]))
    for key, item in items:
        field = f"{path}.{key}".lstrip(".")
        if isinstance(item, dict | list):
            yield from _places(item, field)
        elif isinstance(item, int | float) and not isinstance(item, bool):
            yield value, key, field


HOSTILE = (
    *(-1, 0, 1e-320, 1e308, float("inf"), float("nan"), 2**63, 10**400, True, "", " ", ".", "a.b", "a" * 300),
    *("x" * 70_000, "\x1b[2J", "\u202e", "\0", "../x.toml", "/dev/zero", "C:\\x.toml", "\\\\host\\x.toml", "1e400"),
    *("name", [], [[]], [1, "a"], ["a"] * 2000, {}, {"a": {"b": 1}}, {"name": "none"}, ".".join("a" * 70)),
)
"""What stands where something else belongs, as plain data."""


def lie(data, draw):
    """Replace, remove, rename or repeat one value of tables and lists, drawn at random. Return what was done."""
    container, key = draw.choice(list(_entries(data)))
    shown = f"{key}"[:30]
    what = draw.choice(("replace", "replace", "replace", "remove", "rename", "repeat"))
    if what == "remove":
        del container[key]
    elif what == "rename" and isinstance(container, dict):
        container[draw.choice(("name", "x", f"{key}s", "a" * 300, "\x1b[2J"))] = container.pop(key)
    elif what == "repeat" and isinstance(container, list):
        container.extend([container[key]] * draw.choice((1, 50, 2000)))
    else:
        container[key] = value = draw.choice(HOSTILE)
        return f"replace {shown}: {value!r}"[:120]
    return f"{what} {shown}"


def damage(text, draw):
    """Cut a text, or put something into it. Return (what was done, bytes)."""
    at = draw.randrange(len(text) + 1)
    before, after = text[:at], text[at:]
    what = draw.choice(sorted(_DAMAGES))
    changed = before + _DAMAGES[what] + after if what != "cut" else before
    return what, changed.encode(errors="surrogatepass")


_DAMAGES = {
    "cut": "",
    "nest": "[" * 200,
    "dots": "a." * 300,
    "digits": "9" * 5000,
    "null": "\0",
    "control": "\x1b[2J",
    "quote": '"',
    "bracket": "]",
    "surrogate": "\ud800",
    "line": "\n",
    "mark": "\ufeff",
}
"""What is put into a text."""


def _entries(value):
    """Yield (container, key) of every value in tables and lists."""
    for key, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(item, dict | list):
            yield from _entries(item)

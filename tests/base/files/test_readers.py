"""Files that anybody may have written are read through lab.base.files.reading; what is read otherwise is listed."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
METHODS = {"read_text", "read_bytes"}
FUNCTIONS = {
    *("open", "io.open", "json.load", "tomllib.load", "safe_open", "load_file", "gzip.open", "Image.open"),
    *("tokenize.open", "np.load", "torch.load", "pickle.load", "zipfile.ZipFile"),
}
LAST_WORDS = {*METHODS, *(name.rpartition(".")[2] for name in FUNCTIONS)}
CALLED = re.compile(rf"\b({'|'.join(LAST_WORDS)})\(")
OF_THE_LAB = "shipped with the lab"
CACHE = "written by the lab in its own folder of caches and downloads"
CHECKED = "known to be a regular file, or its content is at hand"
PROGRAM = "the code of scripts and plugins, which runs with all rights of the user"
SYSTEM = "a file of the operating system"
LISTED = {
    "lab/interop/report/markup.py": OF_THE_LAB,
    "lab/recipes/gallery.py": OF_THE_LAB,
    "lab/worked/examples.py": OF_THE_LAB,
    "lab/recipes/link.py": OF_THE_LAB,
    "lab/recipes/shipped.py": OF_THE_LAB,
    "lab/shell/help/about.py": OF_THE_LAB,
    "lab/shell/help/library.py": OF_THE_LAB,
    "lab/widgets/core/messages.py": OF_THE_LAB,
    "lab/text/corpora/downloads.py": CACHE,
    "lab/text/corpora/long_files.py": CACHE,
    "lab/text/corpora/manual.py": CACHE,
    "lab/text/token_files.py": CACHE,
    "lab/interop/exports.py": CHECKED,  # what it has just written
    "lab/interop/pretrained/files.py": CHECKED,
    "lab/runs/bundle.py": CHECKED,
    "lab/runs/bundle_file.py": CHECKED,
    "lab/runs/readings.py": CHECKED,
    "lab/text/readers/documents.py": CHECKED,
    "lab/text/row_files/images.py": CHECKED,
    "lab/training/recording/checkpoints.py": CHECKED,
    "plugins/lab_ngram/arpa.py": CHECKED,
    "lab/cli/commands/studies/scaling.py": OF_THE_LAB,
    "lab/cli/commands/studies/study.py": OF_THE_LAB,
    "lab/widgets/figures/vector.py": CHECKED,  # what it has just written
    "lab/workbench/studies/cluster.py": CHECKED,  # of a run that the lab has written
    "lab/workbench/studies/cluster_worker.py": CHECKED,
    "lab/interop/script/row_data.py": PROGRAM,
    "lab/interop/script/source.py": PROGRAM,
    "lab/interop/script/text_data.py": PROGRAM,
    "lab/workbench/classroom/hand_out.py": PROGRAM,
    "lab/base/system/profile.py": SYSTEM,
    "lab/bench/window/gaps.py": SYSTEM,
    "lab/bench/classroom.py": CHECKED,  # what it has just written
    "lab/runs/origin.py": SYSTEM,
    "lab/training/gauges/machine.py": SYSTEM,
    "lab/workbench/runners/worker.py": "the standard input, from the lab",
}


def calls(tree):
    """Yield the name and the line of each call that reads a file at a path."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if (node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")) not in LAST_WORDS:
            continue
        name = ast.unparse(node.func)
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr in METHODS
        if is_method or name in FUNCTIONS or (name.endswith(".open") and _mode(node).startswith("r")):
            yield name, node.lineno


def _mode(call):
    """Return the mode with which a call of Path.open opens a file; "" if it is none."""
    first = call.args[0] if call.args else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


def found():
    for folder in ("lab", "plugins"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            source = file.read_text(encoding="utf-8")
            if not name.startswith("lab/base/files/") and CALLED.search(source):  # to parse all takes seconds
                for call, line in calls(ast.parse(source)):
                    yield name, f"{name}:{line}: {call}"


def test_files_are_read_in_one_place():
    read = list(found())
    unlisted = [where for name, where in read if name not in LISTED]
    assert unlisted == []
    assert LISTED.keys() <= {name for name, _ in read}


@pytest.mark.parametrize("code", ['path.open("rb")', "file.read_text()", "open(file)", "json.load(file)"])
def test_a_call_that_reads_a_file_is_found(code):
    assert [line for _, line in calls(ast.parse(code))] == [1]


@pytest.mark.parametrize("code", ['path.open("xb")', "RunFolder.open(path)", "read_text(path)", "json.loads(text)"])
def test_other_calls_are_not(code):
    assert list(calls(ast.parse(code))) == []

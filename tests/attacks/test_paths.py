"""Paths that are none: every argument that names a file is refused in one line, and nothing is replaced or left."""

import os

import pytest

from lab.cli.main import main

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other systems have other files")

READ = {
    "recipe": ("train", "{}/recipe.toml"),
    "corpus": ("train", "--corpus", "{}"),
    "run": ("runs", "show", "{}"),
    "bundle": ("runs", "import", "{}"),
    "text": ("evaluate", "run", "--text", "{}"),
    "source": ("arpa", "count", "{}", "out.arpa"),
    "model": ("arpa", "check", "{}", "text.txt"),
    "pretrained": ("import-checkpoint", "{}"),
    "tokenizer": ("train", "--corpus", "text.txt", "--tokenizer", "pretrained", "--set", "tokenizer.path={}"),
    "mixture": ("train", "--corpus", "mixture", "--set", 'corpus.parts=[{path = "{}"}]'),
    "chain": ("corpus", "markov", "--set", "corpus.chain.kind=fitted", "--set", "corpus.chain.path={}"),
    "pairs": ("corpus", "pairs-file", "--set", "corpus.path={}"),
    "images": ("corpus", "images-folder", "--set", "corpus.path={}"),
    "dataset": ("corpus", "dataset", "--set", "corpus.path={}"),
    "statistics": ("corpus", "{}"),
    "tokens": ("tokenize", "--corpus", "{}", "the"),
    "resumed": ("resume", "run", "--corpus", "{}"),
    "link": ("recipe", "link", "{}"),
    "exported": ("runs", "export", "{}", "out.csv"),
}
WRITTEN = {
    "run": ("train", "--corpus", "text.txt", "--architecture", "n-gram", "--out", "{}"),
    "bundle": ("runs", "export", "run", "{}.lmlab"),
    "table": ("runs", "export", "run", "{}.csv"),
    "imported": ("runs", "import", "run.lmlab", "--out", "{}"),
    "counted": ("arpa", "count", "text.txt", "{}"),
    "drawn": ("recipe", "link", "quick-start", "--svg", "{}"),
}
NO_FILES = {"a pipe": "fifo", "a link to a pipe": "to-fifo", "an endless device": "/dev/zero", "a folder": "folder"}
IMPOSSIBLE = {"4,096 characters": "a" * 4096, "deep": "a/" * 2048, "a link to itself": "loop", "surrogates": "no\udcff"}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch, counted):
    """Work in a folder with a run, its bundle and text, and a link to itself."""
    monkeypatch.chdir(tmp_path)
    for name in ("text.txt", "run", "run.lmlab"):
        (tmp_path / name).symlink_to(counted / name)
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "to-fifo").symlink_to("fifo")
    (tmp_path / "folder").mkdir()


def refused(capfd, words, path):
    """Run a command on a path; return its status after checking that it ended in one short line."""
    code = main([word.replace("{}", path) for word in words])
    out, err = capfd.readouterr()
    lines = [line for line in err.splitlines() if line.startswith("lm-lab: ")]
    assert code in (1, 2), (out, err)
    assert len(lines) == 1
    assert len(lines[0]) < 5000
    assert "Traceback" not in err
    assert "lm-lab failed" not in err
    return code


@pytest.mark.short("recipe-*", "run-*", "*-a pipe", "*-surrogates")
@pytest.mark.parametrize("path", (NO_FILES | IMPOSSIBLE).values(), ids=NO_FILES | IMPOSSIBLE)
@pytest.mark.parametrize("words", READ.values(), ids=READ)
def test_a_path_that_cannot_be_read_is_refused(capfd, tmp_path, words, path):
    before = sorted(each.name for each in tmp_path.iterdir())
    refused(capfd, words, path)
    assert sorted(each.name for each in tmp_path.iterdir() if each.name != "lab home") == before


@pytest.mark.parametrize("words", [words for name, words in WRITTEN.items() if name != "imported"])
@pytest.mark.parametrize("path", ["a" * 4096, "loop/x"], ids=["4,096 characters", "a link to itself"])
def test_a_path_that_cannot_be_written_is_refused(capfd, words, path):
    refused(capfd, words, path)


@pytest.mark.parametrize("words", [words for name, words in WRITTEN.items() if name not in ("run", "imported")])
@pytest.mark.parametrize("kind", ["file", "folder", "link", "device"])
def test_nothing_is_replaced_without_being_asked(capfd, tmp_path, words, kind):
    name = words[-1].replace("{}", "x")
    match kind:
        case "file":
            (tmp_path / name).write_text("good")
        case "folder":
            (tmp_path / name).mkdir()
        case "link":
            (tmp_path / name).symlink_to("text.txt")
        case "device":
            os.mkfifo(tmp_path / name)
    before = os.lstat(tmp_path / name)
    assert refused(capfd, words, "x") == 2
    after = os.lstat(tmp_path / name)
    assert (after.st_ino, after.st_mtime_ns, after.st_size) == (before.st_ino, before.st_mtime_ns, before.st_size)


@pytest.mark.parametrize("kind", ["link", "device"])
def test_a_link_or_a_device_is_not_replaced_even_if_asked(capfd, tmp_path, kind):
    (tmp_path / "x").symlink_to("text.txt") if kind == "link" else os.mkfifo(tmp_path / "x")
    assert refused(capfd, ("arpa", "count", "text.txt", "{}", "--overwrite"), "x") == 2


def test_what_is_read_is_never_written(capfd, tmp_path):
    source = tmp_path / "same.txt"
    source.write_text("good " * 9)
    assert refused(capfd, ("arpa", "count", "{}", "{}", "--overwrite"), "same.txt") == 2
    os.link(source, tmp_path / "other.txt")
    assert refused(capfd, ("arpa", "count", "same.txt", "{}", "--overwrite"), "other.txt") == 2
    assert source.read_text() == "good " * 9


def test_a_refused_import_leaves_no_folder(tmp_path):
    from lab.runs import bundle

    with pytest.raises(bundle.LabError, match="limit"):
        bundle.import_bundle(tmp_path / "run.lmlab", tmp_path / "new" / "deep", limit=10)
    assert not (tmp_path / "new").exists()


@pytest.mark.long
@pytest.mark.parametrize("file", ["fifo", "/dev/zero"])
@pytest.mark.parametrize("words", READ.values(), ids=READ)
def test_a_fifo_and_an_endless_device_end_in_a_child_of_little_memory(child, words, file):
    process = child(*(word.replace("{}/recipe.toml", file).replace("{}", file) for word in words))
    _, err = process.communicate(timeout=60)
    assert process.returncode in (1, 2), err
    assert b"Traceback" not in err

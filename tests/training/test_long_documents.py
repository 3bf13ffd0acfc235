"""Documents too long for memory together: read, tokenized and split as if they were in memory."""

import json
import os
import tracemalloc

import numpy as np
import pytest

from lab.api import LongText, Text
from lab.host import Plugins
from lab.recipes import Recipe
from lab.text import token_files
from lab.text.corpora import files, long_files
from lab.text.corpora.files import FileConfig, read_file
from lab.text.documents import DocumentTokenizer, packed
from lab.text.statistics.report import statistics
from lab.text.token_files import cut_at, tokens_of
from lab.text.tokenizers.units import ByteTokenizer
from lab.training.experiment import prepare
from lab.training.trainer import Trainer

STORIES = [f"Story {number}\nis about {'very ' * (number % 9)}little ä.\n" for number in range(300)]


@pytest.fixture(autouse=True)
def home(lab_home):
    """An empty home folder, so that nothing is cached."""
    return lab_home


@pytest.fixture
def path(tmp_path):
    """A table of stories, some of them blank, that was written long ago."""
    file = tmp_path / "stories.jsonl"
    rows = [*STORIES[:100], " \n", "", *STORIES[100:]]
    file.write_text("".join(json.dumps({"text": story}) + "\n" for story in rows))
    os.utime(file, (1, 1))
    return file


@pytest.fixture
def short_memory(monkeypatch):
    """Call a text long from 1000 characters on, and cut it often."""

    def short_memory():
        monkeypatch.setattr(files, "LONG", 1000)
        monkeypatch.setattr(long_files, "PIECE", 300)
        monkeypatch.setattr(long_files, "BEGINNING", 8000)
        monkeypatch.setattr(long_files, "BLOCK", 200)
        monkeypatch.setattr(token_files, "ENCODED", 100)

    return short_memory


def read(path):
    return read_file(FileConfig(path=str(path), documents=True))


@pytest.mark.parametrize("of_folder", [False, True])
def test_long_documents_are_the_same_corpus_as_short_ones(path, tmp_path, short_memory, of_folder):
    if of_folder:
        path = tmp_path / "stories"
        path.mkdir()
        for number, story in enumerate(STORIES):
            (path / f"{number:03}.txt").write_text(story)
    short = read(path)
    short_memory()
    for _ in range(2):  # the second time from the cache
        long = read(path)
        assert isinstance(short, Text)
        assert isinstance(long, LongText)
        assert "".join(long.pieces()) == short.text
        assert (list(long.starts), long.sha256, long.characters) == (list(short.starts), short.sha256, len(short.text))
        assert long.facts == short.facts


def test_the_tokens_of_long_documents_are_those_of_short_ones(path, short_memory):
    expected, _ = packed(read(path), DocumentTokenizer(ByteTokenizer()))
    short_memory()
    long = read(path)
    assert np.array_equal(tokens_of(long, DocumentTokenizer(ByteTokenizer())), expected)


@pytest.mark.parametrize("size", [1, 4, 7, 100])
def test_a_document_is_cut_at_its_own_ends_of_lines(size):
    documents = ["", "a\nbc", "defghijkl", "m\nn\no\np", "q", "rstuvwxyz\n1"]
    text, starts = "\n".join(documents), [0, 1, 6, 16, 24, 26]
    for step in (1, 3, len(text)):
        pieces = (text[at : at + step] for at in range(0, len(text), step))
        cut = list(cut_at(pieces, starts, size))
        assert all(len(piece) <= size for piece, _ in cut)
        assert cut == list(cut_at(iter([text]), starts, size))
        joined = "".join(piece + ("|" if is_last else "") for piece, is_last in cut)
        assert joined == "".join(f"{document}|" for document in documents)


@pytest.mark.parametrize("tokenizer", ["byte", "word"])
def test_a_run_on_long_documents_is_split_and_learns_as_on_short_ones(path, short_memory, tokenizer):
    recipe = Recipe().with_values({
        "corpus": {"name": "file", "path": str(path), "documents": True},
        "tokenizer": {"name": tokenizer},
        "architecture": {"name": "transformer", "layers": 1, "width": 8, "heads": 2},
        "training": {"steps": 3, "context_length": 32, "separate_documents": True, "device": "cpu", "threads": 1},
    })  # fmt: skip
    plugins = Plugins().load()
    short = prepare(recipe, plugins)
    short_memory()
    long = prepare(recipe, plugins)
    assert long.corpus.keys() == short.corpus.keys()
    assert long.corpus["documents"] == len(STORIES)
    end = long.tokenizer.end
    for one, other in ((long.train, short.train), (long.validation, short.validation)):
        assert int((one.tokens == end).sum()) == int((other.tokens == end).sum())
        if tokenizer == "byte":  # words may be cut elsewhere at the ends of pieces
            assert np.array_equal(one.tokens, other.tokens)
    trainer = Trainer(long)
    trainer.run()
    assert trainer.state == "finished"
    if tokenizer == "byte":
        assert long.floors == short.floors


def test_reading_and_tokenizing_long_documents_takes_little_memory(tmp_path, monkeypatch):
    file = tmp_path / "long.jsonl"
    row = json.dumps({"text": "one document of some words and no more " * 20}) + "\n"
    file.write_text(row * 6000)  # 5 MB
    monkeypatch.setattr(files, "LONG", 100_000)
    monkeypatch.setattr(long_files, "PIECE", 50_000)
    monkeypatch.setattr(long_files, "BEGINNING", 50_000)
    monkeypatch.setattr(long_files, "BLOCK", 20_000)
    monkeypatch.setattr(token_files, "ENCODED", 20_000)
    tracemalloc.start()
    try:
        long = read(file)
        tokens = tokens_of(long, DocumentTokenizer(ByteTokenizer()))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(tokens) > 4_600_000
    assert most < 12 * 2**20, most  # 4.4 MB of it mark the characters that were seen


def test_the_statistics_count_the_documents_of_what_is_read(path, short_memory):
    short_memory()
    long = read(path)
    tokenizer = ByteTokenizer()
    page = statistics(long, tokenizer.encode(long.beginning), tokenizer)
    counts = {each.unit: each.count for each in page.duplicates}
    assert counts["documents"] == sum(start < len(long.beginning) for start in long.starts) > 100

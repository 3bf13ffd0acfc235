"""A run exported as a script: the text it reads stands beside it where nobody has that as a plain file."""

import hashlib
import json

import pytest

from lab.base import BadInput
from lab.workbench.exchange.script import export_script_and_text


@pytest.fixture
def exported(bench, recipe, tmp_path):
    """Train a recipe with assignments and export it."""

    def exported(*assignments, **values):
        given = recipe(1, "training.evaluate_every=0", "readings.tokens=0", *assignments).with_values(values)
        run = bench.start(given)
        assert run.wait(30)
        assert run.problem is None
        return lambda **more: export_script_and_text(run.folder, bench.plugins, tmp_path / "own.py", **more)

    return exported


def test_a_plain_file_is_not_written_again_and_its_words_become_a_script(exported):
    script = exported(tokenizer={"name": "word"})()
    assert script.exists()
    assert not script.with_suffix(".txt").exists()


@pytest.mark.long  # in short: the text of a source
def test_the_texts_of_a_table_are_written_next_to_the_script_that_reads_them(exported, tmp_path):
    rows = "".join(json.dumps({"text": f"the cat sat on mat {n}"}) + "\n" for n in range(99))
    (tmp_path / "rows.jsonl").write_text(rows)
    script = exported(corpus={"name": "file", "path": str(tmp_path / "rows.jsonl")})()
    assert script.with_suffix(".txt").read_text().startswith("the cat sat on mat 0\n")
    sha256 = hashlib.sha256(script.with_suffix(".txt").read_bytes()).hexdigest()
    assert f"sha256={sha256!r}" in script.read_text().replace('"', "'")  # the script takes just this one


def test_the_text_of_a_source_replaces_another_next_to_the_script_only_where_it_may(exported, tmp_path):
    (tmp_path / "own.txt").write_text("mine")
    export = exported(corpus={"name": "markov", "length": 2000})
    with pytest.raises(BadInput, match="already exists"):
        export()
    assert (tmp_path / "own.txt").read_text() == "mine"
    assert not (tmp_path / "own.py").exists()
    script = export(overwrite=True)
    assert len(script.with_suffix(".txt").read_text()) == 2000


def test_the_corpus_itself_a_link_and_a_pipe_are_never_replaced_by_the_text_of_a_script(exported, tmp_path):
    text = "the cat sat on the mat\r\n" * 99  # written next to the script with other line ends
    (tmp_path / "own.txt").write_bytes(text.encode())
    export = exported(corpus={"name": "file", "path": str(tmp_path / "own.txt")})
    with pytest.raises(BadInput, match="is read for this"):
        export(overwrite=True)
    assert (tmp_path / "own.txt").read_bytes() == text.encode()
    assert not (tmp_path / "own.py").exists()


@pytest.mark.long  # in short: the text of a source
def test_a_text_that_is_not_at_hand_is_asked_for(exported, tmp_path):
    (tmp_path / "rows.jsonl").write_text('"the cat sat on the mat"\n' * 99)
    export = exported(corpus={"name": "file", "path": str(tmp_path / "rows.jsonl")})
    (tmp_path / "rows.jsonl").unlink()
    with pytest.raises(BadInput, match="the text that the script needs cannot be read"):
        export()


def test_examples_are_refused(exported):
    with pytest.raises(BadInput, match="learns from generated examples") as caught:
        exported(corpus={"name": "copy", "length": 3})()
    assert caught.value.problem.field == "corpus.name"


@pytest.mark.parametrize("name", ["bpe", "unigram"])
def test_a_tokenizer_of_the_library_is_refused_with_those_that_can_be_written(exported, name):
    with pytest.raises(BadInput, match="character, byte or word") as caught:
        exported(tokenizer={"name": name})()
    assert caught.value.problem.field == "tokenizer.name"

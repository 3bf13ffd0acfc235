"""`lm-lab train --corpus NAME` with files of your own that hold rows: each kind trains and is evaluated."""

import json
from pathlib import Path

import numpy as np
import pytest

TINY = (
    "--set", "training.batch_size=4", "--set", "training.context_length=32", "--set", "training.threads=1",
    "--set", "architecture.layers=1", "--set", "architecture.width=16", "--set", "architecture.heads=2",
    "--device", "cpu", "--steps", "2", "--json",
)  # fmt: skip
WORDS = ("red", "green", "blue")


def pairs():
    """Write pairs of words."""
    Path("rows.tsv").write_text("english\tgerman\n" + "".join(f"{w}{n}\t{n}{w}\n" for n in range(8) for w in WORDS))
    return "rows.tsv", ("corpus.source=english", "corpus.target=german")


def labels():
    """Write texts with the word that each begins with as its label."""
    Path("rows.csv").write_text("text,label\n" + "".join(f"{w} {n},{w}\n" for n in range(8) for w in WORDS))
    return "rows.csv", ()


def conversations():
    """Write conversations of two turns."""
    turns = [
        [{"role": "user", "content": f"{n}?"}, {"role": "assistant", "content": w}] for n in range(8) for w in WORDS
    ]
    Path("rows.jsonl").write_text("".join(json.dumps({"messages": one}) + "\n" for one in turns))
    return "rows.jsonl", ()


def vectors():
    """Write numbers with another number to predict."""
    Path("rows.csv").write_text("a,b,n\n" + "".join(f"{n},{n % 5},{n / 7:.3f}\n" for n in range(40)))
    return "rows.csv", ("corpus.target=n",)


def pictures():
    """Write a folder of pictures for each of two classes."""
    image = pytest.importorskip("PIL.Image")
    for label, shade in (("dark", 20), ("light", 220)):
        folder = Path("pictures", label)
        folder.mkdir(parents=True)
        for number in range(10):
            image.fromarray(np.full((8, 8), shade + number, np.uint8)).save(folder / f"{number}.png")
    return "pictures", ("corpus.size=4", "corpus.colour=rgb")


FILES = {  # the name of a corpus: what writes it, the unit of its loss, a metric
    "pairs-file": (pairs, "nats per token", "exact match"),
    "labels-file": (labels, "nats per label", "F1"),
    "conversations-file": (conversations, "nats per token", "faultless"),
    "vectors-file": (vectors, "mean squared error", "MSE"),
    "images-folder": (pictures, "nats per label", "accuracy"),
}


@pytest.mark.short("labels-file", "pairs-file")
@pytest.mark.parametrize("corpus", FILES)
def test_a_file_of_rows_is_trained_on_by_the_name_of_its_corpus_and_evaluated(lm_lab, corpus):
    write, unit, metric = FILES[corpus]
    path, more = write()
    settings = [part for one in (f"corpus.path={path}", *more) for part in ("--set", one)]
    architecture = "encoder-decoder" if corpus == "pairs-file" else "transformer"
    ended = lm_lab("train", "--corpus", corpus, *settings, *TINY, "--architecture", architecture, "--out", "run")
    assert ended.code == 0, ended.err
    assert ended.json["loss_unit"] == unit
    found = lm_lab("evaluate", "run", "--json").json
    assert found["loss"] == pytest.approx(ended.json["validation_loss"], rel=1e-5)
    assert metric in found["metrics"]

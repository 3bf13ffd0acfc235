"""ARPA files: written and read without loss, those of others read as data, damaged ones refused by line."""

import gzip

import numpy as np
import pytest
import torch

from lab.api import BadInput, Task
from lab_ngram import NgramConfig, arpa
from lab_ngram.model import NgramModel

SRILM = """
this line is no part of it

\\data\\
ngram 1=5
ngram 2=3
ngram 3=1

\\1-grams:
-1.0\t<unk>
-99\t<s>\t-0.5
-0.75\t</s>
-0.3\ta\t-0.25
-0.6\tb\t-0.125

\\2-grams:
-0.2\t<s> a\t-0.0625
-0.4\ta b
-0.1\tb </s>

\\3-grams:
-0.05\t<s> a b

\\end\\
"""


def file_of(tmp_path, text, name="some.arpa"):
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def model_of(order=4, smoothing="modified-kneser-ney", V=9):
    model = NgramModel(
        NgramConfig(order=order, smoothing=smoothing), Task(vocabulary_size=V, context_length=8)
    ).double()
    model.count((V * np.random.default_rng(0).random(600) ** 2).astype(np.int64))
    return model


def test_probabilities_are_those_of_the_longest_n_gram_there_is_and_of_the_back_offs_above_it(tmp_path):
    file = arpa.read(file_of(tmp_path, SRILM))
    found = file.log10(file.sentence(["a", "b", "b", "what", "a"]))
    assert found.tolist() == pytest.approx(
        [
            -0.2,  # <s> a
            -0.05,  # <s> a b
            -0.125 - 0.6,  # a b has no back-off; b has, before b
            -0.125 - 1.0,  # <unk>
            -0.3,  # after <unk>, which has no back-off
            -0.25 - 0.75,
        ]
    )


@pytest.mark.parametrize("change", [lambda t: t.replace("\n", "\r\n"), lambda t: t.replace("\t", "  ")])
def test_ends_of_lines_and_spaces_of_other_programs_are_read(change, tmp_path):
    one, other = arpa.read(file_of(tmp_path, SRILM)), arpa.read(file_of(tmp_path, change(SRILM), "other.arpa"))
    assert list(arpa._lines(one)) == list(arpa._lines(other))


def test_a_compressed_file_is_read_and_written(tmp_path):
    one = arpa.read(file_of(tmp_path, gzip.compress(SRILM.encode()), "some.gz"))
    (tmp_path / "again.arpa.gz").write_bytes(arpa.content(one, compressed=True))
    again = arpa.read(tmp_path / "again.arpa.gz")
    assert list(arpa._lines(one)) == list(arpa._lines(again))
    assert (tmp_path / "again.arpa.gz").read_bytes()[:2] == b"\x1f\x8b"


def test_a_context_that_a_pruned_file_leaves_out_costs_nothing(tmp_path):
    pruned = SRILM.replace("ngram 2=3", "ngram 2=2").replace("-0.2\t<s> a\t-0.0625\n", "")
    file = arpa.read(file_of(tmp_path, pruned))
    assert file.log10(file.sentence(["a", "b", "a"])).tolist() == pytest.approx(
        [-0.5 - 0.3, -0.05, -0.125 - 0.3, -0.25 - 0.75]
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\\data\\", "data", "line 25: the file ends too soon"),
        ("ngram 2=3", "ngram 3=3", "line 6: ngram 2=COUNT is expected"),
        ("ngram 1=5", "ngram 1=x", "line 5: ngram 1=COUNT is expected"),
        ("ngram 1=5", "ngram 1=6", "line 16: expected 6 lines with a number, 1 words and an optional number"),
        ("ngram 1=5", "ngram 1=4", r"line 14: \\2-grams: is expected"),
        ("-0.4\ta b", "-0.4\ta c", "line 18: 'c' is not among the 1-grams"),
        ("-0.4\ta b", "-0.4\t<s> a", "line 18: this n-gram is listed twice"),
        ("-0.6\tb", "-0.6\ta", "line 14: this n-gram is listed twice"),
        ("-0.4\ta b", "0.4\ta b", "line 18: '0.4' is not the log10, at most 0, of a number"),
        ("-0.4\ta b", "nan\ta b", "line 18: 'nan' is not the log10"),
        ("-0.4\ta b", "a b", "line 18: expected 3 lines with a number, 2 words"),
        ("\t-0.0625", "\tx", "line 17: 'x' is not the log10 of a number"),
        ("\\end\\", "", "line 25: the file ends too soon"),
        ("\\end\\", "\\4-grams:", r"line 24: \\end\\ is expected"),
    ],
)
def test_a_damaged_file_is_refused_with_the_line(old, new, message, tmp_path):
    assert old in SRILM
    with pytest.raises(BadInput, match=message):
        arpa.read(file_of(tmp_path, SRILM.replace(old, new, 1)))


def test_bytes_that_are_no_text_and_a_cut_archive_are_refused(tmp_path):
    with pytest.raises(BadInput, match=r"line 14: a word is not UTF-8"):
        arpa.read(file_of(tmp_path, SRILM.encode().replace(b"-0.6\tb", b"-0.6\t\xff")))
    with pytest.raises(BadInput, match="compressed file is damaged"):
        arpa.read(file_of(tmp_path, gzip.compress(SRILM.encode())[:-20]))


@pytest.mark.parametrize(
    "smoothing",
    ["modified-kneser-ney", "absolute-discounting", "katz", "witten-bell", "jelinek-mercer", "stupid-backoff"],
)
def test_the_file_of_a_model_gives_the_models_probabilities(smoothing, tmp_path):
    model, labels = model_of(smoothing=smoothing), [*"abcdefgh", " "]
    (tmp_path / "model.arpa").write_bytes(arpa.content(arpa.of_model(model.counts, model.smoothed, labels)))
    file = arpa.read(tmp_path / "model.arpa")
    assert {*file.words} == {*"abcdefgh", "\u2581", "<s>", "</s>", "<unk>"}
    text = np.random.default_rng(1).integers(0, 9, 300)
    read = torch.from_numpy(text)[None]
    nats = model.score(read[:, :-1], read[:, 1:])[0]
    words = np.array([file.indices[arpa.word(labels[token])] for token in text])
    assert (file.log10(words) * np.log(10)).tolist() == pytest.approx(nats.tolist(), rel=1e-12)


def test_every_number_comes_back_the_same(tmp_path):
    model = model_of()
    file = arpa.of_model(model.counts, model.smoothed, [str(token) for token in range(9)])
    (tmp_path / "model.arpa").write_bytes(arpa.content(file))
    again = arpa.read(tmp_path / "model.arpa")
    for one, other in zip(file.orders, again.orders, strict=True):
        assert np.array_equal(one.log10, other.log10)
        assert np.array_equal(one.backoff, other.backoff, equal_nan=True)
        assert np.array_equal(one.tokens, other.tokens)


def test_labels_that_cannot_be_written_are_replaced_by_their_numbers():
    model = model_of(order=1)
    labels = ["a", " ", "\u2581", "\t", "<s>", "", "\udc80", "<unk>", "\n"]
    words = arpa.of_model(model.counts, model.smoothed, labels).words
    assert words == (
        "a", "\u2581", "<symbol-2>", "<symbol-3>", "<symbol-4>", "<symbol-5>", "<symbol-6>", "<unk>", "\u00b6", "<s>",
        "</s>",
    )  # fmt: skip


@pytest.mark.parametrize(("smoothing", "order"), [("add-k", 2), ("maximum-likelihood", 2), ("witten-bell", 0)])
def test_what_the_format_has_no_form_for_is_refused(smoothing, order):
    model = model_of(order=order, smoothing=smoothing)
    with pytest.raises(BadInput, match="ARPA file"):
        arpa.of_model(model.counts, model.smoothed, [str(token) for token in range(9)])


def test_a_word_is_refused_that_a_file_without_unk_does_not_know(tmp_path):
    text = SRILM.replace("ngram 1=5", "ngram 1=4").replace("-1.0\t<unk>\n", "")
    file = arpa.read(file_of(tmp_path, text))
    with pytest.raises(BadInput, match="no word 'what'"):
        file.sentence(["a", "what"])

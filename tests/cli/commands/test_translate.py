"""`lm-lab translate`: a text, the lines of a file, and validation pairs."""

import pytest

TINY = (
    "--corpus", "reversal", "--set", "corpus.rows=60", "--objective", "sequence-to-sequence", "--architecture",
    "recurrent-encoder-decoder", "--set", "architecture.width=16", "--set", "architecture.attention=dot",
    "--set", "tokenizer.name=character", "--set", "training.batch_size=4", "--set", "training.context_length=16",
    "--set", "training.threads=1", "--device", "cpu", "--steps", "3",
)  # fmt: skip


@pytest.fixture
def run(lm_lab, tmp_path):
    """A run on reversed letters."""
    ended = lm_lab("train", *TINY, "--out", str(tmp_path / "run"))
    assert ended.code == 0, ended.err
    return str(tmp_path / "run")


def test_a_text_and_the_lines_of_a_file_are_translated_with_scores_and_alignment(lm_lab, run, tmp_path):
    shown = lm_lab("translate", run, "abc", "--alignment", "--max-tokens", "5")
    assert shown.code == 0, shown.err
    assert "score" in shown.out
    assert "reads" in shown.out
    page = lm_lab("translate", run, "abc", "--beams", "2", "--max-tokens", "5", "--json").json
    assert page["source_tokens"] == ["a", "b", "c"]
    assert 1 <= len(page["hypotheses"]) <= 2
    for one in page["hypotheses"]:
        assert len(one["alignment"]) == len(one["tokens"])
        assert all(sum(row) == pytest.approx(1, abs=1e-5) for row in one["alignment"])
    (tmp_path / "lines.txt").write_text("abc\n\ncab\n")
    lines = ("--file", str(tmp_path / "lines.txt"), "--beams", "2", "--max-tokens", "5", "--json")
    table = lm_lab("translate", run, *lines).json
    assert [one["source"] for one in table["translations"]] == ["abc", "cab"]
    assert table["translations"][0]["hypotheses"][0]["text"] == page["hypotheses"][0]["text"]


def test_validation_pairs_are_measured_by_length(lm_lab, run):
    page = lm_lab("translate", run, "--validation", "4", "--strategy", "greedy", "--max-tokens", "12", "--json").json
    assert page["pairs"] == len(page["translations"]) == 4
    assert {"exact match", "token accuracy", "BLEU", "chrF"} <= set(page)
    assert sum(band["pairs"] for band in page["bands"]) == 4
    assert "all" in lm_lab("translate", run, "--validation", "2", "--max-tokens", "4").out


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ((), "TEXT: is missing"),
        (("abc", "--validation"), "exclude each other"),
        (("",), "TEXT: is empty"),
        (("aÄ",), "does not occur"),
        (("--file", "nowhere.txt"), "--file = nowhere.txt"),
        (("abc", "--beams", "2", "--strategy", "greedy"), "--beams = 2: is given besides --strategy"),
        (("abc", "--beams", "0"), "--beams"),
        (("abc", "--max-tokens", "0"), "--max-tokens"),
    ],
)
def test_what_cannot_be_translated_is_refused_in_a_sentence(lm_lab, run, arguments, what):
    ended = lm_lab("translate", run, *arguments)
    assert ended.code != 0
    assert what in ended.err

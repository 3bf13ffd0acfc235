"""`lm-lab fill`, and training a classifier from a run that predicts hidden tokens."""

import pytest

TINY = (
    "--set", "training.batch_size=4", "--set", "training.context_length=80", "--set", "training.threads=1",
    "--set", "architecture.layers=1", "--set", "architecture.width=16", "--set", "architecture.heads=2",
    "--device", "cpu", "--steps", 2,
)  # fmt: skip


@pytest.mark.parametrize(
    ("architecture", "objective"),
    [("encoder", "masked"), ("encoder", "next-sentence"), ("electra", "replaced-tokens"), ("transformer", "causal")],
)
def test_a_run_fills_in_if_it_learned_to(lm_lab, architecture, objective):
    made = lm_lab("train", "--architecture", architecture, "--objective", objective, *TINY, "--out", "run")
    assert made.code == 0, made.err
    found = lm_lab("fill", "run", "the [MASK*2] of [MASK]", "--json", "--candidates", 3)
    if objective == "causal":
        assert found.code == 2
        assert "does not predict hidden tokens" in found.problem
        return
    assert found.code == 0, found.err
    page = found.json
    assert [len(place["candidates"]) for place in page["places"]] == [3, 3, 3]
    texts = [place["candidates"][0]["text"] for place in page["places"]]
    assert page["filled"] == f"the {texts[0]}{texts[1]} of {texts[2]}"
    rows = lm_lab("fill", "run", "the [MASK]", "--order", "one-by-one").out.splitlines()
    assert rows[1].split() == ["place", "token", "probability"]
    refused = lm_lab("fill", "run", "the end")
    assert refused.code == 2
    assert "TEXT" in refused.problem
    assert "fill" in lm_lab("generate", "run", "--prompt", "the ").problem
    assert "--candidates" in lm_lab("fill", "run", "a [MASK]", "--candidates", 0).problem


def test_a_classifier_begins_with_a_run_that_predicts_hidden_tokens(lm_lab):
    assert lm_lab("train", "--architecture", "encoder", "--objective", "masked", *TINY, "--out", "base").code == 0
    tuned = lm_lab(
        "train", "--from", "base", "--objective", "classification", "--corpus", "polarity", "--set", "corpus.rows=40",
        "--steps", 2, "--out", "tuned",
    )  # fmt: skip
    assert tuned.code == 0, tuned.err
    assert "nats per label" in tuned.out
    assert sum(lm_lab("classify", "tuned", "a good day", "--json").json["classes"].values()) == pytest.approx(1)


def test_classify_says_what_the_class_rests_on(lm_lab):
    made = lm_lab(
        "train", "--architecture", "encoder", "--objective", "classification", "--corpus", "polarity", "--tokenizer",
        "word", "--set", "corpus.rows=40", *TINY, "--out", "run",
    )  # fmt: skip
    assert made.code == 0, made.err
    page = lm_lab("classify", "run", "the soup was good", "--why", "--json").json
    assert len(page["tokens"]) == len(page["occlusion"]) == len(page["gradient"])
    assert 0.5 <= page["probability"] <= 1
    rows = lm_lab("classify", "run", "the soup was good", "--why").out.splitlines()
    assert rows[1].split() == ["token", "without", "it", "gradient"]

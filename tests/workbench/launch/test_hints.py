"""The hints before a start: each appears where it should, says what helps, and is gone once that is done."""

import json

import pytest

from lab.recipes import Recipe
from lab.workbench.launch.hints import hints_of
from lab.workbench.launch.preflight import Preflight


def figures(**given):
    """Return figures of a training about which nothing is to be said."""
    plain = {
        "parameters": 100_000, "active_parameters": 100_000, "flops_per_token": 1.0, "state_bytes": None,
        "vocabulary_size": 1000, "train_tokens": 1_000_000, "tokens": 2_000_000, "steps": 1000,
        "tokens_per_parameter": 20.0, "memory_bytes": 1, "seconds": None, "blocks": {}, "activation_bytes": None,
        "backward_bytes": None, "plain_backward_bytes": None, "state_formula": "", "all_tokens": 1_100_000,
        "table_parameters": 20_000,
    }  # fmt: skip
    return Preflight(**{**plain, **given})


def drafted(*assignments):
    return Recipe().with_assignments("architecture.name=transformer", "training.steps=1000", *assignments)


def kinds(draft, found):
    return [hint.kind for hint in hints_of(draft, found)]


def test_nothing_is_said_of_a_usual_training_or_of_a_model_that_counts():
    assert kinds(drafted(), figures()) == []
    assert kinds(drafted(), figures(tokens_per_parameter=None, train_tokens=1, tokens=10**9)) == []


@pytest.mark.parametrize(
    ("kind", "settings", "given", "field", "change"),
    [
        ("undertrained", (), {"tokens_per_parameter": 0.4}, "training.steps", 50_000),
        ("overtrained", (), {"tokens_per_parameter": 500.0}, "", None),
        ("repeats", (), {"tokens": 10_000_000}, "training.steps", 400),
        (
            "documents", ("training.context_length=512",), {"documents": 11_000, "all_tokens": 1_100_000},
            "training.context_length", 64,
        ),
        ("vocabulary", ("tokenizer={name='bpe',vocabulary_size=1000}",), {"table_parameters": 60_000},
         "tokenizer.vocabulary_size", 256),
        ("dropout", ("architecture.dropout=0.1",), {"tokens": 900_000}, "architecture.dropout", 0.0),
        (
            "overfits", ("architecture.dropout=0.0",), {"train_tokens": 50_000, "tokens": 2_000_000},
            "architecture.dropout", 0.2,
        ),
        ("overfits", (), {"train_tokens": 50_000, "tokens": 2_000_000}, "training.patience", 3),
    ],
)  # fmt: skip
def test_each_hint_names_its_setting_and_is_gone_once_it_is_changed(kind, settings, given, field, change):
    found = figures(**given)
    (hint,) = hints_of(drafted(*settings), found)
    assert (hint.kind, hint.field, hint.change) == (kind, field, change)
    assert "{" not in hint.what + hint.why + hint.remedy
    if change is None:
        return
    assert hint.remedy.endswith(f"--set {field}={change}")
    after = drafted(*settings).with_assignments(f"{field}={change}")
    share = after.training.steps / 1000
    changed = {
        "tokens": round(found.tokens * share),
        "steps": after.training.steps,
        "tokens_per_parameter": found.tokens_per_parameter * share,
        "train_tokens": found.train_tokens * (share if share > 1 else 1),
        "table_parameters": found.table_parameters / (4 if kind == "vocabulary" else 1),
        "vocabulary_size": 256 if kind == "vocabulary" else found.vocabulary_size,
    }
    assert kind not in kinds(after, figures(**{**given, **changed}))


def test_a_budget_is_not_changed_by_a_number_of_steps():
    (hint,) = hints_of(drafted("training.budget=9 epochs"), figures(tokens=9_000_000))
    assert (hint.kind, hint.change) == ("repeats", None)


def test_documents_that_are_read_separately_may_be_shorter_than_the_context():
    given = {"documents": 11_000, "all_tokens": 1_100_000}
    assert kinds(drafted("training.context_length=512", "training.separate_documents=true"), figures(**given)) == []


def test_the_hints_of_a_recipe_are_found_with_its_figures(bench, recipe):
    found = bench.preflight(recipe(500, "architecture.dropout=0"))
    (hint,) = [hint for hint in found.hints if hint.kind == "overfits"]
    assert hint.values["parameters"] == found.parameters
    assert hint.values["passes"] == pytest.approx(found.tokens / found.train_tokens)
    assert found.table_parameters > 0
    assert found.documents == 0


def test_documents_of_a_corpus_are_counted(bench, recipe, tmp_path):
    file = tmp_path / "stories.jsonl"
    file.write_text("".join(json.dumps({"text": f"the cat {n} sat on the mat."}) + "\n" for n in range(40)))
    found = bench.preflight(recipe(5, f"corpus.path={file}", "corpus.documents=true", "training.context_length=64"))
    assert found.documents == 40
    assert "documents" in [hint.kind for hint in found.hints]

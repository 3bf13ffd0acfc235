"""The objective, the architecture and the tokenizer of the draft follow the data of its corpus."""

import pytest

from lab.host import Plugins
from lab.shell.runtime.background import Background
from lab.shell.session.corpus.fit import CorpusFit
from lab.shell.session.draft import Draft


@pytest.fixture
def draft(plain_window):
    background = Background(plain_window)
    made = Draft(Plugins.from_environment(later=True), plain_window)
    made.apply({"corpus": {"name": "text", "text": "a cat sat"}}, {"architecture": {"name": "rnn"}})
    made.fit = CorpusFit(made, background, plain_window)
    yield made
    background.close()


def names(draft):
    return draft.recipe.objective.name, draft.recipe.architecture.name


def test_pairs_get_an_objective_and_a_model_in_one_edit(draft):
    before = draft.recipe
    draft.edit("corpus.name", "reversal")
    assert names(draft) == ("sequence-to-sequence", "encoder-decoder")
    assert draft.note.startswith("Reversed letters gives pairs of texts; chosen for it: objective “")
    draft.undo()
    assert draft.recipe is before
    assert draft.note == ""
    draft.redo()
    assert names(draft) == ("sequence-to-sequence", "encoder-decoder")


def test_numbers_get_regression_once_they_were_read(draft, until):
    before = draft.recipe
    draft.edit("corpus.name", "sine")
    until(lambda: draft.recipe.objective.name == "regression")
    assert (draft.recipe.architecture.name, draft.recipe.tokenizer.name) == ("transformer", "none")
    draft.undo()
    assert draft.recipe is before


def test_a_text_gets_back_what_fits_a_text(draft):
    draft.edit("corpus.name", "polarity")
    assert names(draft) == ("classification", "transformer")
    draft.apply({"corpus": None}, {"corpus": {"name": "text", "text": "a cat sat"}})
    assert names(draft) == ("causal", "transformer")


def test_a_text_after_a_text_changes_nothing_else(draft):
    draft.edit("corpus.text", "another text")
    assert names(draft) == ("causal", "rnn")
    assert draft.note == ""

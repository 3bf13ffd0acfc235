"""The beams of a text: what the strategy kept besides it, with the probabilities under the model."""

import math

import pytest
import torch

from lab.api import Chooser, Continuation, Task
from lab.decoding.beams import BeamSearch
from lab.decoding.builtins import BeamSearchConfig, SamplingConfig
from lab.decoding.strategies import Sampling
from lab.decoding.stream import generate
from lab.host import Plugins
from lab.layers import LanguageModel
from lab.recipes import Decoding, Recipe
from lab.workbench.access import beams
from lab.workbench.access.beams import BeamRecorder
from lab.workbench.access.untrained import Untrained

torch.set_num_threads(1)


class Table(LanguageModel):
    """A model of three symbols whose next token depends on the last one."""

    def __init__(self):
        super().__init__(None, Task(3, 16))
        self.table = torch.tensor([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]).log()

    def start(self, batch):
        return torch.zeros(batch)

    def step(self, tokens, state):
        return self.table[tokens], state


def recorded(strategy, count=3):
    """Return the numbers of the text, and the recorder."""
    recorder = BeamRecorder(strategy)
    tokens = list(generate(Table(), [0], strategy=recorder, seed=0, symbols=3, count=count))
    return [token.token for token in tokens], recorder


def test_the_best_beam_is_the_text_and_all_come_by_descending_score():
    text, recorder = recorded(BeamSearch(BeamSearchConfig(width=3)))
    found = recorder.beams()
    assert [one.token for one in found[0]] == text
    sums = [math.fsum(math.log(one.probability) for one in beam) for beam in found]
    assert len(found) == 3
    assert sums == sorted(sums, reverse=True)
    assert len({tuple(one.token for one in beam) for beam in found}) == 3


def test_a_token_of_a_beam_has_probability_entropy_and_rank_under_the_model():
    _, recorder = recorded(BeamSearch(BeamSearchConfig(width=2)), count=1)
    first, second = (beam[0] for beam in recorder.beams())
    assert [first.token, second.token] == [0, 1]
    assert (first.probability, second.probability) == (pytest.approx(0.5), pytest.approx(0.3))
    assert (first.rank, second.rank) == (1, 2)
    assert first.entropy == pytest.approx(-sum(p * math.log2(p) for p in (0.5, 0.3, 0.2)), abs=1e-5)


def test_one_hypothesis_has_no_beams():
    _, recorder = recorded(Sampling(SamplingConfig()))
    assert recorder.beams() == []


def test_only_the_best_beams_are_kept(monkeypatch):
    monkeypatch.setattr(beams, "MOST", 2)
    assert len(recorded(BeamSearch(BeamSearchConfig(width=3)))[1].beams()) == 2


class GivesUp(Chooser):
    """A strategy that branches once, then gives the first hypothesis up."""

    width = 2

    def next(self, step):
        if len(step.hypotheses) == 1:
            return [Continuation(0, 0), Continuation(0, 1)]
        return [Continuation(1, 2)]


def test_a_hypothesis_that_is_given_up_is_no_beam():
    _, recorder = recorded(GivesUp(), count=2)
    assert [[one.token for one in beam] for beam in recorder.beams()] == [[1, 2]]


@pytest.mark.parametrize(("stop", "width"), [("o", 12), ("at", 130)])
def test_beams_end_before_a_stop_string_as_their_text_does(stop, width, lab_home, monkeypatch):
    monkeypatch.setattr(beams, "MOST", 1000)
    corpus = {"name": "text", "text": "the cat sat on the mat. " * 80}
    small = {"corpus": corpus, "training": {"context_length": 16}, "architecture": {"layers": 1, "width": 16}}
    model, kept = Untrained(Recipe().with_values(small), Plugins(safe_mode=True)), []
    decoding = Decoding.read({"strategy": {"name": "beam-search", "width": width}, "filters": [], "stop": [stop]})
    pieces = list(model.generate("the ", decoding=decoding, count=3, report_beams=kept.extend))
    texts = ["".join(piece.text for piece in beam) for beam in kept]
    assert "".join(piece.text for piece in pieces) in texts
    assert len(texts) > 1
    assert not any(stop in text for text in texts)
    ended = [beam for beam in kept if stop in "".join(piece.label for piece in beam)]
    assert ended, "no beam has the string, so this shows nothing"

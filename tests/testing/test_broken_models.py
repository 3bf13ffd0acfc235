"""The suite on models that each break one promise: the right check fails, and says what to change."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from lab.api import Architecture, Mixer, ModelConfig, StackConfig, setting
from lab.layers import ResidualStack, TokenMixer
from lab.testing import check_architecture, trials
from lab.testing.cards import offer_of
from lab.testing.check import CHECKS, Broken
from lab.testing.model_case import model_cases

FILE = Path(__file__).parent / "plugins" / "broken.py"

# model: the checks that fail, and what the first of them names
BROKEN = {
    "leaks-one-token": ("causality causality-in-training", "mask or shift"),
    "leaks-at-a-border": ("causality causality-in-training", "position 127 changes"),
    "leaks-through-batch-norm": ("causality-in-training", "BatchNorm"),
    "writes-into-its-state": ("purity", "never write into a state"),
    "loses-its-state-at-chunks": ("pieces", "first at position 64"),
    "keeps-a-spare-parameter": ("gradients", "blocks.0.token.spare"),
    "puts-the-batch-second": ("state", "batch first"),
    "holds-a-dataclass": ("state", "Held"),
    "starts-on-the-processor": ("meta", "new_zeros"),
    "starts-in-another-type": ("state", "begins as torch.float32 and becomes torch.float64"),
    "copies-a-live-field": ("live", "self.config.gain"),
    "reports-twice": ("readings", "twice in layer 0"),
    "reports-twice-in-a-step": ("readings", "'state' of blocks.0.token was reported twice in one step"),
    "reports-wrong-axes": ("readings", "unknown axis 'time'"),
    "changes-when-captured": ("silence", "reporting"),
    "shows-the-future": ("mixing", "keys after the query"),
    "maps-backwards": ("mixing", "in head 1, the query at position 0 and the key at position 69"),
    "maps-keys-and-queries": (
        "mixing",
        "in every head for the query at position 1 and the key at position 0, but the output at 1 changes",
    ),
    "maps-a-window": ("mixing", "for the query at position 4 and the key at position 0, but"),
    "doubles-its-gradient": ("form-gradients", "the backward of forward is not that of step: the gradient of "),
    "steps-without-gradients": (
        "form-gradients",
        "step has none for blocks.0.token_norm.weight, blocks.0.token.decay",
    ),
    "begins-too-sure": ("initial-loss", "a uniform guess ln V = 2.83"),
    "keeps-its-output": ("copies", "store no tensor"),
    "hides-a-tensor": ("tables", "persistent buffer"),
    "draws-elsewhere": ("build", "blocks.0.token.decay"),
    "misnames-a-parameter": ("names", "use decay"),
    "calls-a-layer-score": ("names gradients", "rename it, such as self.score_layer"),
    "invents-a-role": ("names", "roles of embedding, head, matrix, vector, norm, recurrence"),
    "adds-a-loss-per-token": ("losses", "value.mean()"),
    "drops-rows": ("rows", "row 2 alone"),
    "ignores-last": ("last", "logits[:, -last:]"),
    "has-unbounded-positions-only": ("context", "reach"),
    "copies-the-config": ("build", "super().__init__"),
    "scores-padding": ("score", "target < 0"),
    "does-not-build": ("build", "no such thing (broken.py, line "),
    "counts-slices-apart": ("slices normalised score", "two slices"),
    "counts-in-place": ("counting-on", "self.pairs = self.pairs + new"),
    "decodes-both-ways": ("no-decoding", "NotCausal"),
    "ignores-the-task": ("future", "task.causal"),
    "keeps-one-channel": ("shape", "KeepsOneChannel returned (3, 5, 1) for (3, 5, 8)"),
    "gives-hidden-channels": (
        "shape",
        "forward of tokens (3, 5) returns the shape (3, 5, 8) instead of (B, T, V) = (3, 5, 17)",
    ),
    "gives-the-last-logits": (
        "shape",
        "extend of tokens (3, 4) returns the shape (3, 1, 17) instead of (B, T, V) = (3, 4, 17)",
    ),
    "forgets-to-return-its-state": ("shape", "extend of ForgetsToReturnItsState returns a Tensor, not a pair"),
    "returns-no-state": ("shape", "extend of ReturnsNoState returns a Tensor, not a pair"),
    "raises-on-meta": ("meta", "KeyError: 'no such table' (broken.py, line "),
    "remembers-too-little": (
        "history",
        "blocks.0.token.history = 1, but its outputs at a position change with the token 2",
    ),
    "counts-its-past-short": ("history", "history = 61, but logits at a position change with the token 63 before it"),
    "reads-absolute-positions": ("history", "read no absolute positions"),
    "reads-the-length": ("pieces", "how many tokens there are"),
    "copies-the-weight-of-a-loss": ("live", "the loss 'excess' has the weights 1.0 and 0.5"),
}
SOUND = {"average", "own", "shifted", "summed", "noisy", "stepping", "mapped"}


@pytest.mark.parametrize("name", BROKEN)
def test_the_broken_checks_fail_and_name_what_to_change(name):
    expected, words = BROKEN[name]
    tried = [trial for trial in trials(name, plugin=FILE) if trial.check.name in expected.split()]
    failures = {trial.check.name: trial.failure for trial in tried if not trial.moot and trial.failure}
    assert failures.keys() == set(expected.split())
    assert words in str(failures[expected.split()[0]])


@pytest.mark.long  # in short: these fail, and the sound models that they are made of pass all others
@pytest.mark.parametrize("name", BROKEN)
def test_no_other_check_fails(name):
    assert {failure.check for failure in check_architecture(name, plugin=FILE)} == set(BROKEN[name][0].split())


@pytest.mark.short("own", "shifted", "noisy")
@pytest.mark.parametrize("name", sorted(SOUND))
def test_what_the_broken_models_are_made_of_is_sound(name):
    assert check_architecture(name, plugin=FILE) == []


class Sharp(ModelConfig):
    sharpness: float = setting(1.0, gt=0, le=4, live=True, help="Factor of what the mixer gives.")


class CopiesItsOwn(TokenMixer):
    def __init__(self, slot):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.full((slot.width,), slot.config.sharpness))
        self.sharpness = slot.config.sharpness

    def forward(self, x):
        return self.sharpness * self.gain * x


def test_a_failure_names_the_path_of_a_live_setting_in_the_mixer_s_own_config():
    mixer = Mixer("livecopy", "Live", "token", Sharp, CopiesItsOwn)
    reported = next(str(trial.failure) for trial in trials(mixer) if trial.check.name == "live")
    assert "at each use (self.config.sharpness)" in reported
    assert "config.livecopy" not in reported


class Blocks(StackConfig):
    kernel: int = setting(1, ge=1, help="Tokens that a layer reads.")


def built(config, task):
    if config.kernel > config.layers:
        raise ValueError("no such kernel")
    return ResidualStack(config, task, token_mixer=lambda slot: CopiesItsOwn(replace(slot, config=Sharp())))


def grown(config):
    return {"kernel": config.kernel + 1}


@pytest.mark.parametrize(("layers", "words"), [(1, "no such kernel"), (2, "to itself changes it")])
def test_a_baseline_must_be_one_that_can_be_built_and_be_its_own(layers, words):
    card = Architecture("mine", "Mine", "own", "Own.", Blocks, built, baselines={"grown": grown})
    (case,) = model_cases("mine", card, Blocks(layers=layers, width=4))
    with pytest.raises(Broken, match=words):
        CHECKS["baselines"].run(case)


def test_every_model_of_the_file_is_tested_here():
    assert set(offer_of(None, FILE).architectures) == BROKEN.keys() | SOUND

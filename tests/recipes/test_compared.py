"""Recipes that come in pairs: they differ in one thing alone, and in what is learned by it."""

import pytest

from lab.bench.models.sources import QUIET
from lab.host import Plugins
from lab.recipes import shipped

PARITY = ("deltanet", "mamba")


def settings(name):
    recipe = shipped(name).model_dump(exclude={"title"}, exclude_none=True)
    return recipe.pop("architecture"), recipe


@pytest.mark.parametrize("architecture", PARITY)
def test_the_recipes_of_parity_differ_in_the_eigenvalues_alone(architecture):
    (positive, rest), (signed, other) = (settings(f"parity-{architecture}-{kind}") for kind in ("positive", "signed"))
    assert (positive.pop("eigenvalues"), signed.pop("eigenvalues")) == ("positive", "signed")
    assert (positive, rest) == (signed, other)


def test_the_recipes_of_selective_copying_differ_in_the_architecture_alone():
    (s4, rest), (mamba, other) = (settings(f"selective-copying-{name}") for name in ("s4", "mamba"))
    assert (s4["name"], mamba["name"]) == ("s4", "mamba")
    assert (s4["layers"], s4["width"], rest) == (mamba["layers"], mamba["width"], other)
    assert rest["corpus"]["length"] == 256


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("architecture", PARITY)
def test_parity_is_learned_with_signed_eigenvalues_alone_and_for_strings_four_times_as_long(architecture):
    assert accuracies(f"parity-{architecture}-signed") == pytest.approx([1, 1, 1], abs=0.01)
    assert max(accuracies(f"parity-{architecture}-positive")) < 0.7


@pytest.mark.parametrize("layers", [2, 1])
@pytest.mark.long
@pytest.mark.timeout(600)
def test_induction_is_learned_by_two_layers_of_attention_and_not_by_one(layers):
    """Within 120 steps two layers are right about 99.8% of the scored tokens, and one about 43%."""
    settings = ("training.steps=120", f"architecture.layers={layers}")
    (accuracy,) = accuracies("source-induction", *settings, times=(1,))
    assert accuracy > 0.95 if layers == 2 else accuracy < 0.65


def accuracies(name, *settings, times=(1, 2, 4)):
    """Return the accuracies of the trained recipe on strings of its length, and of so many times its length."""
    import torch

    from lab.training.evaluation import evaluate
    from lab.training.experiment import prepare
    from lab.training.trainer import Trainer

    recipe = shipped(name).with_values(QUIET).with_assignments(*settings)
    trainer = Trainer(prepare(recipe, Plugins(safe_mode=True)))
    trainer.run()
    found = []
    for factor in times:
        source = trainer.experiment.validation.at_length(factor * recipe.corpus.settings["length"])
        reported = evaluate(
            trainer.model, trainer.experiment.objective, source, protocol="windows", device=torch.device("cpu")
        )
        found.append(reported.metrics["accuracy"])
    print(name, found, f"{trainer.seconds:.0f} s")
    return found

"""Each rule of the doctor fires on a recipe that provokes it, is silent on the healed one, and on what is shipped."""

import itertools

import numpy as np
import pytest

from lab.host import Plugins
from lab.recipes import shipped, shipped_names
from lab.runs import RunFolder
from lab.runs.finding_list import read_findings
from lab.training.rules.builtins import lab_register_rules
from lab.workbench import Workbench

RATE = "training.optimizer.learning_rate="
STEADY = ("training.schedule.name=constant", "training.clip=0")
QUICK = ("readings.moments=0", "readings.gauges_every=10", "training.evaluate_every=0")
NOISE = "".join(np.random.default_rng(0).choice(list("abcdefgh"), 1200))
"""A text that can only be learned by heart."""
PARTS = "".join(f"{letter} " * 200 for letter in "abcdefgh" * 2)
"""A text in which each stretch has a letter of its own."""
SELDOM = ("abcd" * 60 + "zyxwvuts") * 60
"""A text whose rare letters surprise a model that reads one window in a step."""
BY_HEART = (
    "training.evaluate_every=50", "training.validation_share=0.3", "training.batch_size=32",
    "training.context_length=16", "architecture={name='gru',layers=1,width=96}", f"{RATE}0.01", *STEADY,
)  # fmt: skip
GRU = "architecture={name='gru',layers=1,width=16,embedding_std=0.5}"
ELMAN = "architecture={name='rnn',layers=1,width=16,initialisation='uniform'}"
PROVOKED = {
    "too-slow": (120, (f"{RATE}1e-9",), None),
    "too-fast": (120, (f"{RATE}1", STEADY[0]), None),
    "no-number": (
        120, ("training.optimizer.name=sgd", f"{RATE}1", "training.optimizer.momentum=0.99", *STEADY), None,
    ),
    "divergence": (
        400, (f"{RATE}0.003", *STEADY, "training.edits=[{step=200,path='training.optimizer.learning_rate',value=1.0}]"),
        None,
    ),
    "spikes": (420, (*STEADY, "training.batch_size=1", GRU.replace("16", "32"), f"{RATE}0.01"), SELDOM),
    "plateau": (220, (f"{RATE}1e-8",), None),
    "overfitting": (400, BY_HEART, NOISE),
    "memorised": (400, BY_HEART, NOISE),
    "dead-units": (150, ("architecture.layers=2", "architecture.feed_forward=relu", f"{RATE}1", *STEADY), None),
    "saturated-gates": (120, (GRU.replace("0.5", "10"), f"{RATE}1", *STEADY[:1]), None),
    "attention-collapse": (300, ("training.optimizer={name='adam',learning_rate=0.3}", *STEADY), None),
    "expert-collapse": (
        150, ("architecture={name='moe',layers=2,width=16,heads=2,experts=8,balance=0}", f"{RATE}0.3", *STEADY), None,
    ),
    "vanishing-by-lag": (
        60, (ELMAN, "training.context_length=32", f"{RATE}1e-4", "readings.gauges_every=5"), None,
    ),
    "not-shuffled": (200, (GRU, "objective.name=carried", "training.batch_size=1"), PARTS),
    "unseen-tokens": (20, ("tokenizer.name=byte",), None),
    "validation-in-training": (20, (), None),
}  # fmt: skip
"""Steps, settings, and the text by rule; None for the text of the other tests, which repeats."""
SHIPPED = "network-depth-sigmoid"
"""The recipe that is shipped to show how gradients vanish with depth."""
MINE = """
    import torch
    from lab.api import Architecture, ModelConfig, Optimizer, StackConfig, hookimpl, setting
    from lab.layers import Attention, FeedForward, ResidualStack

    LAB_API_VERSION = 2

    class Peeking(Attention):
        def forward(self, x, mask=None):
            return super().forward(x) + 0.1 * torch.cat([x[:, 1:], x[:, :1]], dim=1)

    def build(config, task):
        channel = lambda slot: FeedForward(slot, hidden=16)
        return ResidualStack(config, task, token_mixer=lambda slot: Peeking(slot, heads=2), channel_mixer=channel)

    class Rates(ModelConfig):
        learning_rate: float = setting(1e-3, gt=0, live=True, help="Rate.")
        weight_decay: float = setting(0.1, ge=0, help="Decay.")

    def make(config, groups, device):
        parameters = [p for group in groups for p in group["params"]]
        return torch.optim.AdamW(parameters, lr=config.learning_rate, weight_decay=config.weight_decay)

    @hookimpl
    def lab_register_architectures(register):
        register(Architecture("peeking", "Peeking", "mine", "Reads the next token.", config=StackConfig, build=build))

    @hookimpl
    def lab_register_optimizers(register):
        register(Optimizer(name="all-decay", title="All decay", build=make, config=Rates, summary="Decays all."))
"""
"""A plugin with a model that reads the future, and an optimizer that decays norms too."""
HEALED = {"attention-collapse": 0, "vanishing-by-lag": 0, "not-shuffled": 0, "memorised": 0, "plateau": 0}
"""Rules with a remedy by a setting that heals their recipe at once, and its index."""
ELSEWHERE = {"vanishing-gradients", "reads-the-future", "decayed-norms", "smoothed-twice"}
"""Rules whose recipe is another test's: two of them need a plugin, one a teacher, and one a network of many layers."""
SICK = dict.fromkeys(("experts-collapse", "experts-recovery"), ("expert-collapse",)) | {
    SHIPPED: ("vanishing-gradients",),
    "network-dead-relu": ("dead-units",),
}
"""Recipes that are shipped to show what goes wrong."""
SHORT = ("too-slow", "vanishing-by-lag", "not-shuffled", "unseen-tokens", "validation-in-training")


@pytest.fixture
def provoked(recipe, text):
    """Return a function from a rule to the recipe that provokes it."""

    def provoked(rule):
        steps, settings, content = PROVOKED[rule]
        if content is not None:
            text.write_text(content)
        other = [one for one in settings if one.startswith("architecture={")]
        given = recipe(steps, *QUICK)
        if other:  # a GRU has no heads
            given = given.with_values({"architecture": {"name": "gru"}})
        return given.with_assignments(*other, *(one for one in settings if one not in other))

    return provoked


def findings(bench, recipe):
    run = bench.start(recipe)
    run.wait(300)
    assert run.problem is None or run.folder, run.problem
    return {one.rule: one.finding for one in read_findings(run.path)[0]}


@pytest.mark.short(*SHORT)
@pytest.mark.parametrize("rule", PROVOKED)
def test_a_recipe_that_provokes_a_rule_makes_it_fire(rule, provoked, bench):
    assert rule in findings(bench, provoked(rule))


@pytest.mark.short("vanishing-by-lag", "not-shuffled")
@pytest.mark.parametrize("rule", HEALED)
def test_a_training_with_the_remedy_has_the_finding_no_more(rule, provoked, bench):
    sick = provoked(rule)
    remedy = findings(bench, sick)[rule].remedies[HEALED[rule]]
    if rule == "plateau":  # three times a rate of 1e-8 is the right way, and not far enough
        remedy = type(remedy)(remedy.what, {"training.optimizer.learning_rate": 3e-3})
    healed = sick.with_assignments(*(f"{path}={value if value is not True else 'true'}" for path, value in
                                     remedy.changes.items()))  # fmt: skip
    assert rule not in findings(bench, healed)


def test_every_rule_has_a_recipe_that_provokes_it():
    rules = []
    lab_register_rules(rules.append)
    assert {rule.name for rule in rules} == {*PROVOKED, *ELSEWHERE}


def test_a_teacher_and_label_smoothing_smooth_twice(recipe, bench):
    teacher = bench.start(recipe(5, *QUICK))
    teacher.wait(300)
    smoothed = ("objective.label_smoothing=0.1", f"distillation.teacher={RunFolder.open(teacher.path).name}")
    found = findings(bench, recipe(20, *QUICK, *smoothed, "training.evaluate_every=20"))
    assert "smoothed-twice" in found
    assert "smoothed-twice" not in findings(bench, recipe(20, *QUICK, smoothed[1]))


def test_gradients_vanish_in_a_deep_network_of_sigmoids_and_not_with_the_remedy(bench):
    deep = shipped(SHIPPED).with_assignments(*QUICK, "training.steps=40", "training.device=cpu", "corpus.rows=200")
    finding = findings(bench, deep)["vanishing-gradients"]
    assert finding.layer == "layers.0"
    (remedy,) = finding.remedies
    healed = deep.with_assignments(*(f"{path}=true" for path in remedy.changes))
    assert "vanishing-gradients" not in findings(bench, healed)


def test_a_model_that_reads_the_future_is_found_at_the_start(plugin, recipe, bench):
    plugin(MINE)
    peeking = recipe(20, *QUICK).with_values({"architecture": {"name": "peeking"}})
    found = findings(bench, peeking)
    assert "reads the tokens that it predicts" in found["reads-the-future"].what
    assert "reads-the-future" not in findings(bench, recipe(20, *QUICK))


def test_weight_decay_on_norms_is_found_and_gone_with_the_remedy(plugin, recipe, bench):
    plugin(MINE)
    decaying = recipe(20, *QUICK, "training.optimizer={name='all-decay'}")
    finding = findings(bench, decaying)["decayed-norms"]
    assert "parameters of norms" in finding.what
    (remedy,) = finding.remedies
    healed = decaying.with_assignments(*(f"{path}={value}" for path, value in remedy.changes.items()))
    assert "decayed-norms" not in findings(bench, healed)


def small_presets():
    """Yield architecture and preset of all that train on a text and are small enough to be tried."""
    plugins = Plugins(safe_mode=True)
    for name, card in sorted(plugins.cards("architectures").items()):
        for preset, values in sorted(card.presets.items()):
            size = {**dict(values.get("architecture", {}))}
            if size.get("width", 128) <= 256 and size.get("layers", 4) <= 8 and "corpus" not in values:
                yield name, preset


def quick(recipe, seed):
    """Return a recipe that trains briefly."""
    steps = min(recipe.training.steps, 200)
    quiet = (f"training.seed={seed}", "training.threads=1", f"training.steps={steps}", "training.budget=")
    return recipe.with_assignments(*quiet, "training.device=cpu", "training.sample_tokens=0")


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("name", "seed"), list(itertools.product(shipped_names(), (1, 2, 3))))
def test_the_doctor_is_silent_on_shipped_recipes(name, seed, lab_home):
    bench = Workbench()
    found = findings(bench, quick(shipped(name), seed))
    bench.close()
    assert {rule: finding.what for rule, finding in found.items() if rule not in SICK.get(name, ())} == {}


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_doctor_is_silent_on_small_presets(seed, lab_home):
    from lab.recipes import Recipe

    plugins, bench, told = Plugins(safe_mode=True), Workbench(), {}
    for name, preset in small_presets():
        values = plugins.card("architectures", name).presets[preset]
        recipe = Recipe().with_values({"architecture": {"name": name}}, values)
        found = findings(bench, quick(recipe, seed))
        if found:
            told[name, preset] = {rule: finding.what for rule, finding in found.items()}
    bench.close()
    assert told == {}

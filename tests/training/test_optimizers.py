"""Groups of parameters: their rates under the schedule and live edits, their state, and what is frozen."""

import json
from pathlib import Path

import pytest
import torch

from lab.api import BadInput, ModelConfig, Optimizer, Task, capture, setting
from lab.host import Plugins
from lab.layers import Attention, ResidualStack
from lab.recipes import Recipe
from lab.training.experiment import prepare
from lab.training.optimizers.builtins import MuonConfig
from lab.training.optimizers.groups import layer_number, parameter_groups
from lab.training.recording.checkpoints import load_model_tables, load_training, save_checkpoint
from lab.training.resolution import Resolved
from lab.training.trainer import Trainer

GOLD = json.loads((Path(__file__).parents[1] / "gold" / "losses.json").read_text())
"""Losses of ten steps of small models, by architecture and optimizer, from before groups had rates of their own."""


class Settings(ModelConfig):
    """A rate, a decay and a momentum."""

    learning_rate: float = setting(1e-3, gt=0, live=True, help="Rate.")
    weight_decay: float = setting(0.5, ge=0, live=True, help="Decay.")
    momentum: float = setting(0.9, ge=0, lt=1, live=True, help="Momentum.")


def resolved(build, *, roles=False, **settings):
    card = Optimizer(name="own", title="Own", build=build, config=Settings, roles=roles)
    return Resolved(card, Settings.read(settings), "a-plugin", "training.optimizer")


def made_with(experiment, build, *, roles=False, rate=1e-3, **settings):
    made = experiment(**settings)
    made.optimizer = resolved(build, roles=roles, learning_rate=rate)
    return made


def rates(trainer):
    return [group["lr"] for group in trainer.learner.optimizer.param_groups]


# ---- rates


def two_rates(config, groups, device):
    """SGD with a tenth of the rate for what does not decay."""
    one, other = groups
    return torch.optim.SGD([{**one, "lr": config.learning_rate}, {**other, "lr": config.learning_rate / 10}], lr=1.0)


def test_groups_keep_their_own_rates_which_the_schedule_multiplies(experiment, training):
    trainer = training(made_with(experiment, two_rates, schedule="constant", warmup=3, steps=5)).trainer
    for factor in (0.25, 0.5, 0.75, 1.0, 1.0):
        trainer.advance()
        assert rates(trainer) == pytest.approx([1e-3 * factor, 1e-4 * factor], rel=1e-12)


def test_a_live_edit_of_the_rate_scales_all_groups_in_proportion(experiment, training):
    trainer = training(made_with(experiment, two_rates)).trainer
    trainer.advance()
    trainer.learner.set_live("training.optimizer.learning_rate", 4e-3)
    trainer.advance()
    assert rates(trainer) == pytest.approx([4e-3, 4e-4], rel=1e-12)


def test_an_optimizer_made_with_its_own_default_rate_gets_that_of_the_settings(experiment, training):
    trainer = training(made_with(experiment, lambda config, groups, device: torch.optim.Adagrad(groups))).trainer
    trainer.advance()
    assert rates(trainer) == [1e-3, 1e-3]


def test_a_card_without_roles_gets_two_groups(experiment, training):
    seen = []

    def build(config, groups, device):
        seen.extend(map(dict, groups))
        return torch.optim.SGD(groups, lr=config.learning_rate)

    training(made_with(experiment, build))
    assert [sorted(group) for group in seen] == [["decays", "params"]] * 2
    assert [group["decays"] for group in seen] == [True, False]


def test_groups_with_roles_hold_every_parameter_once(experiment):
    model = experiment("transformer", config={"layers": 2}).build()
    groups = parameter_groups(model, roles=True)
    assert sorted(name for group in groups for name in group["names"]) == sorted(dict(model.named_parameters()))
    of_name = {name: group for group in groups for name in group["names"]}
    head = of_name["blocks.1.channel.outer.weight"]
    assert (head["role"], head["layer"], head["width"], head["decays"]) == ("matrix", 1, 64, True)
    assert of_name["position.weight"]["role"] == of_name["embedding.weight"]["role"] == "embedding"
    assert of_name["norm.weight"]["layer"] is None
    assert not of_name["norm.weight"]["decays"]


@pytest.mark.parametrize(
    ("name", "layer"),
    [
        ("blocks.3.token.project.weight", 3),
        ("rnn.weight_ih_l2", 2),
        ("rnn.bias_hh_l1_reverse", 1),
        ("fc1.weight", None),
    ],
)
def test_layers_are_numbered_by_the_names_of_parameters(name, layer):
    assert layer_number(name) == layer


def rate_by_name(model, card, **settings):
    """The learning rate of each parameter, relative to that of the settings."""
    optimizer = card("adamw", **settings).make(parameter_groups(model, roles=True), torch.device("cpu"))
    names = {id(p): name for name, p in model.named_parameters()}
    return {names[id(p)]: group["lr"] / 1e-3 for group in optimizer.param_groups for p in group["params"]}


def test_rates_fall_from_layer_to_layer_and_the_embedding_is_below_all(experiment, card):
    found = rate_by_name(experiment("transformer", config={"layers": 3}).build(), card, layer_decay=0.5)
    blocks = [found[f"blocks.{layer}.channel.inner.weight"] for layer in range(3)]
    assert blocks == pytest.approx([0.25, 0.5, 1.0])
    assert (found["embedding.weight"], found["norm.weight"]) == pytest.approx((0.125, 1.0))


def test_embedding_head_and_recurrence_have_factors_of_their_own(lab_home, card):
    architecture = Plugins(safe_mode=True).card("architectures", "s4")
    model = architecture.make(architecture.config(layers=1, width=8, tie=False), Task(11, 8))
    found = rate_by_name(model, card, embedding_rate=2.0, head_rate=3.0, recurrence_rate=0.1)
    assert (found["embedding.weight"], found["output.weight"]) == pytest.approx((2.0, 3.0))
    assert found["blocks.0.token.log_step"] == found["blocks.0.token.B"] == pytest.approx(0.1)
    assert found["blocks.0.token.C"] == found["blocks.0.token.output.weight"] == 1.0


def untied(config, task):
    return ResidualStack(config, task, token_mixer=lambda slot: Attention(slot, heads=2), tie=False)


def test_with_a_base_width_matrices_have_rates_in_proportion_to_one_over_their_inputs(experiment, card):
    found = rate_by_name(experiment(untied).build(), card, base_width=8)  # a model 16 wide
    assert found["output.weight"] == pytest.approx(8 / 16)
    assert found["blocks.0.channel.inner.weight"] == pytest.approx(8 / 16)
    assert found["blocks.0.channel.outer.weight"] == pytest.approx(8 / 64)
    assert found["embedding.weight"] == found["norm.weight"] == 1.0


# ---- other live settings of groups


def three_decays(config, groups, device):
    """SGD whose first group decays by a hundredth of the setting, with its own momentum; the last is as torch's own."""
    decaying, other = groups
    first, *rest = decaying["params"]
    own = [
        {"params": [first], "decays": True, "weight_decay": config.weight_decay / 100, "momentum": 0.99},
        {"params": rest, "decays": True},
        {"params": other["params"], "weight_decay": 0.0},
    ]
    return torch.optim.SGD(own, lr=config.learning_rate, momentum=config.momentum, weight_decay=config.weight_decay)


def in_groups(trainer, name):
    return [group[name] for group in trainer.learner.optimizer.param_groups]


def test_a_live_edit_scales_a_groups_own_decay_and_leaves_other_own_values(experiment, training):
    trainer = training(made_with(experiment, three_decays)).trainer
    trainer.learner.set_live("training.optimizer.weight_decay", 0.25)
    trainer.learner.set_live("training.optimizer.momentum", 0.5)
    assert in_groups(trainer, "weight_decay") == pytest.approx([0.0025, 0.25, 0.0], rel=1e-12)
    assert in_groups(trainer, "momentum") == [0.99, 0.5, 0.5]
    trainer.learner.set_live("training.optimizer.weight_decay", 0.5)
    assert in_groups(trainer, "weight_decay") == [0.5 / 100, 0.5, 0.0]


def test_a_groups_own_decay_stays_if_the_setting_was_zero(experiment, training):
    def build(config, groups, device):
        decaying, other = groups
        return torch.optim.SGD([{**decaying, "weight_decay": 0.05}, other], lr=config.learning_rate)

    made = experiment()
    made.optimizer = resolved(build, weight_decay=0.0)
    trainer = training(made).trainer
    trainer.learner.set_live("training.optimizer.weight_decay", 0.3)
    assert in_groups(trainer, "weight_decay") == [0.05, 0]


# ---- the defaults


@pytest.mark.parametrize("name", ["adamw", "sgd"])
def test_with_default_settings_training_is_that_of_torch_with_two_groups_bit_for_bit(experiment, trained, same, name):
    def plain(config, groups, device):
        own = [{**group, "weight_decay": decay if group["decays"] else 0.0} for group in groups]
        if name == "sgd":
            return torch.optim.SGD(own, lr=0.01, momentum=0.9, foreach=False)
        return torch.optim.AdamW(own, lr=0.01, betas=(0.9, 0.99), eps=1e-8, fused=True)

    decay = 0.1 if name == "adamw" else 0.0
    ours = trained(experiment(config={"layers": 2}, optimizer=name, schedule="cosine"))
    theirs = trained(made_with(experiment, plain, rate=0.01, config={"layers": 2}, schedule="cosine"))
    assert ours.losses == theirs.losses
    same(ours.weights(), theirs.weights())


SMALL = {"layers": 2, "width": 16, "heads": 2, "head_width": 8}
TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 40


@pytest.mark.short("* sgd", "transformer adamw", "lstm adamw")
@pytest.mark.parametrize("run", GOLD)
def test_losses_are_those_of_earlier_versions(lab_home, run):
    name, optimizer = run.split()
    plugins = Plugins(safe_mode=True)
    fields = plugins.card("architectures", name).config.model_fields
    small = {} if name == "hybrid" else {key: value for key, value in SMALL.items() if key in fields}
    training = {
        "steps": 10, "batch_size": 4, "context_length": 16, "device": "cpu", "threads": 1, "sample_tokens": 0,
        "optimizer": {"name": optimizer},
    }  # fmt: skip
    recipe = {
        "corpus": {"name": "text", "text": TEXT}, "architecture": {"name": name, **small}, "training": training,
        "readings": {"tokens": 0},
    }  # fmt: skip
    trainer = Trainer(prepare(Recipe.read(recipe), plugins))
    reader = trainer.ring.reader()
    for _ in range(10):
        trainer.advance()
    rows, number = reader.take(), trainer.ring.names.index("train loss")
    assert rows.values[rows.series == number].tolist() == pytest.approx(GOLD[run], rel=1e-4)


# ---- state


class Averaged(torch.optim.Optimizer):
    """Steps that shrink with their number and the running mean of gradient norms, both of which are of the group."""

    def __init__(self, groups, rate):
        super().__init__([{**group, "steps": 0, "norm": torch.zeros(()), "seen": []} for group in groups], {"lr": rate})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            group["steps"] += 1
            for p in group["params"]:
                group["norm"] = 0.9 * group["norm"] + 0.1 * p.grad.norm()
                p.sub_(p.grad, alpha=group["lr"] / (group["steps"] * (1 + float(group["norm"]))))
            group["seen"] = [*group["seen"][-1:], group["norm"].clone()]


def averaged(config, groups, device):
    return Averaged(groups, config.learning_rate)


@pytest.mark.short("0.3")
@pytest.mark.parametrize("edit", [None, 0.3])
def test_groups_with_their_own_decay_continue_bit_for_bit(experiment, training, at_step, saved_state, same, edit):
    def made():
        return training(made_with(experiment, three_decays, rate=0.5, steps=8))

    def changed(trainer):
        if edit is not None:
            trainer.learner.set_live("training.optimizer.weight_decay", edit)
        return trainer

    straight, first = made(), made()
    changed(straight.trainer)
    straight.run()
    changed(first.trainer)._observers.append(at_step({4: first.trainer.control.stop}))
    first.run()
    second = made()
    second.trainer.load_state_dict(*saved_state(first.trainer))
    second.run()
    assert second.losses == straight.losses[4:]
    same(second.weights(), straight.weights())


def test_a_value_of_a_live_setting_that_the_optimizer_itself_writes_is_restored(experiment, training, saved_state):
    class Annealed(torch.optim.SGD):
        def step(self, closure=None):
            super().step(closure)
            for group in self.param_groups:
                group["momentum"] *= 0.9

    def build(config, groups, device):
        return Annealed(groups, lr=config.learning_rate, momentum=config.momentum)

    first, second = (training(made_with(experiment, build)).trainer for _ in range(2))
    first.advance()
    second.load_state_dict(*saved_state(first))
    assert in_groups(second, "momentum") == in_groups(first, "momentum") == [0.9 * 0.9] * 2


@pytest.mark.parametrize("roles", [False, True])
def test_the_state_of_groups_continues_bit_for_bit_from_files(experiment, training, at_step, same, tmp_path, roles):
    def made():
        return training(made_with(experiment, averaged, roles=roles, rate=0.5, steps=8))

    straight, first = made().run(), made()
    first.trainer._observers.append(at_step({4: first.trainer.control.stop}))
    first.run()
    tensors, facts = first.trainer.state_dict()
    folder = tmp_path / "checkpoints" / "4"
    save_checkpoint(folder, model=first.trainer.model.tables(), training=tensors, facts=facts)
    second = made()
    second.trainer.load_state_dict(load_model_tables(folder), *load_training(folder))
    second.run()
    assert second.losses == straight.losses[4:]
    same(second.weights(), straight.weights())
    assert {group["steps"] for group in second.trainer.learner.optimizer.param_groups} == {8}


def test_what_the_settings_give_a_group_is_not_part_of_its_state(experiment, training):
    trainer = training(experiment(steps=4)).trainer
    trainer.advance()
    trainer.learner.set_live("training.optimizer.weight_decay", 0.3)
    trainer.learner.set_live("training.optimizer.learning_rate", 0.3)
    trainer.advance()
    assert trainer.state_dict()[1]["groups"] == []


def test_a_checkpoint_of_an_older_version_has_no_state_of_groups(experiment, training):
    first, second = training(experiment(steps=4)).trainer, training(experiment(steps=4)).trainer
    first.advance()
    tensors, facts = first.state_dict()
    del facts["groups"]
    second.load_state_dict(first.model.tables(), tensors, facts)
    first.advance()
    second.advance()
    assert all(torch.equal(one, second.model.tables()[name]) for name, one in first.model.tables().items())


@pytest.mark.short("rms")
@pytest.mark.parametrize("scaling", ["rms", "spectral"])
def test_muon_learns_and_continues_bit_for_bit(experiment, training, trained, at_step, saved_state, same, scaling):
    settings = {"optimizer": "muon", "scaling": scaling, "layer_decay": 0.9, "adamw_rate": 0.5, "steps": 30}
    straight, first = trained(experiment(**settings)), training(experiment(**settings))
    assert sum(straight.losses[-5:]) / 5 < straight.losses[0] - 0.3
    first.trainer._observers.append(at_step({20: first.trainer.control.stop}))
    first.run()
    second = training(experiment(**settings))
    second.trainer.load_state_dict(*saved_state(first.trainer))
    second.run()
    assert second.losses == straight.losses[20:]
    same(second.weights(), straight.weights())


def test_muon_orthogonalises_matrices_alone(experiment):
    model = experiment("transformer", config={"layers": 2}).build()
    made = Plugins(safe_mode=True).card("optimizers", "muon")
    optimizer = made.make(MuonConfig(), parameter_groups(model, roles=True), torch.device("cpu"))
    names = {id(p): name for name, p in model.named_parameters()}
    found = {names[id(p)] for group in optimizer.param_groups if "momentum" in group for p in group["params"]}
    assert found == {
        f"blocks.{layer}.{part}.weight"
        for layer in (0, 1)
        for part in ("token.project", "token.output", "channel.inner", "channel.outer")
    }
    held = [id(p) for group in optimizer.param_groups for p in group["params"]]
    assert sorted(held) == sorted(names)


@pytest.mark.parametrize("shape", [(3,), (16, 16, 1)], ids=["vectors", "images"])
def test_the_embedding_of_vectors_and_images_has_its_own_rate_below_all_layers(lab_home, card, shape):
    architecture = Plugins(safe_mode=True).card("architectures", "transformer")
    task = Task(0, 64, causal=False, classes=2, input_shape=shape)
    model = architecture.make(architecture.config(layers=2, width=16, heads=2), task)
    found = rate_by_name(model, card, layer_decay=0.5, embedding_rate=3.0, base_width=8)
    assert {rate for name, rate in found.items() if name.startswith("inputs.")} == {3.0 * 0.25}
    made = card("muon").make(parameter_groups(model, roles=True), torch.device("cpu"))
    names = {id(p): name for name, p in model.named_parameters()}
    matrices = {names[id(p)] for group in made.param_groups if "momentum" in group for p in group["params"]}
    assert matrices
    assert not any(name.startswith("inputs.") for name in matrices)


def test_muon_opens_a_checkpoint_in_which_what_adamw_updates_now_was_a_matrix(experiment, training, saved_state):
    first, second = (training(experiment(optimizer="muon", steps=4)).trainer for _ in range(2))
    first.advance()
    embedding = first.model.embedding.weight
    first.learner.optimizer.state[embedding] = {"momentum": torch.ones_like(embedding)}
    second.load_state_dict(*saved_state(first))
    second.advance()
    assert sorted(second.learner.optimizer.state[second.model.embedding.weight]) == ["exp_avg", "exp_avg_sq", "step"]


# ---- frozen parts


def test_frozen_parameters_do_not_change_and_all_others_do(experiment, trained):
    made = experiment(config={"layers": 2}, frozen="embedding.weight, blocks.0.*", steps=3)
    before, after = made.build().tables(), trained(made).weights()
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    frozen = {name for name in before if name == "embedding.weight" or name.startswith("blocks.0.")}
    assert changed == set(before) - frozen


@pytest.mark.parametrize(
    ("pattern", "problem"), [("blocks.7.*", "fits no parameter"), ("*", "leaves nothing to train")]
)
def test_a_pattern_that_fits_nothing_or_all_is_refused_with_the_field(experiment, pattern, problem):
    with pytest.raises(BadInput, match=problem) as raised:
        experiment(frozen=pattern).build()
    assert raised.value.problem.field == "training.frozen"
    assert raised.value.problem.remedy


# ---- width rules

WIDTHS = (32, 64, 128, 256)


@pytest.fixture
def sizes_by_width(lab_home):
    """Return a function that trains transformers of each width; it returns the sizes of their streams and logits."""
    plugins = Plugins(safe_mode=True)

    def sizes(initialisation, base_width):
        found = []
        for width in WIDTHS:
            architecture = {
                "name": "transformer", "layers": 2, "width": width, "heads": width // 16, "tie": False,
                "initialisation": initialisation,
            }  # fmt: skip
            optimizer = {"name": "adamw", "learning_rate": 0.01, "base_width": base_width, "weight_decay": 0.0}
            training = {
                "steps": 5, "batch_size": 8, "context_length": 16, "device": "cpu", "threads": 1, "clip": 0.0,
                "sample_tokens": 0, "optimizer": optimizer, "schedule": {"name": "constant"},
            }  # fmt: skip
            corpus = {"name": "text", "text": TEXT}
            given = {"corpus": corpus, "architecture": architecture, "training": training, "readings": {"tokens": 0}}
            trainer = Trainer(prepare(Recipe.read(given), plugins))
            for _ in range(5):
                trainer.advance()
            model = trainer.model.eval()
            with torch.no_grad(), capture(model) as readings:
                logits = model(torch.arange(12)[None] % model.task.vocabulary_size)
            stream = [one.values for one in readings if one.name == "residual"][-1]
            found.append((float(abs(stream).mean()), float(logits.abs().mean())))
        return found

    return sizes


def test_with_width_rules_activations_after_some_steps_do_not_depend_on_the_width(sizes_by_width):
    for sizes in zip(*sizes_by_width("mup", 32), strict=True):
        assert max(sizes) / min(sizes) < 1.6, sizes


@pytest.mark.short("mup")
@pytest.mark.parametrize("initialisation", ["normal", "mup"])
def test_without_width_rules_activations_grow_with_the_width(sizes_by_width, initialisation):
    streams, _ = zip(*sizes_by_width(initialisation, 0), strict=True)
    assert streams[-1] / streams[0] > 5, streams


def test_a_base_width_with_a_tied_head_is_refused(experiment, card):
    model = experiment("transformer", config={}).build()
    groups = [group for group in parameter_groups(model, roles=True) if group["role"] != "head"]
    with pytest.raises(BadInput, match="no head of its own") as raised:
        card("adamw", base_width=8).make(groups, torch.device("cpu"))
    assert raised.value.problem.field == "training.optimizer.base_width"

"""The tree of a model: every part once, with the shapes and costs that the model has."""

from types import SimpleNamespace

import pytest
import torch
from torch import nn

from lab.api import Architecture, NoSettings, Task
from lab.base.model_parts import Branch
from lab.diagnostics.cost import measure
from lab.diagnostics.structure.folding import Fold, folded
from lab.diagnostics.structure.names import kind_of, name_of
from lab.diagnostics.structure.tree import tree_of
from lab.host import Plugins
from lab.layers import LanguageModel

TASK = Task(97, 24)
PLUGINS = Plugins()
CARDS = PLUGINS.cards("architectures")
LEARNING = sorted(name for name, card in CARDS.items() if name != "n-gram" and "causal" in card.tasks)


def tree_named(name, task=TASK, **settings):
    return tree_of(CARDS[name], CARDS[name].config(**settings), task)


def part(tree, name):
    """Return the first part with a name."""
    return next(one for one in tree.walk() if one.name == name)


def presets_of(name):
    settings = [preset.get("architecture", {}) for preset in CARDS[name].presets.values()]
    return [{}, *({key: value for key, value in one.items() if key != "name"} for one in settings)]


def check_sums(name, settings, tree=None):
    """Compare the sums over all parts with the cost of the model."""
    config = CARDS[name].config.read(settings)
    tree, cost = tree or tree_of(CARDS[name], config, TASK), measure(CARDS[name], config, TASK)
    assert tree.parameters == cost.parameters
    assert tree.flops == pytest.approx(cost.flops_per_token)
    for one in tree.walk():
        inside = sum(child.parameters for child in one.children)
        assert inside == one.parameters or not one.children, one.path
        assert sum(child.flops for child in one.children) <= one.flops * (1 + 1e-9), one.path


@pytest.mark.short("transformer", "mamba", "lstm", "moe", "hybrid", "gla")
@pytest.mark.parametrize("name", LEARNING)
def test_parameters_and_operations_of_the_parts_are_those_of_the_model(name, shallow_tree):
    check_sums(name, {"layers": 2}, shallow_tree(name))


@pytest.mark.long
@pytest.mark.parametrize("name", LEARNING)
def test_parameters_and_operations_of_the_parts_are_those_of_every_preset(name):
    for settings in presets_of(name):
        check_sums(name, settings)


def test_a_block_of_a_transformer_has_two_residual_branches():
    block = part(tree_named("transformer", layers=12, heads=4), "block")
    assert (block.count, block.copies, block.note) == (12, 12, "attention, feed-forward")
    assert [one.name for one in block.children] == ["norm", "attention", "norm", "feed-forward"]
    assert block.branches == (Branch(0, 1), Branch(2, 3))


def test_an_encoder_decoder_is_drawn_with_both_stacks():
    tree = tree_named("encoder-decoder", task=Task(97, 24, source_vocabulary_size=97), layers=2, encoder_layers=3)
    blocks = [one for one in tree.walk() if one.kind == "block"]
    assert [(one.count, one.note) for one in blocks] == [
        (3, "attention, feed-forward"), (2, "attention, cross, feed-forward"),
    ]  # fmt: skip
    assert [one.name for one in tree.children] == ["encoder", "embedding", "block", "norm", "unembedding"]
    assert tree.parameters == sum(one.parameters for one in tree.children)


def test_norms_after_a_branch_are_outside_it():
    block = part(tree_named("transformer", norm_place="post"), "block")
    assert [one.name for one in block.children] == ["attention", "norm", "feed-forward", "norm"]
    assert block.branches == (Branch(0, 0), Branch(2, 2))


def test_parallel_mixers_stand_side_by_side_in_one_branch():
    block = part(tree_named("transformer", parallel="one-norm"), "block")
    assert [[one.name for one in row] for row in block.rows] == [["norm"], ["attention", "feed-forward"]]
    assert block.branches == (Branch(0, 1),)


def test_learned_positions_stand_beside_the_embedding():
    tree = tree_named("transformer", positions="learned")
    assert [one.name for one in tree.rows[0]] == ["embedding", "positions"]


def test_grouped_keys_and_values_are_narrower_than_queries():
    tree = tree_named("transformer", width=128, heads=8, kv_heads=2)
    shapes = {name: part(tree, name).shape for name in ("query", "key", "value")}
    assert shapes == {
        "query": ("batch", "tokens", "128"),
        "key": ("batch", "tokens", "32"),
        "value": ("batch", "tokens", "32"),
    }
    assert part(tree, "key").weights == ((32, 128),)
    assert part(tree, "key").parameters == part(tree, "key").copies * 32 * 128


def test_a_tied_unembedding_shares_the_parameters_of_the_embedding():
    tree = tree_named("transformer", tie=True)
    assert part(tree, "unembedding").parameters == 0
    assert part(tree, "unembedding").shared == part(tree, "embedding").parameters


def test_a_hybrid_shows_its_pattern():
    tree = tree_named("hybrid", layers=12, pattern="mamba*3, attention+mlp")
    group = part(tree, "sequence of blocks")
    assert (group.count, group.note) == (3, "Mamba × 3, attention + feed-forward")
    assert [(one.note, one.count, one.copies) for one in group.children] == [
        ("Mamba", 3, 9),
        ("attention, feed-forward", 1, 3),
    ]


def test_blocks_that_share_weights_count_them_once():
    tree = tree_named("hybrid", layers=6, pattern="mamba, [attention+mlp], mamba")
    shared = part(tree, "shared block")
    attention = part(shared, "attention")
    assert attention.copies == 2
    assert attention.parameters == attention.shared > 0


def test_experts_are_named_with_their_number():
    names = [one.name for one in part(tree_named("moe", experts=6, chosen=2, shared=1), "experts").children]
    assert names == ["router", "6 experts: gate and up", "6 experts: down", "shared expert"]


def test_the_lab_knows_no_names_of_experts():
    class MoeLayer(nn.Module):
        pass

    assert kind_of(MoeLayer(), "layer", "") == "part"
    assert kind_of(SimpleNamespace(active_share={}), "layer", "") == "channels"
    declared = SimpleNamespace(part_names={"": "experts"})
    assert name_of(declared, "channel", None, vocabulary=9, root=False) == "experts"


def test_a_recurrent_layer_shows_its_gates():
    layer = part(tree_named("lstm", layers=1), "LSTM layer")
    assert [one.name for one in layer.rows[0]] == ["input gate", "forget gate", "cell candidate", "output gate"]
    assert layer.branches == ()


def test_a_model_that_counts_shows_its_tables():
    tree = tree_named("n-gram", order=3)
    assert [one.name for one in tree.children] == ["last tokens", "1-grams", "2-grams", "3-grams"]
    assert (tree.parameters, tree.flops) == (0, None)


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.Linear(2 * width, width))

    def forward(self, x):
        return x + self.mlp(self.ln_1(x))


class Stranger(LanguageModel):
    """A model of plain torch modules without any names for its parts."""

    def __init__(self, config, task):
        super().__init__(config, task)
        self.wte = nn.Embedding(task.vocabulary_size, 16)
        self.h = nn.ModuleList(Layer(16) for _ in range(3))
        self.lm_head = nn.Linear(16, task.vocabulary_size)

    def forward(self, tokens, **given):
        x = self.wte(tokens)
        for layer in self.h:
            x = layer(x)
        return self.lm_head(x)


def stranger(build):
    return Architecture("own", "Own", "own", "Own.", config=NoSettings, build=build)


def test_a_strangers_module_is_nested_and_folded_and_its_residual_branch_is_found():
    tree = tree_of(stranger(Stranger), NoSettings(), TASK)
    assert [one.name for one in tree.children] == ["embedding", "block", "unembedding"]
    block = tree.children[1]
    assert (block.count, block.branches) == (3, (Branch(0, 1),))
    assert [one.name for one in block.children] == ["norm", "feed-forward"]
    assert block.children[1].children[0].shape == ("batch", "tokens", "32")


class Unusual(Stranger):
    def forward(self, tokens, **given):
        raise RuntimeError("not on the meta device")


def test_a_model_that_cannot_be_called_is_nested_without_lines():
    tree = tree_of(stranger(Unusual), NoSettings(), TASK)
    assert [one.name for one in tree.children] == ["embedding", "block", "unembedding"]
    assert tree.children[1].count == 3
    assert tree.flops is None
    assert not any(one.branches or one.shape for one in tree.walk())


def test_drawing_changes_neither_random_numbers_nor_gradients():
    before = torch.get_rng_state()
    tree_named("transformer", layers=1)
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("aaaa", [Fold(0, 1, 4)]),
        ("abab", [Fold(0, 2, 2)]),
        ("aabaab", [Fold(0, 3, 2)]),
        ("aab", [Fold(0, 1, 2), Fold(2, 1, 1)]),
        ("", []),
    ],
)
def test_a_sequence_is_folded_into_the_longest_repetitions(keys, expected):
    assert folded(keys) == expected


def test_operations_of_a_layer_of_mamba_are_those_counted_by_hand():
    # forward and backward take 2 + 4 per weight and token; the depthwise convolution has 4 weights a channel
    tree = tree_named("mamba", layers=1, width=32, state=16, expand=2, convolution=4, dt_rank=2)
    inner, scan = 2 * 32, 3 * 7 * 2 * 32 * 16
    by_hand = {
        "project": 6 * 32 * 2 * inner,
        "convolution": 6 * 4 * inner,
        "select": 6 * inner * (2 + 2 * 16),
        "step_size": 6 * 2 * inner,
        "output": 6 * inner * 32,
    }
    counted = {one.path.rpartition(".")[2]: one.flops for one in tree.walk() if one.path.count(".") > 1}
    assert {name: counted[name] for name in by_hand} == by_hand
    assert tree.flops == sum(by_hand.values()) + scan + 6 * 97 * 32

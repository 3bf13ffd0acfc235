"""What the parts of a model are called: as the interventions that change them label them."""

import shutil
from pathlib import Path

import pytest

from lab.host import Plugins
from lab.shell.inspect.ablation.labels import change_label, column_name, kind_label, part_label
from lab.shell.inspect.ablation.parts import kinds_of, table_of

STRANGERS = Path(__file__).parents[3] / "strangers"


@pytest.fixture
def cards(lab_home):
    (lab_home / "plugins").mkdir(parents=True)
    shutil.copy(STRANGERS / "silent_channels.py", lab_home / "plugins")
    return Plugins(enable=["silent_channels"]).load().cards("interventions")


@pytest.mark.parametrize(
    ("name", "address", "label", "parts"),
    [
        ("head", "2.3", "head 3 of block 2", "heads"),
        ("layer", "2", "block 2", "blocks"),
        ("mixer", "2.token", "the token mixer of block 2", "mixers"),
        ("residual", "2.token", "the residual connection around the token mixer of block 2", "residual connections"),
        ("residual", "2.parallel", "the residual connection around both mixers of block 2", "residual connections"),
        ("expert", "2.3", "expert 3 of block 2", "experts"),
        ("order", "3", "order 3 and above", "orders"),
        ("embedding", "3", "embedding channel 3", "embedding channels"),
    ],
)
def test_an_intervention_labels_its_parts(cards, name, address, label, parts):
    (kind,) = kinds_of({name: [address]}, cards).values()
    assert part_label(kind, kind.parts[0]) == label
    assert change_label(kind, kind.parts[0]) == f"without {label}"
    assert kind_label(kind, with_blocks=False) == parts


def test_an_intervention_without_labels_is_called_by_its_name():
    kinds = kinds_of({"noise": ["2.1"]})
    (kind,) = kinds.values()
    assert part_label(kind, kind.parts[0]) == "noise 1 of block 2"
    assert column_name(table_of(kinds, kind.key)) == "noise"


def test_parts_changed_by_another_intervention_keep_their_label(cards):
    kind = kinds_of({"head": ["2.3"], "mean": ["head:2.3"]}, cards)["mean", "head"]
    assert change_label(kind, kind.parts[0]) == "with the mean of head 3 of block 2"
    assert kind_label(kind, with_blocks=False) == "heads: mean"


def test_the_labels_of_builtin_interventions_are_translated(german, cards):
    (kind,) = kinds_of({"expert": ["2.3"]}, cards).values()
    assert part_label(kind, kind.parts[0]).startswith("Experte 3")

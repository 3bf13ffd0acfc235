"""The transformer plugin: its card, its sizes, its rules. Parity and conformance hold its numbers."""

import pytest
import torch

from lab.api import BadInput, Task, settings_of
from lab.testing.cards import offer_of
from lab_transformer import TransformerConfig
from lab_transformer.model import build


def on_meta(config, task):
    with torch.device("meta"):
        return build(config, task)


def test_it_registers_a_stack_and_mixers_for_patterns():
    card, *mixers = offer_of(None, "lab_transformer").architectures.values()
    assert (card.name, card.tasks) == (
        "transformer", frozenset({"causal", "masked", "classification", "regression"}),
    )  # fmt: skip
    assert [mixer.name for mixer in mixers] == ["attention", "mlp"]
    assert all(setting.help.endswith(".") for setting in settings_of(card.config))


def test_the_preset_has_the_parameters_of_nanogpt_on_its_cpu_config():
    model = on_meta(TransformerConfig(layers=4, heads=4, width=128), Task(65, 64))
    assert sum(parameter.numel() for parameter in model.parameters()) == 804_096


def test_gpt_2_s_shape_has_gpt_2_s_parameters():
    config = TransformerConfig(layers=12, width=768, heads=12, bias=True)
    model = on_meta(config, Task(50_257, 1024))
    assert sum(parameter.numel() for parameter in model.parameters()) == 124_439_808  # Hugging Face's gpt2


def test_swiglu_has_about_as_many_parameters_as_gelu():
    sizes = [
        sum(p.numel() for p in on_meta(TransformerConfig(feed_forward=kind, width=96), Task(65, 64)).parameters())
        for kind in ("gelu", "swiglu")
    ]
    assert sizes[0] == sizes[1]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"heads": 3}, "width 128 is not a multiple of heads 3"),
        ({"width": 12, "heads": 4, "positions": "rotary"}, "pairs of channels, not 3"),
    ],
)
def test_heads_that_do_not_fit_are_refused_with_both_numbers(settings, message):
    with pytest.raises(BadInput, match=message):
        TransformerConfig.read(settings)


def test_only_dropout_is_live():
    assert [setting.name for setting in settings_of(TransformerConfig) if setting.live] == ["dropout", "layer_dropout"]


def test_it_begins_near_the_loss_of_knowing_nothing():
    torch.manual_seed(0)
    tokens = torch.randint(65, (8, 65))
    model = build(TransformerConfig(), Task(65, 64))
    loss = -model.score(tokens[:, :-1], tokens[:, 1:]).mean()
    assert loss.item() == pytest.approx(torch.tensor(65.0).log().item(), rel=0.05)

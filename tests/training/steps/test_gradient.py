"""Live settings of a config: found wherever they stand, set again where they were."""

from typing import Annotated, Literal

from pydantic import Field

from lab.api import ModelConfig, setting
from lab.training.steps.live import live_settings, set_again


class Noise(ModelConfig):
    kind: Literal["noise"] = setting("noise", help="Adds noise.")
    size: float = setting(0.1, ge=0, live=True, help="How much.")


class Silence(ModelConfig):
    kind: Literal["silence"] = setting("silence", help="Adds nothing.")


class Config(ModelConfig):
    width: int = setting(8, ge=1, help="Channels.")
    dropout: float = setting(0.0, ge=0, lt=1, live=True, help="Share that is dropped.")
    extra: Noise | None = setting(None, help="Noise, if any.")
    disturbance: Annotated[Noise | Silence, Field(discriminator="kind")] = setting(Silence(), help="What disturbs.")


def test_a_group_that_is_left_out_has_no_live_settings():
    assert live_settings(Config()) == {"dropout": 0.0}


def test_live_settings_of_groups_and_of_the_variant_that_was_chosen_are_found_and_set_again():
    config = Config(extra=Noise(size=0.2), disturbance=Noise(size=0.3))
    recorded = live_settings(config)
    assert recorded == {"dropout": 0.0, "extra.size": 0.2, "disturbance.size": 0.3}
    set_again(other := Config(extra=Noise(), disturbance=Noise()), recorded)
    assert live_settings(other) == recorded

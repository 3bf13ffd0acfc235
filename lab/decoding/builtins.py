"""The built-in samplers."""

from __future__ import annotations

from collections.abc import Callable

from lab.api import ModelConfig, Sampler, hookimpl, setting

LAB_API_VERSION = 1


class SamplingConfig(ModelConfig):
    """Filters of the distribution, in the order in which they are applied."""

    temperature: float = setting(
        1.0, ge=0, le=10, live=True, help="Divides the logits: below 1 sharper, above 1 flatter; 0 takes the best."
    )
    top_k: int = setting(
        0, ge=0, unit="tokens", live=True, help="Number of likeliest tokens; 0 means all.", cite="Fan et al. 2018"
    )
    top_p: float = setting(
        1.0,
        gt=0,
        le=1,
        live=True,
        help="Only the likeliest tokens that together reach this probability, including the one that crosses it.",
        cite="Holtzman et al. 2019, section 3.1",
    )


@hookimpl
def lab_register_samplers(register: Callable[[Sampler], None]) -> None:
    """Register the sampler with temperature, top-k and top-p."""
    register(
        Sampler(
            name="sampling",
            title="Sampling",
            build="lab.decoding.samplers:sampling",
            config=SamplingConfig,
            summary="Draws from the distribution after temperature, top-k and top-p, in this order.",
        )
    )

"""Every architecture of the lab, under every optimizer, goes on from a checkpoint bit for bit, with accumulation."""

import pytest

from lab.host import Plugins

CARDS = Plugins(safe_mode=True)
OPTIMIZERS = sorted(CARDS.cards("optimizers"))
SHORT = (("transformer", "muon"), ("n-gram", "adamw"), ("lstm", "adamw"))
"""What is always tried; all in the long form."""
LEARNED = [
    pytest.param(
        architecture,
        optimizer,
        marks=[] if (architecture, optimizer) in SHORT else pytest.mark.long,
    )
    for architecture, card in sorted(CARDS.cards("architectures").items())
    for optimizer in OPTIMIZERS
    if "causal" in card.tasks
]


@pytest.mark.parametrize(("architecture", "optimizer"), LEARNED)
def test_a_run_that_died_ends_as_the_one_that_did_not(
    bench, text, recipe, architecture, optimizer, same_end, died_and_resumed
):
    own = {"architecture": {"name": architecture}, "training": {"optimizer": {"name": optimizer}}}
    whole = recipe(
        8, "training.accumulation=3", "training.checkpoint_every=2", "training.keep_last=9",
        "training.evaluate_every=3", "training.schedule.warmup=2",
    ).with_values(own)  # fmt: skip
    straight = bench.start(whole)
    straight.wait_out()
    middle = 4 if straight.step > 4 else max(1, straight.step // 2)
    same_end(died_and_resumed(straight, middle), straight)

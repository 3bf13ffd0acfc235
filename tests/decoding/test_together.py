"""Texts that are written in one batch are those that are written one by one."""

import pytest
import torch

from lab.api import Task
from lab.decoding.beams import BeamSearch
from lab.decoding.builtins import BeamSearchConfig, GreedyConfig, SamplingConfig
from lab.decoding.strategies import Greedy, Sampling
from lab.decoding.stream import generate, generate_together
from lab_transformer import TransformerConfig
from lab_transformer.model import build

torch.set_num_threads(1)
PROMPTS = [[0, 1, 2], [5, 5, 5], [9, 3, 1]]
MAKERS = {
    "sampling": lambda: Sampling(SamplingConfig()),
    "greedy": lambda: Greedy(GreedyConfig()),
    "beams": lambda: BeamSearch(BeamSearchConfig(width=3)),
}


@pytest.fixture(scope="module")
def model():
    """A transformer with random weights that reads eight tokens at most."""
    with torch.random.fork_rng():
        torch.manual_seed(1)
        config = TransformerConfig(layers=1, width=16, heads=2, positions="learned")
        made = build(config, Task(12, 8)).eval()
        for parameter in made.parameters():
            torch.nn.init.normal_(parameter, std=0.5)
    return made.requires_grad_(False)


@pytest.mark.parametrize("name", MAKERS)
def test_each_text_is_the_one_of_its_own_prompt_and_seed(model, name):
    make, options = MAKERS[name], {"symbols": 12, "count": 11}  # beyond the reach of the model
    steps = list(generate_together(model, PROMPTS, [make() for _ in PROMPTS], seeds=[4, 5, 6], **options))
    for number, prompt in enumerate(PROMPTS):
        alone = [token.token for token in generate(model, prompt, strategy=make(), seed=4 + number, **options)]
        assert [token.token for step in steps for token in step[number]] == alone


def test_prompts_of_two_lengths_are_refused(model):
    with pytest.raises(ValueError, match="one length"):
        next(generate_together(model, [[1], [1, 2]], [None, None], seeds=[0, 0], symbols=12, count=1))

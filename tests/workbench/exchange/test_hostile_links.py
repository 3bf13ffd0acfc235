"""Links with huge figures: each is answered quickly, by a problem or by figures without those that take too long."""

import base64
import zlib

import pytest

from lab.base import BadInput
from lab.diagnostics import cost
from lab.host import Plugins
from lab.recipes import Link, Recipe, write_link
from lab.recipes.link import LONGEST, MOST_BYTES
from lab.workbench.exchange.link import open_link
from lab.workbench.launch import preflight

DEEP = (50, 400, 480, 2000, 30_000)
"""Depths of nested lists, below and above the limit of recursion of the reader."""


@pytest.fixture
def plugins():
    return Plugins().load()


def packed(content):
    """Return a link that holds this text."""
    press = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = zlib.crc32(content).to_bytes(4, "big") + press.compress(content) + press.flush()
    return "lmlab:1" + base64.b32encode(data).decode().rstrip("=").lower()


def opened(*assignments):
    """Return the recipe of a link with these settings, and a short text."""
    text = ("corpus.name=text", f"corpus.text={'the cat sat on the mat ' * 20}")
    return open_link(write_link(Link(Recipe().with_assignments(*text, *assignments)))).recipe


def test_a_giant_model_is_refused_by_the_memory_it_needs(bench):
    giant = opened("architecture.layers=50", "architecture.width=65536", f"training.steps={10**9}")
    with pytest.raises(BadInput) as refused:
        bench.preflight(giant)
    assert "does not fit into memory" in refused.value.problem.what


@pytest.mark.parametrize("limit", [400, 800])
def test_a_model_of_too_many_operations_has_its_parameters_and_no_cost(bench, monkeypatch, limit):
    monkeypatch.setattr(cost, "MOST_CALLS", limit)  # one reached while the state is measured, one later
    monkeypatch.setattr(preflight, "_costs", type(preflight._costs)())
    figures = bench.preflight(opened("architecture.layers=8", "architecture.width=16", "architecture.heads=2"))
    assert figures.parameters > 0
    assert (figures.flops_per_token, figures.activation_bytes) == (None, None)


def test_a_model_of_too_many_parts_is_refused_and_never_built(bench, monkeypatch):
    monkeypatch.setattr(cost, "MOST_CALLS", 100)
    with pytest.raises(BadInput) as refused:
        bench.preflight(opened("architecture.layers=8"))
    problem = refused.value.problem
    assert (problem.field, problem.what) == ("architecture", "is too large to estimate")
    assert problem.remedy


def test_the_deepest_stack_takes_more_operations_than_are_made():
    """A block of the transformer takes some 40 calls forward; its gradient and its state as many again."""
    assert 48 * 40 * 3 < cost.MOST_CALLS < 1000 * 40 * 3


def test_a_run_of_a_model_that_is_too_large_to_estimate_starts_without_its_cost(bench, recipe, monkeypatch, reported):
    monkeypatch.setattr(cost, "MOST_CALLS", 10)
    run = bench.start(recipe(2))
    assert run.wait(30)
    assert run.problem is None
    assert "The run continues without its cost" in [problem.remedy for problem in reported]


@pytest.mark.parametrize("depth", DEEP)
@pytest.mark.parametrize("setting", ["pattern", "unheard_of"])
def test_a_deeply_nested_setting_is_one_problem(plugins, depth, setting):
    text = f'[architecture]\nname = "transformer"\n{setting} = {"[" * depth}{"]" * depth}'
    config = plugins.card("architectures", "transformer").config
    with pytest.raises(BadInput):
        config.read(open_link(packed(text.encode()), plugins).recipe.architecture.settings, field="architecture")


@pytest.mark.parametrize("content", [b"#" * 10**6, b"[" * 10**6, b"\0" * 10**7])
def test_a_text_that_unpacks_to_megabytes_is_not_unpacked(content):
    with pytest.raises(BadInput) as refused:
        open_link(packed(content))
    assert refused.value.problem.allowed in (f"at most {MOST_BYTES:,} bytes", f"at most {LONGEST:,}")


def test_a_link_of_a_megabyte_is_refused_by_its_length():
    with pytest.raises(BadInput) as refused:
        open_link("lmlab:1" + "a" * 10**6)
    assert refused.value.problem.allowed == f"at most {LONGEST:,}"

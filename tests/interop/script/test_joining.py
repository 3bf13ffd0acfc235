"""Modules become one text: names are followed, made one and kept apart, and what cannot come along is refused."""

import importlib
import sys
import textwrap

import pytest
import torch

from lab.base import BadInput
from lab.interop.script.joining import Joined
from lab.interop.script.text import joined_text


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """Make a plugin's package of modules, given by name; forget it at the end."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "strange").mkdir()

    def plugin(**modules):
        for name, source in {"__init__": "", **modules}.items():
            (tmp_path / "strange" / f"{name}.py").write_text(textwrap.dedent(source), encoding="utf-8")
        importlib.invalidate_caches()

    yield plugin
    for name in [name for name in sys.modules if name.partition(".")[0] == "strange"]:
        del sys.modules[name]


def joined(name, module="strange.model"):
    """The text that holds a name of a module, and what stands under that name when it has run."""
    whole = Joined()
    target = whole.take(module, name)
    whole.settle(set())
    text = joined_text(whole)
    names = {}
    exec(compile(text, "script.py", "exec", dont_inherit=True), names)
    return text, names[whole.name(target)]


def test_a_name_is_followed_through_imports_and_nothing_else_is_taken(plugin):
    plugin(
        model="""
            from .parts import twice as double
            import strange.parts
            from strange import parts

            UNUSED = print("never")

            def answer(x):
                from strange.parts import LIMIT
                return min(double(x), parts.LIMIT, LIMIT, strange.parts.LIMIT)
        """,
        parts='''
            import math

            LIMIT = 40
            """What nothing passes."""

            # by hand

            def twice(x):
                return math.floor(2 * x)

            def unused():
                return 1
        ''',
    )
    text, answer = joined("answer")
    assert [answer(3.7), answer(100)] == [7, 40]
    assert "UNUSED" not in text
    assert "unused" not in text
    assert "strange import" not in text
    assert "What nothing passes." in text


def test_a_module_is_followed_through_a_package_that_imports_it_from_itself(plugin):
    plugin(
        __init__="from strange import parts",
        model="""
            from strange import parts

            def answer(x):
                return parts.twice(x)
        """,
        parts="""
            def twice(x):
                return 2 * x
        """,
    )
    assert joined("answer")[1](4) == 8


def test_names_that_two_modules_bind_are_kept_apart(plugin):
    plugin(
        model="""
            import math as calc
            from strange.parts import scaled

            C = 3

            def answer(x, scaled_by=C):
                return scaled(x) + scaled_by * calc.floor(C)
        """,
        parts="""
            import cmath as calc

            C = 5

            def scaled(x):
                return abs(C * x + calc.sqrt(0))
        """,
    )
    assert joined("answer")[1](2) == 19


def test_a_local_name_is_not_taken_for_one_of_the_module(plugin):
    plugin(
        model="""
            from strange.parts import gate as door

            def answer(x):
                gate = [gate for gate in range(x)]
                return door(sum(gate)) + (lambda door: door)(1)
        """,
        parts="""
            def gate(x):
                return 10 * x
        """,
    )
    assert joined("answer")[1](3) == 31


def test_a_name_of_a_module_does_not_hide_python_s_own_from_another(plugin):
    plugin(
        model="""
            from strange.parts import total

            def sum(values):
                return -1

            def answer(x):
                return total(x) + sum(x)
        """,
        parts="""
            def total(values):
                return sum(values)
        """,
    )
    assert joined("answer")[1]([1, 2, 3]) == 5


def test_what_is_done_to_a_name_when_its_module_is_imported_is_done_here(plugin):
    plugin(
        model="""
            KINDS = {}
            KINDS["a"] = 1
            KINDS.update(b=2)

            if len(KINDS) > 1:
                BIAS = 10
            else:
                BIAS = 0

            def answer():
                return KINDS, BIAS
        """
    )
    assert joined("answer")[1]() == ({"a": 1, "b": 2}, 10)


def test_names_in_annotations_need_not_be_there(plugin):
    plugin(
        model="""
            from __future__ import annotations
            from typing import TYPE_CHECKING
            from lab.api import Reading
            if TYPE_CHECKING:
                from nowhere.at_all import Shape

            def answer(shape: Shape, reading: Reading | None = None) -> int:
                return 1
        """
    )
    text, answer = joined("answer")
    assert answer(None) == 1
    assert "Reading = Shape = Any" in text


def test_settings_keep_their_methods_and_lose_their_rules(plugin):
    plugin(
        model="""
            from pydantic import model_validator
            from lab.api import ModelConfig, setting

            class Settings(ModelConfig):
                width: int = setting(
                    8, ge=1, help="How wide."
                )
                heads: int = setting(2, help="How many.")

                @model_validator(mode="after")
                def _fits(self):
                    return self

                @property
                def each(self):
                    return self.width // self.heads
        """
    )
    text, settings = joined("Settings")
    assert settings(width=12, heads=3).each == 4
    assert "pydantic" not in text
    assert "How wide" not in text


def test_of_a_class_of_the_lab_the_methods_come_that_somebody_mentions(plugin):
    plugin(
        model="""
            from lab.layers import LanguageModel

            class Model(LanguageModel):
                def forward(self, tokens):
                    return tokens
        """
    )
    text, _ = joined("Model")
    assert "def extend" in text
    assert "def load_tables" not in text


@pytest.mark.parametrize("name", ["Attention", "FeedForward", "ResidualStack", "linear_scan", "RMSNorm", "sinusoids"])
def test_the_blocks_of_the_lab_are_portable(name):
    text, block = joined(name, "lab.layers")
    assert "from lab" not in text
    assert block.__doc__


def test_a_block_computes_what_the_lab_s_own_does():
    from lab.layers import linear_scan

    scan = joined("linear_scan", "lab.layers")[1]
    a, b = torch.rand(2, 5, 3), torch.rand(2, 5, 3)
    assert torch.equal(scan(a, b, b[:, 0]), linear_scan(a, b, b[:, 0]))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import pydantic\ndef answer():\n    return pydantic.VERSION", "needs pydantic"),
        ("def answer():\n    import pydantic\n    return pydantic.VERSION", "needs pydantic"),
        ("from safetensors.torch import load\ndef answer():\n    return load", r"needs safetensors\.torch"),
        ("from lab.layers import *\ndef answer():\n    return Attention", r"everything from lab\.layers"),
        ("import lab.layers\ndef answer():\n    return lab.layers", r"the module lab\.layers itself"),
        ("from math import floor as answer", "is neither a class nor a function"),
    ],
)
def test_a_source_that_is_not_portable_is_refused_with_its_file_and_import(source, message, plugin):
    plugin(model=source)
    with pytest.raises(BadInput, match=message) as refused:
        joined("answer")
    assert "model.py" in refused.value.problem.value


def test_a_module_without_source_is_refused(plugin, tmp_path):
    plugin(model="def answer():\n    return 1")
    importlib.import_module("strange.model")
    (tmp_path / "strange" / "model.py").unlink()
    with pytest.raises(BadInput, match=r"the source of strange\.model is not available"):
        joined("answer")

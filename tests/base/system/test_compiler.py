"""torch's compiler is imported by whoever compiles something, and by no training."""

import importlib
import subprocess
import sys

import pytest
import torch

from lab.base.system import compiler
from lab.base.system.compiler import hold_back_compiler

TRAINED_THEN_COMPILED = """
import sys
from lab.base.system.compiler import hold_back_compiler
hold_back_compiler()
import torch
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.AdamW(model.parameters())
model(torch.ones(2, 3)).sum().backward()
optimizer.step()
meta = torch.nn.RMSNorm(3).to("meta")
normal = torch.nn.functional.softmax(meta(torch.ones(2, 3, device="meta")) ** 2, dim=-1)
assert normal[:, 1:].sum().backward() is None and normal.shape == (2, 3)
assert not {"torch._dynamo.convert_frame", "sympy.core", "torch.fx.experimental.recording"} & set(sys.modules)
compiled = torch.compile(model, backend="eager", dynamic=True)
assert torch.equal(compiled(torch.ones(2, 3)), model(torch.ones(2, 3)))
assert torch.equal(compiled(torch.ones(5, 3)), model(torch.ones(5, 3)))
assert "torch._dynamo.convert_frame" in sys.modules and sys.modules["torch._dynamo"] is torch._dynamo
import sympy
assert isinstance(sympy.symbols("x"), sympy.Basic) and sys.modules["sympy"] is sympy
"""


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Put a library of one file in the place of one that is held back, and return its name."""
    names = []

    def write(held_back: str, text: str) -> str:
        name = f"a_slow_library_{held_back.lower()}"
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr(compiler, held_back, name)
        names.append(name)
        return name

    yield write
    for name in names:
        sys.modules.pop(name, None)


@pytest.fixture
def library(written):
    return written("COMPILER", "answer = 42\n")


@pytest.fixture
def symbolic_shapes(written):
    return written("SYMBOLIC_SHAPES", "guard_or_false = lambda a: f'asked of {a}'\n")


@pytest.fixture
def symbols(written):
    return written("SYMBOLS", "class Basic:\n    name = 'x'\nsymbols = lambda name: Basic()\n")


def test_it_is_imported_when_anything_else_than_leaving_out_is_asked_of_it(library):
    hold_back_compiler()
    held_back = importlib.import_module(library)
    held_back.graph_break()
    assert held_back.disable(len, True, wrapping=False) is len
    assert held_back.disable(fn=None, recursive=False)(len) is len
    assert not hasattr(held_back, "__file__")
    assert sys.modules[library] is held_back
    assert held_back.answer == 42
    assert sys.modules[library] is not held_back
    assert importlib.import_module(library).answer == 42


def test_what_is_imported_already_stays(library):
    imported = importlib.import_module(library)
    hold_back_compiler()
    assert sys.modules[library] is imported


def test_numbers_are_checked_without_the_symbolic_shapes(symbolic_shapes):
    hold_back_compiler()
    held_back = importlib.import_module(symbolic_shapes)
    tensor = torch.ones(2, 3)
    assert held_back.expect_true(True) is True
    assert held_back.guard_or_false(False) is False
    assert held_back.guarding_hint_or_throw(7) == 7
    assert held_back.has_guarding_hint(7)
    assert not held_back.is_nested_int(7)
    assert held_back.sym_and(True, True)
    assert not held_back.sym_and(True, False)
    assert held_back.sym_or(False, True)
    assert not held_back.sym_or(False, False)
    assert held_back.sym_eq((2, 3), tensor.shape)
    assert not held_back.sym_eq([2, 3], (2, 4))
    assert held_back.free_unbacked_symbols(tensor) == set()
    assert sys.modules[symbolic_shapes] is held_back


def test_the_symbolic_shapes_are_imported_for_what_is_no_number(symbolic_shapes):
    hold_back_compiler()
    held_back = importlib.import_module(symbolic_shapes)
    assert held_back.guard_or_false("a symbol") == "asked of a symbol"
    assert sys.modules[symbolic_shapes] is not held_back
    assert held_back.guard_or_false(True) == "asked of True"


def test_no_value_is_a_symbol_before_sympy_is_imported(symbols):
    hold_back_compiler()
    held_back = importlib.import_module(symbols)
    assert not isinstance(3, (str, held_back.Basic))
    assert sys.modules[symbols] is held_back
    early = held_back.Basic
    symbol = held_back.symbols("x")
    assert isinstance(symbol, early)
    assert isinstance(symbol, held_back.Basic)
    assert held_back.Basic is importlib.import_module(symbols).Basic


@pytest.mark.parametrize("use", ["class Mine({0}.Basic): pass", "{0}.Basic.name", "{0}.Basic()"])
def test_whatever_else_is_done_with_the_class_of_symbols_is_done_with_that_of_sympy(use, symbols):
    hold_back_compiler()
    held_back = importlib.import_module(symbols)
    exec(use.format(symbols), {symbols: held_back})
    assert sys.modules[symbols] is not held_back


def test_a_name_imported_from_the_stand_in_is_that_of_sympy(symbols):
    hold_back_compiler()
    found: dict[str, object] = {}
    exec(f"from {symbols} import Basic", found)
    assert found["Basic"] is importlib.import_module(symbols).Basic


@pytest.mark.long
def test_an_optimizer_does_without_and_a_compiled_model_has_it():
    subprocess.run([sys.executable, "-c", TRAINED_THEN_COMPILED], check=True)

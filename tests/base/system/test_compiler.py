"""torch's compiler is imported by whoever compiles something, and by no training."""

import importlib
import subprocess
import sys

import pytest

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
assert "torch._dynamo.convert_frame" not in sys.modules
compiled = torch.compile(model, backend="eager")
assert torch.equal(compiled(torch.ones(2, 3)), model(torch.ones(2, 3)))
assert "torch._dynamo.convert_frame" in sys.modules and sys.modules["torch._dynamo"] is torch._dynamo
"""


@pytest.fixture
def library(tmp_path, monkeypatch):
    """Put a library of one file in the place of the compiler, and return its name."""
    name = "a_slow_library"
    (tmp_path / f"{name}.py").write_text("answer = 42\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(compiler, "NAME", name)
    yield name
    sys.modules.pop(name, None)


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


@pytest.mark.long
def test_an_optimizer_does_without_and_a_compiled_model_has_it():
    subprocess.run([sys.executable, "-c", TRAINED_THEN_COMPILED], check=True)

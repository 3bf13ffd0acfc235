"""Packages that compute on CUDA: what is imported of them where they are installed, here by made ones."""

import sys
import types

import pytest
import torch

from lab.layers import ShortConvolution, decayed_attention, delta_attention, fast_kernel
from lab.layers.recurrence import kernels


@pytest.fixture
def on_cuda(monkeypatch):
    """Let tensors report that they are on CUDA, with no kernel looked up yet."""
    monkeypatch.setattr(torch.Tensor, "is_cuda", True)
    kernels._found.cache_clear()
    yield
    kernels._found.cache_clear()


@pytest.fixture
def install(on_cuda, monkeypatch):
    """Install a fake package whose function records its arguments."""

    def installed(module, name, answer):
        calls = []
        parts = module.split(".")
        for end in range(1, len(parts) + 1):
            monkeypatch.setitem(sys.modules, ".".join(parts[:end]), types.ModuleType(".".join(parts[:end])))

        def function(*arguments, **options):
            calls.append((arguments, options))
            return answer

        setattr(sys.modules[module], name, function)
        return calls

    return installed


def test_a_function_is_found_on_cuda_alone(install, monkeypatch):
    install("made_kernels.ops", "chunk_made", answer=1)
    assert fast_kernel(torch.zeros(1), "made_kernels.ops", "chunk_made")() == 1
    monkeypatch.setattr(torch.Tensor, "is_cuda", False)
    assert fast_kernel(torch.zeros(1), "made_kernels.ops", "chunk_made") is None


def test_without_the_package_or_with_a_broken_or_another_one_there_is_none(on_cuda, tmp_path, monkeypatch):
    (tmp_path / "broken_kernels.py").write_text("raise RuntimeError('undefined symbol')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for module, name in (("no_such_kernels.ops", "f"), ("broken_kernels", "f"), ("json", "chunk_gla")):
        assert fast_kernel(torch.zeros(1), module, name) is None


def test_a_package_is_searched_for_once(on_cuda, monkeypatch):
    imported = []
    monkeypatch.setattr(kernels.importlib, "import_module", lambda module: imported.append(module) or sys)
    assert [fast_kernel(torch.zeros(1), "made", "nothing") for _ in range(3)] == [None] * 3
    assert imported == ["made"]


FLA = {
    "no decay": ("simple_gla", "chunk_simple_gla", ()),
    "decay by head": ("simple_gla", "chunk_simple_gla", ("log_decay",)),
    "decay by channel": ("gla", "chunk_gla", ("log_decay",)),
    "bonus": ("rwkv6", "chunk_rwkv6", ("log_decay", "bonus")),
    "delta": ("delta_rule", "chunk_delta_rule", ("beta",)),
    "delta with decay": ("gated_delta_rule", "chunk_gated_delta_rule", ("log_decay", "beta")),
}
"""Kind -> module, function, and what follows q, k and v."""


@pytest.mark.parametrize("kind", FLA)
def test_flash_linear_attention_gets_its_arguments_in_its_order(kind, install):
    module, name, more = FLA[kind]
    o, last = torch.ones(1, 64, 2, 4, dtype=torch.bfloat16), torch.ones(1, 2, 4, 4)
    calls = install(f"fla.ops.{module}", name, answer=(o, last))
    by_channel = kind in ("decay by channel", "bonus")
    given = {
        "log_decay": -torch.rand(1, 64, 2, 4) if by_channel else -torch.rand(1, 64, 2),
        "bonus": torch.rand(2, 4).bfloat16(),
        "beta": torch.rand(1, 64, 2).bfloat16(),
    }
    q, k, v = (torch.randn(1, 64, 2, 4).bfloat16() for _ in range(3))
    form = delta_attention if "delta" in kind else decayed_attention
    found = form(q, k, v, **{name: given[name] for name in more})
    ((arguments, options),) = calls
    for handed, expected in zip(arguments, (q, k, v, *(given[name] for name in more)), strict=True):
        torch.testing.assert_close(handed, expected)
    assert (options["scale"], options["output_final_state"]) == (1.0, True)
    torch.testing.assert_close(options["initial_state"], torch.zeros(1, 2, 4, 4))
    assert found[0] is o
    assert found[1] is last


@pytest.mark.parametrize("kind", ["no decay", "delta"])
def test_few_tokens_and_numbers_that_the_package_refuses_are_computed_by_torch(kind, install):
    module, name, _ = FLA[kind]
    calls = install(f"fla.ops.{module}", name, answer=None)
    form = delta_attention if kind == "delta" else decayed_attention
    more = (torch.rand(1, 64, 2, dtype=torch.float64),) if kind == "delta" else ()
    form(*[torch.randn(1, 64, 2, 4, dtype=torch.float64)] * 3, *more)
    form(*[torch.randn(1, 3, 2, 4).bfloat16()] * 3, *(x[:, :3].bfloat16() for x in more))
    if kind == "delta":
        wide = torch.randn(1, 64, 2, 257).bfloat16()
        form(wide, wide / wide.norm(dim=-1, keepdim=True), wide, *(x.bfloat16() for x in more))
    assert not calls


def test_causal_conv1d_is_given_channels_before_tokens_and_what_came_before(install):
    calls = install("causal_conv1d", "causal_conv1d_fn", answer=torch.ones(1, 8, 5))
    made = ShortConvolution(8)
    x, state = torch.randn(1, 5, 8), torch.randn(1, 3, 8)
    y, behind = made(x, state)
    (((given, weight, bias), options),) = calls
    torch.testing.assert_close((given, weight, bias), (x.mT, made.weight[:, 0], made.bias))
    torch.testing.assert_close(options["initial_states"], state.mT)
    assert options["activation"] == "silu"
    assert y.shape == (1, 5, 8)
    torch.testing.assert_close(behind, x[:, 2:])
    made(x[:, :1], state)
    ShortConvolution(5)(torch.randn(1, 5, 5))
    assert len(calls) == 1  # one token and odd widths are not for it


def test_an_unevenly_strided_part_of_a_projection_is_copied_for_causal_conv1d(install):
    calls = install("causal_conv1d", "causal_conv1d_fn", answer=torch.ones(1, 8, 5))
    made, projected = ShortConvolution(8), torch.randn(1, 5, 21)
    for even, x in ((False, projected[..., 4:12]), (True, torch.randn(1, 5, 24)[..., 8:16])):
        made(x)
        ((given, _, _), _) = calls.pop()
        torch.testing.assert_close(given, x.mT)
        assert (given.data_ptr() == x.data_ptr()) is even
        assert not any(step % 8 for step in (given.stride(0), given.stride(2), given.storage_offset()))

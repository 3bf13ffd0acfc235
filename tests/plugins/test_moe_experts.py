"""Experts: the sorted dispatch is every expert on every token, weighted; and what the router counts, drops and adds."""

import copy
import math
from types import SimpleNamespace

import pytest
import torch
import torch.nn.functional as F
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from lab.api import BadInput, NotCausal, Slot, StackConfig, Task, capture
from lab.layers import AuxiliaryLosses, ResidualStack, dispatch, grouped_linear
from lab_moe.experts import Experts
from lab_moe.routers import chances

C, E, H = 6, 4, 5


def experts(*, width=C, dtype=torch.float64, device="cpu", **given):
    """Return experts with weights large enough to show an error, with live settings among the arguments."""
    live = {name: given.pop(name) for name in ("capacity", "balance", "z_loss", "bias_rate") if name in given}
    torch.manual_seed(0)
    with torch.device(device):
        made = Experts(
            Slot(width, 0, 2, 16, True, SimpleNamespace(**live)),
            **{"experts": E, "active": 2, "hidden": H, "bias": True, **given},
        )
    if device != "meta":
        for parameter in made.parameters():
            torch.nn.init.normal_(parameter, std=0.5)
    return made.to(dtype)


def inputs(*shape, dtype=torch.float64, seed=1):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype).requires_grad_()


def every_expert_on_every_token(layer, x, gates):
    """Σ_i g_i E_i(x) with gates (B, T, E), and the shared experts."""
    y = layer.shared(x) if layer.shared is not None else torch.zeros_like(x)
    for i in range(layer.number):
        bias = (None, None) if layer.inner_bias is None else (layer.inner_bias[i], layer.outer_bias[i])
        units = F.linear(x, layer.inner[i], bias[0])
        units = F.silu(units[..., :H]) * units[..., H:] if layer.gated else units.relu()
        y = y + gates[..., i, None] * F.linear(units, layer.outer[i], bias[1])
    return y


def gates_of_tokens(layer, x, *, scores="softmax", renormalise=True):
    """(B, T, E), written down token by token."""
    logits = layer.router(x)
    p = logits.softmax(-1) if scores == "softmax" else logits.sigmoid()
    ranked = p.detach() + layer.selection_bias
    rows = []
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            best = sorted(range(layer.number), key=lambda i, b=b, t=t: -ranked[b, t, i].item())[: layer.active]
            total = sum(p[b, t, i] for i in best) if renormalise else 1.0
            rows.append(torch.stack([p[b, t, i] / total if i in best else p[b, t, i] * 0 for i in range(layer.number)]))
    return layer.scale * torch.stack(rows).view_as(p)


def gates_of_experts(layer, x):
    """(B, T, E): each expert takes its best tokens of a row."""
    p = layer.router(x).softmax(-1)
    places = min(x.shape[1], math.ceil(layer.active * x.shape[1] / layer.number))
    least = p.sort(dim=1, descending=True).values[:, places - 1 : places]
    return p * (p >= least)


def gates_seen(layer, x):
    """(B, T, E) as the layer reports them."""
    with torch.no_grad(), capture(layer, {"gates"}) as readings:
        layer(x)
    return torch.from_numpy(readings[0].values.copy())


def require_equal_with_gradients(layer, x, found, expected):
    wanted = [x, *layer.parameters()]
    weights = torch.randn(found.shape, generator=torch.Generator().manual_seed(2), dtype=found.dtype)
    torch.testing.assert_close(found, expected)
    pairs = (torch.autograd.grad((y * weights).sum(), wanted, materialize_grads=True) for y in (found, expected))
    for own, other in zip(*pairs, strict=True):
        torch.testing.assert_close(own, other)


@pytest.mark.parametrize(
    ("given", "shape"),
    [
        ({}, (2, 7)),
        ({"active": 4}, (2, 7)),
        ({"active": 1, "renormalise": False, "activation": "relu"}, (2, 7)),
        ({"scores": "sigmoid", "scale": 2.5, "shared": 2}, (2, 7)),
        ({"renormalise": False, "bias": False}, (1, 1)),
        ({"experts": 32}, (1, 3)),
    ],
    ids=["two of four", "all of them", "one, not renormalised", "sigmoid, shared", "one token", "most are empty"],
)
def test_the_dispatch_is_every_expert_on_every_token_with_its_gradients(given, shape):
    layer, x = experts(**given), inputs(*shape, C)
    named = {name: given[name] for name in ("scores", "renormalise") if name in given}
    expected = every_expert_on_every_token(layer, x, gates_of_tokens(layer, x, **named))
    require_equal_with_gradients(layer, x, layer(x), expected)


@pytest.mark.parametrize("length", [7, 1])
def test_experts_that_choose_take_their_best_tokens_of_a_row(length):
    layer, x = experts(routing="expert-choice"), inputs(2, length, C)
    gates = gates_of_experts(layer, x)
    require_equal_with_gradients(layer, x, layer(x), every_expert_on_every_token(layer, x, gates))
    torch.testing.assert_close(gates_seen(layer, x).double(), gates.detach(), atol=1e-6, rtol=0)


def test_full_experts_drop_later_tokens_of_the_row_in_training_alone():
    layer, x = experts(capacity=0.75), inputs(2, 7, C)
    all_gates = gates_of_tokens(layer, x)
    places, has_room = math.ceil(0.75 * 2 * 7 / E), torch.zeros(2, 7, E)
    for b in range(2):
        for t in range(7):
            for i in range(E):
                has_room[b, t, i] = (all_gates[b, : t + 1, i] > 0).sum() <= places
    assert (all_gates[has_room == 0] > 0).any()
    listener = AuxiliaryLosses().attach(layer)
    require_equal_with_gradients(layer, x, layer(x), every_expert_on_every_token(layer, x, all_gates * has_room))
    dropped = {name: value.item() for name, value, *_ in listener.take()}["dropped"]
    assert dropped == pytest.approx(1 - ((all_gates * has_room) > 0).sum().item() / (2 * 7 * 2))
    layer.eval()
    torch.testing.assert_close(layer(x), every_expert_on_every_token(layer, x, all_gates))


def test_a_later_token_takes_no_place_of_an_earlier_one():
    layer, x = experts(capacity=0.5), inputs(1, 9, C)
    other = torch.cat([x[:, :5], inputs(1, 4, C, seed=3)], dim=1)
    torch.testing.assert_close(layer(x)[:, :5], layer(other)[:, :5])


def test_torchs_grouped_product_and_the_loop_agree_also_where_a_gradient_is_expanded(monkeypatch):
    x, weight, counts = inputs(9, 8, dtype=torch.float32), inputs(4, 12, 8, dtype=torch.float32), [5, 0, 4, 0]
    found = []
    for by_torch in (True, False):
        if not by_torch:
            monkeypatch.setattr(dispatch, "_suits_torch", lambda *_: False)
        assert dispatch._suits_torch(x, weight) is by_torch
        y = grouped_linear(x, weight, torch.tensor(counts))
        found.append([y, *torch.autograd.grad(y.sum(), (x, weight))])
    for own, other in zip(*found, strict=True):
        torch.testing.assert_close(own, other)
    assert not found[0][2][1].any()  # the gradient of a matrix without rows


def test_groups_without_rows_have_no_gradient_where_torchs_product_leaves_it_undefined(monkeypatch):
    product = F.grouped_mm

    def undefined(x, y, *, offs):
        made = product(x, y, offs=offs)
        if y.ndim == 2:  # the gradient of the weights
            made[offs.diff(prepend=offs.new_zeros(1)) == 0] = float("nan")
        return made

    monkeypatch.setattr(F, "grouped_mm", undefined)
    x, weight = inputs(9, 8, dtype=torch.float32), inputs(4, 12, 8, dtype=torch.float32)
    grouped_linear(x, weight, torch.tensor([5, 0, 4, 0])).sum().backward()
    assert weight.grad.isfinite().all()
    assert not weight.grad[1].any()
    assert weight.grad[0].any()


class Operations(TorchDispatchMode):
    """Records the names of torch's operations."""

    def __init__(self):
        super().__init__()
        self.names = set()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.names.add(function.overloadpacket.__name__)
        return function(*args, **(kwargs or {}))


def test_experts_read_no_number_on_the_processor_in_training_so_that_no_layer_waits_for_a_gpu():
    layer, x = experts(width=8, dtype=torch.float32, hidden=8, bias_rate=0.1), inputs(2, 5, 8, dtype=torch.float32)
    layer.train()
    AuxiliaryLosses().attach(layer)
    with Operations() as found:
        layer(x).sum().backward()
    assert "_grouped_mm" in found.names
    assert not found.names & {"_local_scalar_dense", "nonzero", "bincount", "masked_select"}


@pytest.mark.parametrize("width", [8, 6])
def test_under_autocast_the_products_are_short_and_the_router_is_not(width):
    layer, x = experts(width=width, dtype=torch.float32, hidden=8), inputs(2, 5, width, dtype=torch.float32)
    with torch.autocast("cpu", torch.bfloat16), capture(layer, {"routing"}) as readings:
        y = layer(x)
    assert y.dtype == torch.bfloat16
    torch.testing.assert_close(y.float(), layer(x), atol=0.1, rtol=0.05)
    torch.testing.assert_close(torch.from_numpy(readings[0].values.copy()), layer.router(x).softmax(-1).detach())
    y.sum().backward()
    assert layer.inner.grad.dtype == torch.float32


def test_on_the_meta_device_a_token_costs_its_chosen_experts():
    layer, x = experts(device="meta", experts=16, bias=False), torch.randn(1, 8, C, device="meta", dtype=torch.float64)
    with FlopCounterMode(display=False) as counter:
        layer(x).sum().backward()
    products = 2 * (2 * H * C + C * H)
    multiplied = 8 * (3 * products + 2 * 16 * C)  # the inputs here ask for no gradient through the router
    assert counter.get_total_flops() == 2 * multiplied


def test_tokens_go_elsewhere_when_experts_are_off_and_nowhere_when_too_few_are_left():
    layer, x = experts(), inputs(2, 7, C)
    layer.off = frozenset({1, 3})
    gates = gates_seen(layer, x)
    assert not gates[..., [1, 3]].any()
    assert (gates[..., [0, 2]] > 0).all()
    layer.off = frozenset({0, 1, 3})
    torch.testing.assert_close(gates_seen(layer, x)[..., 2], torch.ones(2, 7))
    layer(x).sum().backward()
    assert x.grad.isfinite().all()
    layer.off = frozenset(range(E))
    with pytest.raises(ValueError, match="leave one on"):
        layer(x)


@pytest.mark.parametrize("routing", ["top-k", "noisy-top-k", "expert-choice"])
def test_what_is_no_number_goes_through_and_off_experts_leave_gradients_finite(routing):
    layer = experts(routing=routing, balance=0.1, z_loss=0.1)
    assert layer(torch.full((2, 3, C), torch.nan, dtype=torch.float64)).isnan().any()
    layer.off, listener = frozenset({0, 1, 2}), AuxiliaryLosses().attach(layer)
    y = layer(inputs(2, 5, C)).sum()
    (y + sum(value * weight for _, value, weight, *_ in listener.take())).backward()
    assert all(each.grad is None or each.grad.isfinite().all() for each in layer.parameters())


def reported(layer, x):
    """name -> (value, weight) of what a pass adds to the loss."""
    listener = AuxiliaryLosses().attach(layer)
    layer(x)
    return {name: (value.item(), weight) for name, value, weight, *_ in listener.take()}


def test_balance_is_one_when_even_and_the_number_of_experts_when_one_takes_all():
    layer, x = experts(active=1, balance=0.01, z_loss=0.001), inputs(2, 6, C)
    torch.nn.init.zeros_(layer.router.weight)
    value, weight = reported(layer, x)["balance"]
    assert (value, weight) == (pytest.approx(1.0), 0.01)
    assert reported(layer, x)["router z"] == (pytest.approx(math.log(E) ** 2), 0.001)
    layer.router.weight.data[0] = 1e3 * x[0, 0].detach()
    alone = x[:1, :1].expand(2, 6, C)
    assert reported(layer, alone)["balance"][0] == pytest.approx(E)
    layer.eval()
    assert reported(layer, x) == {}


def test_balance_is_counted_over_the_choices_of_the_pass_and_has_a_gradient_through_the_probabilities():
    layer, x = experts(balance=0.5), inputs(2, 7, C)
    listener = AuxiliaryLosses().attach(layer)
    layer(x)
    value = next(value for name, value, *_ in listener.take() if name == "balance")
    p = layer.router(x).softmax(-1)
    share = (gates_of_tokens(layer, x) > 0).double().mean((0, 1)) / 2
    expected = E * (share * p.mean((0, 1))).sum()
    assert value.item() == pytest.approx(expected.item())
    own, other = (torch.autograd.grad(each, layer.router.weight)[0] for each in (value, expected))
    torch.testing.assert_close(own, other)


def test_noise_is_drawn_in_training_and_from_torchs_generator():
    layer, x = experts(routing="noisy-top-k", balance=0.1), inputs(2, 7, C)
    torch.manual_seed(3)
    first, second = layer(x), layer(x)
    torch.manual_seed(3)
    torch.testing.assert_close(layer(x), first, rtol=0, atol=0)
    assert not torch.equal(first, second)
    assert {name: weight for name, (_, weight) in reported(layer, x).items()} == {
        "router z": 0.0, "balance": 0.0, "importance": 0.1, "load": 0.1,
    }  # fmt: skip
    layer.eval()
    layer.selection_bias = torch.zeros(E)
    torch.testing.assert_close(layer(x), every_expert_on_every_token(layer, x, gates_of_tokens(layer, x)))


def test_the_load_of_noisy_routing_is_the_chance_of_selection_if_only_the_own_noise_is_redrawn():
    torch.manual_seed(0)
    logits, spread = torch.randn(1, E).double(), torch.rand(1, E).double() + 0.2
    noisy = logits + torch.randn(1, E) * spread
    found = chances(logits, noisy, spread, 2)
    for i in range(E):
        drawn = noisy.repeat(40_000, 1)
        drawn[:, i] = logits[0, i] + torch.randn(40_000).double() * spread[0, i]
        share = (drawn.topk(2).indices == i).any(-1).double().mean()
        assert found[0, i].item() == pytest.approx(share.item(), abs=0.01)


def test_the_bias_on_the_choice_rises_for_idle_experts_in_training_alone_and_is_copied_with_the_model():
    layer, x = experts(bias_rate=0.01, scores="sigmoid"), inputs(2, 8, C)
    load = (gates_of_tokens(layer, x, scores="sigmoid") > 0).double().sum((0, 1))
    layer.eval()(x)
    with torch.no_grad():
        layer.train()(x)
    layer.after_step()
    assert not layer.selection_bias.any()
    layer(x)
    assert not layer.selection_bias.any()
    layer.after_step()
    expected = 0.01 * (load.mean() - load).sign()
    torch.testing.assert_close(layer.selection_bias, expected)
    assert expected.any()
    layer.after_step()
    torch.testing.assert_close(layer.selection_bias, expected)
    twin = copy.deepcopy(layer)
    layer(x)
    layer.after_step()
    other = experts(bias_rate=0.01, scores="sigmoid")
    other.load_state_dict(twin.state_dict())
    assert torch.equal(other.selection_bias, twin.selection_bias)
    torch.testing.assert_close(other(x), twin(x), rtol=0, atol=0)


def test_the_bias_moves_once_however_many_passes_a_step_has_and_not_for_experts_at_the_mean():
    layer = experts(bias_rate=0.1, bias=False, active=1)
    with torch.no_grad():
        layer.router.weight.copy_(torch.eye(E, C))
    tokens = torch.eye(C, dtype=torch.float64)[torch.tensor([0, 0, 0, 0, 1, 1, 2, 2])]  # the mean is two each
    for token in tokens:
        layer(token.view(1, 1, C))
    assert not layer.selection_bias.any()
    layer.after_step()
    assert layer.selection_bias.tolist() == [-0.1, 0, 0, 0.1]


def test_each_expert_begins_as_a_dense_layer_does():
    torch.manual_seed(0)
    layer = Experts(Slot(64, 0, 8, 16, True, None), experts=3, active=1, hidden=64)
    for weight, spread in ((layer.inner, 0.02), (layer.outer, 0.02 / 4), (layer.router.weight, 0.02)):
        assert weight.std().item() == pytest.approx(spread, rel=0.2)
    assert not torch.equal(layer.inner[0], layer.inner[1])


def test_more_experts_cannot_be_chosen_than_there_are():
    with pytest.raises(BadInput, match="does not fit the experts"):
        experts(active=5)


def test_a_stack_in_which_experts_choose_reads_the_future_and_does_not_decode():
    def stack(routing):
        torch.manual_seed(0)
        made = ResidualStack(
            StackConfig(layers=2, width=C),
            Task(11, 16),
            token_mixer=[None, None],
            channel_mixer=lambda slot: Experts(slot, experts=E, active=1, hidden=H, routing=routing),
        )
        torch.nn.init.normal_(made.blocks[0].channel.router.weight, std=10)
        return made.eval()

    choosing, by_tokens = stack("expert-choice"), stack("top-k")
    assert (choosing.causal, by_tokens.causal) == (False, True)
    with pytest.raises(NotCausal, match="among all tokens, also later ones"):
        choosing.start(1)
    one, other = torch.tensor([[1, 2, 3, 4, 5, 6]]), torch.tensor([[1, 2, 3, 7, 8, 9]])
    assert torch.equal(by_tokens(one)[:, :3], by_tokens(other)[:, :3])
    assert not torch.allclose(choosing(one)[:, :3], choosing(other)[:, :3], atol=1e-6)
    stepped, state = [], by_tokens.start(1)
    for token in one[0]:
        logits, state = by_tokens.step(token[None], state)
        stepped.append(logits)
    torch.testing.assert_close(torch.stack(stepped, dim=1), by_tokens(one))

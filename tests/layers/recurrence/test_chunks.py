"""decayed_attention and delta_attention: chunked, token by token and as one sum over all pairs, they are the same."""

import pytest
import torch
import torch.nn.functional as F

from lab.layers import decayed_attention, delta_attention, half_life
from lab.layers.recurrence import chunks

KINDS = ("no decay", "decay by head", "decay by channel", "bonus", "delta", "delta with decay")


def inputs(kind, length, *, dtype=torch.float64, scale=1.0, shape=(2, 2, 3, 5)):
    """Return the inputs of a kind, by name; `scale` is that of the log decays."""
    batch, heads, width, values = shape
    generator = torch.Generator().manual_seed(0)

    def drawn(*shape):
        return torch.randn(shape, dtype=torch.float64, generator=generator)

    found = {name: drawn(batch, length, heads, width) for name in ("q", "k")}
    found |= {"v": drawn(batch, length, heads, values), "state": drawn(batch, heads, width, values)}
    if kind in ("decay by head", "delta with decay"):
        found["log_decay"] = -scale * drawn(batch, length, heads).abs()
    if kind in ("decay by channel", "bonus"):
        found["log_decay"] = -scale * drawn(batch, length, heads, width).abs()
    if kind == "bonus":
        found["bonus"] = drawn(heads, width)
    if "delta" in kind:
        found["k"] = F.normalize(found["k"], dim=-1)
        found["beta"] = 2 * drawn(batch, length, heads).sigmoid()
    return {name: tensor.to(dtype).requires_grad_() for name, tensor in found.items()}


def chunked(given, **options):
    return (delta_attention if "beta" in given else decayed_attention)(**given, **options)


def token_by_token(given):
    state, found = given["state"], []
    for t in range(given["v"].shape[1]):
        now = {name: x[:, t : t + 1] for name, x in given.items() if name not in ("state", "bonus")}
        now |= {"bonus": given["bonus"]} if "bonus" in given else {}
        o, state = chunked(now | {"state": state})
        found.append(o)
    return torch.cat(found, dim=1), state


def quadratic(given):
    """Every query with every key at once, and the delta rule as one triangular system over all tokens."""
    q, k, v, state = (given[name] for name in ("q", "k", "v", "state"))
    log_decay = given.get("log_decay", torch.zeros_like(k))
    log_decay = log_decay if log_decay.dim() == 4 else log_decay[..., None].expand_as(k)
    since = log_decay.cumsum(1)
    read = since - log_decay if "bonus" in given else since
    earlier = torch.ones(v.shape[1], v.shape[1], dtype=torch.bool).tril(-1 if "bonus" in given else 0)
    left = (read[:, :, None] - since[:, None]).masked_fill(~earlier[:, :, None, None], -torch.inf).exp()
    scores = torch.einsum("bihk,bjhk,bijhk->bhij", q, k, left)
    if "bonus" in given:
        scores = scores + torch.diag_embed(torch.einsum("bihk,hk,bihk->bhi", q, given["bonus"], k))
    if "beta" in given:
        beta, likeness = given["beta"].mT[..., None], torch.einsum("bihk,bjhk,bijhk->bhij", k, k, left)
        reported = v.transpose(1, 2) - torch.einsum("bihk,bhkv->bhiv", k * since.exp(), state)
        v = torch.linalg.solve(torch.eye(v.shape[1]) + (beta * likeness).tril(-1), beta * reported).transpose(1, 2)
    o = torch.einsum("bhij,bjhv->bihv", scores, v) + torch.einsum("bihk,bhkv->bihv", q * read.exp(), state)
    decayed = k * (since[:, -1:] - since).exp()
    return o, since[:, -1, :, :, None].exp() * state + torch.einsum("bjhk,bjhv->bhkv", decayed, v)


def with_gradients(form, given):
    """Output, state, and the gradients of all inputs of a form."""
    found = form(given)
    weights = [torch.linspace(-1, 1, x.numel(), dtype=x.dtype).view_as(x) for x in found]
    loss = sum((weight * x).sum() for weight, x in zip(weights, found, strict=True))
    return [*found, *torch.autograd.grad(loss, list(given.values()))]


@pytest.mark.parametrize("kind", KINDS)
def test_chunks_and_single_tokens_and_all_pairs_at_once_agree_with_all_gradients(kind, monkeypatch):
    monkeypatch.setattr(chunks, "PIECE", 64)  # two chunks of two rows and heads, so that there are several pieces
    given = inputs(kind, 37)
    expected = with_gradients(quadratic, given)
    torch.testing.assert_close(with_gradients(lambda given: chunked(given, chunk=8), given), expected)
    torch.testing.assert_close(with_gradients(token_by_token, given), expected)


@pytest.mark.parametrize("kind", KINDS)
def test_float32_keeps_its_digits_also_behind_a_token_that_forgets_everything(kind):
    given = inputs(kind, 150, shape=(1, 2, 4, 4), scale=0.02)
    if "log_decay" in given:
        given["log_decay"] = given["log_decay"].detach()
        given["log_decay"][:, 70] = -500
        given["log_decay"].requires_grad_()
    halves = {name: x.detach().float().requires_grad_() for name, x in given.items()}
    expected = with_gradients(quadratic, {name: x.detach().double().requires_grad_() for name, x in halves.items()})
    for found, right in zip(with_gradients(chunked, halves), expected, strict=True):
        assert found.dtype == torch.float32
        assert (found - right).abs().max() <= 1e-5 * right.abs().max()


@pytest.mark.parametrize("kind", KINDS)
def test_a_state_carried_over_unequal_pieces_continues_the_text(kind):
    given = inputs(kind, 37)
    whole, last = chunked(given, chunk=8)
    state, found = given["state"], []
    for piece in torch.arange(37).split([1, 9, 16, 2, 9]):
        now = {name: x if name == "bonus" else x[:, piece] for name, x in given.items() if name != "state"}
        o, state = chunked(now | {"state": state}, chunk=8)
        found.append(o)
    torch.testing.assert_close((torch.cat(found, dim=1), state), (whole, last))


@pytest.mark.parametrize("decay", [0.0, -50.0, -float("inf")])
@pytest.mark.parametrize("kind", KINDS)
def test_strong_decay_and_none_and_empty_rows_stay_finite_with_their_gradients(kind, decay):
    given = {name: x.detach().float() for name, x in inputs(kind, 300, shape=(1, 2, 4, 4)).items()}
    if "log_decay" in given:
        given["log_decay"].fill_(decay)
    for name in ("q", "k", "v"):
        given[name][:, 100:200] = 0
    found = with_gradients(chunked, {name: x.requires_grad_() for name, x in given.items()})
    assert all(x.isfinite().all() for x in found)
    if decay == -float("inf") and kind == "decay by head":  # nothing is left of any other token
        torch.testing.assert_close(found[0], (given["q"] * given["k"]).sum(-1, keepdim=True) * given["v"])


@pytest.mark.short("70-*")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", [1, 70])
def test_halves_are_summed_in_float32_and_returned_as_they_came(kind, length):
    halves = {name: x.detach().bfloat16() for name, x in inputs(kind, length).items()}
    expected, last = chunked({name: x.float() for name, x in halves.items()})
    with torch.autocast("cpu", torch.bfloat16):
        found, state = chunked(halves)
    assert (found.dtype, state.dtype) == (torch.bfloat16, torch.float32)
    torch.testing.assert_close((found, state), (expected.bfloat16(), last))


@pytest.mark.parametrize("kind", KINDS)
def test_the_state_begins_with_zeros_and_shapes_are_known_without_computing(kind):
    given = inputs(kind, 20)
    zeros = given | {"state": torch.zeros_like(given["state"])}
    without = {name: x for name, x in given.items() if name != "state"}
    torch.testing.assert_close(chunked(without), chunked(zeros))
    o, state = chunked({name: x.to("meta") for name, x in without.items()})
    assert (o.is_meta, o.shape, state.shape) == (True, given["v"].shape, given["state"].shape)


def test_a_bonus_needs_no_decay_and_takes_one_for_each_head():
    given = inputs("bonus", 20)
    none = {name: x for name, x in given.items() if name != "log_decay"}
    torch.testing.assert_close(decayed_attention(**none), quadratic(none))
    by_head = none | {"log_decay": given["log_decay"][..., 0]}
    torch.testing.assert_close(decayed_attention(**by_head), quadratic(by_head))
    first = {name: x if name in ("bonus", "state") else x[:, :1] for name, x in by_head.items()}
    torch.testing.assert_close(decayed_attention(**first), quadratic(first))


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_thousand_tokens_are_read_within_a_few_hundred_megabytes(kind):
    from lab.bench.models.counting import memory_watched

    given = {name: x.detach().float() for name, x in inputs(kind, 100_000, shape=(1, 1, 8, 8)).items()}
    given = {name: x.requires_grad_() for name, x in given.items()}
    with memory_watched() as memory:
        found = with_gradients(chunked, given)
    assert all(x.isfinite().all() for x in found)
    assert max(memory) - memory[0] < 700 * 2**20


def test_a_half_life_is_in_tokens_and_finite():
    decay = torch.tensor([0.5, 0.5**0.1, 1.0, 0.0])
    found = half_life(decay.log())
    torch.testing.assert_close(found[:2], torch.tensor([1.0, 10.0]))
    assert found[2] == torch.finfo(torch.float32).max
    assert found[3] == 0

"""How far back a run uses its context: loss by position and by context given, copying, and a needle in a text."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput
from lab.workbench.access.model_access import BorrowedModel, ModelAccess
from lab.workbench.scoring.continuations import check_continues, score_continuations
from lab.workbench.scoring.degeneration import validation_pieces
from lab.workbench.scoring.outcome import Curve, Outcome

WINDOWS, TARGETS = 512, 256
"""Windows of which the loss by position is the mean, and targets of the loss by context."""
COPIES, NEEDLES = 32, 32
"""Random texts that are repeated, and texts in which a needle is hidden, for each depth."""
NEEDLE = 4
"""Tokens of the key and of the value of a needle."""
DEPTHS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Places of a needle, as shares of the text."""
SEED = 0


def loss_by_context(
    access: ModelAccess, borrowed: BorrowedModel, cancelled: Callable[[], bool], progress: Callable[[float], object]
) -> Outcome:
    """Return the loss by the position in the context, and that of the same tokens by how much context is given.

    The tokens are those of the validation text. Where the second curve falls no more, the run does not use what lies
    further back: so many tokens suffice for its loss with all, within 0.01 nats.

    Raises:
        BadInput: The run continues no text, or its validation text is shorter than its context.
    """
    check_continues(access, borrowed)
    length = _length(access, borrowed)
    pieces = validation_pieces(access, WINDOWS, length + 1)
    scored = score_continuations(
        borrowed, [(piece[:1], piece[1:]) for piece in pieces], cancelled=cancelled,
        progress=lambda share: progress(0.3 * share),
    )  # fmt: skip
    nats = np.stack([one.nats for one in scored])
    pieces = _spread(access, TARGETS, length + 1)
    given = sorted({*(2**n for n in range(20) if 2**n <= length), length})
    by_context = []
    for at, count in enumerate(given):
        some = score_continuations(borrowed, [(piece[-1 - count : -1], piece[-1:]) for piece in pieces],
                                   cancelled=cancelled)  # fmt: skip
        by_context.append((float(count), float(np.mean([one.nats[0] for one in some]))))
        progress(0.3 + 0.7 * (at + 1) / len(given))
    positions = tuple((at + 1.0, float(mean)) for at, mean in enumerate(nats.mean(axis=0)))
    least = by_context[-1][1]
    used = next(count for count, loss in by_context if loss <= least + 0.01)
    return Outcome(
        "context", borrowed.step,
        {"loss with 1 token": by_context[0][1], "loss with all": least, "tokens that suffice": used},
        ("tokens given", "nats per token"), tuple(by_context),
        (Curve("by position", "tokens before", positions, x_log=True),
         Curve("by context given", "tokens before", tuple(by_context), x_log=True)),
    )  # fmt: skip


def copying(
    access: ModelAccess, borrowed: BorrowedModel, cancelled: Callable[[], bool], progress: Callable[[float], object]
) -> Outcome:
    """Return the loss on random tokens and on the same tokens again (Olsson et al. 2022, section 4).

    Who copies has little loss in the second half; what was learned of the language does not help there.

    Raises:
        BadInput: The run continues no text.
    """
    check_continues(access, borrowed)
    half = max(2, (_length(access, borrowed) + 1) // 2)
    generator, known = np.random.default_rng(SEED), _known(access)
    firsts = generator.choice(known, (COPIES, half))
    texts = np.concatenate([firsts, firsts], axis=1)
    scored = score_continuations(
        borrowed, [(text[:1], text[1:]) for text in texts], cancelled=cancelled, progress=progress
    )
    nats = np.stack([one.nats for one in scored])
    ranks = np.stack([one.ranks for one in scored])
    points = tuple((at + 1.0, float(mean)) for at, mean in enumerate(nats.mean(axis=0)))
    second = slice(half, None)  # its first token cannot be known
    return Outcome(
        "copying", borrowed.step,
        {
            "loss of the first half": float(nats[:, : half - 1].mean()),
            "loss of the second half": float(nats[:, second].mean()),
            "copied": float((ranks[:, second] == 1).mean()),
        },
        curves=(Curve("by position", "tokens before", points),),
    )  # fmt: skip


def needle(
    access: ModelAccess, borrowed: BorrowedModel, cancelled: Callable[[], bool], progress: Callable[[float], object]
) -> Outcome:
    """Return how well a run finds a needle: a random key and value in validation text, and the key again at its end.

    The value is scored after that, and, for comparison, after the same text without the needle.

    Raises:
        BadInput: The run continues no text, or reads too few tokens.
    """
    check_continues(access, borrowed)
    reach, least = borrowed.model.reach, 5 * NEEDLE - 1
    if reach is not None and reach < least:  # the needle itself would be cut off
        remedy = "Choose a run that reads more tokens, or test the copying"
        raise BadInput("this run reads too few tokens", value=reach, allowed=f"at least {least}", remedy=remedy)
    room = max(NEEDLE, _length(access, borrowed) - 4 * NEEDLE)
    fillers, known = _spread(access, NEEDLES, room), _known(access)
    generator = np.random.default_rng(SEED)
    rows: list[tuple[str | float | None, ...]] = []
    points = {"with the needle": list[tuple[float, float]](), "without it": list[tuple[float, float]]()}
    found_at = []
    keys, values = (generator.choice(known, (len(fillers), NEEDLE)) for _ in range(2))
    for number, depth in enumerate(DEPTHS):
        at = round(depth * room)
        hidden, bare = [], []
        for filler, key, value in zip(fillers, keys, values, strict=True):
            hidden.append((np.concatenate([filler[:at], key, value, filler[at:], key]), value))
            bare.append((np.concatenate([filler, key]), value))
        scored, without = (score_continuations(borrowed, some, cancelled=cancelled) for some in (hidden, bare))
        nats, base = (float(np.mean([one.nats.mean() for one in some])) for some in (scored, without))
        share = float(np.mean([one.is_greedy for one in scored]))
        rows.append((f"{depth:.0%}", nats, base, share))
        points["with the needle"].append((100 * depth, nats))
        points["without it"].append((100 * depth, base))
        found_at.append(share)
        progress((number + 1) / len(DEPTHS))
    return Outcome(
        "needle", borrowed.step,
        {"found": float(np.mean(found_at)), "tokens of the text": float(room + 3 * NEEDLE)},
        ("depth", "nats with the needle", "nats without it", "found"), tuple(rows),
        tuple(Curve(name, "depth (%)", tuple(line)) for name, line in points.items()),
    )  # fmt: skip


def _length(access: ModelAccess, borrowed: BorrowedModel) -> int:
    """Return the tokens that a run reads at once: its context length, or less if it cannot read so many."""
    trained, reach = access.recipe.training.context_length, borrowed.model.reach
    return trained if reach is None else min(trained, reach)


def _spread(access: ModelAccess, count: int, length: int) -> NDArray[np.int64]:
    """Return (count, length) pieces of the validation text, which may overlap."""
    pieces = validation_pieces(access, count, length)
    if len(pieces) == count:
        return pieces
    text = np.asarray(access.evaluation_data().source.tokens, np.int64)
    starts = np.linspace(0, len(text) - length, count).astype(np.int64)
    return np.stack([text[start : start + length] for start in starts])


def _known(access: ModelAccess) -> NDArray[np.int64]:
    """Return the tokens that occur in the validation text."""
    return np.unique(np.asarray(access.evaluation_data().source.tokens, np.int64))

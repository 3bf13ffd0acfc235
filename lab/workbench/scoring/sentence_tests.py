"""Tests from a file of one JSON object a line: minimal pairs, cloze, and prompts with answers after examples."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lab.api import BadInput
from lab.base.files.reading import parse_json, read_text
from lab.workbench.access.model_access import BorrowedModel, ModelAccess
from lab.workbench.scoring.continuations import Continuation, check_continues, score_continuations
from lab.workbench.scoring.outcome import Curve, Outcome
from lab.workbench.scoring.scores import encoded, symbols_before

MOST_LINES, MOST_BYTES = 20_000, 16 << 20
"""The largest file of tests."""
MOST_TOKENS = 4096
"""Most tokens of a text that is scored at once, with the examples before it."""
FIELD = "file"
"""The field of problems with the file."""
BLANK = "___"
"""What stands for the missing word of a cloze; more underscores are the same blank."""
SHOTS = (0, 1, 2, 4, 8)
"""Numbers of examples before a prompt."""
SUMS, LARGEST = 100, 20
"""Sums that are asked, and the largest summand."""
SEED = 0


def minimal_pairs(
    access: ModelAccess,
    borrowed: BorrowedModel,
    file: Path,
    cancelled: Callable[[], bool],
    progress: Callable[[float], object],
) -> Outcome:
    """Return how often the good sentence of a pair has the larger log-probability (BLiMP, Warstadt et al. 2020).

    Each line has "sentence_good" and "sentence_bad", and may have "UID", by which the pairs are grouped. Equal
    probabilities count as wrong.

    Raises:
        BadInput: The file or a sentence cannot be used, or the run continues no text.
    """
    check_continues(access, borrowed)
    pairs = list(_lines(file, ("sentence_good", "sentence_bad")))
    questions = [
        _sentence(access, pair[key], line) for line, pair in pairs for key in ("sentence_good", "sentence_bad")
    ]
    scored = score_continuations(borrowed, questions, cancelled=cancelled, progress=progress)
    groups: dict[str, list[bool]] = {}
    for (_, pair), good, bad in zip(pairs, scored[::2], scored[1::2], strict=True):
        groups.setdefault(str(pair.get("UID", "")), []).append(good.total > bad.total)
    all_right = [right for group in groups.values() for right in group]
    rows = tuple((name or "all", float(len(group)), float(np.mean(group))) for name, group in groups.items())
    return Outcome(
        "pairs", borrowed.step, {"accuracy": float(np.mean(all_right)), "pairs": float(len(all_right))},
        ("group", "pairs", "accuracy"), rows,
    )  # fmt: skip


def cloze(
    access: ModelAccess,
    borrowed: BorrowedModel,
    file: Path,
    cancelled: Callable[[], bool],
    progress: Callable[[float], object],
) -> Outcome:
    """Return the candidates of each gap ranked by total log-probability and by that per token.

    Each line has "text" with a blank of three underscores, "candidates", and may have "answer". The candidate and all
    that follows it are scored after what stands before the blank: after the same tokens for all candidates of a gap,
    from the first one on at which they differ. If nothing stands before it, that is what the run's texts begin with,
    or else the end of a line.

    Raises:
        BadInput: The file or a text cannot be used, or the run continues no text.
    """
    check_continues(access, borrowed)
    questions: list[tuple[list[int], list[int]]] = []
    gaps: list[tuple[dict[str, Any], int]] = []
    for line, one in _lines(file, ("text", "candidates")):
        before, blank, after = one["text"].partition(BLANK)
        candidates = one["candidates"]
        if not blank or not isinstance(candidates, list) or not all(isinstance(word, str) for word in candidates):
            raise _wrong(file, line, f'needs a "text" with {BLANK} in it, and a list of "candidates"')
        if not candidates or ("answer" in one and one["answer"] not in candidates):
            raise _wrong(file, line, 'needs candidates, the "answer" among them')
        after = after.lstrip("_")
        gaps.append((one, len(questions)))
        endings = [word + after for word in candidates]
        questions += _after_the_same(access, borrowed.model.reach, before, endings, line)
    scored = score_continuations(borrowed, questions, cancelled=cancelled, progress=progress)
    rows: list[tuple[str | float | None, ...]] = []
    right: dict[str, list[bool]] = {"total": [], "per token": []}
    for one, first in gaps:
        own = scored[first : first + len(one["candidates"])]
        by: dict[str, Callable[[Continuation], float]] = {
            "total": lambda score: score.total, "per token": lambda score: score.mean,
        }  # fmt: skip
        places = {name: _places([value(score) for score in own]) for name, value in by.items()}
        for at, word in enumerate(one["candidates"]):
            mark = None if "answer" not in one else float(word == one["answer"])
            rows.append((one["text"], word, own[at].total, float(places["total"][at]), own[at].mean,
                         float(places["per token"][at]), mark))  # fmt: skip
        if "answer" in one:
            for name, place in places.items():
                right[name].append(place[one["candidates"].index(one["answer"])] == 1)
    figures = {f"accuracy by {name}": float(np.mean(found)) for name, found in right.items() if found}
    heads = ("text", "candidate", "log-probability", "place", "per token", "place per token", "answer")
    return Outcome("cloze", borrowed.step, {**figures, "gaps": float(len(gaps))}, heads, tuple(rows))


def prompts(
    access: ModelAccess,
    borrowed: BorrowedModel,
    file: Path,
    cancelled: Callable[[], bool],
    progress: Callable[[float], object],
) -> Outcome:
    """Return how often greedy decoding answers a prompt, by the number of examples before it.

    Each line has "prompt" and "answer". The examples of a prompt are drawn from the other lines.

    Raises:
        BadInput: The file or a text cannot be used, or the run continues no text.
    """
    found = [(one["prompt"], one["answer"]) for _, one in _lines(file, ("prompt", "answer"))]
    return _by_shots("prompts", access, borrowed, found, cancelled, progress)


def arithmetic(
    access: ModelAccess, borrowed: BorrowedModel, cancelled: Callable[[], bool], progress: Callable[[float], object]
) -> Outcome:
    """Return how often greedy decoding adds two numbers, "7+12=", by the number of sums before it.

    Raises:
        BadInput: The vocabulary lacks a digit, + or =, or the run continues no text.
    """
    draw = random.Random(SEED)
    sums = [(draw.randint(0, LARGEST), draw.randint(0, LARGEST)) for _ in range(SUMS)]
    found = [(f"{one}+{other}=", str(one + other)) for one, other in sums]
    return _by_shots("arithmetic", access, borrowed, found, cancelled, progress)


def _by_shots(
    test: str,
    access: ModelAccess,
    borrowed: BorrowedModel,
    found: Sequence[tuple[str, str]],
    cancelled: Callable[[], bool],
    progress: Callable[[float], object],
) -> Outcome:
    check_continues(access, borrowed)
    shots = [count for count in SHOTS if count < len(found)]
    draw = random.Random(SEED)
    rows, points = [], []
    for at, count in enumerate(shots):
        questions = []
        for number, (prompt, answer) in enumerate(found):
            others = draw.sample([other for other in range(len(found)) if other != number], count)
            before = "".join(f"{found[other][0]}{found[other][1]}\n" for other in others) + prompt
            questions.append(_continued(access, before, f"{answer}\n", number + 1))
        scored = score_continuations(borrowed, questions, cancelled=cancelled)
        share = float(np.mean([one.is_greedy for one in scored]))
        nats = float(np.mean([one.nats.mean() for one in scored]))
        rows.append((float(count), share, nats))
        points.append((float(count), 100 * share))
        progress((at + 1) / len(shots))
    return Outcome(
        test, borrowed.step, {"best accuracy": max(row[1] for row in rows), "prompts": float(len(found))},
        ("examples", "accuracy", "nats per token"), tuple(rows),
        (Curve("accuracy", "examples", tuple(points)),), "accuracy (%)",
    )  # fmt: skip


def _sentence(access: ModelAccess, text: str, line: int) -> tuple[list[int], list[int]]:
    """Return the tokens of a whole sentence, after the first, which has nothing before it."""
    tokens = _tokens(access, text, line)
    if len(tokens) < 2:
        raise BadInput(f"line {line}: a sentence has fewer than two tokens", field=FIELD, value=text[:40])
    return tokens[:1], tokens[1:]


def _continued(access: ModelAccess, before: str, after: str, line: int) -> tuple[list[int], list[int]]:
    """Return the tokens of a text, cut after those that it shares with what stands before."""
    whole, prefix = _tokens(access, before + after, line), _tokens(access, before, line) if before else []
    cut = max(1, _shared(prefix, whole))
    if len(whole) < 2:
        raise BadInput(f"line {line}: there is one token, and the first is not predicted", field=FIELD)
    return whole[:cut], whole[cut:]


def _after_the_same(
    access: ModelAccess, reach: int | None, before: str, endings: Sequence[str], line: int
) -> list[tuple[list[int], list[int]]]:
    """Return the tokens of texts with several endings, cut at one place, with as much before it for each of them."""
    prefix = _tokens(access, before, line) if before else []
    texts = [_tokens(access, before + ending, line) for ending in endings]
    cut = min(_shared(prefix, text) for text in texts)
    head = texts[0][:cut] or symbols_before(access.tokenizer) or _line_end(access, line)
    if reach is not None:
        head = head[-max(1, reach + 1 - max(len(text) - cut for text in texts)) :]
    if not all(text[cut:] for text in texts):
        raise BadInput(f"line {line}: a candidate leaves nothing to score", field=FIELD, remedy="Write a word")
    return [(head, text[cut:]) for text in texts]


def _line_end(access: ModelAccess, line: int) -> list[int]:
    """Return the tokens of the end of a line, after which a text begins.

    Raises:
        BadInput: The vocabulary has none.
    """
    try:
        return [int(token) for token in encoded(access, "\n")]
    except BadInput:
        what = f"line {line}: nothing stands before the blank, and the vocabulary has no end of a line to begin after"
        raise BadInput(what, field=FIELD, remedy="Write something before it") from None


def _shared(prefix: Sequence[int], whole: Sequence[int]) -> int:
    """Return how many first tokens two texts share, but for the last of the whole one."""
    most = min(len(prefix), len(whole) - 1)
    return next((at for at in range(most) if prefix[at] != whole[at]), max(0, most))


def _tokens(access: ModelAccess, text: str, line: int) -> list[int]:
    try:
        found = [int(token) for token in encoded(access, text)]
    except BadInput as error:
        raise BadInput(f"line {line}: {error.problem.what}", field=FIELD, remedy=error.problem.remedy) from None
    if len(found) > MOST_TOKENS:
        what, allowed = f"line {line} has {len(found):,} tokens", f"at most {MOST_TOKENS:,}"
        raise BadInput(what, field=FIELD, allowed=allowed, remedy="Shorten it, or remove that line")
    return found


def _places(values: Sequence[float]) -> list[int]:
    """Return the place of each value, 1 for the largest; equal ones share the better place."""
    return [1 + sum(other > value for other in values) for value in values]


def _lines(file: Path, needed: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (number, object) of each line of a file that is not blank.

    Raises:
        BadInput: The file cannot be read, is too large or empty, or a line is no object with these texts.
    """
    count = 0
    try:
        content = read_text(file, MOST_BYTES)
    except UnicodeDecodeError:
        remedy = "Save it as UTF-8 text, one JSON object a line"
        raise BadInput("is no UTF-8 text", field=FIELD, value=str(file), remedy=remedy) from None
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", field=FIELD, value=str(file)) from None
    except ValueError:
        allowed = f"at most {MOST_BYTES:,} bytes"
        raise BadInput("is too large", field=FIELD, value=str(file), allowed=allowed) from None
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            one = parse_json(line)
        except ValueError:
            raise _wrong(file, number, "is no JSON object") from None
        if not isinstance(one, dict) or any(name not in one for name in needed):
            raise _wrong(file, number, f"needs {' and '.join(map(json.dumps, needed))}")
        texts = [name for name in needed if name != "candidates"]
        if any(not isinstance(one[name], str) or not one[name] for name in texts):
            raise _wrong(file, number, f"needs texts for {' and '.join(map(json.dumps, texts))}")
        count += 1
        if count > MOST_LINES:
            raise BadInput("has too many lines", field=FIELD, value=str(file), allowed=f"at most {MOST_LINES:,}")
        yield number, one
    if not count:
        remedy = f"Write one JSON object a line, with {' and '.join(needed)}"
        raise BadInput("is empty", field=FIELD, value=str(file), remedy=remedy)


def _wrong(file: Path, line: int, what: str) -> BadInput:
    return BadInput(f"line {line} {what}", field=FIELD, value=str(file), remedy="Mend or remove that line")

"""Checks of data in rows before it is used, so that errors name the field and the row."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from lab.api import BadInput, Conversations, Images, LabelledTexts, LabError, Pairs, Rows, Turn, Vectors

FEWEST = 2
"""Fewest rows: one for training and one for validation."""

_PIECE = 4096  # rows of pixels or numbers that are checked at once


def check_rows(rows: Any) -> None:
    """Check data in rows that a corpus' factory returned.

    Raises:
        BadInput: There are too few rows, or a row holds nothing, nothing to learn, or a number that is not finite; the
            problem names the field and the row, counted from 1.
        LabError: It is no lab.api.Rows of a known kind, or one of its fields has the wrong type, dtype, shape or label;
            the problem names field, row, what is allowed and what to do. The caller adds the plugin.
    """
    checks = {Pairs: _pairs, LabelledTexts: _labels, Conversations: _conversations, Vectors: _vectors, Images: _images}
    check: Any = next((check for kind, check in checks.items() if isinstance(rows, kind)), None)
    if check is None:
        allowed = f"one of {', '.join(kind.__name__ for kind in checks)}"
        _refuse(f"the corpus gave a {type(rows).__name__}", allowed, "Return one of these classes of lab.api")
    kind = type(rows).__name__
    if not isinstance(rows.name, str) or not rows.name.strip():
        _refuse(f"{kind}.name is {rows.name!r}", "a name for display", "Name the data")
    _check_facts(kind, rows.facts)
    _check_floors(kind, rows.floors)
    check(rows)


def _check_count(rows: Rows) -> None:
    if len(rows) < FEWEST:
        have = "no row" if not len(rows) else "one row"
        remedy = "Give more rows: one is read in training and one is held back, at least"
        raise BadInput(f"{rows.name} has {have}", field="corpus", allowed=f"at least {FEWEST} rows", remedy=remedy)


def _pairs(rows: Pairs) -> None:
    _check_equal("Pairs", sources=rows.sources, targets=rows.targets)
    _check_count(rows)
    for name, texts in (("sources", rows.sources), ("targets", rows.targets)):
        for number, text in enumerate(texts, 1):
            _check_text(f"Pairs.{name}", number, text)


def _labels(rows: LabelledTexts) -> None:
    _check_classes("LabelledTexts", rows.classes)
    _check_equal("LabelledTexts", texts=rows.texts, labels=rows.labels)
    _check_count(rows)
    for number, (text, label) in enumerate(zip(rows.texts, rows.labels, strict=True), 1):
        if rows.by_token:
            _check_labelled_tokens(number, text, label, rows.classes)
        else:
            _check_text("LabelledTexts.texts", number, text)
            _check_label("LabelledTexts.labels", number, label, rows.classes)


def _check_labelled_tokens(number: int, tokens: Any, labels: Any, classes: tuple[str, ...]) -> None:
    if isinstance(tokens, str) or not isinstance(tokens, Sequence):
        what = f"LabelledTexts.texts is a {type(tokens).__name__} in row {number}"
        _refuse(
            what, "the tokens of the row, as in row 1", "Give a list of tokens in every row, or a text in every row"
        )
    if not isinstance(labels, Sequence | np.ndarray) or len(labels) != len(tokens):
        count = len(labels) if isinstance(labels, Sequence | np.ndarray) else "no"
        what = f"row {number} of LabelledTexts has {len(tokens)} tokens and {count} labels"
        _refuse(what, "one label for each token", "Give each token its label")
    if not tokens:
        raise _bad_row("LabelledTexts.texts", number, "has no token", "Leave the row out")
    for token, label in zip(tokens, labels, strict=True):
        _check_text("LabelledTexts.texts", number, token)
        _check_label("LabelledTexts.labels", number, label, classes)


def _conversations(rows: Conversations) -> None:
    _check_count(rows)
    conversations: Sequence[Sequence[Any]] = rows.conversations
    for number, turns in enumerate(conversations, 1):
        if not turns:
            raise _bad_row("Conversations.conversations", number, "has no turn", "Leave the row out")
        for turn in turns:
            if not isinstance(turn, Turn):
                what = f"row {number} of Conversations holds a {type(turn).__name__}"
                _refuse(what, "a list of lab.api.Turn", 'Make each turn a Turn("user", "…")')
            if not isinstance(turn.role, str) or not turn.role.strip():
                what = f"a turn of row {number} has the role {turn.role!r}"
                _refuse(what, "a name", "Say who speaks: system, user, assistant")
            _check_text("Conversations.conversations", number, turn.text)
        if not any(turn.learned for turn in turns):
            remedy = "Mark the turns that the model is to write: Turn(role, text, learned=True), or leave the row out"
            raise _bad_row("Conversations.conversations", number, "has no learned turn", remedy)


def _vectors(rows: Vectors) -> None:
    inputs, targets = rows.inputs, rows.targets
    _check_array("Vectors.inputs", inputs, np.float32, 2, "(N, F) float32", "np.asarray(inputs, np.float32)")
    if rows.classes:
        _check_array("Vectors.targets", targets, np.int64, 1, "(N,) int64 classes", "np.asarray(targets, np.int64)")
        _check_classes("Vectors", rows.classes)
    else:
        allowed = "(N, K) float32 numbers; classes are (N,) int64 and need their names in Vectors.classes"
        _check_array("Vectors.targets", targets, np.float32, 2, allowed, "np.asarray(targets, np.float32)[:, None]")
    _check_equal("Vectors", inputs=inputs, targets=targets)
    _check_count(rows)
    for name, names, values in (("features", rows.features, inputs), ("outputs", rows.outputs, targets)):
        if names and values.ndim == 2 and len(names) != values.shape[1]:
            what = f"Vectors.{name} has {len(names)} names for {values.shape[1]} columns"
            _refuse(what, "a name for each column, or ()", "Name each column once")
    if not inputs.shape[1]:
        _refuse("Vectors.inputs has no column", "at least one", "Choose the columns that are read")
    _check_finite("Vectors.inputs", inputs, rows.features)
    if rows.classes:
        _check_class_numbers("Vectors.targets", targets, rows.classes)
    else:
        _check_finite("Vectors.targets", targets, rows.outputs)


def _images(rows: Images) -> None:
    pixels = rows.pixels
    _check_array("Images.pixels", pixels, np.uint8, 4, "(N, H, W, C) uint8", "np.stack(pictures).astype(np.uint8)")
    if pixels.shape[3] not in (1, 3) or not pixels.shape[1] or not pixels.shape[2]:
        what = f"Images.pixels has the shape {pixels.shape}"
        _refuse(what, "(N, H, W, 1) for grey, (N, H, W, 3) for red, green, blue", "Bring the pictures to one form")
    if rows.labels is None:
        _check_equal("Images", pixels=pixels, captions=rows.captions)
        _check_count(rows)
        for number, caption in enumerate(rows.captions, 1):
            _check_text("Images.captions", number, caption)
        return
    if len(rows.captions):
        _refuse("Images has labels and captions", "one of them", "Leave labels=None for pictures with captions")
    _check_classes("Images", rows.classes)
    _check_array("Images.labels", rows.labels, np.int64, 1, "(N,) int64 classes", "np.asarray(labels, np.int64)")
    _check_equal("Images", pixels=pixels, labels=rows.labels)
    _check_count(rows)
    _check_class_numbers("Images.labels", rows.labels, rows.classes)


def _check_equal(kind: str, **columns: Any) -> None:
    (one, first), (other, second) = columns.items()
    if len(first) != len(second):
        what = f"{kind}.{one} has {len(first)} rows and {kind}.{other} has {len(second)}"
        _refuse(
            what, "as many of one as of the other", f"Row {min(len(first), len(second)) + 1} is the first without both"
        )


def _check_text(field: str, number: int, text: Any) -> None:
    if not isinstance(text, str):
        what = f"{field} is {text!r:.40} in row {number}"
        _refuse(what, "a str", "Write numbers as text, and leave rows out that have none")
    if not text or text.isspace():
        raise _bad_row(field, number, "is blank", "Leave the row out, or fill it")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = f"half of a surrogate pair, U+{ord(error.object[error.start]):04X}"
        _refuse(f"{field} holds {half} in row {number}", "characters that UTF-8 has", "Replace it by U+FFFD")


def _check_classes(kind: str, classes: Any) -> None:
    remedy = 'Give the name of each class: classes=("negative", "positive")'
    if not isinstance(classes, tuple) or not all(isinstance(one, str) and one.strip() for one in classes):
        _refuse(f"{kind}.classes is {classes!r:.60}", "a tuple of names", remedy)
    if len(set(classes)) < len(classes):
        twice = next(name for name in classes if classes.count(name) > 1)
        _refuse(f"{kind}.classes names {twice!r} twice", "different names", remedy)
    if len(classes) < 2:
        what = "there is only one class" if classes else "there is no class"
        raise BadInput(what, field=f"{kind}.classes", allowed="at least two", remedy="Give rows of different classes")


def _check_label(field: str, number: int, label: Any, classes: tuple[str, ...]) -> None:
    whole = isinstance(label, int | np.integer) and not isinstance(label, bool)
    if not whole or not 0 <= label < len(classes):
        allowed = f"0 to {len(classes) - 1}, the index of a class"
        _refuse(f"{field} is {label!r} in row {number}", allowed, f"Use the classes {_names(classes)}, or add one")


def _check_class_numbers(field: str, labels: np.ndarray, classes: tuple[str, ...]) -> None:
    outside = np.flatnonzero((labels < 0) | (labels >= len(classes)))
    if len(outside):
        _check_label(field, int(outside[0]) + 1, int(labels[outside[0]]), classes)


def _check_array(field: str, values: Any, dtype: Any, axes: int, allowed: str, remedy: str) -> None:
    if not isinstance(values, np.ndarray):
        _refuse(f"{field} is a {type(values).__name__}", f"a numpy array {allowed}", f"Give {remedy}")
    if values.dtype != dtype or values.ndim != axes:
        _refuse(f"{field} is {values.dtype} of the shape {values.shape}", allowed, f"Give {remedy}")


def _check_finite(field: str, values: np.ndarray, names: Sequence[str]) -> None:
    for start in range(0, len(values), _PIECE):
        wrong = np.argwhere(~np.isfinite(values[start : start + _PIECE]))
        if len(wrong):
            row, column = (int(index) for index in wrong[0])
            name = repr(names[column]) if names else f"{column + 1}"
            what = f"is {values[start + row, column]} in column {name}"
            raise _bad_row(field, start + row + 1, what, "Leave the row out, or fill in a number")


def _check_facts(kind: str, facts: Any) -> None:
    remedy = "Write facts as text, numbers, lists and dicts of these: str(…), int(…), .tolist()"
    if not isinstance(facts, Mapping):
        _refuse(f"{kind}.facts is a {type(facts).__name__}", "a dict", remedy)
    try:
        json.dumps(dict(facts), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        _refuse(f"{kind}.facts is not plain data: {error}", "what JSON can hold", remedy)


def _check_floors(kind: str, floors: Any) -> None:
    remedy = 'Give losses by name: floors={"entropy rate": 0.1}'
    if not isinstance(floors, Mapping):
        _refuse(f"{kind}.floors is a {type(floors).__name__}", "a dict", remedy)
    for name, value in floors.items():
        number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
        if not number or not 0 <= value < math.inf:
            _refuse(f"the floor {name!r} of {kind} is {value!r}", "a finite number ≥ 0", remedy)


def _names(classes: Iterable[str]) -> str:
    some = list(classes)
    return ", ".join(some[:8]) + (", …" if len(some) > 8 else "")


def _bad_row(field: str, number: int, what: str, remedy: str) -> BadInput:
    return BadInput(f"row {number} {what}", field=field, remedy=remedy)


def _refuse(what: str, allowed: str, remedy: str) -> NoReturn:
    raise LabError(what, allowed=allowed, remedy=remedy)

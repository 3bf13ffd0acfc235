"""Problems in the language of the window: the messages of the engine that people meet most, by their English text."""

from __future__ import annotations

import re
from functools import cache

from lab.base.problems import Problem
from lab.widgets.core.i18n import language, localized, tr, tr_registered

MESSAGES = (
    # what is wrong with a setting
    "is not allowed",
    "is missing",
    "is empty",
    "there is no such setting",
    "cannot change while a run trains",
    "does not divide the width",
    "does not divide the heads",
    "does not fit into memory",
    "this machine has no such device",
    "width {width} is not a multiple of heads {heads}: set head_width",
    "heads {heads} are not a multiple of kv_heads {kv_heads}",
    # with a text
    "holds nothing but white space",
    "there is no such file or folder",
    "there is no such file",
    "may not be read",
    "cannot be read: {why}",
    "changed since it was opened",
    "changed while it was read",
    "has no column of text",
    "is longer than the corpus: its training part has {tokens} tokens, and one window needs {needed}",
    "is too short: {tokens} tokens in one of its splits, and a model needs one to read and one to predict",
    "is too short: an example of {name} has up to {longest} tokens",
    "is too large for this machine: {size} MB of text need {needed} MB of memory, {free} MB are free",
    "is too large for this corpus: each row of the batch reads its own part of it, and it has {windows} windows of "
    "{length} tokens",
    "the corpus has no symbols of its own",
    "the corpus is not the text that this run was trained on",
    "the character {label}{code} does not occur in this model's text (position {position})",
    # with a model
    "a model of {parameters} parameters does not fit into memory: training needs {needed}B, {free}B are free",
    "a batch of {rows} examples of {length} tokens does not fit into memory: tokens and logits alone take {needed}B, "
    "{free}B are free",
    # what is allowed
    "whole number",
    "number",
    "true or false",
    "text",
    "or nothing",
    "one of {choices}",
    "a multiple of {n}",
    "a divisor of {n}",
    "at most {most} for this corpus",
    "at most {windows} for this corpus and context length",
    "at most {parameters} parameters now",
    "at most {most} MB of text now",
    "at least {needed} for this source",
    "a corpus with at least 2 tokens in training and in validation",
    # what to do next
    "Give it a value",
    "Start a new run with the changed value",
    "Give some text; a few thousand characters are a start",
    "Choose a longer text",
    "Choose another table",
    "Choose the tokenizer character",
    "Choose auto, or install a torch build for that device",
    "Change its permissions, or copy it to a folder of your own",
    "Check that file and its disk",
    "Open it again",
    "Lower it, or choose a longer text",
    "Lower it, lower training.context_length, or choose a longer text",
    "Lower it or training.context_length, or raise training.accumulation",
    "Make it smaller (fewer layers, less width), or close other programs",
    "Use a part of it, or close other programs",
    "Remove it, or train a model with the tokenizer byte, which reads every character",
    "Relative paths start from {folder}",
)
"""Messages of the engine with their values in braces. Others are shown in English, as the command line writes them."""
_NUMBER = re.compile(r"\d[\d,]*(\.\d+)?( [kMGT])?")


def problem_line(problem: Problem) -> str:
    """Return a problem as one line, like `Problem.line`, in the language of the window as far as it is translated."""
    return problem.line(message_text if language.code != "en" else str)


def message_text(message: str) -> str:
    """Return a message of the engine in the language of the window; one that is not in MESSAGES is not changed."""
    found = _translated(message)
    if found is None and ", " in message:  # what is allowed: "whole number, 1 ≤ x ≤ 64"
        first, *others = message.split(", ")
        kind = _translated(first)
        if kind is not None:
            return ", ".join((kind, *(_translated(piece) or piece for piece in others)))
    return message if found is None else found


def _translated(message: str) -> str | None:
    labels = {"Allowed": tr("Allowed"), "plugin": tr("plugin")}  # between the parts of a problem
    if message in labels:
        return labels[message]
    for template, pattern in _patterns():
        found = pattern.fullmatch(message)
        if found is not None:
            values = {name: _value(value) for name, value in found.groupdict().items()}
            return tr_registered(template).format(**values)
    return None


def _value(text: str) -> str:
    return localized(text) if _NUMBER.fullmatch(text) else text


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return each message with the pattern of what the engine makes of it."""
    return tuple((template, _pattern(template)) for template in MESSAGES)


def _pattern(template: str) -> re.Pattern[str]:
    pieces = re.split(r"\{(\w+)\}", template)
    return re.compile("".join(f"(?P<{one}>.+)" if at % 2 else re.escape(one) for at, one in enumerate(pieces)))

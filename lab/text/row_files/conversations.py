"""Conversations from a column of a table, each a list of messages with a role."""

from __future__ import annotations

import json
from typing import Any

from lab.api import Conversations, Turn, setting
from lab.text.corpora.files import errors_as_bad_input
from lab.text.row_files.cells import text_in
from lab.text.row_files.tables import RowTable, TableConfig, open_table

_MESSAGES = ("messages", "conversations", "conversation", "turns", "dialogue")
_ROLES = {"human": "user", "gpt": "assistant", "bot": "assistant", "model": "assistant"}
"""Names of roles that mean another."""


class ConversationsFileConfig(TableConfig):
    """A table of conversations, its column, and the role that is learned."""

    messages: str = setting(
        "",
        help="The column with the messages, each with role and content. Empty: the one called messages or the like.",
    )
    learned: str = setting(
        "assistant",
        min_length=1,
        help="The role whose messages the model learns to write; the others it only reads. Several are separated by "
        "commas.",
    )


def read_conversations(config: ConversationsFileConfig) -> Conversations:
    """Return the conversations of a table.

    Raises:
        BadInput: It is not there, cannot be read, or lacks the column; or a row is bad.
    """
    with errors_as_bad_input("corpus.path", config.path):
        table = open_table(config, (config.messages, *_MESSAGES))
        column = table.column("messages", config.messages, _MESSAGES)
        learned = {role.strip() for role in config.learned.split(",")}
        rows, facts = table.collect(
            config, [column], lambda number, values: _turns(table, number, values[0], column, learned)
        )
        return Conversations(table.name, rows, facts=facts)


def _turns(table: RowTable, number: int, value: Any, column: str, learned: set[str]) -> list[Turn]:
    """Return the turns of a row, of which at least one is learned."""
    if isinstance(value, str):  # a table of plain text holds them as JSON
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise table.row_problem(number, f"the column {column!r} is not JSON", "Write a list of messages") from None
    if not isinstance(value, list) or not value:
        raise table.row_problem(number, f"the column {column!r} holds no list", "Write a list of messages")
    turns = []
    for index, message in enumerate(value, 1):
        message = message if isinstance(message, dict) else {}
        role, content = message.get("role", message.get("from")), message.get("content", message.get("value"))
        if not isinstance(role, str) or not role.strip():
            raise table.row_problem(number, f"message {index} has no role", "Write role and content")
        role = _ROLES.get(role.strip(), role.strip())
        turns.append(Turn(role, text_in(table, number, content, f"content of message {index}"), role in learned))
    if not any(turn.learned for turn in turns):
        roles = ", ".join(sorted({turn.role for turn in turns}))
        what = f"no message is learned; its roles are {roles}"
        raise table.row_problem(number, what, "Set corpus.learned to one of them")
    return turns

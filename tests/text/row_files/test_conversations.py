"""Conversations are lists of messages with roles; those of one role are learned."""

import csv
import json

import pytest

from lab.text.row_files.conversations import ConversationsFileConfig, read_conversations

GOOD = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]


def read(path, **settings):
    return read_conversations(ConversationsFileConfig(path=str(path), **settings))


@pytest.fixture
def refused(problem):
    return lambda path, **settings: problem(read_conversations, ConversationsFileConfig(path=str(path), **settings))


def test_messages_have_roles_and_those_of_the_assistant_are_learned(write):
    data = read(write("my.jsonl", json.dumps({"messages": GOOD})))
    ((first, second),) = data.conversations
    assert (first.role, first.text, first.learned) == ("user", "Hi", False)
    assert (second.role, second.text, second.learned) == ("assistant", "Hello!", True)
    assert data.roles == ("assistant", "user")


def test_another_form_of_messages_is_read_too(write):
    row = {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello!"}]}
    assert (
        read(write("my.jsonl", json.dumps(row))).conversations
        == read(write("other.jsonl", json.dumps({"messages": GOOD}))).conversations
    )


def test_another_role_or_several_can_be_learned(write):
    path = write("my.jsonl", json.dumps({"messages": GOOD}))
    assert [turn.learned for turn in read(path, learned="user").conversations[0]] == [True, False]
    assert [turn.learned for turn in read(path, learned="user, assistant").conversations[0]] == [True, True]


def test_csv_and_data_sets_hold_them_too(datasets, tmp_path):
    with (tmp_path / "my.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["messages"], [json.dumps(GOOD)]])
    datasets.Dataset.from_list([{"messages": GOOD}]).save_to_disk(tmp_path / "saved")
    first, second = read(tmp_path / "my.csv"), read(tmp_path / "saved")
    assert first.conversations == second.conversations
    assert len(first) == 1


@pytest.mark.parametrize(
    ("messages", "what"),
    [
        ([], "no list"),
        ("Hi", "is not JSON"),
        ([{"content": "Hi"}], "message 1 has no role"),
        (["Hi"], "message 1 has no role"),
        ([{"role": "user", "content": ""}], "the column 'content of message 1' is empty"),
        ([{"role": "user", "content": 3}], "not text"),
        (GOOD[:1], "no message is learned; its roles are user"),
    ],
)
def test_what_is_no_conversation_is_named_by_file_and_line(write, refused, messages, what):
    path = write("chat.jsonl", json.dumps({"messages": GOOD}), json.dumps({"messages": messages}))
    found = refused(path).what
    assert found.startswith("chat.jsonl, line 2: ")
    assert what in found
    assert len(read(path, bad_rows="skip")) == 1


def test_a_table_without_messages_names_its_columns(write, refused):
    found = refused(write("my.jsonl", '{"text": "a"}'))
    assert (found.field, found.allowed) == ("corpus.messages", "text")

"""Messages of the engine in the language of the window."""

import ast
import re
from pathlib import Path

import pytest

from lab.api import BadInput, ModelConfig, setting
from lab.base.problems import Problem
from lab.widgets.core.messages import MESSAGES, message_text, problem_line

ROOT = Path(__file__).resolve().parents[4]


class Config(ModelConfig):
    layers: int | None = setting(None, ge=1, le=64, help="Blocks.")


def refused(**values):
    with pytest.raises(BadInput) as found:
        Config.read(values)
    return found.value.problem


def templates(code):
    """The texts of a file, also those with values in them, which become {}."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield re.sub(r"\{\w+\}", "{}", node.value)
        elif isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)


def test_in_english_a_problem_is_the_line_that_the_command_line_writes():
    problem = refused(layers=0)
    assert problem_line(problem) == problem.line()


def test_what_is_wrong_with_a_setting_is_said_in_german(german):
    assert problem_line(refused(layers=0)) == (
        "settings.layers = 0: ist nicht erlaubt. Erlaubt: ganze Zahl, 1 ≤ x ≤ 64, oder nichts."
    )


def test_the_values_of_a_message_are_kept_and_numbers_are_written_as_the_language_does(german):
    long = "is longer than the corpus: its training part has 1,234 tokens, and one window needs 2,049"
    shown = problem_line(Problem(long, remedy="Lower it, or choose a longer text"))
    assert "1.234" in shown
    assert "2.049" in shown
    assert "is longer" not in shown
    assert "Lower it" not in shown


def test_a_message_that_is_not_in_the_table_stays_as_it_is(german):
    assert message_text("the average is text, not a number") == "the average is text, not a number"


def test_each_message_of_the_table_is_one_of_the_engine():
    files = [*(ROOT / "lab").rglob("*.py"), *(ROOT / "plugins").rglob("*.py")]
    found = {text for file in files if file.name != "messages.py" for text in templates(file.read_text("utf-8"))}
    assert sorted(set(MESSAGES) - {one for one in MESSAGES if re.sub(r"\{\w+\}", "{}", one) in found}) == []

"""Messages of the engine in the language of the window."""

import re
from pathlib import Path

import pytest

from lab.api import BadInput, ModelConfig, setting
from lab.base.problems import Problem
from lab.widgets.core.i18n import tr_registered
from lab.widgets.core.messages import MESSAGES, message_text, problem_line

ROOT = Path(__file__).resolve().parents[4]


class Config(ModelConfig):
    layers: int | None = setting(None, ge=1, le=64, help="Blocks.")


def refused(**values):
    with pytest.raises(BadInput) as found:
        Config.read(values)
    return found.value.problem


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


def test_messages_within_messages_are_translated_too(german):
    problem = Problem("run.json cannot be read: it is not a JSON object", field="run", value="a")
    assert problem_line(problem) == "run = a: run.json kann nicht gelesen werden: sie ist kein JSON-Objekt."
    failed = "out of memory while evaluating after step 1,200; the weights are unchanged"
    assert "(Bewerten) nach Schritt 1.200" in message_text(failed)
    assert message_text("cannot write run.json: No space left on device") == (
        "run.json kann nicht geschrieben werden: Kein Speicherplatz mehr auf dem Datenträger"
    )


def test_titles_of_cards_in_messages_are_translated(german):
    assert message_text("Building Linear attention failed: it is empty") == (
        "Bauen von Lineare Attention ist fehlgeschlagen: sie ist leer"
    )


def test_the_message_with_the_most_text_of_its_own_is_taken(german):
    message = "this run has format 9, and this lab reads formats up to 3"
    assert message_text(message) == "dieser Lauf hat Format 9, und dieses Labor liest Formate bis 3"


def test_every_message_of_the_engine_is_recognised(german):
    lines = (ROOT / "resources" / "translations" / "messages.txt").read_text("utf-8").splitlines()
    made = {line: re.sub(r"\{\w+\}", "X1", line) for line in lines}
    assert [line for line, text in made.items() if message_text(text) == text and tr_registered(line) != line] == []


def test_messages_that_stand_in_no_problem_of_the_engine_are_few():
    found = (ROOT / "resources" / "translations" / "messages.txt").read_text("utf-8").splitlines()
    assert not set(MESSAGES) & set(found)

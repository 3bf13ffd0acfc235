"""Output: what a terminal would obey in a stranger's names and texts is visible, and nothing of it is sent."""

import json

import pytest

from lab.base import Problem
from lab.base.notices import Notice
from lab.cli.output import Progress, print_json, print_problem, print_text
from lab.cli.table import print_pairs, print_table

BAD = "a\x1b[2J\x07\x9b31m\u202eb\r"


def sent(capsys):
    """Return everything that was printed."""
    return "".join(capsys.readouterr())


@pytest.mark.parametrize(
    "show",
    [
        lambda: print_text(BAD),
        lambda: print_text(BAD, error=True),
        lambda: print_problem(Problem(BAD, field=BAD, value=BAD), as_json=True),
        lambda: print_table((BAD,), [(BAD,)], right=(False,)),
        lambda: print_pairs([(BAD, BAD)]),
        lambda: print_json({BAD: BAD}),
        lambda: Progress().show(BAD, now=True),
        lambda: Progress().notice(Notice("info", Problem(BAD), 0.0)),
    ],
)
def test_control_characters_are_made_visible(capsys, show):
    show()
    text = sent(capsys)
    assert "[2J" in text
    assert not set(text) & set("\x1b\x07\x9b\u202e\r")


HIDDEN = "\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\xad\U000e0041"


@pytest.mark.parametrize("letter", HIDDEN, ids=ascii)
def test_characters_that_hide_or_turn_the_order_around_are_made_visible(capsys, letter):
    print_text(f"quick{letter}start")
    print_json({"name": f"quick{letter}start"})
    assert letter not in sent(capsys)


@pytest.mark.parametrize("text", ["می\u200cخواهم", "👩\u200d🔬", "क्\u200dष", "naïve\n\tit"])
def test_letters_that_a_script_joins_stay_as_they_are(capsys, text):
    print_text(text, end="")
    assert sent(capsys) == text


@pytest.mark.parametrize("text", [BAD, f"quick{HIDDEN}start"])
def test_json_is_the_same_when_it_is_read(capsys, text):
    print_json({"name": text})
    assert json.loads(sent(capsys)) == {"name": text}


def test_a_generated_text_is_exact_in_a_file(capsys):
    print_text(BAD, end="", exact=True)
    assert sent(capsys) == BAD


def test_a_run_of_a_stranger_is_shown_without_its_control_characters(lm_lab, run):
    status = json.loads((run / "status.json").read_text())
    (run / "status.json").write_text(json.dumps({**status, "problem": {"what": BAD}}))
    shown = lm_lab("runs", "show", run)
    assert "[2J" in shown.out
    assert not set(shown.out) & set("\x1b\x07\x9b")


def test_a_notice_has_its_traceback_below_it_where_that_is_asked_for(capsys, monkeypatch):
    notice = Notice("error", Problem("it failed", trace="Traceback: here"), 0.0)
    Progress().notice(notice)
    monkeypatch.setenv("LAB_TRACE", "1")
    Progress().notice(notice)
    first, second = "lm-lab: it failed. LAB_TRACE=1 prints the traceback.", "lm-lab: it failed.\nTraceback: here"
    assert sent(capsys) == f"{first}\n{second}\n"

"""The report to send: every finding, and no detail."""

import json

from lab.workbench.doctor import Finding, Level, Result, as_data, report_json, report_text

RESULTS = [
    Result("Folders", (Finding("the folder can be written", detail="/home/anna/lab"),), 0.01),
    Result(
        "Torch",
        (Finding("torch is slow", Level.NOTE, "Wait"), Finding("it broke", Level.WRONG, "Mend it", "anna")),
        2.0,
    ),
]


def test_the_text_holds_every_finding_with_its_sign():
    lines = report_text(RESULTS).splitlines()
    assert "Folders (0.0 s)" in lines
    assert "   the folder can be written" in lines
    assert " i torch is slow" in lines
    assert " ! it broke" in lines


def test_no_report_holds_a_detail():
    assert "anna" not in report_text(RESULTS)
    assert "anna" not in report_json(RESULTS)
    assert "/home" not in report_text(RESULTS) + report_json(RESULTS)


def test_the_json_has_the_worst_level_of_each_check_and_the_remedies():
    folders, torch = json.loads(report_json(RESULTS))["checks"]
    assert (folders["level"], torch["level"]) == ("good", "wrong")
    assert torch["findings"][1] == {"level": "wrong", "what": "it broke", "remedy": "Mend it"}


def test_details_are_there_on_this_machine():
    assert as_data(RESULTS, details=True)[0]["findings"][0]["detail"] == "/home/anna/lab"

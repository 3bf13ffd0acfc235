"""`lm-lab costs`: costs over positions, as a table and as JSON."""

import pytest


def test_each_position_has_a_row_and_each_quantity_its_growth(run, lm_lab):
    ended = lm_lab("costs", run, "--positions", "8,16,32")
    assert ended.code == 0
    head, *rows = ended.out.splitlines()[:4]
    assert head.split("  ")[0].strip() == "tokens"
    assert [row.split()[0] for row in rows] == ["8", "16", "32"]
    assert "state: measured ∝ T^1.00, counted ∝ T^1.00; in the end it grows with T\n" in ended.out
    assert "in the end it grows with T²" in ended.out
    assert "This run reads 8 tokens" in ended.out


def test_json_holds_what_was_measured_and_counted(n_gram, run, lm_lab):
    found = lm_lab("costs", run, "--positions", "32", "--json").json
    assert (found["reach"], found["remade"]) == (8, True)
    assert [point["position"] for point in found["points"]] == [32]
    assert found["points"][0]["measured"]["state"] == found["points"][0]["counted"]["state theory"] > 0
    counted = lm_lab("costs", n_gram, "--positions", "8,16", "--json").json
    assert counted["exponents"]["state"] == {"measured": pytest.approx(0), "counted": None, "order": None}


@pytest.mark.parametrize("given", ["0", "-1", "x", "1,,2", "8,999999999", "nan", "1e400"])
def test_positions_that_are_not_allowed_are_named_with_what_is(run, lm_lab, given):
    ended = lm_lab("costs", run, f"--positions={given}")
    assert ended.code == 2
    assert "--positions" in ended.problem
    assert "1 ≤ x ≤ 131,072" in ended.problem

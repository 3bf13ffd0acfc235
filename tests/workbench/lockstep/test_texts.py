"""Texts that were written side by side, as files."""

import csv
import io
import json
import math

import pytest

from lab.recipes import Decoding
from lab.workbench.access.generation import Piece
from lab.workbench.lockstep.agreement import Agreement
from lab.workbench.lockstep.columns import Written
from lab.workbench.lockstep.texts import ColumnText, LockstepTexts


def piece(text, probability=0.5):
    return Piece(text, text, probability, (), False, 7, entropy=1.5, rank=1)


def made():
    first, second = ColumnText("one"), ColumnText("two")
    first.add([Written(0, piece("a"), 0.25), Written(0, piece("<"), 0.5)])
    agreements = Agreement(math.log(2), 0.5, True, False, True), Agreement(math.inf, 0.0, False, False, False)
    second.add([Written(1, piece("a", 0.25), 0.25, "b", agreements[0])])
    second.add([Written(1, piece("<", 0.125), 0.5, "<", agreements[1])])
    return LockstepTexts("It ", Decoding(), [3], True, [first, second])


def test_json_has_the_divergence_of_every_token_with_its_direction():
    found = json.loads(made().to_json())
    assert found["divergence"] == "KL(first ‖ column)"
    assert found["mode"] == "on the text of the first"
    assert [column["run"] for column in found["columns"]] == ["one", "two"]
    assert found["columns"][0]["agreement"] is None
    first, second = found["columns"][1]["tokens"]
    assert math.isclose(first["kl_nats"], math.log(2))
    assert math.isclose(first["kl_bits"], 1)
    assert (first["own"], first["same_token"], first["same_text"], first["uniform"]) == ("b", False, True, 0.25)
    assert second["kl_nats"] is None  # JSON has no infinity
    assert found["columns"][1]["agreement"]["texts_differ_from"] == 2
    assert found["columns"][1]["step"] == 7
    assert found["columns"][1]["bits_per_character"] == pytest.approx((2 + 3) / 2)


def test_csv_has_a_row_for_each_token_of_each_column():
    rows = list(csv.DictReader(io.StringIO(made().to_csv())))
    assert [(row["column"], row["run"], row["position"], row["token"]) for row in rows] == [
        ("1", "one", "1", "a"), ("1", "one", "2", "<"), ("2", "two", "1", "a"), ("2", "two", "2", "<"),
    ]  # fmt: skip
    assert rows[0]["kl_bits"] == ""
    assert float(rows[2]["kl_bits"]) == 1.0
    assert float(rows[2]["surprisal"]) == 2.0


def test_html_shows_every_column_and_escapes_what_runs_write():
    page = made().to_html(lambda _piece: "#ffeecc", "surprisal", "A & B")
    assert page.count("<section>") == 2
    assert "&lt;" in page
    assert "A &amp; B" in page
    assert "KL(first ‖ column) = 1 bits" in page
    assert "#ffeecc" in page

"""Labels along the axes of readings, in the language of the window."""

from lab.api import Reading
from lab.widgets.core.i18n import language
from lab.widgets.readings.axes import labels_along, title_of_name, unit_at

NAMES = ("entropy", "of a plugin")
UNITS = {"entropy": "bits", "of a plugin": "furlongs"}


def test_quantities_and_the_units_that_they_declare_are_in_the_language(qapp, german):
    assert labels_along("quantity", 2, (), NAMES) == ("Entropie", "of a plugin")
    reading = Reading("scores", ("quantity",), [1, 2], coordinates={"quantity": NAMES}, quantity_units=UNITS)
    assert [unit_at(reading, 0), unit_at(reading, 1)] == ["Bit", "furlongs"]


def test_a_quantity_has_no_unit_by_its_name_alone():
    assert unit_at(Reading("scores", ("quantity",), [1, 2], coordinates={"quantity": NAMES}), 0) == ""


def test_labels_follow_a_change_of_the_language(german):
    assert labels_along("quantity", 2, (), NAMES)[0] == "Entropie"
    language.use("en")
    assert labels_along("quantity", 2, (), NAMES)[0] == "entropy"


def test_heads_that_have_names_are_named_in_the_language_too(german):
    assert labels_along("head", 2, (), ("mean size", "of a plugin")) == ("mittlerer Betrag", "of a plugin")


def test_a_reading_without_a_title_of_its_own_is_called_by_its_translated_name(german):
    assert title_of_name("reset gate") == "Reset-Gate"
    assert title_of_name("of a plugin") == "Of a plugin"

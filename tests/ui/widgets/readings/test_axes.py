"""Labels along the axes of readings, in the language of the window."""

from lab.widgets.core.i18n import language
from lab.widgets.readings.axes import labels_along, unit_of

NAMES = ("entropy", "of a plugin")


def test_quantities_are_named_in_the_language_and_keep_their_unit(qapp, german):
    assert labels_along("quantity", 2, (), NAMES) == ("Entropie", "of a plugin")
    assert unit_of("Entropie") == unit_of("entropy") == "Bit"


def test_labels_follow_a_change_of_the_language(german):
    assert labels_along("quantity", 2, (), NAMES)[0] == "Entropie"
    language.use("en")
    assert labels_along("quantity", 2, (), NAMES)[0] == "entropy"


def test_heads_that_have_names_are_named_in_the_language_too(german):
    assert labels_along("head", 2, (), ("mean size", "of a plugin")) == ("mittlerer Betrag", "of a plugin")

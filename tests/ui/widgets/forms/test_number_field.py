"""The field for one of many positions accepts the numbers that it was last offered, however often it is offered any."""

from PySide6.QtGui import QValidator

from lab.widgets.forms.number_field import NumberField


def test_a_field_that_is_offered_other_positions_has_one_validator_for_the_last_ones(qtbot):
    field = NumberField()
    qtbot.addWidget(field)
    for count in (30, 20, 12):
        field.offer("head", 1, count)
    (validator,) = field.findChildren(QValidator)
    assert field.field.validator() is validator
    field.show_index(11)
    assert field.field.hasAcceptableInput()
    field.show_index(12)
    assert not field.field.hasAcceptableInput()

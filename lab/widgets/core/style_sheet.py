"""Qt's style sheet for every theme and size of the type; the property "role" of a widget selects its style."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from string import Template
from typing import Any

TEMPLATE = """
* { outline: none; }
QMainWindow, QDialog, QWidget[role="ground"] { background: $ground; }
QWidget { color: $text; font-size: 13px; }
QToolTip { background: $card; color: $text; border: 1px solid $line; padding: 4px 8px; font-size: 12px; }
QMainWindow::separator { background: $ground; width: 10px; height: 10px; }
QSplitter { background: transparent; }
QSplitter::handle { background: $ground; }
QDockWidget { border: none; }

QFrame[role="card"], QFrame[role="panel"] { background: $panel; border: 1px solid $line; border-radius: 10px; }
QFrame[role="raised"] { background: $card; border: 1px solid $line; border-radius: 10px; }
QFrame[role="overlay"] { background: $card; border: 1px solid $field; border-radius: 10px; }
QFrame[role="overlay"]:focus { border-color: $accent; }
QFrame[role="line"] { background: $line; border: none; max-height: 1px; min-height: 1px; }
QFrame[role="plain"], QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: none; }

QLabel { background: transparent; border: none; }
QLabel[role="title"] { font-size: 15px; font-weight: 600; }
QLabel[role="number"] { font-size: 28px; font-weight: 600; }
QLabel[role="name"] { font-size: 18px; font-weight: 600; }
QLabel[role="strong"] { font-weight: 600; }
QLabel[role="dim"] { color: $dim; }
QLabel[role="note"] { color: $dim; font-size: 12px; }
QLabel[role="small"] { font-size: 12px; }
QLabel[role="good"] { color: $good; font-size: 12px; }
QLabel[role="warn"] { color: $warn; font-size: 12px; }
QLabel[role="alarm"] { color: $warn; font-size: 18px; font-weight: 600; }
QLabel[role="bad"] { color: $bad; font-size: 12px; }

QPushButton, QToolButton { background: $card; color: $text; border: 1px solid $field; border-radius: 6px;
  padding: 0 12px; min-height: 30px; }
QPushButton:hover, QToolButton:hover { background: $line; }
QPushButton:focus, QToolButton:focus { border: 2px solid $accent; }
QPushButton:disabled, QToolButton:disabled { color: $dim; border-color: $line; background: $panel; }
QPushButton[role="primary"], QToolButton[role="primary"] { background: $accent; color: $on_accent;
  border: 1px solid $accent; font-weight: 600; }
QPushButton[role="primary"]:hover, QToolButton[role="primary"]:hover { background: $over; }
QPushButton[role="primary"]:focus, QToolButton[role="primary"]:focus { border: 2px solid $text; }
QPushButton[role="primary"]:disabled, QToolButton[role="primary"]:disabled { background: $line; color: $dim;
  border-color: $line; }
QPushButton[role="quiet"], QToolButton[role="quiet"] { background: transparent; color: $dim;
  border: 1px solid transparent; border-radius: 6px; padding: 0 6px;
  min-height: 22px; max-height: 22px; font-size: 12px; }
QPushButton[role="quiet"]:hover, QToolButton[role="quiet"]:hover { background: $line; color: $text; }
QPushButton[role="quiet"]:focus, QToolButton[role="quiet"]:focus { border: 1px solid $accent; color: $text; }
QPushButton[role="quiet"]:checked, QToolButton[role="quiet"]:checked { background: $card; color: $text;
  border: 1px solid $field; }
QPushButton[role="quiet"]:disabled, QToolButton[role="quiet"]:disabled { color: $field; }
QPushButton[role="chip"] { background: $card; color: $text; border: 1px solid $field; border-radius: 6px;
  padding: 0 6px; min-height: 22px; max-height: 22px; font-size: 12px; }
QPushButton[role="chip"]:hover { background: $line; }
QPushButton[role="chip"]:focus { border: 1px solid $accent; }
QPushButton[role="heading"] { background: transparent; color: $text; border: 1px solid transparent; padding: 0 6px;
  min-height: 22px; max-height: 22px; font-weight: 600; text-align: left; }
QPushButton[role="heading"]:hover { background: $line; }
QPushButton[role="heading"]:focus { border: 1px solid $accent; }
QToolButton[role="place"] { background: transparent; border: none; border-bottom: 2px solid transparent;
  border-radius: 0; padding: 0 14px; min-height: 38px; color: $dim; font-size: 14px; }
QToolButton[role="place"][face="icon"] { padding: 0; }
QToolButton[role="place"][face="tight"] { padding: 0 4px; }
QToolButton[role="place"]:hover { color: $text; background: transparent; }
QToolButton[role="place"]:checked { color: $text; border-bottom: 2px solid $accent; font-weight: 600; }
QToolButton[role="place"]:focus { color: $text; border-bottom: 2px solid $text; }
QFileDialog QToolButton { padding: 0; background: $behind; }
QFileDialog QToolButton:disabled { background: $panel; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QToolButton::menu-indicator, QPushButton::menu-indicator { image: none; width: 0; }

QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QDoubleSpinBox, QComboBox { background: $card; color: $text;
  border: 1px solid $field; border-radius: 6px; padding: 0 8px; min-height: 26px;
  selection-background-color: $accent; selection-color: $on_accent; placeholder-text-color: $dim; }
QComboBox { padding-right: 4px; }
QPlainTextEdit, QTextEdit { padding: 6px; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus {
  border: 2px solid $accent; padding: 0 7px; }
QComboBox:focus { padding-right: 3px; }
QPlainTextEdit:focus, QTextEdit:focus { padding: 5px; }
QLineEdit[state="bad"], QPlainTextEdit[state="bad"], QComboBox[state="bad"] { border: 2px solid $bad; padding: 0 7px; }
QLineEdit[role="value"] { padding: 0 4px; }
QLineEdit[role="value"]:focus, QLineEdit[role="value"][state="bad"] { padding: 0 3px; }
QLineEdit[role="small"] { min-height: 20px; max-height: 20px; padding: 0 6px; font-size: 12px; }
QLineEdit[role="small"]:focus { padding: 0 5px; }
QLineEdit QToolButton { background: transparent; border: none; min-height: 0; padding: 0; }
QLineEdit[role="flat"] { background: transparent; border: 1px solid transparent; padding: 0; margin-left: -3px;
  font-size: 12px; }
QLineEdit[role="flat"]:hover { border: 1px solid $field; padding: 0 7px; }
QLineEdit[role="flat"]:focus { background: $card; border: 2px solid $accent; padding: 0 6px; }
QLineEdit:disabled, QPlainTextEdit:disabled, QComboBox:disabled { color: $dim; border-color: $line; }
QTextEdit[role="reading"], QPlainTextEdit[role="reading"] {
    background: transparent; border: 2px solid transparent; padding: 0; }
QTextEdit[role="reading"]:focus, QPlainTextEdit[role="reading"]:focus { border: 2px solid $accent; padding: 0; }
QComboBox::drop-down { border: none; width: 18px; }
QComboBox::down-arrow { image: none; width: 0; }
QComboBox QAbstractItemView { background: $card; color: $text; border: 1px solid $field;
  selection-background-color: $accent; selection-color: $on_accent; padding: 2px; }
QCheckBox { spacing: 8px; background: transparent; }
QCheckBox::indicator { width: 16px; height: 16px; border: 1px solid $field; border-radius: 4px; background: $card; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; }
QCheckBox::indicator:focus { border: 2px solid $accent; }
QRadioButton { spacing: 8px; background: transparent; }
QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid $field; border-radius: 8px; background: $card; }
QRadioButton::indicator:checked { background: $accent; border-color: $accent; }
QRadioButton::indicator:focus { border-color: $accent; }
QSlider { background: transparent; min-height: 22px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: $line; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { background: $text; width: 12px; height: 12px; margin: -4px 0; border-radius: 6px; }
QSlider::handle:horizontal:focus { background: $accent; border: 2px solid $text; width: 10px; height: 10px; }
QSlider[role="knob"] { min-height: 14px; max-height: 14px; }
QSlider[role="knob"]::groove:horizontal { height: 3px; border-radius: 1px; }
QSlider[role="knob"]::handle:horizontal { width: 10px; height: 10px; margin: -4px 0; border-radius: 5px; }
QSlider[role="knob"]::handle:horizontal:focus { width: 8px; height: 8px; }
QSlider::sub-page:horizontal:disabled { background: $field; }
QSlider::handle:horizontal:disabled { background: $field; }
QProgressBar { background: $line; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }

QMenu { background: $card; color: $text; border: 1px solid $field; padding: 4px; menu-scrollable: 1; }
QMenu::item { padding: 6px 24px 6px 12px; border-radius: 4px; }
QMenu::item:selected { background: $accent; color: $on_accent; }
QMenu::item:disabled { color: $dim; background: transparent; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
QListView, QTreeView, QTableView { background: transparent; border: none; color: $text; }
QAbstractScrollArea[role="view"] { background: transparent; border: 1px solid transparent; border-radius: 4px;
  padding: 3px; }
QAbstractScrollArea[role="view"]:focus { border-color: $accent; }
QHeaderView { background: transparent; border: none; }
QHeaderView::section { background: transparent; color: $dim; border: none; border-bottom: 1px solid $line;
  padding: 4px 3px; font-size: 12px; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $field; border-radius: 4px; min-height: 28px; min-width: 28px; margin: 1px; }
QScrollBar::handle:hover { background: $dim; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: none; border: none;
  width: 0; height: 0; }
QStatusBar { background: $ground; color: $dim; font-size: 12px; }
QStatusBar::item { border: none; }
QToolBar { background: $ground; border: none; spacing: 8px; padding: 4px 10px; }
"""


FONT, CONTROL, BOX = (
    re.compile(r"(font-size: )(\d+)px"),
    re.compile(r"(m(?:in|ax)-height: )([23]\d)px"),
    re.compile(r"((?:width|height): )(16)px"),
)
"""Sizes in the sheet that belong to type: fonts, heights of controls with a line of text, and check boxes."""


def style_sheet(
    colours: Mapping[str, Any], px: Callable[[float], int] = round, control_height: Callable[[float], int] = round
) -> str:
    """Return the style sheet in the colours of a theme and at a size of the type.

    Args:
        colours: "#rrggbb" by the names of lab.widgets.core.theme.Theme, and "over", the accent under the mouse.
        px: Returns a length that belongs to type at the size of the type.
        control_height: Returns the height of a control with a line of text.
    """
    is_dark = colours["scheme"] == "dark"
    behind = colours["dim" if is_dark else "panel"]  # behind Qt's own icons, which are dark
    sheet = Template(TEMPLATE).substitute(colours, behind=behind)
    for pattern, sized in ((FONT, px), (CONTROL, control_height), (BOX, px)):
        sheet = pattern.sub(lambda found, sized=sized: f"{found[1]}{sized(int(found[2]))}px", sheet)  # type: ignore[misc]
    return sheet

"""Formulas: how they are typeset, the symbol of a page that is pointed at, and panels that explain their symbols."""

__all__ = ["explanation", "marks", "picture", "typesetting", "view"]

"""Expressions that a user types: parsed, bounded, and made of operations that know their derivatives."""

__all__ = ["operations", "parsing", "syntax", "values"]

"""The place Learn: lessons to take, predictions before runs, and the answers of a class."""

__all__ = ["handouts", "place"]

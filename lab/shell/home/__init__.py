"""The place Home: three ways to start, the recent runs, and a gallery of the shipped recipes."""

__all__ = ["model", "place", "texts"]

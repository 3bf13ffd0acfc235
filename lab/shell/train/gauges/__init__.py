"""The page of Train about the layers of a run: maps over the steps, distributions, the time of a step."""

__all__ = ["findings_card", "page"]

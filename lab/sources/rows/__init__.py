"""Generated rows: pairs of texts, labelled texts, points, and small pictures."""

__all__ = ["cards"]

"""The page of Play on which a small network learns points in the plane that the mouse moves."""

__all__ = ["model", "page"]

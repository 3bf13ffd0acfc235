"""Generated tasks whose answers are scored: copying, recall, arithmetic, automata."""

__all__ = ["cards"]

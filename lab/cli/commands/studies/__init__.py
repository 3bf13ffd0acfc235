"""The commands about many runs: studies, and scaling laws."""

__all__ = ["scaling", "study"]

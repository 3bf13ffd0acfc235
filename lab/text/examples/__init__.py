"""Generated examples: draws by number, checks of sources, and the rows that an objective reads."""

__all__ = ["draws", "promises", "source"]

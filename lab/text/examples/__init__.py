"""Generated examples: draws by number, what a source promises, the rows that an objective reads."""

__all__ = ["draws", "promises", "source"]

"""What models answer that continue no text: classes, what they rest on, and hidden tokens."""

__all__ = ["classes", "decision", "fill"]

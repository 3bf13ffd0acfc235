"""What models answer that continue no text: classes of texts and pictures, what they rest on, and hidden tokens."""

__all__ = ["classes", "decision", "fill", "pictures"]

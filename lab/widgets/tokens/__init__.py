"""Text as tokens: boundaries, probabilities, samples."""

__all__ = ["boundaries", "column", "draw_line", "next_tokens", "samples", "stages", "surprisal", "text"]

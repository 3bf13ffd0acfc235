"""Text as tokens: boundaries, probabilities, samples."""

__all__ = ["boundaries", "column", "next_tokens", "samples", "stages", "surprisal", "text"]

"""Text as tokens: boundaries, probabilities, samples."""

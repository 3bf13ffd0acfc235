"""Generated texts of known entropy: Markov chains, grammars, brackets."""

__all__ = ["cards"]

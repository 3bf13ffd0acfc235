"""Generated texts of known entropy: Markov chains, grammars, brackets."""

"""Generated tasks whose answers are scored: copying, recall, arithmetic, automata."""

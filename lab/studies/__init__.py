"""Plans of many runs, and what can be concluded from them."""

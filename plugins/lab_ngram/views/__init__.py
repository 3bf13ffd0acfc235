"""The views of the orders of n-grams. Only the window imports them, and only they import Qt."""

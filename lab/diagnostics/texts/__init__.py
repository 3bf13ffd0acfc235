"""Measures of texts: the surprisal of each token under a model, and the repetition and diversity of written texts."""

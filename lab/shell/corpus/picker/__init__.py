"""The tab where the corpus of the draft is chosen."""

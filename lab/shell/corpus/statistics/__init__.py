"""The tab with the statistics of the corpus."""

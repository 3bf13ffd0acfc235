"""The pages Measure and Behaviour of Play: ways of decoding beside the corpus, and tests of a run."""

__all__ = ["behaviour_page", "page"]

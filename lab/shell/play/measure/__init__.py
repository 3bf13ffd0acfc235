"""The pages Measure, Behaviour and Cost of Play: ways of decoding, tests of a run, and what a text costs."""

__all__ = ["behaviour_page", "cost_page", "page"]

"""The pages Score and Guess of Play: a text under the shown runs, and the next letter guessed against a run."""

__all__ = ["guess_page", "page"]

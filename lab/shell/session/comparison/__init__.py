"""The comparison of runs: who is ahead, which losses compare, and the evaluation on the same text."""

__all__ = ["evaluation", "evaluator", "labels", "leading"]

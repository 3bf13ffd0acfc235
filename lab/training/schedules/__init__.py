"""Learning-rate schedules: factors of the learning rate by step, and those that come with the lab."""

__all__ = ["builtins", "drawing", "factors"]

"""The rules of the doctor that come with the lab: what goes wrong in a training, seen in what it records."""

__all__ = ["builtins"]

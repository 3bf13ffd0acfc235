"""The loss of the inspected model without one of its parts, measured by a click."""

__all__ = ["card", "measurement"]

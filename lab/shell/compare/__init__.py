"""The place Compare: what separates the losses of the shown runs, their losses on the same text, the part of chance."""

__all__ = ["many", "place"]

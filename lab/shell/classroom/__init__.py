"""A class in the window: what is handed out and in, the page on the network, and the table of the teacher."""

__all__ = ["commands", "controller"]

"""Links: a recipe or run shown as link and QR code, and a link shown before it becomes the configuration."""

__all__ = ["commands", "controller"]

"""The commands that hand models and recipes to other programs and other labs, and take models from them."""

__all__ = ["export", "import_checkpoint", "recipe"]

"""The commands that hand models, recipes and runs to other programs and other labs, and take some from them."""

__all__ = ["classroom", "export", "import_checkpoint", "recipe"]

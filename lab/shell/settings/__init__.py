"""The place Settings: appearance, language and folders of the lab, over the commands of the menus."""

__all__ = ["place", "profile"]

"""The page Canvas of Play: a picture is drawn or opened, and the selected run says what it shows and why."""

__all__ = ["page"]

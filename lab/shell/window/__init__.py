"""The main window: places, docks, menu, notices, help, and shutdown."""

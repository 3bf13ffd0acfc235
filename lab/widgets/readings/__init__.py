"""Views of readings, chosen by their axes."""

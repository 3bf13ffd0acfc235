"""What keeps the window responsive: background work, warm-up, watchdog, garbage collection."""

"""The list and the table of runs, their details and dialogs."""

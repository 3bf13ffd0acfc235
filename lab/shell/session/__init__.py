"""What the window works on: runs, draft, queue, corpus. No widgets."""

"""What the window works on, without widgets: runs, draft, queue, corpus, recorded steps."""

__all__ = ["corpus", "corpus_labels", "draft", "moments", "queue", "runs", "scales", "session", "subjects"]

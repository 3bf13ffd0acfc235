"""The records of a training run: the ring of metrics, checkpoints, snapshots, telemetry."""

__all__ = ["checkpoints", "log", "model_copy", "recorder", "telemetry"]

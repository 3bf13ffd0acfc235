"""What a training run records: the ring of metrics, checkpoints, snapshots, telemetry."""

__all__ = ["checkpoint_policy", "checkpoints", "model_copy", "readback", "recorder", "telemetry"]

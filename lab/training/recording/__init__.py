"""The records of a training run: the ring of metrics, checkpoints, snapshots, telemetry."""

__all__ = ["checkpoint_policy", "checkpoints", "model_copy", "readback", "recorder", "telemetry"]

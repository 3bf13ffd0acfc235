"""Objectives, optimizers, schedules, trainer, evaluation protocols, checkpoints, control. Needs torch."""

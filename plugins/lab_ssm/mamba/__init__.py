"""Mamba and Mamba-2: their cards and settings, their layers, and conversion of published checkpoints."""

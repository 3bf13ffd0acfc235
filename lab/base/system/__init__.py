"""Shared files, and a policy that limits the lab: set by an administrator for all users of a machine."""

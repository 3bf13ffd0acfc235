"""The contracts of plugins that follow a run: observers, and rules of the doctor."""

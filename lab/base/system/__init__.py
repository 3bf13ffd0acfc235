"""What an administrator sets for everybody who uses a machine: shared files, and a policy that limits the lab."""

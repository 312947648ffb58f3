"""Programs that run inside the environment of the peers."""

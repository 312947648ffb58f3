"""The `tilescope` command."""

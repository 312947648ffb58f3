"""What `tilescope doctor` looks at, one subject a module."""

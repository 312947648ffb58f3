"""What the compiler decided, read from its own objects: one kind of fact a module."""

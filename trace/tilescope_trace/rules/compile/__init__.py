"""TS1xx: the compiler fails, located in the terms of the kernel."""

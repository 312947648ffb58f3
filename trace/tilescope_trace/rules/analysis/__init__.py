"""TS0xx: a file or kernel cannot be analysed."""

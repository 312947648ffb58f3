"""Recordings: the ``.tscope`` file, its writer and its reader."""

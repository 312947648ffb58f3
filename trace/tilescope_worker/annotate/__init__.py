"""The hook of ``tilescope capture --annotate``: ranges around the calls of kernels, which profilers record.

Loaded by path under a private name, only once the program imports TileLang. Standard library, TileLang and what the
program has of torch only.
"""

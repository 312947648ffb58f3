"""The hook of `tilescope profile` inside a user's program: clock stamps in chosen kernels, times of launches.

Loaded by path under a private name, like ``capture``, once the program imports TileLang. Standard library and
TileLang only; the CUDA driver is spoken to directly.
"""

"""The hook of `tilescope trace --edit` inside a user's program: generated sources are written to files, and what is
edited there is compiled in their place.

Loaded by path under a private name, like ``capture``, once the program imports TileLang. Standard library and
TileLang only.
"""

"""The hook inside a user's program: notes the kernels that it builds and compiles, and disturbs nothing.

Loaded by path under a private name, only once the program imports TileLang; ``startup`` is the folder that comes
first on the PYTHONPATH of the program. Standard library and TileLang only.
"""

"""The only code that imports tilelang; it runs inside the user's interpreter.

Besides tilelang (and the tvm inside it) this package imports nothing outside the standard library and nothing
of the rest of tilescope, so that `bootstrap` can load it by path into any interpreter.
"""

"""Renderers: one kind of output a module, all over the same diffs."""

"""Inferred layouts cell by cell: which thread, register, address and bank each element of a buffer has."""

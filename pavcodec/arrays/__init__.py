"""Batches: the same numbers as one by one, in compiled loops over arrays.

Importing a module of this room imports numpy and numba. It is done when a batch is asked for.
"""

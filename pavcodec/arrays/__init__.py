"""Batches: the same results as the definitions, in compiled loops over arrays.

The modules of this room import numpy and numba, so other rooms import them only when a batch is
needed.
"""

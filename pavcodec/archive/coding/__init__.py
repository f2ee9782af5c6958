"""Coders between the numbers of a block and bytes, and lower bounds for their size."""

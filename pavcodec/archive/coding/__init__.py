"""Coders: the numbers of a block as bytes, and the bounds of their size."""

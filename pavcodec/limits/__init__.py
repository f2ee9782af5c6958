"""Limits of memory, and what is kept within them."""

"""Collections without repeats: orders of a seed, and archives of sorted sets."""

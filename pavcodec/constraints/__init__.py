"""Constraints: conditions on deals, and the numberings that they are."""

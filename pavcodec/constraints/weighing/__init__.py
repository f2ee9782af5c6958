"""Weighted deals: deals whose chance is proportional to a product of weights."""

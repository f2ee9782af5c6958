"""Exact counting: what of a condition is counted, and the plan for the rest."""

"""Deals of a condition: its diagnosis, its completion, its exact number, boards and files."""

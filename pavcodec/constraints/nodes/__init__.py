"""Expressions as values: nodes, walks over them, their text and their names."""

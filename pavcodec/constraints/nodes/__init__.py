"""Nodes of expressions: the classes, walks over their graphs, their text and their names."""

"""Nodes of expressions: the classes, walks over their graphs, and their text.

`syntax` has the classes, of which equal values are one object, and what walks over their graphs;
`format` writes them as canonical text.
"""

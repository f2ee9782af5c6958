"""Nodes of expressions: the classes, walks over their graphs, and their text.

`syntax` has the classes, of which equal values are one object. `trees` walks over their graphs, and
`format` writes them as canonical text.
"""

"""Nodes of expressions: the classes, walks over their graphs, their text and their names.

`syntax` has the classes, of which equal values are one object. `trees` walks over their graphs,
`format` writes them as canonical text, and `vocabulary` has the words of the language.
"""

"""The parser of the language: texts to expressions, scripts and actions; errors with carets.

`parser` is the way in. `source` parses a text to a tree by `grammar.lark` and writes the messages,
with `hints` for frequent mistakes. `build` makes nodes of the tree; `script` reads statements, with
`weights` and `actions`. `words` has the words, and `completion` tells an editor what may
follow.
"""

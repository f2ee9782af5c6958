"""The parser of the language: texts to expressions, scripts and actions; errors with carets.

`parser` is the way in. `source` parses a text to a tree by `grammar.lark` and writes the messages,
with `hints` for frequent mistakes. `build` makes nodes of the tree, with `calls` for functions;
`script` reads statements, with `predeal`, `weights` and `build_actions` (the actions themselves are
in `actions`). `completion` tells an editor what may follow.
"""

"""Commands on files of any format: they read boards, and print facts, other files or pictures.

`convert`, `turn` and `solve` rewrite boards by `options.rewriting`; `stats` counts them, and
`duplicates` is its option for repeated boards. Several read folders of parts by workers.
"""

"""Options that commands share, and the values that they make.

`conditions` makes a request of texts, scripts and known cards; `shares` makes mixes, levels and
weights of it, and `sessions` the seed and the rules of the boards. `boards`, `rewriting`, `solving`
and `folders` are for commands on files, `coders` for numbers and codes.
"""

"""Coders between the numbers of a block and bytes, and lower bounds for their size.

`coder` has the protocol, the ordered numbers and the bounds; `sorted` codes sets and multisets by
the gaps between their numbers, and `mixed` ordered numbers of several parts.
"""

"""Mixes of conditions: by weights, in an even order, with chosen shares.

`mixes` defines a mix and its samples, `orders` the even orders, and `levelling` gives the types of
a script chosen shares.
"""

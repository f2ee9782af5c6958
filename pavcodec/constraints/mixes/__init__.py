"""Mixes of conditions: by weights, in an even order, with chosen shares.

`mixes` defines a mix and its samples, over the `types` and their deals; `batch` makes many samples
at once. `orders` has the even orders, and `levelling` gives the types of a script chosen shares.
"""

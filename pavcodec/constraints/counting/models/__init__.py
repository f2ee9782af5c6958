"""Counting models: products of diagrams, their ranks and their sizes.

`model` has the rules. `product` counts the nodes of a model from two `halves`. `count` counts
without a model, also from two halves, with the cards dealt by `turns`; `joint_counts` counts by the
values of numbers, and `weighted_model` with weights. `layers` has the arrays that these share, and
`batch` draws many deals. The loops are those of the kernel, in `automata.c`.
"""

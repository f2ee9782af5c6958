"""Counting models: products of diagrams, their ranks and their sizes.

`model` has the rules. `product` makes the layers, for large products by `joint_model` from two
`halves`. `count` counts without a model, also from two halves, with the cards dealt by `turns`;
`joint_counts` counts by the values of numbers, and `weighted_model` with weights. `layers` has what
these share; `loops` and `batch` rank and draw many deals in compiled loops.
"""

"""The values of expressions for many layouts, computed with arrays.

`evaluate` of the room above defines every value; arrays give the same values, and leave what they
cannot compute to it. `leaves` has the functions of a hand as tables, and the vectors that ask each
other for answers; `expressions` makes the vector of a node; `evaluate` decides per row what arrays
settle and what is left; `search` tests many deals. `operators` are those of the language.
"""

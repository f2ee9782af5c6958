"""Scripts: checks for other programs, and what actions print.

`check` tells where other programs refuse or read a script differently. `report` has the actions of
a run, over the base classes in `jobs`; `array_tallies` sums those that arrays can evaluate.
"""

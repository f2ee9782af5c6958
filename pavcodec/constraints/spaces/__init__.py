"""The deals of a condition: counted, or drawn by rejection.

`deals` chooses the space of a condition. `constrained` and `constrained_endings` are counted as a
whole: numberings with ranks. `rejection` draws from a counted part, or from cases, and tests the
rest; `share` has the estimates that tests give.
"""

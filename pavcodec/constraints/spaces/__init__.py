"""The deals of a condition: counted, or drawn by rejection.

`deals` chooses the space of a condition. `constrained` and `constrained_endings` are counted as a
whole: numberings with ranks. `rejection` draws from a counted part and tests the rest, in batches
by `rejection_batches`, and for conditions split into cases by `rejection_cases`; `share` has the
estimates that tests give.
"""

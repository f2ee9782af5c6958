"""The deals of a condition: counted, or drawn by rejection.

`deals` chooses the space of a condition. `constrained` deals and endings are counted as a whole:
numberings with ranks. `rejection` draws from a counted part, or from cases, and tests the rest;
`estimates` are what tests give.
"""

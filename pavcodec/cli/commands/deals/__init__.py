"""Commands that deal: deal, practice, ending, and check for the scripts of conditions.

`deal` makes a request of its options, and `deal_session` chooses one of the `deal_sources` for it:
deals drawn, tested, listed, weighted or mixed, or those of `methods`. The session numbers, solves
and writes their boards. `script_actions` prints in its place what a script asks for; `sets` and
`sets_writing` write several files, splits with a data card and collections in parts.
"""

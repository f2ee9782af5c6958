"""Deals of a condition: its diagnosis, its completion, its exact number, boards and files.

`reading` makes a condition, a script or a mix of the texts of a question, and says what is wrong
while somebody types. `count` counts or estimates the deals, and `files` draws their boards.
"""

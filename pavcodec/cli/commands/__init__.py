"""The commands, in rooms by subject, as in the help.

A command reads its options, asks the rooms of the package, and prints. It holds no theory. The form
of its output, as text, JSON or a table, stands beside it.
"""

"""The tasks: what a page and the JSON interface can ask, each a function from values to values.

`task` says what a task is and what questions and answers may hold; `catalogue` lists all. An answer
has exact values (`exact`), and the command and the lines of Python that give the same. A fault is a
`problem` with its place in a field. Files go out while they are written (`writing`).
"""

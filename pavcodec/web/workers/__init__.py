"""The workers: they run tasks, in processes of their own, with limits.

`workers` says what workers do, and has threads in their place for tests. `pool` gives the questions
their turns and the processes their questions; `worker` is the inside of a process, and `warm` makes
it ready before the first question.
"""

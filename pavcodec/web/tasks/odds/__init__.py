"""Odds: how likely an event is, and how a number or a pair of numbers is distributed.

tasks        the tasks `odds` and `odds/file`
answering    from a question to the exact answer, or to an estimate
drawing      a distribution as SVG
sameness     the command and the Python lines of a question
question     the questions and the answers
"""

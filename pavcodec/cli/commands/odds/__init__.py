"""Commands that count: odds of events and numbers, counts of conditions, their cases, and shapes.

All answers are exact where counting is possible. Estimates are marked, with an interval.
"""

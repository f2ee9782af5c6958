"""Boards: a layout with dealer, vulnerability, number and tags, one by one or in batches.

`board` has the value, its rows of JSON and its caption; all else is a PBN tag, which the other
modules give a meaning: `tricks` reads and writes double-dummy results, `play` auctions, contracts
and played cards. `par` computes scores, and `turning` moves the players to other seats with all
that is said of them. `batch` holds many boards as arrays.
"""

from pavcodec.boards.board import Board, Context, Problem, Tag, Vulnerability

__all__ = ["Board", "Context", "Problem", "Tag", "Vulnerability"]

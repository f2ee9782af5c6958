"""Boards: a layout with dealer, vulnerability, number and tags, one by one or in batches."""

from pavcodec.boards.board import Board, Context, Problem, Tag, Vulnerability

__all__ = ["Board", "Context", "Problem", "Tag", "Vulnerability"]

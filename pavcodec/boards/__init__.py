"""Boards: a layout with dealer, vulnerability, number and tags, one by one or in batches."""

from pavcodec.boards.board import Board, Tag
from pavcodec.boards.context import Context, Problem
from pavcodec.boards.vulnerability import Vulnerability

__all__ = ["Board", "Context", "Problem", "Tag", "Vulnerability"]

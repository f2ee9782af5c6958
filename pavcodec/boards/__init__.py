"""Boards: a layout with what a tournament knows of it, one by one and many at once."""

from pavcodec.boards.board import Board, Tag
from pavcodec.boards.context import Context, Problem
from pavcodec.boards.vulnerability import Vulnerability

__all__ = ["Board", "Context", "Problem", "Tag", "Vulnerability"]

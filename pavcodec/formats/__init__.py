"""Formats: collections of boards as streams of bytes, one module for each format."""

from pavcodec.formats.board import Board, Context, Problem, Tag, Vulnerability

__all__ = ["Board", "Context", "Problem", "Tag", "Vulnerability"]

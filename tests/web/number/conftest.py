"""Runs the commands that the tasks name."""

from cli_support import cli

__all__ = ["cli"]

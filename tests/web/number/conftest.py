"""Runs the commands that the tasks name."""

from cli_support import cli, no_cache

__all__ = ["cli", "no_cache"]

"""Runs the command line inside the test process."""

from cli_support import cli, no_cache

__all__ = ["cli", "no_cache"]

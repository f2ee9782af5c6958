"""Runs the command line inside the test process."""

from cli_support import cli

__all__ = ["cli"]

"""The command line: `pavcodec COMMAND …`, one module for each command."""

from pavcodec.cli.main import main

__all__ = ["main"]

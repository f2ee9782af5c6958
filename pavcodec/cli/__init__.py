"""The command line: `pavcodec COMMAND …`, one module for each command.

`main` finds the command, and `loading` imports its module only then, so that a command starts fast.
Most commands are questions, which `asking` gives arguments and an output. A module of `commands`
is another command, or more than its question. Below them are

    output    lines on the error stream, progress
    parsers   argparse with groups, suggestions for wrong words, and mixed options
"""

from pavcodec.cli.main import main

__all__ = ["main"]

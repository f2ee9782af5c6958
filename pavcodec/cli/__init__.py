"""The command line: `pavcodec COMMAND …`, one module for each command.

`main` finds the command, and `loading` imports its module only then, so that a command starts fast.
A module of `commands` describes its arguments in `add_arguments` and works in `run`. It takes from
below what commands share:

    options   conditions, seeds, shares, folders, codes: the arguments and the values they make
    output    streams of boards, checks of output files, tables, progress
    parsers   argparse with groups, suggestions for wrong words, and mixed options
"""

from pavcodec.cli.main import main

__all__ = ["main"]

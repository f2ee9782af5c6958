"""The page of all commands and options, from the command line's own parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from pavcodec.cli.loading import COMMAND_GROUPS, COMMANDS
from pavcodec.cli.main import make_parser

INTRODUCTION = """\
# Command line

Every command reads files, or the standard input for `-`, and writes to the standard output, or to
the file after `-o`. It prints each problem as one line on the error stream, with file, line and
reason, and still writes everything that it can read. In place of a file of boards, commands take a
deal, such as `'N:AK… … … …'`, a number, a code or a link of a hand viewer, as `identify` does,
unless a file has that name. A code has at least 20 characters there. An output file is complete
or absent. A command replaces an existing file only with `--force`, or after a yes at a terminal.

| exit code | meaning |
| --- | --- |
| 0 | done |
| 1 | the data is wrong |
| 2 | wrong usage |
| 130 | stopped by Ctrl-C |
"""


def commands_page() -> str:
    """Return the whole page."""
    parser = make_parser()
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    parts = [INTRODUCTION, _overview()]
    for name in COMMANDS:
        parts.append("\n".join(_command(name, commands.choices[name])))
        for action, choice in _actions(commands.choices[name]).items():
            parts.append("\n".join(_command(f"{name} {action}", choice, depth=3)))
    return "\n".join(parts)


def _overview() -> str:
    """Return the table of the commands by groups."""
    rows = ["| commands for | |", "| --- | --- |"]
    for group, commands in COMMAND_GROUPS.items():
        links = ", ".join(f"[`{name}`](#{name})" for name in commands)
        rows.append(f"| {group} | {links} |")
    return "\n".join([*rows, "", "`pavcodec help COMMAND` prints the help page of a command.", ""])


def _actions(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of a command's actions, if it has several."""
    found = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return {name: choice for one in found for name, choice in one.choices.items()}


def _command(name: str, parser: argparse.ArgumentParser, *, depth: int = 2) -> Iterator[str]:
    """Yield the lines on one command, or on one of its actions."""
    positional = [_placeholder(action) for action in _listed(parser) if not action.option_strings]
    usage = " ".join(["pavcodec", name, "[OPTION]…", *positional])
    sentence, _, examples = (parser.description or "").partition("\n\nexamples:\n")
    commands = [line.strip() for line in examples.split("\n")]
    yield from (f"{'#' * depth} {name}", "", f"`{usage}`", "", sentence, "")
    yield from ("```sh", *commands, "```", "")
    for group in parser._action_groups:
        shown = [action for action in group._group_actions if action.dest != "help"]
        if shown:
            yield from (f"| {group.title} | |", "| --- | --- |")
            yield from (f"| {_heading(action)} | {_meaning(action)} |" for action in shown)
            yield ""
    if parser.epilog:
        yield from (parser.epilog, "")


def _listed(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in parser._actions if action.dest != "help"]


def _placeholder(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest)
    return {"*": f"[{name}…]", "?": f"[{name}]"}.get(str(action.nargs), name)


def _heading(action: argparse.Action) -> str:
    names = ", ".join(f"`{option}`" for option in action.option_strings)
    values = [action.metavar] if action.metavar else list(action.choices or ())
    takes = action.option_strings and action.nargs != 0
    value = f" {' or '.join(f'`{each}`' for each in values)}" if takes else ""
    return names + value or f"`{action.metavar}`"


def _meaning(action: argparse.Action) -> str:
    if isinstance(action, argparse._SubParsersAction):
        return f"one of {', '.join(f'`{name}`' for name in action.choices)}"
    return (action.help or "").replace("|", "\\|")

"""Write docs/cli.md from the command line's own parsers; --check tells whether it is current."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from pavcodec.cli.main import COMMAND_GROUPS, COMMANDS, make_parser

PAGE = Path(__file__).parent.parent / "docs" / "cli.md"

INTRODUCTION = """\
# Command line

<!-- Made by tools/cli_page.py from the code. Do not edit. -->

Every command reads files, or the standard input for `-`, and writes the standard output, or the
file after `-o`. Problems are one line each on the error stream, with file, line and reason, and
what could be read is still written. A file that is written is complete or absent. One that exists
is replaced only with `--force`, or after a yes at a terminal.

| exit code | meaning |
| --- | --- |
| 0 | done |
| 1 | the data is wrong |
| 2 | the command was used wrongly |
| 130 | stopped with Ctrl-C |
"""


def page() -> str:
    """Return the whole page."""
    parser = make_parser()
    (commands,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    parts = [INTRODUCTION, _overview()]
    for name, summary in COMMANDS.items():
        parts.append("\n".join(_command(name, summary, commands.choices[name])))
        for action, choice in _actions(commands.choices[name]).items():
            told = choice.description or ""
            parts.append("\n".join(_command(f"{name} {action}", told.rstrip("."), choice, depth=3)))
    return "\n".join(parts)


def _overview() -> str:
    """Return the table of the commands by groups."""
    rows = ["| commands for | |", "| --- | --- |"]
    for group, commands in COMMAND_GROUPS.items():
        links = ", ".join(f"[`{name}`](#{name})" for name in commands)
        rows.append(f"| {group} | {links} |")
    return "\n".join([*rows, "", "`pavcodec help COMMAND` prints the help page of a command.", ""])


def _actions(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of what a command can do, where it has several actions."""
    found = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return {name: choice for one in found for name, choice in one.choices.items()}


def _command(
    name: str, summary: str, parser: argparse.ArgumentParser, *, depth: int = 2
) -> Iterator[str]:
    """Yield the lines on one command, or on one of its actions."""
    actions = [action for action in parser._actions if action.dest != "help"]
    positional = [_placeholder(action) for action in actions if not action.option_strings]
    usage = " ".join(["pavcodec", name, "[OPTION]…", *positional])
    yield from (
        f"{'#' * depth} {name}",
        "",
        f"`{usage}`",
        "",
        f"{summary[0].upper()}{summary[1:]}.",
        "",
    )
    yield from ("| argument | meaning |", "| --- | --- |")
    for action in actions:
        yield f"| {_heading(action)} | {_meaning(action)} |"
    before, _, examples = (parser.epilog or "").partition("example")
    if before.strip():
        yield from ("", before.strip())
    commands = [line.strip() for line in examples.split("\n")[1:] if line.strip()]
    yield from ("", "```sh", *commands, "```", "")


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


def main() -> int:
    """Write the page, or compare."""
    text = page()
    if "--check" in sys.argv[1:]:
        current = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        print("docs/cli.md is current" if current else "docs/cli.md is old: run tools/cli_page.py")
        return 0 if current else 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

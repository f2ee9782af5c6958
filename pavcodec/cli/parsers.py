"""The parsers of the command line: their help pages, and what they say to wrong usage."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

from pavcodec.errors import PavError, hint


class _HelpPage(argparse.RawDescriptionHelpFormatter):
    """A page with a short usage line, and texts as wide as the screen."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)
        self._action_max_length = 14  # argparse forgets that it indents commands

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],  # noqa: ARG002 (argparse gives them)
        prefix: str | None = None,
    ) -> None:
        """Add a usage line with the arguments of a command, and no list of its options."""
        arguments = [each for each in actions if not each.option_strings]
        self._prog += " [OPTION]…"
        super().add_usage(usage, arguments, [], prefix)

    def _fill_text(self, text: str, width: int, indent: str) -> str:  # noqa: ARG002
        """Fold the paragraphs, but not examples and lists, whose lines are indented."""
        parts = text.split("\n\n")
        return "\n\n".join(
            part if "\n  " in f"\n{part}" else "\n".join(self._split_lines(part, width))
            for part in parts
        )

    def _split_lines(self, text: str, width: int) -> list[str]:
        """Fold a text, but not at the hyphens of names."""
        from textwrap import wrap

        return wrap(" ".join(text.split()), width, break_on_hyphens=False)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line: what is wrong, the nearest name, the help page."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, formatter_class=_HelpPage, add_help=False, **options)
        self._positionals.title = "arguments"

    def add_help_option(self, title: str = "help") -> None:
        """Add `--help` to the group of options with this title."""
        group = option_group(self, title)
        group.add_argument("-h", "--help", action="help", help="print this page")

    def error(self, message: str) -> NoReturn:
        """Print an error that names the help page of this parser, and end with exit code 2."""
        self.exit(2, f"{self.prog}: {message} {see_help(self.prog)}\n")

    def refuse_rest(self, rest: list[str]) -> None:
        """End with an error if arguments are left that the parser does not know."""
        options = [word for word in rest if word.startswith("-") and word != "-"]
        if options:
            name = options[0].partition("=")[0]
            near = self._near(name)
            if not near and len(name) > 2 and name[1] != "-":
                near = "; write -- before an argument that starts with '-'"
            self.error(f"no option is called {name!r}{near}")
        if rest:
            self.error(f"unexpected argument {rest[0]!r}")

    def _near(self, name: str) -> str:
        """Return the end of a message that names the nearest option, and longer forms of it."""
        from difflib import get_close_matches

        known = self._option_string_actions
        nearest = get_close_matches(name, known, n=1)
        near = [each for each in known if nearest and f"{each}-".startswith(f"{nearest[0]}-")]
        return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments; an unknown one is an error."""
        parsed, rest = self.parse_known_args(args, namespace)
        self.refuse_rest(rest)
        return parsed

    def _parse_optional(self, word: str) -> Any:
        """Take a word such as `-hcp(north) > -9` for an argument, and not for options."""
        is_option = word.startswith("--") or not any(mark in word for mark in " (")
        short = self._option_string_actions.get(word[:2])
        if is_option or (short is not None and short.nargs != 0):
            return super()._parse_optional(word)
        return None

    def _get_value(self, action: argparse.Action, text: str) -> Any:
        """Read the word of an argument; its errors are printed in their own words."""
        read = self._registry_get("type", action.type, action.type)
        try:
            return read(text)
        except PavError as error:
            message = str(error).partition("\n")[0]
            raise argparse.ArgumentError(action, message) from None
        except (argparse.ArgumentTypeError, TypeError, ValueError):
            return super()._get_value(action, text)  # argparse has words for it

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        near = hint(value, action.choices)
        if isinstance(action, argparse._SubParsersAction):
            self.error(f"no {str(action.metavar).lower()} is called {value!r}{near}")
        raise argparse.ArgumentError(
            action, f"{value!r} is none of {', '.join(action.choices)}{near}"
        )


class Command(Parser):
    """The parser of a command: options may stand before, between and after other arguments."""

    _is_mixing = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does for mixed options; it calls this method once more.

        After `--` nothing is an option, which argparse forgets when it mixes. A command that has
        actions leaves it to their parsers.
        """
        if self._is_mixing:
            return super().parse_known_args(args, namespace)
        args = self._with_parameters(self._with_numbers(args))
        if self._subparsers is not None or "--" in (args or ()):
            parsed, rest = super().parse_known_args(args, namespace)
        else:
            self._is_mixing = True
            try:
                parsed, rest = self.parse_known_intermixed_args(args, namespace)
            finally:
                self._is_mixing = False
        self.refuse_rest(rest)
        return parsed, rest

    def _with_parameters(self, words: list[str]) -> list[str]:
        """Return the words with `--set K=VALUE` for word K after `--`, if a script is read by -f.

        A script leaves no place for a condition, so these words are the values of its parameters.
        """
        action = self._option_string_actions.get("--set")
        end = words.index("--") if "--" in words else len(words)
        if action is None or action.dest != "parameters":
            return words
        if not any(word.startswith(("-f", "--script")) for word in words[:end]):
            return words
        given = enumerate(words[end + 1 :], start=1)
        return [*words[:end], *(f"--set={number}={word}" for number, word in given)]

    def _with_numbers(self, args: Any) -> Any:
        """Return the words with `--option=K` for an option whose number K may be left out.

        Otherwise, argparse takes the next word, such as the name of a file, for the number.
        """
        words = list(sys.argv[1:] if args is None else args)
        end = words.index("--") if "--" in words else len(words)
        for index, word in enumerate(words[:end]):
            action = self._option_string_actions.get(word)
            if action is not None and action.nargs == "?" and isinstance(action.const, int):
                is_last = index + 1 == end
                if is_last or not words[index + 1].removeprefix("-").isdecimal():
                    words[index] = f"{word}={action.const}"
        return words


def see_help(program: str) -> str:
    """Return the end of an error that names a help page.

    >>> see_help("pavcodec deal")
    "(see 'pavcodec deal --help')"
    """
    return f"(see '{program} --help')"


def describe(parser: argparse.ArgumentParser, examples: str, details: str = "") -> None:
    """Put examples after the sentence of a help page, and details after the options."""
    parser.description = f"{parser.description}\n\nexamples:\n{examples}"
    parser.epilog = details


def option_group(parser: argparse.ArgumentParser, title: str) -> argparse._ArgumentGroup:
    """Return the group of options with this title; make it if the parser has none."""
    for group in parser._action_groups:
        if group.title == title:
            return group
    return parser.add_argument_group(title)


def flags_of(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Return the first long option of each destination, for errors of questions."""
    return {
        each.dest: next(
            (flag for flag in each.option_strings if flag.startswith("--")),
            each.option_strings[0] if each.option_strings else "",
        )
        for each in parser._actions
    }

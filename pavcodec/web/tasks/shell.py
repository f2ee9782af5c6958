"""Texts of people as words of a command line, quoted for a shell; each may begin with a dash."""

from __future__ import annotations

from shlex import quote

__all__ = ["argument", "option", "path_of"]


def argument(text: str) -> str:
    """Return a text as the last argument of a command.

    >>> argument("N:AK... - - -"), argument("-5")
    ("'N:AK... - - -'", '-- -5')
    """
    return f"-- {quote(text)}" if text.startswith("-") else quote(text)


def option(name: str, value: str) -> str:
    """Return an option with its value.

    >>> option("--title", "Tuesday pairs"), option("--title", "-x")
    ("--title 'Tuesday pairs'", '--title=-x')
    """
    return f"{name}={quote(value)}" if value.startswith("-") else f"{name} {quote(value)}"


def path_of(name: str) -> str:
    """Return the path of a file in the current folder; it is not quoted yet.

    >>> path_of("heat.pbn"), path_of("-heat.pbn")
    ('heat.pbn', './-heat.pbn')
    """
    return f"./{name}" if name.startswith("-") else name

"""The fixtures of the tests of files."""

from web_files_fixtures import command

__all__ = ["command"]

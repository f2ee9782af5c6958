"""What the site makes while it is built: the page of the commands, and the tables of odds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parent))

from cli_page import commands_page
from odds_page import with_tables

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page of the commands."""
    files.append(File.generated(config, "cli.md", content=commands_page()))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str | None:
    """Count the tables of odds."""
    return with_tables(markdown) if page.file.src_uri == "odds/tables.md" else None

"""The manual: the documentation that comes with the package, as pages of this server.

A wheel has the texts in `pavcodec/web/manual`, and a checkout in `docs`. They are Markdown, whose
links between files become links between pages. Only the site has photographs of pages, and what is
made while it is built: the page of the commands, and the tables of odds. Links to these are words.
"""

from __future__ import annotations

import asyncio
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from posixpath import dirname, join, normpath

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from starlette.exceptions import HTTPException

from pavcodec.web.pages.page import Outcome, render

router = APIRouter(prefix="/manual", default_response_class=HTMLResponse, include_in_schema=False)

_INSTALLED = Path(__file__).parent.parent / "manual"
_CHECKOUT = Path(__file__).parents[3] / "docs"
_FOLDER = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
_ELSEWHERE = re.compile(r"[a-z]+:|#")


@cache
def texts() -> dict[str, str]:
    """Return the texts by the names of their pages, such as `constraints/language`."""
    files = sorted(_FOLDER.rglob("*.md"), key=lambda file: (len(file.parts), file))
    names = [file.relative_to(_FOLDER).as_posix().removesuffix(".md") for file in files]
    found = {name: file.read_text("utf-8") for name, file in zip(names, files, strict=True)}
    del found["odds/tables"]  # its tables are made for the site
    return found


@router.get("")
async def contents(request: Request) -> HTMLResponse:
    """Return the first page, with a list of all."""
    titles = {name: text.partition("\n")[0].strip("# ") for name, text in texts().items()}
    return await _shown(request, "index", titles)


@router.get("/{name:path}")
async def page(request: Request, name: str) -> Response:
    """Return a page, or a drawing in one."""
    if name in texts():
        return await _shown(request, name, {})
    drawing = (_FOLDER / name).resolve()
    if drawing.suffix != ".svg" or _FOLDER not in drawing.parents or not drawing.is_file():
        raise HTTPException(404)
    return FileResponse(drawing, media_type="image/svg+xml")


async def _shown(request: Request, name: str, titles: dict[str, str]) -> HTMLResponse:
    title, text = await asyncio.to_thread(drawn, name)
    return render(request, "manual.html", Outcome({}), title=title, text=text, titles=titles)


@cache
def drawn(name: str) -> tuple[str, Markup]:
    """Return the title and the HTML of a page."""
    markdown = MarkdownIt("commonmark").enable("table")
    tokens = markdown.parse(texts()[name])
    heads: set[str] = set()
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(inline.content, heads))
        if style := token.attrs.pop("style", ""):  # `text-align:right` of a column
            token.attrSet("class", str(style).partition(":")[2])
        inline.children = [
            part for part in inline.children or [] if not str(part.attrGet("src")).count(".png")
        ]
        for part in inline.children:
            _lead(part, name)
    # what is wider than the screen scrolls in itself, also by keyboard
    text = markdown.renderer.render(tokens, markdown.options, {})
    text = text.replace("<th></th>", "<td></td>").replace(
        "<pre>", '<pre class="scroll" tabindex="0">'
    )
    text = text.replace("<table>", '<div class="scroll" tabindex="0"><table>')
    return tokens[1].content, Markup(text.replace("</table>", "</table></div>"))  # noqa: S704 (ours)


def _anchor(head: str, heads: set[str]) -> str:
    """Return the anchor of a heading, as the site has it.

    >>> _anchor("The page `Ending`", set()), _anchor("Odds", {"odds"})
    ('the-page-ending', 'odds_1')
    """
    words = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", head).strip().lower())
    number = 1
    anchor = words
    while anchor in heads:
        anchor, number = f"{words}_{number}", number + 1
    heads.add(anchor)
    return anchor


def _lead(part: Token, name: str) -> None:
    """Let a link or a drawing of a page lead to a page of this server."""
    for key in ("href", "src"):
        address = str(part.attrGet(key) or "")
        if address and not _ELSEWHERE.match(address):
            path, mark, anchor = address.partition("#")
            page = normpath(join(dirname(name), path.removesuffix(".md")))
            if path.endswith(".md") and page not in texts():
                del part.attrs[key]
            else:
                part.attrSet(key, f"/manual/{page}{mark}{anchor}")

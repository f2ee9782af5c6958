"""A page of the site as elements: its tables, links, fields, problems and boards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import unquote_plus
from xml.etree.ElementTree import Element, SubElement

EMPTY = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
"""Elements without an end."""
LINES = {*("h1", "h2", "h3", "p", "li", "tr", "dt", "dd", "figure", "pre", "button", "text")}
"""Elements that are a line of what a page shows."""


class _Tree(HTMLParser):
    """Makes elements of the text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.root = Element("page")
        self._open = [self.root]
        self.feed(html)
        assert self._open == [self.root], "each element ends"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = SubElement(self._open[-1], tag, {name: value or "" for name, value in attrs})
        if tag not in EMPTY:
            self._open.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        SubElement(self._open[-1], tag, {name: value or "" for name, value in attrs})

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY:
            assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        above = self._open[-1]
        if len(above):
            above[-1].tail = (above[-1].tail or "") + data
        else:
            above.text = (above.text or "") + data


class Problem(NamedTuple):
    """A problem that a page shows: the id of its place, its words, and the marked part."""

    place: str
    message: str
    marked: str


def words(element: Element) -> str:
    """Return the text of an element, with single blanks."""
    return " ".join("".join(element.itertext()).split())


def lines_of(element: Element) -> Iterator[str]:
    """Yield what an element shows: a line for each paragraph, row, item, figure and link."""
    if element.tag in LINES or element.tag == "a":
        parts = [*map(words, element)] if element.tag == "tr" else [words(element)]
        links = [each.get("href", "") for each in element.iter("a")]
        addresses = [unquote_plus(link) for link in links if not link.startswith("data:")]
        yield " ".join([" | ".join(parts), *(f"<{address}>" for address in addresses)])
    else:
        for each in element:
            yield from lines_of(each)


class Page:
    """A page by its text.

    >>> page = Page("<table><caption>Ways</caption><tr><th>A</th><td>1 <b>x</b></td></tr></table>")
    >>> page.tables
    {'Ways': [['A', '1 x']]}
    """

    def __init__(self, html: str) -> None:
        self.root = _Tree(html).root

    def all(self, path: str) -> list[Element]:
        """Return the elements of a path, such as `figure[@class='board']`."""
        return self.root.findall(f".//{path}")

    def texts(self, path: str) -> list[str]:
        """Return the texts of the elements of a path."""
        return [words(each) for each in self.all(path)]

    @cached_property
    def text(self) -> str:
        """The text of the page that people read."""
        (body,) = self.all("main") or [self.root]
        return words(body)

    @cached_property
    def tables(self) -> dict[str, list[list[str]]]:
        """The cells of each table by its caption, the heads first."""
        return {
            "".join(words(each) for each in table.iter("caption")): [
                [words(cell) for cell in row if cell.tag in {"th", "td"}]
                for row in table.iter("tr")
            ]
            for table in self.all("table")
        }

    def links(self, text: str = "") -> list[str]:
        """Return the addresses of the links whose text begins so."""
        return [each.get("href", "") for each in self.all("a") if words(each).startswith(text)]

    @cached_property
    def fields(self) -> dict[str, str]:
        """The texts of the fields by their names; of several, the last."""
        found = {each.get("name", ""): each.get("value", "") for each in self.all("input")}
        for area in self.all("textarea"):
            found[area.get("name", "")] = "".join(area.itertext()).removeprefix("\n")
        return found

    def hidden(self, form: str = "") -> dict[str, list[str]]:
        """Return the hidden fields of the first form that has some, or of that for an address."""
        for each in self.all("form"):
            found: dict[str, list[str]] = {}
            for one in each.iterfind(".//input[@type='hidden']"):
                found.setdefault(one.get("name", ""), []).append(one.get("value", ""))
            if found and form in each.get("action", ""):
                return found
        return {}

    @cached_property
    def problems(self) -> list[Problem]:
        """The problems that the page shows."""
        return [
            Problem(
                each.get("id", ""),
                words(each).removesuffix(" ".join(map(words, each.iterfind("code")))).strip(),
                "".join(map(words, each.iterfind(".//mark"))),
            )
            for each in self.all("*[@role='alert']")
        ]

    @cached_property
    def boards(self) -> list[str]:
        """The deals of the boards that are drawn."""
        return [each.get("data-pbn", "") for each in self.all("*[@data-pbn]")]

    @cached_property
    def facts(self) -> dict[str, str]:
        """The facts of the page by their heads."""
        return dict(zip(self.texts("dt"), self.texts("dd"), strict=True))

    @cached_property
    def answer(self) -> list[str]:
        """The lines of the answer, which the page shows beside its form."""
        sections = [each for each in self.all("section") if "answer" in each.get("class", "")]
        return [line for each in sections for line in lines_of(each) if line]

    @cached_property
    def codes(self) -> list[str]:
        """The codes, commands and lines of Python of the page, as they are copied."""
        return ["".join(each.itertext()) for each in self.all("code")]

"""The tables of a page, in cells."""

from __future__ import annotations

from html.parser import HTMLParser

__all__ = ["tables_of"]


class _Tables(HTMLParser):
    """Reads tables with a caption; the texts of spans are parts of their cells."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self._caption, self._rows, self._is_open = "", list[list[str]](), False

    def handle_starttag(self, tag: str, _attributes: object, /) -> None:
        if tag == "table":
            self._caption, self._rows = "", []
        elif tag == "tr":
            self._rows.append([])
        elif tag in {"th", "td"}:
            self._rows[-1].append("")
            self._is_open = True
        elif tag == "caption":
            self._is_open = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self.tables[self._caption] = self._rows
        elif tag in {"th", "td", "caption"}:
            self._is_open = False

    def handle_data(self, data: str) -> None:
        if self._is_open and self._rows:
            self._rows[-1][-1] += data
        elif self._is_open:
            self._caption += data


def tables_of(page: str) -> dict[str, list[list[str]]]:
    """Return the rows of each table by its caption, the heads first.

    >>> tables_of("<table><caption>Ways</caption><tr><th>A</th><td>1 <b>x</b></td></tr></table>")
    {'Ways': [['A', '1 x']]}
    """
    parser = _Tables()
    parser.feed(page)
    return parser.tables

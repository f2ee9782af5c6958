"""What a director wants to know about a file of boards: numbers, rules, results, duplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import cast

from pavcodec.boards import Board, Vulnerability
from pavcodec.boards.vulnerability import dealer_of_board
from pavcodec.cards import SEAT_LETTERS
from pavcodec.cli.options.boards import runs_of
from pavcodec.odds.figures import many

__all__ = ["SessionFacts", "session_lines"]

_SECTIONS = {"auctions": "Auction", "plays": "Play"}
_VALUES = {"contracts": "Contract", "results": "Result", "scores": "Score", "par": "OptimumScore"}
_NAMES = {"events": "Event", "dates": "Date", "sites": "Site", "creators": "Generator"}
_HEADS = {"tricks": "double-dummy tables", "par": "par scores"}
_UNKNOWN = ("", "?", "????.??.??")
_SHOWN = 12
_SEATS = len(SEAT_LETTERS)


class SessionFacts:
    """Collects the facts of boards one by one."""

    def __init__(self) -> None:
        self._deals: dict[int, set[bytes]] = {}
        self._rows: Counter[int] = Counter()
        self._unnumbered = 0
        self._wrong: dict[str, list[int]] = {"dealer": [], "vulnerable": []}
        self._given: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        self._names: dict[str, Counter[str]] = {key: Counter() for key in _NAMES}
        self._places: dict[bytes, dict[bytes, list[str]]] = {}
        self._incomplete: list[str] = []
        self._boards = 0

    def add(self, board: Board) -> None:
        """Count a board."""
        self._boards += 1
        tags, sections, number = board.tags, board.sections, board.number
        for key, name in _SECTIONS.items():
            self._counts[key] += bool(sections.get(name))
        for key, name in _VALUES.items():
            self._counts[key] += tags.get(name, "") not in _UNKNOWN
        for key, name in _NAMES.items():
            if tags.get(name, "") not in _UNKNOWN:
                self._names[key][tags[name]] += 1
        self._counts["tricks"] += board.tricks is not None
        self._add_rules(board, number)
        owners = b"" if board.layout is None else board.layout.owners
        if number is None:
            self._unnumbered += 1
        else:
            self._rows[number] += 1
            self._deals.setdefault(number, set()).add(owners)
        label = f"row {self._boards}" if number is None else str(number)
        if owners:
            same = self._places.setdefault(_turned(owners), {}).setdefault(owners, [])
            if number is None or label not in same:
                same.append(label)
        if board.layout is not None and not board.layout.is_deal:
            self._incomplete.append(label)

    def _add_rules(self, board: Board, number: int | None) -> None:
        dealer, vulnerable = board.dealer, board.vulnerable
        self._given["dealer"] += dealer is not None
        self._given["vulnerable"] += vulnerable is not None
        if number is None:
            return
        if dealer is not None and dealer is not dealer_of_board(number):
            self._wrong["dealer"].append(number)
        if vulnerable is not None and vulnerable is not Vulnerability.of_board(number):
            self._wrong["vulnerable"].append(number)

    @property
    def is_session(self) -> bool:
        """Whether any board has more than cards."""
        counts = self._counts - Counter({"tricks": self._counts["tricks"]})
        named = any(self._names.values())
        return bool(self._deals or counts.total() or self._given.total() or named)

    @property
    def incomplete(self) -> list[str]:
        """The boards without 13 cards in each hand, in a file where most boards have them."""
        return self._incomplete if 2 * len(self._incomplete) < self._boards else []

    @property
    def duplicates(self) -> list[list[str]]:
        """The boards of each deal that several boards have, also turned round the table."""
        groups = []
        for turns in self._places.values():
            labels = [one for same in turns.values() for one in same]
            if len(set(labels)) > 1:
                mark = " turned" if len(turns) > 1 else ""
                groups.append([*dict.fromkeys(labels), *([mark.strip()] if mark else [])])
        return groups

    def row(self) -> dict[str, object]:
        """Return the facts as a JSON object."""
        numbers = sorted(self._deals)
        held = set(numbers)
        gaps = range(numbers[0], numbers[-1] + 1) if numbers else range(0)
        missing = [one for one in gaps[: 10 * len(numbers)] if one not in held]
        return {
            "numbers": ", ".join(runs_of(numbers)),
            "missing": ", ".join(runs_of(missing)),
            "unnumbered": self._unnumbered,
            "incomplete": self.incomplete,
            "most_rows": max(self._rows.values(), default=0),
            "doubled": [number for number in numbers if len(self._deals[number]) > 1],
            "dealers": self._given["dealer"],
            "dealer_differs": sorted(set(self._wrong["dealer"])),
            "vulnerabilities": self._given["vulnerable"],
            "vulnerability_differs": sorted(set(self._wrong["vulnerable"])),
            **{key: self._counts[key] for key in (*_SECTIONS, *_VALUES, "tricks")},
            **{key: list(found) for key, found in self._names.items()},
        }


def session_lines(row: dict[str, object], boards: int) -> Iterator[tuple[str, str]]:
    """Yield the facts of a session as (head, text)."""
    duplicates = cast("list[list[str]]", row["duplicates"])
    for key in ("events", "sites", "dates"):
        if names := _texts(row[key]):
            yield key.removesuffix("s") if len(names) == 1 else key, _listed(names, "; ")
    yield "boards", f"{boards:,}"
    yield "numbers", _numbers(row)
    if incomplete := _texts(row["incomplete"]):
        yield "incomplete", f"not 13 cards in each hand: {_listed(incomplete)}"
    if row["numbers"]:
        yield "dealer", _rule(row["dealers"], row["dealer_differs"], boards)
        differ = row["vulnerability_differs"]
        yield "vulnerability", _rule(row["vulnerabilities"], differ, boards)
    counts = ("auctions", "plays", "contracts", "results", "scores", "tricks", "par")
    for key in counts:
        if row[key]:
            yield _HEADS.get(key, key), f"{row[key]:,}"
    if absent := [_HEADS.get(key, key) for key in counts if not row[key]]:
        yield "in no board", ", ".join(absent)
    if names := _texts(row["creators"]):
        yield "creator" if len(names) == 1 else "creators", _listed(names, "; ")
    yield "duplicates", "; ".join(map(_same, duplicates[:_SHOWN])) or "none"
    if len(duplicates) > _SHOWN:
        yield "", f"and {many(len(duplicates) - _SHOWN, 'more deal')}"


def _numbers(row: dict[str, object]) -> str:
    """Return the board numbers, and what is unusual about them."""
    if not row["numbers"]:
        return "none"
    parts = [str(row["numbers"])]
    if row["missing"]:
        parts.append(f"missing {row['missing']}")
    if row["most_rows"] != 1:
        parts.append(f"up to {row['most_rows']} rows a number")
    if row["doubled"]:
        parts.append(f"several deals under {_listed(_texts(row['doubled']))}")
    if row["unnumbered"]:
        parts.append(f"{row['unnumbered']} without a number")
    return "; ".join(parts)


def _rule(given: object, wrong: object, boards: int) -> str:
    """Return whether dealers or vulnerabilities are those of the board numbers."""
    differ = _texts(wrong)
    if not given:
        return "in no board"
    some = "" if given == boards else f"in {given} of {boards} boards; "
    if differ:
        return f"{some}not as the number says: {_listed(differ)}"
    return f"{some}as the numbers say"


def _same(group: Sequence[str]) -> str:
    """Return the boards of one deal."""
    labels = [one for one in group if one != "turned"]
    return f"{_listed(labels, ' = ')}{' (turned)' if len(labels) < len(group) else ''}"


def _texts(values: object) -> list[str]:
    return list(map(str, values)) if isinstance(values, list) else []


def _listed(texts: Sequence[str], between: str = ", ") -> str:
    """Return the first texts, and the number of the others."""
    more = len(texts) - _SHOWN
    return between.join(texts[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")


def _turned(owners: bytes) -> bytes:
    """Return owners with the table turned so that North has the first card that a hand has."""
    first = next((owner for owner in owners if owner < _SEATS), 0)
    return owners.translate(_TURNS[first])


_TURNS = [
    bytes([*((seat - first) % _SEATS for seat in range(_SEATS)), *range(_SEATS, 256)])
    for first in range(_SEATS)
]
"""For each owner of the first card, the new owner of each owner's cards."""

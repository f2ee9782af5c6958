"""The double-dummy tricks of many deals, as an array, and their par scores.

Deals that are equal after new names of suits and a turn of the table are solved once: their tables
of tricks differ in the names only. `solve_wanted` solves the first deal of each such class, for the
contracts that any deal of the class needs, and copies the tricks to the others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.arrays import Limbs, are_new, checked, sorting
from pavcodec.boards.batch import CONTRACTS
from pavcodec.boards.board import Vulnerability
from pavcodec.boards.par import BIDS, BOOK, duplicate_score
from pavcodec.boards.tricks import NOT_SOLVED
from pavcodec.cards import DECK_SIZE, HAND_SIZE, RANK_LETTERS, SUIT_SIZE, UNUSED, Seat, Strain, Suit
from pavcodec.errors import LayoutError, MissingExtraError, NumberError, PavError
from pavcodec.layout import Layout
from pavcodec.layout.columns import are_deals, hand_sizes
from pavcodec.layout.layout import layout_from_owners
from pavcodec.limits import available, processors
from pavcodec.numberings.catalogue import numbering
from pavcodec.numberings.classes import canonical_many
from pavcodec.solving.contracts import ChosenContracts, columns_of
from pavcodec.solving.endings import are_small, tricks_of_endings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners

    Columns = NDArray[np.intp] | Sequence[int]


# The library DDS of Haglund and Hein, from the package endplay, called with arrays.
#
# endplay declares the structures of the library for ctypes. numpy writes the cards of many deals
# into such a structure and reads the results from another one, without an object for each deal. DDS
# starts a thread for each processor in each call. It is not made for two calls at the same time, so
# calls wait for each other.


MOST_BOARDS = 200
"""The most boards of a call; a board is a deal in one strain."""
_ALL_TRICKS, _ONE_CARD, _ALL_CARDS, _ALWAYS_SEARCH = -1, 1, 3, 1
"""Arguments of DDS: no target of tricks; the best card or all; a score also without a choice."""
NO_PLAY = 255
"""What stands for the tricks of a card that cannot be played."""
_NO_PAR = -1
_ACE = 14
"""The rank of an ace in DDS."""
_LOCK = Lock()
_AUTOMATIC = 0
_threads = [_AUTOMATIC]
"""The most threads of a call, as the library has it now."""


class Dds:
    """The engine of DDS; each method solves at most 200 boards in a call.

    All hands of a deal have the same number of cards.
    """

    def strains(self, owners: Owners, strains: Sequence[Strain]) -> NDArray[np.uint8]:
        """Return the tricks of N, E, S and W in some strains: `uint8[n, len(strains), 4]`.

        A deal is a board for each strain. The time for the four declarers of a board is about twice
        the time for one.
        """
        tricks = np.empty((len(owners), len(strains), len(Seat)), np.uint8)
        small = are_small(owners)
        if small.any():
            known = tricks_of_endings(owners[small], threads=1)
            tricks[small] = known.reshape(-1, len(Strain), len(Seat))[:, strains]
        if not small.all():
            tricks[~small] = self._tables(owners[~small], strains)
        return tricks

    def _tables(self, owners: Owners, strains: Sequence[Strain]) -> NDArray[np.uint8]:
        """Return the tricks of larger hands; DDS's own are wrong for hands of one card."""
        dds, count = _library(), len(owners)
        deals, results, par = dds.ddTableDeals(), dds.ddTablesRes(), dds.allParResults()
        deals.noOfTables = count
        np.ctypeslib.as_array(deals.ddTableDeal)["cards"][:count] = _cards(owners)
        numbers = _dds_strains(strains)
        left_out = [int(number not in numbers) for number in range(len(Strain))]
        _call(lambda: dds.CalcAllTables(deals, _NO_PAR, left_out, results, par))
        table = np.ctypeslib.as_array(results.results)["resTable"][:count]
        # DDS returns 13 minus the tricks of the other side, also for hands of fewer cards
        fewer = HAND_SIZE - hand_sizes(owners)[:, 0]
        return np.asarray(table[:, numbers] - fewer[:, None, None], np.uint8)

    def contracts(self, owners: Owners, columns: Columns) -> NDArray[np.uint8]:
        """Return the tricks of one contract of each deal, by its column: `uint8[n]`."""
        tricks, small = np.empty(len(owners), np.uint8), are_small(owners)
        if small.any():
            known = tricks_of_endings(owners[small], threads=1)
            tricks[small] = known[np.arange(len(known)), np.asarray(columns)[small]]
        if not small.all():
            tricks[~small] = self._contracts(owners[~small], np.asarray(columns)[~small])
        return tricks

    def _contracts(self, owners: Owners, columns: NDArray[np.intp]) -> NDArray[np.uint8]:
        strains, declarers = np.divmod(columns, len(Seat))
        boards = _boards(owners, strains, (declarers + 1) % len(Seat), _ONE_CARD)
        lost = _solved(boards)["score"][:, 0]
        return np.asarray(hand_sizes(owners)[:, 0] - lost, np.uint8)

    def plays(self, owners: Owners, turns: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the tricks of the side whose turn it is by each card: `uint8[n, 52]`.

        `owners` are those before the trick. A row of `turns`, `uint8[n, 5]`, has the strain, the
        leader, and the cards on the table, 52 for none. Cards that cannot be played have 255.
        """
        tricks = np.full(owners.shape, NO_PLAY, np.uint8)
        for part in _parts(np.arange(len(owners)), MOST_BOARDS):
            held, table = owners[part].copy(), turns[part, 2:]
            places, cards = np.nonzero(table < DECK_SIZE)[0], table[table < DECK_SIZE]
            held[places, cards] = UNUSED
            boards = _boards(held, turns[part, 0], turns[part, 1], _ALL_CARDS)
            deals = np.ctypeslib.as_array(boards.deals)[: len(part)]
            suits, ranks = np.divmod(table, SUIT_SIZE)
            deals["currentTrickSuit"] = np.where(table < DECK_SIZE, suits, 0)
            deals["currentTrickRank"] = np.where(table < DECK_SIZE, _ACE - ranks, 0)
            solved = _solved(boards)
            rows, each = np.nonzero(np.arange(HAND_SIZE) < solved["cards"][:, None])
            found = {name: solved[name][rows, each] for name in ("suit", "rank", "equals", "score")}
            alike = found["equals"] | 1 << found["rank"]
            for rank in range(SUIT_SIZE):
                of = alike >> _ACE - rank & 1 == 1
                card = SUIT_SIZE * found["suit"][of] + rank
                tricks[part[rows[of]], card] = found["score"][of]
        return tricks


def _boards(
    owners: Owners, strains: NDArray[np.integer], leaders: NDArray[np.integer], solutions: int
) -> Any:
    """Return the boards of a call of the library, with all tricks as the target."""
    boards, count = _library().boards(), len(owners)
    boards.noOfBoards = count
    for name, value in ("target", _ALL_TRICKS), ("solutions", solutions), ("mode", _ALWAYS_SEARCH):
        np.ctypeslib.as_array(getattr(boards, name))[:count] = value
    deals = np.ctypeslib.as_array(boards.deals)
    deals["trump"][:count] = _dds_strains(strains)
    deals["first"][:count] = leaders
    deals["remainCards"][:count] = _cards(owners)
    return boards


def _solved(boards: Any) -> NDArray[Any]:
    """Return what the library finds for each board."""
    dds = _library()
    results = dds.solvedBoards()
    _call(lambda: dds.SolveAllBoardsBin(boards, results))
    return np.ctypeslib.as_array(results.solvedBoard)[: boards.noOfBoards]


def _library() -> Any:
    """Return the declarations of the library; raise `PavError` without endplay.

    They are loaded without the package around them, whose dealer and parsers take a second.
    """
    package = find_spec("endplay")
    if package is None:
        raise MissingExtraError("tricks")
    name = "endplay._dds"
    if name not in sys.modules:
        spec = PathFinder.find_spec(name, package.submodule_search_locations)
        if spec is None or spec.loader is None:
            raise MissingExtraError("tricks")
        library = module_from_spec(spec)
        spec.loader.exec_module(library)
        sys.modules[name] = library
    return sys.modules[name]


def _call(solve: Callable[[], object]) -> None:
    """Call the library alone, with the threads of this process; raise `PavError` if it fails."""
    try:
        with _LOCK:
            _limit_threads(processors())
            solve()
    except RuntimeError as error:  # the base class of the errors of endplay
        raise PavError(f"endplay cannot solve the deals: {error}") from error


def _dds_strains(strains: NDArray[np.integer] | Sequence[int]) -> NDArray[np.int_]:
    """Return the numbers of strains in DDS: S H D C NT."""
    return (np.asarray(strains, int) - 1) % len(Strain)


def _cards(owners: Owners) -> NDArray[np.uint32]:
    """Return the cards of each seat in each suit, as bits: the two is 4 and the ace 16384."""
    bits = np.uint32(4) << np.arange(len(RANK_LETTERS), dtype=np.uint32)[::-1]
    suits = owners.reshape(-1, 1, len(Suit), len(RANK_LETTERS))
    held = suits == np.arange(len(Seat), dtype=np.uint8)[:, None, None]
    return np.asarray((held * bits).sum(axis=3), np.uint32)


def _limit_threads(most: int) -> None:
    """Set the number of threads if it is another than before; for all processors DDS chooses."""
    wanted = most if most < available() else _AUTOMATIC
    if wanted != _threads[0]:
        _library().SetMaxThreads(wanted)
        _threads[0] = wanted


# Double-dummy tricks that are known before any solving: a look-up by deal.
#
# Deals that differ in the names of suits, or are turned round the table, have the same entry.


_SYMMETRY = "suits,turns"
_HALF = np.uint64(32)


def canonical_columns(owners: Owners) -> tuple[Owners, NDArray[np.intp]]:
    """Return canonical deals, and the column that each column of tricks has in them.

    The columns are `intp[n, 20]`. Column `c` of the tricks of row `k` is column `columns[k, c]` of
    the tricks of the canonical deal.
    """
    canonical, ways = canonical_many(owners, _SYMMETRY)
    names = ways.astype(np.intp)
    suits, seats = names[:, : len(Suit)], names[:, len(Suit) :]
    strains = np.concatenate([np.zeros((len(ways), 1), np.intp), suits + 1], axis=1)
    columns = len(Seat) * strains[:, :, None] + seats[:, None, :]
    return canonical, columns.reshape(len(owners), CONTRACTS)


class KnownTricks:
    """The tricks of many deals, by their canonical deals; 36 bytes for each.

    >>> known = KnownTricks()
    >>> deals = numbering("deal").sample_many(3, seed=7)
    >>> known.add(deals, np.full((3, 20), 6, np.uint8))
    >>> len(known), known.lookup(deals[1:])[:, 0].tolist()
    (3, [6, 6])
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all tricks."""
        self._numbers: Limbs = np.empty((0, 2), np.uint64)
        self._tops: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._tricks: NDArray[np.uint8] = np.empty((0, CONTRACTS), np.uint8)

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, owners: Owners, tricks: NDArray[np.uint8]) -> None:
        """Add the tricks of deals, `uint8[n, 20]`; 255 is unknown. Other layouts are left out.

        Of several results of a contract, the first one counts.
        """
        chosen = are_deals(owners) & (tricks != NOT_SOLVED).any(axis=1)
        if not chosen.any():
            return
        canonical, columns = canonical_columns(np.ascontiguousarray(owners[chosen]))
        rows = np.empty((len(canonical), CONTRACTS), np.uint8)
        np.put_along_axis(rows, columns, tricks[chosen], axis=1)
        numbers = np.concatenate([self._numbers, numbering("deal").rank_many(canonical)])
        rows = np.concatenate([self._tricks, rows])
        order = sorting(numbers)
        numbers, rows = numbers[order], rows[order]
        is_first = are_new(numbers)
        groups = np.cumsum(is_first) - 1
        joined = rows[is_first]
        for row in np.flatnonzero(~is_first).tolist():
            old = joined[groups[row]]
            joined[groups[row]] = np.where(old == NOT_SOLVED, rows[row], old)
        self._numbers, self._tricks = numbers[is_first], joined
        self._tops = _tops(self._numbers)

    def lookup(self, owners: Owners) -> NDArray[np.uint8]:
        """Return the tricks of layouts, `uint8[n, 20]`, with 255 where they are not known."""
        tricks = np.full((len(owners), CONTRACTS), NOT_SOLVED, np.uint8)
        if not len(self):
            return tricks
        chosen = np.flatnonzero(are_deals(owners))
        if not len(chosen):
            return tricks
        canonical, columns = canonical_columns(owners[chosen])
        numbers = numbering("deal").rank_many(canonical)
        indexes = self._rows_of(numbers)
        is_known = indexes >= 0
        rows = np.take_along_axis(self._tricks[indexes[is_known]], columns[is_known], axis=1)
        tricks[chosen[is_known]] = rows
        return tricks

    def _rows_of(self, numbers: Limbs) -> NDArray[np.intp]:
        """Return the row of each number, or -1."""
        tops = _tops(numbers)
        indexes = np.searchsorted(self._tops, tops)
        known = np.full(len(numbers), -1)
        open_ = np.arange(len(numbers))
        while len(open_):
            at = indexes[open_]
            is_in = at < len(self._tops)
            open_, at = open_[is_in], at[is_in]
            is_same = self._tops[at] == tops[open_]
            open_, at = open_[is_same], at[is_same]
            is_equal = (self._numbers[at] == numbers[open_]).all(axis=1)
            known[open_[is_equal]] = at[is_equal]
            open_ = open_[~is_equal]
            indexes[open_] += 1
        return known

    def tricks_of(self, layout: Layout) -> bytes | None:
        """Return the tricks of a layout, as in a row of `lookup`; None if none are known."""
        row = self.lookup(np.frombuffer(layout.owners, np.uint8)[np.newaxis])[0]
        return None if (row == NOT_SOLVED).all() else row.tobytes()


def _tops(numbers: Limbs) -> NDArray[np.uint64]:
    """Return the highest 64 of the 96 bits of numbers of deals."""
    return np.asarray(numbers[:, 0] << _HALF | numbers[:, 1] >> _HALF, np.uint64)


known_tricks = KnownTricks()
"""The tricks that no solver needs to compute in this process; see `use_solved`."""


OnSolved = Callable[[int], object]
"""Receives the number of deals that were solved since its last call."""


def solve_many(
    owners: Owners, contracts: ChosenContracts = None, *, on_solved: OnSolved | None = None
) -> NDArray[np.uint8]:
    """Return the double-dummy tricks of many deals or endings: `uint8[n, 20]`.

    `owners` are `uint8[n, 52]`; in each row, the four hands have the same number of cards. A row of
    the result has the bytes of a `TrickTable`: column `4 * strain + declarer`, strains NT S H D C,
    declarers N E S W. `contracts` chooses some, such as `3NT by S`, `NT` or `N S`; the others have
    255. Rows that are equal up to the names of suits and a turn of the table are solved once.
    `on_solved` is called with the number of deals that were solved since the last call.

    The solver is DDS, which uses all processors. Raises `PavError` without the package endplay,
    `LayoutError` with the first row that cannot be solved, `TextError` for unknown contracts, and
    `TypeError` for another array.

    >>> from pavcodec import Layout
    >>> from pavcodec.boards.batch import owners_of
    >>> ending = Layout.from_pbn("N:AK... QJ... T9... 87...")
    >>> solve_many(owners_of([ending]), "NT, S by N")[:, :8].tolist()  # doctest: +SKIP
    [[2, 0, 2, 0, 2, 255, 255, 255]]
    """
    columns = columns_of(contracts)
    rows = checked("owners", owners, np.uint8, DECK_SIZE)
    check_solvable(rows)
    wanted = np.zeros((len(rows), CONTRACTS), bool)
    wanted[:, columns] = True
    return solve_wanted(rows, wanted, on_solved=on_solved, on_known=on_solved)


def check_solvable(owners: Owners) -> None:
    """Raise `LayoutError` for the first row that no engine solves."""
    are_good = are_solvable(owners)
    if are_good.all():
        return
    row = int(are_good.argmin())
    if owners[row].max() > UNUSED:
        raise LayoutError(f"row {row}: an owner is 0 to {UNUSED}, not {owners[row].max()}")
    layout = layout_from_owners(owners[row].tobytes())
    raise LayoutError(f"row {row}: tricks needs four hands of the same size, not '{layout}'")


def are_solvable(owners: Owners) -> NDArray[np.bool_]:
    """Return whether the four hands of each row have the same number of cards: `bool[n]`."""
    cards = hand_sizes(owners)
    is_even = (cards == cards[:, :1]).all(axis=1) & (cards[:, 0] > 0)
    return np.asarray(is_even & (owners.max(axis=1, initial=0) <= UNUSED))


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of deals that differ in the names of suits and seats only."""

    firsts: NDArray[np.intp]
    """The first row of each class, in increasing order."""
    numbers: NDArray[np.intp]
    """The class of each row."""
    columns: NDArray[np.intp]
    """The column that each column of a row has in the canonical deal: `intp[n, 20]`."""

    @classmethod
    def of(cls, owners: Owners) -> Classes:
        """Return the classes of deals."""
        canonical, columns = canonical_columns(owners)
        keys = np.ascontiguousarray(canonical).view(np.dtype((np.void, DECK_SIZE)))[:, 0]
        _, firsts, numbers = np.unique(keys, return_index=True, return_inverse=True)
        order = np.argsort(firsts)
        return cls(firsts[order], np.argsort(order)[numbers.reshape(-1)], columns)

    def to_firsts(self, wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the contracts of the first deal of each class that its deals need."""
        canonical = np.zeros((len(self.firsts), CONTRACTS), bool)
        rows, columns = np.nonzero(wanted)
        canonical[self.numbers[rows], self.columns[rows, columns]] = True
        return np.take_along_axis(canonical, self.columns[self.firsts], axis=1)

    def from_firsts(self, tricks: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the tricks of all rows from those of the first deal of each class."""
        canonical = np.empty_like(tricks)
        np.put_along_axis(canonical, self.columns[self.firsts], tricks, axis=1)
        return np.take_along_axis(canonical[self.numbers], self.columns, axis=1)


def solve_wanted(
    owners: Owners,
    wanted: NDArray[np.bool_],
    engine: Dds | None = None,
    *,
    on_solved: OnSolved | None = None,
    on_known: OnSolved | None = None,
) -> NDArray[np.uint8]:
    """Return the tricks of the contracts that are wanted, `bool[n, 20]`; the others have 255.

    Deals of one class are solved once, and tricks of `known_tricks` are not solved. The engine of
    DDS is the default. `on_known` receives the number of deals that need no engine.
    """
    if not wanted.any():
        return np.full(wanted.shape, NOT_SOLVED, np.uint8)
    classes = Classes.of(owners)
    firsts = owners[classes.firsts]
    needed = classes.to_firsts(wanted)
    tricks = known_tricks.lookup(firsts)
    was_needed = needed.any(axis=1)
    needed &= tricks == NOT_SOLVED
    if on_known is not None and (known := int((was_needed & ~needed.any(axis=1)).sum())):
        on_known(known)
    for solved in _solve_firsts(firsts, needed, tricks, engine or Dds()):
        if on_solved is not None and solved:
            on_solved(solved)
    return np.where(wanted, classes.from_firsts(tricks), np.uint8(NOT_SOLVED))


def _solve_firsts(
    owners: Owners, needed: NDArray[np.bool_], tricks: NDArray[np.uint8], engine: Dds
) -> Iterator[int]:
    """Write the needed tricks call by call; yield how many deals each call has finished.

    A strain of which several declarers are needed is solved for all four.
    """
    declarers = needed.reshape(-1, len(Strain), len(Seat))
    counts = declarers.sum(axis=2)
    has_single = (counts == 1).any(axis=1)
    patterns = (counts > 1) @ (1 << np.arange(len(Strain)))
    for pattern in np.unique(patterns[patterns > 0]).tolist():
        strains = [strain for strain in Strain if pattern >> strain & 1]
        rows = np.flatnonzero(patterns == pattern)
        for part in _parts(rows, MOST_BOARDS // len(strains)):
            solved = engine.strains(owners[part], strains)
            for index, strain in enumerate(strains):
                first = strain * len(Seat)
                tricks[part, first : first + len(Seat)] = solved[:, index]
            yield int((~has_single[part]).sum())
    rows, columns = np.nonzero(needed & np.repeat(counts == 1, len(Seat), axis=1))
    is_last = np.append(rows[1:] != rows[:-1], True) if len(rows) else rows
    for part in _parts(np.arange(len(rows)), MOST_BOARDS):
        tricks[rows[part], columns[part]] = engine.contracts(owners[rows[part]], columns[part])
        yield int(is_last[part].sum())


def _parts(rows: NDArray[np.intp], most: int) -> Iterator[NDArray[np.intp]]:
    """Yield the rows in parts of nearly equal size, none with more than `most`."""
    return iter(np.array_split(rows, -(-len(rows) // most))) if len(rows) else iter(())


# Par scores of many boards, as `pavcodec.boards.par` defines them.
#
# The definition solves the auction of one board from the highest bid down. Here each step is taken
# for all boards together, and a table has the score of each bid.


_AT_ONCE = 1 << 16
_TRICKS = HAND_SIZE + 1
_SIDES = (0, 1)
_BEST = (np.maximum, np.minimum)
"""The score, for North and South, that a side prefers."""


def par_many(
    tricks: NDArray[np.uint8],
    dealer: Seat | int | str | NDArray[np.uint8],
    vulnerable: Vulnerability | str | NDArray[np.uint8],
) -> NDArray[np.int32]:
    """Return the par scores for North and South from tricks, `uint8[n, 20]`: `int32[n]`.

    `dealer` and `vulnerable` are values for all boards, or arrays `uint8[n]`: 0 to 3 for N E S W,
    and 0 to 3 for None, NS, EW, All. Raises `LayoutError` with the first row that does not have the
    tricks of all contracts, `NumberError` with the first other number of a seat or vulnerability,
    `UnknownNameError` for other texts, and `TypeError` for other arrays.

    >>> import numpy as np
    >>> tricks = np.array([[7, 5, 7, 5] + [10, 3, 10, 3] + [5, 8, 5, 8] * 3], np.uint8)
    >>> par_many(tricks, "N", "None"), par_many(tricks, "N", np.array([3], np.uint8))
    (array([420], dtype=int32), array([620], dtype=int32))
    """
    rows = checked("tricks", tricks, np.uint8, CONTRACTS)
    are_wrong = (rows > HAND_SIZE).any(axis=1)
    if are_wrong.any():
        row = int(are_wrong.argmax())
        raise LayoutError(
            f"row {row}: par needs the tricks of all contracts, 0 to {HAND_SIZE}, "
            f"not {rows[row].tolist()}"
        )
    sides = codes("dealer", Seat, dealer, len(rows)) % len(_SIDES)
    vulnerabilities = codes("vulnerable", Vulnerability, vulnerable, len(rows))
    scores = np.empty(len(rows), np.int32)
    for begin in range(0, len(rows), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        scores[part] = _scores(rows[part], sides[part], vulnerabilities[part])
    return scores


def codes(
    name: str, kind: type[Seat | Strain | Vulnerability], value: Any, count: int
) -> NDArray[np.uint8]:
    """Return the number of a seat, strain or vulnerability for each of `count` rows."""
    if not isinstance(value, np.ndarray):
        return np.full(count, [*kind].index(kind.of(value)), np.uint8)
    if value.dtype != np.uint8 or value.shape != (count,):
        raise TypeError(
            f"{name} is a value or an array uint8[{count}], not {value.dtype}{list(value.shape)}"
        )
    if len(value) and value.max() >= len(kind):
        row = int((value >= len(kind)).argmax())
        raise NumberError(f"row {row}: {name} is 0 to {len(kind) - 1}, not {value[row]}")
    return value


@cache
def _table() -> NDArray[np.int16]:
    """Return the score for North and South by side, bid, vulnerability and tricks."""
    table = np.empty((len(_SIDES), len(BIDS), len(Vulnerability), _TRICKS), np.int16)
    for side in _SIDES:
        for bid, (level, strain) in enumerate(BIDS):
            for code, vulnerability in enumerate(Vulnerability):
                for taken in range(_TRICKS):
                    score = duplicate_score(
                        level,
                        strain,
                        tricks=taken,
                        vulnerable=Seat(side) in vulnerability.seats,
                        doubled=int(taken < BOOK + level),
                    )
                    table[side, bid, code, taken] = -score if side else score
    return table


def _scores(
    tricks: NDArray[np.uint8], sides: NDArray[np.uint8], vulnerabilities: NDArray[np.uint8]
) -> NDArray[np.int16]:
    """Return the scores of some boards; `sides` are those of the dealers."""
    by_seat = tricks.reshape(-1, len(Strain), len(Seat))
    cells = vulnerabilities[:, None] * _TRICKS + np.stack(
        [by_seat[:, :, side::2].max(axis=2) for side in _SIDES]
    )
    table = _table().reshape(len(_SIDES), len(BIDS), -1)
    best: list[NDArray[np.int16]] = []
    for bid in reversed(range(len(BIDS))):
        strain = BIDS[bid][1]
        made = [table[side, bid][cells[side, :, strain]] for side in _SIDES]
        if best:  # the other side passes or bids more
            values = [_BEST[1 - side](made[side], best[1 - side]) for side in _SIDES]
            best = [_BEST[side](best[side], values[side]) for side in _SIDES]
        else:
            best = made
    by_dealer = [np.zeros(len(tricks), np.int16) for _ in _SIDES]
    for first in _SIDES:
        for turn in reversed(range(len(Seat))):
            side = (first + turn) % len(_SIDES)
            by_dealer[first] = _BEST[side](by_dealer[first], best[side])
    return np.where(sides == 0, *by_dealer)

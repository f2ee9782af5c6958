"""The double-dummy tricks of a block of boards, coded in a column of its own.

A model of fixed tables forecasts the tricks of each contract from the cards and from the contracts
before it. It mixes the probabilities of several contexts, which adapt as rows are coded, and a
range coder stores the answers to yes-or-no questions. So a solved deal takes some 18 bits.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pavcodec import kernel
from pavcodec.boards.batch import CONTRACTS
from pavcodec.boards.board import Board, Tag
from pavcodec.boards.tricks import NOT_SOLVED, RESULT_TABLE, results_of_bytes
from pavcodec.cards import HAND_SIZE
from pavcodec.errors import LayoutError, ReadError
from pavcodec.layout.columns import are_deals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners


# The fixed tables of the model of tricks: estimates, and probabilities before the first row.
#
# `tools/trick_prior.py` derives them from a solved set. They are part of the format of archives.


CHECKSUM = 0x242544F7
"""CRC-32 of the tables, which may never change."""

HONOURS = 4**5
"""The holders of A K Q J T of a suit."""
LENGTHS = 560
"""The lengths of a suit in four hands."""
_ROLES = 3
"""A suit in notrump, trumps, a side suit."""
NODES = 16
"""The yes-or-no questions about a value."""
INPUTS = 4
"""The contexts of a value."""
_VALUES = 4
"""The declarers of a strain."""
_STRAINS = 5

CONTEXT_SIZES = ((80, 112, 112, 88), (90, 25, 65, 26), (100, 150, 96, 70), (90, 25, 65, 40))
"""How many contexts there are of each input, for the values of N, S, E and W of a strain."""
_STARTS = np.cumsum([0, *(size for sizes in CONTEXT_SIZES for size in sizes)])
FIRST_CONTEXTS = _STARTS[:-1].reshape(_VALUES, INPUTS)
"""The first of the contexts of each input."""
SLOTS = int(_STARTS[-1]) * NODES
"""The probabilities: one for each question in each context."""

MOST_COUNT = 250
"""The count of a probability, from which its rate follows, stops here."""
RATES = np.array([65536 * 5 // (5 * count + 8) for count in range(MOST_COUNT + 1)])
"""The rate of change of a probability by its count: about 1 / (count + 1.6), times 65536."""

_KNOTS = (
    22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743, 32768,
    40793, 47911, 53581, 57724, 60565, 62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438,
    65476, 65500, 65514,
)  # fmt: skip
"""65536 / (1 + e^-x) for x = -8, -7.5, … 8, rounded."""
_STEP = 128
_HALF = 2048


def _squash() -> NDArray[np.int64]:
    """Return the probability, times 65536, of each log odds from -2048 to 2047, times 256."""
    odds = np.arange(2 * _HALF)
    knots = np.array(_KNOTS)
    which, rest = odds // _STEP, odds % _STEP
    joined = knots[which] * (_STEP - rest) + knots[which + 1] * rest + _STEP // 2
    return np.asarray(joined // _STEP, np.int64)


SQUASH = _squash()
"""`SQUASH[x + 2048]` is the probability of log odds of x / 256."""
STRETCH = np.clip(
    np.searchsorted(SQUASH, 16 * np.arange(4096) + 8) - _HALF, -(_HALF - 1), _HALF - 1
)
"""The inverse: the least x whose probability is at least 16 k + 8."""


@dataclass(frozen=True, eq=False)
class Prior:
    """The tables of the model."""

    bias: NDArray[np.int64]
    """The mean estimate, of notrump and of suits, in 64ths of a trick: `[2]`."""
    honours: NDArray[np.int64]
    """What the holders of A K Q J T add to the estimate, by role: `[3, 1024]`."""
    lengths: NDArray[np.int64]
    """What the lengths of a suit add, by role: `[3, 560]`."""
    pull: NDArray[np.int64]
    """What the earlier strains add, in 256ths of their surprise: `[5, 5]`."""
    lean: NDArray[np.int64]
    """What the earlier declarers add, in 256ths of their surprise: `[2, 4, 4]`."""
    weights: NDArray[np.int64]
    """The weights of the mixing, times 65536: `[64, 4]`."""
    probabilities: NDArray[np.int64]
    """The probability of yes in each slot, times 65536: `[SLOTS]`."""
    counts: NDArray[np.int64]
    """The count of each probability: `[SLOTS]`."""

    def to_bytes(self) -> bytes:
        """Return the tables as bytes, one after another, little-endian."""
        parts = (getattr(self, name).astype(kind).tobytes() for name, kind, _ in _LAYOUT)
        return b"".join(parts)

    @classmethod
    def from_bytes(cls, data: bytes) -> Prior:
        """Return the tables of bytes."""
        offset, tables = 0, {}
        for name, kind, shape in _LAYOUT:
            size = int(np.prod(shape))
            part = np.frombuffer(data, kind, size, offset)
            tables[name] = part.reshape(shape).astype(np.int64)
            offset += part.nbytes
        assert offset == len(data), "the tables have other sizes"
        return cls(**tables)


_LAYOUT: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("bias", "<i2", (2,)),
    ("honours", "<i2", (_ROLES, HONOURS)),
    ("lengths", "<i2", (_ROLES, LENGTHS)),
    ("pull", "<i2", (_STRAINS, _STRAINS)),
    ("lean", "<i2", (2, _VALUES, INPUTS)),
    ("weights", "<i4", (_VALUES * NODES, INPUTS)),
    ("probabilities", "<u2", (SLOTS,)),
    ("counts", "u1", (SLOTS,)),
)
assert [name for name, *_ in _LAYOUT] == [field.name for field in fields(Prior)]

PATH = Path(__file__).with_name("trick_prior.bin")


@cache
def prior() -> Prior:
    """Return the tables of the package."""
    data = zlib.decompress(PATH.read_bytes())
    assert zlib.crc32(data) == CHECKSUM, "the tables of the model of tricks are others"
    return Prior.from_bytes(data)


@cache
def length_index() -> NDArray[np.int64]:
    """Return the index of three lengths, of declarer, left-hand opponent and partner, or -1.

    >>> index = length_index()
    >>> [int(index[each]) for each in [(0, 0, 0), (0, 0, 1), (13, 0, 0)]]
    [0, 1, 559]
    """
    index = np.full((14, 14, 14), -1)
    allowed = np.argwhere(np.add.outer(np.add.outer(*[np.arange(14)] * 2), np.arange(14)) <= 13)
    index[tuple(allowed.T)] = np.arange(len(allowed))
    return index


# Rows of tricks as bytes and back, by the model and the range coder of the kernel.
#
# Rule 1: the model starts from the prior in each block, so blocks are independent.
# Rule 2: a stream has exactly one form; its last bytes are the fewest that name a number in range.


_CODE_BYTES = 4
_TOP = 0xFFFFFFFF


def encode_rows(tricks: NDArray[np.uint8], owners: Owners, most: int) -> bytes | None:
    """Return the bytes of the tricks of deals, `uint8[n, 20]`; None for more than `most` bytes.

    >>> deals = np.repeat(np.arange(4, dtype=np.uint8), 13)[np.newaxis]
    >>> data = encode_rows(np.full((1, 20), 6, np.uint8), deals, 100)
    >>> decode_rows(data, deals)[0, :3].tolist()
    [6, 6, 6]
    """
    room, coder = np.empty(most + 1, np.uint8), new_coder()
    code_rows(_fresh(), np.array(tricks), owners, (coder, room))
    low, high, _, written = coder.tolist()
    data = room[: min(written, len(room))].tobytes() + last_bytes(low, high)
    return data if written + len(last_bytes(low, high)) <= most else None


def decode_rows(data: bytes, owners: Owners) -> NDArray[np.uint8]:
    """Return the tricks of bytes for these deals; raise `ReadError` for other bytes."""
    tricks = np.zeros((len(owners), 20), np.uint8)
    coder = new_coder()
    coder[2] = int.from_bytes(data[:_CODE_BYTES].ljust(_CODE_BYTES, b"\0"), "big")
    coder[3] = _CODE_BYTES
    room = np.frombuffer(bytearray(data), np.uint8)
    code_rows(_fresh(), tricks, owners, (coder, room), is_decoding=True)
    low, high, _, position = coder.tolist()
    done = position - _CODE_BYTES
    if done > len(data) or data[done:] != last_bytes(low, high):
        raise ReadError(f"tricks: these bytes are not those of {len(owners)} deals")
    return tricks


def _fresh() -> Prior:
    """Return the tables of the package, of which those that learn are copies."""
    known = prior()
    return replace(
        known,
        weights=known.weights.copy(),
        probabilities=known.probabilities.copy(),
        counts=known.counts.copy(),
    )


def estimates_of(owners: Owners, tables: Prior) -> NDArray[np.int64]:
    """Return the estimates of deals, `int64[n, 20]`, in 64ths of a trick."""
    estimates, rows = np.empty((len(owners), 20), np.int64), np.ascontiguousarray(owners)
    effects = tables.bias, tables.honours, tables.lengths, length_index()
    kernel.estimate_tricks(*effects, len(rows), rows, estimates)
    return estimates


def code_rows(
    model: Prior,
    tricks: NDArray[np.uint8],
    owners: Owners,
    stream: tuple[NDArray[np.int64], NDArray[np.uint8]],
    *,
    is_decoding: bool = False,
) -> None:
    """Code the tricks of deals to a stream or from it: a coder and its data; the model learns."""
    coder, data = stream
    rows, estimates = np.ascontiguousarray(owners), estimates_of(owners, model)
    tables = model.pull, model.lean, SQUASH, STRETCH, RATES, FIRST_CONTEXTS
    learning = model.weights, model.probabilities, model.counts
    deals = len(rows), rows, estimates, tricks
    kernel.code_tricks(*tables, *learning, is_decoding, *deals, coder, len(data), data)


def new_coder() -> NDArray[np.int64]:
    """Return the state of a range coder: low, high, code, position."""
    return np.array([0, _TOP, 0, 0])


def last_bytes(low: int, high: int) -> bytes:
    r"""Return the fewest last bytes of a stream: a number of 32 bits in a range, without zeros.

    >>> last_bytes(0, 0xFFFFFFFF), last_bytes(0x12345678, 0x13000000)
    (b'', b'\x13')
    """
    for size in range(_CODE_BYTES + 1):
        unit = 1 << 8 * (_CODE_BYTES - size)
        number = -(-low // unit) * unit
        if number <= high:
            return number.to_bytes(_CODE_BYTES, "big")[:size]
    raise AssertionError("a range has a number")


# The column of tricks of a block: which rows have results, results as they are, modelled rows.
#
# Rule 1: rows whose 20 contracts are all solved, of deals with 13 cards in each hand, are modelled.
# Rule 2: other results are stored as they are: 20 digits of four bits, 15 for a contract that is
# not solved. Rule 3: results that the model makes longer than 10 bytes a row, such as impossible
# ones, are stored as they are, too. Rule 4: a column has exactly one form.


_ALL_MODELLED, _MIXED = 1, 2
_NOTHING, _PLAIN, _MODELLED = 0, 1, 2
_DIGITS = CONTRACTS // 2  # bytes of a plain row
_MISSING = 15
_PLACES = np.arange(0, 8, 2)
"""Where the kinds of four rows are in a byte."""


def encode_tricks(tricks: NDArray[np.uint8], owners: Owners) -> bytes:
    """Return the column of the tricks of a block, `uint8[n, 20]`; nothing for no results at all.

    `owners` are the cards, `uint8[n, 52]`. Raise `LayoutError` for
    tricks that are neither 0 to 13 nor 255.

    >>> deals = np.repeat(np.arange(4, dtype=np.uint8), 13)[np.newaxis]
    >>> column = encode_tricks(np.full((1, 20), 255, np.uint8), deals)
    >>> column, int(decode_tricks(column, deals)[0, 0])
    (b'', 255)
    """
    if ((tricks > HAND_SIZE) & (tricks != NOT_SOLVED)).any():
        raise LayoutError(f"tricks are 0 to {HAND_SIZE}, or {NOT_SOLVED} where none are known")
    kinds = np.where((tricks != NOT_SOLVED).any(axis=1), _PLAIN, _NOTHING)
    if not kinds.any():
        return b""
    are_modelled = are_deals(owners) & (tricks != NOT_SOLVED).all(axis=1)
    stream = None
    if are_modelled.any():
        most = _DIGITS * int(are_modelled.sum())
        stream = encode_rows(tricks[are_modelled], owners[are_modelled], most)
    if stream is not None:
        kinds[are_modelled] = _MODELLED
        if are_modelled.all():
            return bytes([_ALL_MODELLED]) + stream
    parts = [bytes([_MIXED]), _packed(kinds), _digits(tricks[kinds == _PLAIN]), stream or b""]
    return b"".join(parts)


def decode_tricks(data: bytes, owners: Owners) -> NDArray[np.uint8]:
    """Return the tricks of a column, `uint8[n, 20]`; raise `ReadError` for invalid bytes."""
    tricks = np.full((len(owners), CONTRACTS), NOT_SOLVED, np.uint8)
    if not data:
        return tricks
    kinds, plain, stream = _parts(data, len(owners))
    tricks[kinds == _PLAIN] = plain
    modelled = kinds == _MODELLED
    if not (are_deals(owners) | ~modelled).all():
        raise ReadError("tricks: a row that is no deal is modelled")
    if modelled.any():
        tricks[modelled] = decode_rows(stream, owners[modelled])
    elif stream:
        end = len(data) - len(stream)
        raise ReadError(f"tricks: the column has {len(data)} bytes, not {end}")
    _check_form(data, kinds, tricks, owners, len(stream))
    return tricks


def are_whole(data: bytes, count: int) -> NDArray[np.bool_]:
    """Return which rows of a column have all 20 results, without decoding the modelled rows.

    `count` is the number of rows. Raise `ReadError` for bytes that are too short.
    """
    if not data:
        return np.zeros(count, np.bool_)
    kinds, plain, _ = _parts(data, count)
    whole: NDArray[np.bool_] = kinds == _MODELLED
    whole[kinds == _PLAIN] = (plain != NOT_SOLVED).all(axis=1)
    return whole


def _check_form(
    data: bytes, kinds: NDArray[np.int64], tricks: NDArray[np.uint8], owners: Owners, streamed: int
) -> None:
    """Raise `ReadError` unless the writer writes these tricks in this form."""
    solved = tricks != NOT_SOLVED
    modelled = kinds == _MODELLED
    fits = ((kinds != _NOTHING) == solved.any(axis=1)).all()
    if modelled.any():
        fits &= streamed <= _DIGITS * int(modelled.sum())
        fits &= (modelled == (are_deals(owners) & solved.all(axis=1))).all()
        fits &= modelled.all() == (data[0] == _ALL_MODELLED)
    elif fits:
        fits = encode_tricks(tricks, owners) == data  # unless the model is shorter
    if not fits:
        raise ReadError("tricks: these bytes are not how the tricks of any boards are written")


def _packed(kinds: NDArray[np.int64]) -> bytes:
    """Return the kinds of rows, two bits each, the lowest bits first."""
    padded = np.zeros(-(-len(kinds) // 4) * 4, np.uint8)
    padded[: len(kinds)] = kinds
    return bytes((padded.reshape(-1, 4) << _PLACES.astype(np.uint8)).sum(axis=1, dtype=np.uint8))


def _parts(data: bytes, count: int) -> tuple[NDArray[np.int64], NDArray[np.uint8], bytes]:
    """Return the kind of each row, the tricks of the plain ones, and the bytes of the modelled."""
    if data[0] == _ALL_MODELLED:
        return np.full(count, _MODELLED), _of_digits(b""), data[1:]
    begin = 1 + -(-count // 4)
    if data[0] != _MIXED or len(data) < begin:
        raise ReadError("tricks: the column has an unknown form, or is too short")
    packed = np.frombuffer(data, np.uint8, begin - 1, 1).astype(np.int64)
    kinds = (packed[:, np.newaxis] >> _PLACES & 3).reshape(-1)
    if (kinds[count:] != 0).any() or (kinds > _MODELLED).any():
        raise ReadError("tricks: the column has unknown kinds of rows")
    end = begin + _DIGITS * int(np.count_nonzero(kinds == _PLAIN))
    if end > len(data):
        raise ReadError("tricks: the column is too short")
    return kinds[:count], _of_digits(data[begin:end]), data[end:]


def _digits(tricks: NDArray[np.uint8]) -> bytes:
    """Return rows as digits of four bits, the first of two in the lower bits."""
    values = np.where(tricks == NOT_SOLVED, _MISSING, tricks).astype(np.uint8)
    return bytes((values[:, ::2] | values[:, 1::2] << 4).tobytes())


def _of_digits(data: bytes) -> NDArray[np.uint8]:
    """Return the rows of digits; raise `ReadError` for a 14."""
    packed = np.frombuffer(data, np.uint8)
    values = np.stack([packed & 15, packed >> 4], axis=1).reshape(-1, CONTRACTS)
    if (values == HAND_SIZE + 1).any():
        raise ReadError(f"tricks: there are at most {HAND_SIZE}")
    return np.where(values == _MISSING, NOT_SOLVED, values).astype(np.uint8)


# The tag OptimumResultTable of boards, taken out of them into an array of tricks, and put back.
#
# Rule 1: a table that is not written as `Board.with_results` writes it stays in its board.
# Rule 2: an empty tag OptimumResultTable keeps the place of the table.


PLACEHOLDER = Tag(RESULT_TABLE, "")
"""The tag that keeps the place of a table."""


def take_out(board: Board) -> tuple[Board, bytes]:
    """Return a board with an empty tag in the place of its table, and the tricks of this.

    >>> board = Board.make(None, tags={"Event": "Club"}).with_results({(0, 1): 9})
    >>> rest, tricks = take_out(board)
    >>> [tag.name for tag in rest.entries], tricks[4], put_back(rest, tricks) == board
    (['Event', 'OptimumResultTable'], 9, True)
    """
    place = _place(board)
    if place is not None:
        tag = board.entries[place]
        results = Board(None, (tag,)).results
        if _table(results) == tag:
            return _with_tag(board, place, PLACEHOLDER), results
    return board, _NO_RESULTS


def put_back(board: Board, tricks: bytes) -> Board:
    """Return a board with its table; raise `ReadError` where this is not what was taken out."""
    table = _table(tricks)
    if table is None:
        if take_out(board)[1] != _NO_RESULTS:
            raise ReadError("tricks: a board has a table that belongs in the column")
        return board
    place = _place(board)
    if place is None or board.entries[place] != PLACEHOLDER:
        raise ReadError("tricks: a board has results and no place for them")
    return _with_tag(board, place, table)


_NO_RESULTS = bytes([NOT_SOLVED]) * CONTRACTS


def _place(board: Board) -> int | None:
    """Return the index of the first tag OptimumResultTable."""
    return next((i for i, tag in enumerate(board.entries) if tag.name == RESULT_TABLE), None)


def _with_tag(board: Board, place: int, tag: Tag) -> Board:
    entries = board.entries
    return Board(board.layout, (*entries[:place], tag, *entries[place + 1 :]))


def _table(row: bytes) -> Tag | None:
    """Return the tag of a row; None without results."""
    entries = Board(None).with_results(results_of_bytes(row)).entries
    return entries[0] if entries else None

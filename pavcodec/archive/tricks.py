"""The double-dummy tricks of a block of boards, coded in a column of its own.

A model of fixed tables forecasts the tricks of each contract from the cards and from the contracts
before it. It mixes the probabilities of several contexts, which adapt as rows are coded, and a
range coder stores the answers to yes-or-no questions. So a solved deal takes some 18 bits.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.owners.hand_tables import are_deals
from pavcodec.boards.batch import CONTRACTS, tricks_of
from pavcodec.boards.board import Board, Tag
from pavcodec.boards.tricks import NOT_SOLVED, RESULT_TABLE, results_of_bytes
from pavcodec.cards import HAND_SIZE, SUIT_SIZE, Suit
from pavcodec.errors import LayoutError, ReadError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners


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


# The model of tricks over arrays, compiled: estimates, and rows to bytes and back.
#
# All values are integers of 64 bits. The tests have the definition, deal by deal.


_FIRST: NDArray[np.int64] = FIRST_CONTEXTS.astype(np.int64)
_ALL = 0xFFFFFFFF


@compiled()
def estimate_rows(owners: Any, bias: Any, honours: Any, lengths: Any, index: Any, out: Any) -> None:
    """Compute the estimates of deals, `int64[n, 20]`, in 64ths of a trick."""
    held = np.zeros((4, 5), np.int64)
    long = np.zeros((4, 4), np.int64)
    of_honours = np.zeros(4, np.int64)
    of_lengths = np.zeros(4, np.int64)
    for row in range(len(owners)):
        for suit in range(4):
            long[suit, :] = 0
            for rank in range(13):
                owner = owners[row, 13 * suit + rank]
                long[suit, owner] += 1
                if rank < 5:
                    held[suit, rank] = owner
        for seat in range(4):
            for suit in range(4):
                code = 0
                for rank in range(5):
                    code = 4 * code + (held[suit, rank] - seat) % 4
                of_honours[suit] = code
                of_lengths[suit] = index[
                    long[suit, seat], long[suit, (seat + 1) % 4], long[suit, (seat + 2) % 4]
                ]
            for strain in range(5):
                total = bias[0] if strain == 0 else bias[1]
                for suit in range(4):
                    role = 0 if strain == 0 else (1 if suit == strain - 1 else 2)
                    total += honours[role, of_honours[suit]] + lengths[role, of_lengths[suit]]
                out[row, 4 * strain + seat] = total


@compiled()
def _between(value: Any, least: Any, most: Any) -> Any:
    """Return a value, or the nearer of two limits."""
    return least if value < least else (min(value, most))


@compiled()
def _bit(is_decoding: Any, bit: Any, p: Any, stream: Any) -> Any:
    """Code a bit that is 1 with probability p / 65536.

    A stream is the state of the coder, which is low, high, code and position, and the data. The
    position grows beyond the data where these are too short.
    """
    coder, data = stream
    low, high = coder[0], coder[1]
    width = high - low
    middle = low + (width >> 16) * p + (((width & 0xFFFF) * p) >> 16)
    if is_decoding:
        bit = 1 if coder[2] <= middle else 0
    if bit:
        high = middle
    else:
        low = middle + 1
    while (low ^ high) >> 24 == 0:
        position = coder[3]
        if is_decoding:
            following = data[position] if position < len(data) else 0
            coder[2] = ((coder[2] << 8) & _ALL) | following
        elif position < len(data):
            data[position] = high >> 24
        coder[3] = position + 1
        low = (low << 8) & _ALL
        high = ((high << 8) & _ALL) | 255
    coder[0], coder[1] = low, high
    return bit


@compiled()
def _answer(
    is_decoding: Any, bit: Any, which: Any, node: Any, contexts: Any, model: Any, stream: Any
) -> Any:
    """Code the answer to a question by the mixed probability, and learn from it."""
    probabilities, counts, weights = model
    total = 0
    row = 16 * which + node
    for index in range(4):
        slot = 16 * contexts[index] + node
        total += weights[row, index] * STRETCH[probabilities[slot] >> 4]
    p = SQUASH[_between(total >> 16, -2047, 2047) + 2048]
    bit = _bit(is_decoding, bit, p, stream)
    error = (65536 if bit else 0) - p
    for index in range(4):
        slot = 16 * contexts[index] + node
        known = probabilities[slot]
        weights[row, index] += (STRETCH[known >> 4] * error * 2 + (1 << 17)) >> 18
        rate = RATES[counts[slot]]
        if bit:
            probabilities[slot] = known + (((65535 - known) * rate) >> 16)
        else:
            probabilities[slot] = known - ((known * rate) >> 16)
        if counts[slot] < MOST_COUNT:
            counts[slot] += 1
    return bit


@compiled()
def _value(
    is_decoding: Any, value: Any, centre: Any, which: Any, contexts: Any, model: Any, stream: Any
) -> Any:
    """Code a number of tricks by its distance from the centre."""
    yes = 1 if value == centre else 0
    if _answer(is_decoding, yes, which, 0, contexts, model, stream):
        return centre
    step = 1 if centre == 0 else -1
    if 0 < centre < 13:
        yes = 1 if value > centre else 0
        if _answer(is_decoding, yes, which, 1, contexts, model, stream):
            step = 1
    candidate = centre + step
    far = 1
    while 0 < candidate < 13:
        node = (1 if step > 0 else 8) + min(far, 6)
        yes = 1 if value == candidate else 0
        if _answer(is_decoding, yes, which, node, contexts, model, stream):
            break
        candidate += step
        far += 1
    return candidate


@compiled()
def _contexts_of_first(
    contexts: Any, strain: Any, centre: Any, part: Any, last: Any, trumps: Any
) -> None:
    suited = 0 if strain == 0 else 1
    eighth = part >> 3
    contexts[0] = _FIRST[0, 0] + 16 * strain + (part >> 2)
    contexts[1] = _FIRST[0, 1] + 8 * centre + eighth
    contexts[2] = _FIRST[0, 2] + 8 * (7 * suited + last) + eighth
    length = _between(trumps, 2, 11) - 2 if suited else 10
    contexts[3] = _FIRST[0, 3] + 8 * length + eighth


@compiled()
def _contexts_of_partner(
    contexts: Any, strain: Any, differ: Any, surprise: Any, above: Any, before: Any
) -> None:
    suited = 0 if strain == 0 else 1
    earlier = _between(before, -2, 2) + 2
    differs = _between((differ + 4) >> 3, -4, 4) + 4
    contexts[0] = (
        _FIRST[1, 0] + 5 * (9 * suited + differs) + _between((surprise + 16) >> 5, -2, 2) + 2
    )
    contexts[1] = _FIRST[1, 1] + 5 * earlier + strain
    contexts[2] = _FIRST[1, 2] + 5 * (_between((above + 4) >> 3, -6, 6) + 6) + earlier
    contexts[3] = _FIRST[1, 3] + _between((surprise + 8) >> 4, -6, 6) + 6 + 13 * suited


@compiled()
def _contexts_of_opponent(
    contexts: Any, strain: Any, centre: Any, above: Any, apart: Any, losses: Any, before: Any
) -> None:
    suited = 0 if strain == 0 else 1
    sides = _between(apart, -2, 2) + 2
    contexts[0] = _FIRST[2, 0] + 5 * (10 * suited + _between((above + 64) >> 4, -5, 4) + 5) + sides
    contexts[1] = _FIRST[2, 1] + 5 * (5 * _between(losses, 0, 5) + strain) + sides
    contexts[2] = _FIRST[2, 2] + _between((above + 64) >> 2, -24, 23) + 24 + 48 * suited
    contexts[3] = _FIRST[2, 3] + 5 * centre + _between(before, -2, 2) + 2


@compiled()
def _contexts_of_last(
    contexts: Any, strain: Any, differ: Any, above: Any, apart: Any, loss: Any, before: Any
) -> None:
    suited = 0 if strain == 0 else 1
    earlier = _between(before, -2, 2) + 2
    differs = _between((differ + 4) >> 3, -4, 4) + 4
    contexts[0] = _FIRST[3, 0] + 5 * (9 * suited + differs) + _between(loss, -1, 3) + 1
    contexts[1] = _FIRST[3, 1] + 5 * earlier + strain
    contexts[2] = _FIRST[3, 2] + 5 * (_between((above + 4) >> 3, -6, 6) + 6) + earlier
    contexts[3] = (
        _FIRST[3, 3] + 10 * (_between(loss, -1, 2) + 1) + 2 * (_between(apart, -2, 2) + 2) + suited
    )


@compiled()
def _code_strain(
    is_decoding: Any,
    strain: Any,
    guess: Any,
    tricks: Any,
    drift: Any,
    trumps: Any,
    before: Any,
    lean: Any,
    contexts: Any,
    model: Any,
    stream: Any,
) -> None:
    """Code the tricks of N, S, E and W in a strain; `before` sums up the earlier strains."""
    n, e, s, w = guess[0], guess[1], guess[2], guess[3]
    forecast = _between(n + drift, 0, 13 * 64)
    centre = (forecast + 32) >> 6
    last = 3 if strain == 0 else _between((before[3] + 16) >> 5, -3, 3) + 3
    _contexts_of_first(contexts, strain, centre, (forecast + 32) & 63, last, trumps)
    north = _value(is_decoding, np.int64(tricks[0]), centre, 0, contexts, model, stream)

    seen_n = 64 * north - n
    more = lean[1, 0] * seen_n + lean[1, 3] * drift
    above = s + (more >> 8) - 64 * north
    _contexts_of_partner(contexts, strain, s - n, 64 * north - forecast, above, before[0])
    south = _value(is_decoding, np.int64(tricks[2]), north, 1, contexts, model, stream)

    seen_s = 64 * south - s
    best = max(north, south)
    centre = 13 - best
    more = lean[2, 0] * seen_n + lean[2, 1] * seen_s + lean[2, 3] * drift
    above = e + (more >> 8) - 64 * centre
    _contexts_of_opponent(contexts, strain, centre, above, south - north, before[2], before[1])
    east = _value(is_decoding, np.int64(tricks[1]), centre, 2, contexts, model, stream)

    more = lean[3, 0] * seen_n + lean[3, 1] * seen_s + lean[3, 2] * (64 * east - e)
    more += lean[3, 3] * drift
    above = w + (more >> 8) - 64 * east
    _contexts_of_last(contexts, strain, w - e, above, south - north, 13 - east - best, before[1])
    west = _value(is_decoding, np.int64(tricks[3]), east, 3, contexts, model, stream)
    if is_decoding:
        tricks[0], tricks[1], tricks[2], tricks[3] = north, east, south, west


@compiled()
def code_rows(
    is_decoding: Any,
    tricks: Any,
    estimates: Any,
    trumps: Any,
    pull: Any,
    lean: Any,
    model: Any,
    stream: Any,
) -> None:
    """Code the tricks of deals, `uint8[n, 20]`, to data or from data.

    `trumps`, `int64[n, 4]`, are the cards of North and South in each suit. `model` has the
    probabilities, the counts and the weights, which change as it learns.
    """
    contexts = np.zeros(4, np.int64)
    surprises = np.zeros(5, np.int64)  # of whole strains
    before = np.zeros(4, np.int64)  # South over North, West over East, losses; the last surprise
    for row in range(len(tricks)):
        before[:] = 0
        for strain in range(5):
            suited = 0 if strain == 0 else 1
            drift = 0
            for earlier in range(strain):
                drift += pull[strain, earlier] * surprises[earlier]
            drift >>= 8
            guess = estimates[row, 4 * strain : 4 * strain + 4]
            of_strain = tricks[row, 4 * strain : 4 * strain + 4]
            long = 0 if strain == 0 else trumps[row, strain - 1]
            _code_strain(
                is_decoding, strain, guess, of_strain, drift, long, before,
                lean[suited], contexts, model, stream,
            )  # fmt: skip
            n, e = np.int64(of_strain[0]), np.int64(of_strain[1])
            s, w = np.int64(of_strain[2]), np.int64(of_strain[3])
            own, theirs = guess[0] + guess[2], guess[1] + guess[3]
            surprises[strain] = 16 * (n + s - e - w) - ((own - theirs) >> 2)
            before[0] += s - n
            before[1] += w - e
            before[2] += 13 - max(n, s) - max(e, w)
            before[3] = surprises[strain]


# Rows of tricks as bytes and back, by the compiled model and a range coder.
#
# Rule 1: the model starts from the prior in each block, so blocks are independent.
# Rule 2: a stream has exactly one form; its last bytes are the fewest that name a number in range.


_CODE_BYTES = 4
_ENCODING, _DECODING = False, True


def encode_rows(tricks: NDArray[np.uint8], owners: Owners, most: int) -> bytes | None:
    """Return the bytes of the tricks of deals, `uint8[n, 20]`; None for more than `most` bytes.

    >>> deals = np.repeat(np.arange(4, dtype=np.uint8), 13)[np.newaxis]
    >>> data = encode_rows(np.full((1, 20), 6, np.uint8), deals, 100)
    >>> decode_rows(data, deals)[0, :3].tolist()
    [6, 6, 6]
    """
    room, coder = np.empty(most + 1, np.uint8), new_coder()
    _code(_ENCODING, np.array(tricks), owners, coder, room)
    low, high, _, written = coder.tolist()
    data = room[: min(written, len(room))].tobytes() + last_bytes(low, high)
    return data if written + len(last_bytes(low, high)) <= most else None


def decode_rows(data: bytes, owners: Owners) -> NDArray[np.uint8]:
    """Return the tricks of bytes for these deals; raise `ReadError` for other bytes."""
    tricks = np.zeros((len(owners), 20), np.uint8)
    coder = new_coder()
    coder[2] = int.from_bytes(data[:_CODE_BYTES].ljust(_CODE_BYTES, b"\0"), "big")
    coder[3] = _CODE_BYTES
    _code(_DECODING, tricks, owners, coder, np.frombuffer(bytearray(data), np.uint8))
    low, high, _, position = coder.tolist()
    done = position - _CODE_BYTES
    if done > len(data) or data[done:] != last_bytes(low, high):
        raise ReadError(f"tricks: these bytes are not those of {len(owners)} deals")
    return tricks


def _code(
    is_decoding: bool,
    tricks: NDArray[np.uint8],
    owners: Owners,
    coder: NDArray[np.int64],
    data: NDArray[np.uint8],
) -> None:
    tables = prior()
    estimates = np.empty((len(owners), 20), np.int64)
    rows = np.ascontiguousarray(owners)
    estimate_rows(rows, tables.bias, tables.honours, tables.lengths, length_index(), estimates)
    code_rows(
        is_decoding,
        tricks,
        estimates,
        trumps_of(rows),
        tables.pull,
        tables.lean,
        (tables.probabilities.copy(), tables.counts.copy(), tables.weights.copy()),
        (coder, data),
    )


def new_coder() -> NDArray[np.int64]:
    """Return the state of a range coder: low, high, code, position."""
    return np.array([0, _ALL, 0, 0])


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


def trumps_of(owners: Owners) -> NDArray[np.int64]:
    """Return how many cards North and South have in each suit, `int64[n, 4]`."""
    cards = owners.reshape(-1, len(Suit), SUIT_SIZE)
    return np.asarray((cards % 2 == 0).sum(axis=2), np.int64)


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

    `owners` are the cards, `uint8[n, 52]`, all 4 for a board without cards. Raise `LayoutError` for
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
    kinds, begin = _kinds(data, len(owners))
    plain = kinds == _PLAIN
    end = begin + _DIGITS * int(plain.sum())
    if end > len(data):
        raise ReadError("tricks: the column is too short")
    tricks[plain] = _of_digits(data[begin:end])
    modelled = kinds == _MODELLED
    if not (are_deals(owners) | ~modelled).all():
        raise ReadError("tricks: a row that is no deal is modelled")
    if modelled.any():
        tricks[modelled] = decode_rows(data[end:], owners[modelled])
    elif end != len(data):
        raise ReadError(f"tricks: the column has {len(data)} bytes, not {end}")
    _check_form(data, kinds, tricks, owners, len(data) - end)
    return tricks


def are_whole(data: bytes, count: int) -> NDArray[np.bool_]:
    """Return which rows of a column have all 20 results, without decoding the modelled rows.

    `count` is the number of rows. Raise `ReadError` for bytes that are too short.
    """
    if not data:
        return np.zeros(count, np.bool_)
    kinds, begin = _kinds(data, count)
    plain = kinds == _PLAIN
    end = begin + _DIGITS * int(plain.sum())
    if end > len(data):
        raise ReadError("tricks: the column is too short")
    whole: NDArray[np.bool_] = kinds == _MODELLED
    whole[plain] = (_of_digits(data[begin:end]) != NOT_SOLVED).all(axis=1)
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


def _kinds(data: bytes, count: int) -> tuple[NDArray[np.int64], int]:
    """Return the kind of each row, and the offset after them."""
    if data[0] == _ALL_MODELLED:
        return np.full(count, _MODELLED), 1
    end = 1 + -(-count // 4)
    if data[0] != _MIXED or len(data) < end:
        raise ReadError("tricks: the column has an unknown form, or is too short")
    packed = np.frombuffer(data, np.uint8, end - 1, 1).astype(np.int64)
    kinds = (packed[:, np.newaxis] >> _PLACES & 3).reshape(-1)
    if (kinds[count:] != 0).any() or (kinds > _MODELLED).any():
        raise ReadError("tricks: the column has unknown kinds of rows")
    return kinds[:count], end


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
# Rule 2: in boards with all tags, an empty tag OptimumResultTable keeps the place of the table.
# Rule 3: boards without their other tags have the table as their last tag.


PLACEHOLDER = Tag(RESULT_TABLE, "")
"""The tag that keeps the place of a table."""


def take_out(boards: Sequence[Board]) -> tuple[list[Board], NDArray[np.uint8]]:
    """Return boards with empty tags in the place of their tables, and the tricks of these.

    >>> board = Board.make(None, tags={"Event": "Club"}).with_results({(0, 1): 9})
    >>> (rest,), tricks = take_out([board])
    >>> [tag.name for tag in rest.entries], int(tricks[0, 4]), put_back([rest], tricks) == [board]
    (['Event', 'OptimumResultTable'], 9, True)
    """
    tricks = np.full((len(boards), CONTRACTS), NOT_SOLVED, np.uint8)
    rest = []
    for row, board in enumerate(boards):
        entries = board.entries
        index = next((i for i, tag in enumerate(entries) if tag.name == RESULT_TABLE), -1)
        if index >= 0:
            (results,) = tricks_of([Board(None, (entries[index],))])
            if _table(results.tobytes()) == entries[index]:
                tricks[row] = results
                entries = (*entries[:index], PLACEHOLDER, *entries[index + 1 :])
        rest.append(Board(board.layout, entries))
    return rest, tricks


def put_back(boards: Iterable[Board], tricks: NDArray[np.uint8]) -> list[Board]:
    """Return boards with their tables; raise `ReadError` where a table has no place."""
    restored = []
    for board, row in zip(boards, tricks, strict=True):
        table = _table(row.tobytes())
        if table is None:
            restored.append(board)
            continue
        entries = board.entries
        index = next((i for i, tag in enumerate(entries) if tag.name == RESULT_TABLE), -1)
        if index < 0 or entries[index] != PLACEHOLDER:
            raise ReadError("tricks: a board has results and no place for them")
        restored.append(Board(board.layout, (*entries[:index], table, *entries[index + 1 :])))
    return restored


def put_last(boards: Iterable[Board], tricks: NDArray[np.uint8]) -> list[Board]:
    """Return boards with their tables as the last tags."""
    rows = (results_of_bytes(row.tobytes()) for row in tricks)
    return [board.with_results(row) for board, row in zip(boards, rows, strict=True)]


def _table(row: bytes) -> Tag | None:
    """Return the tag of a row; None without results."""
    entries = Board(None).with_results(results_of_bytes(row)).entries
    return entries[0] if entries else None

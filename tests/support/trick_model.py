"""The model of double-dummy tricks, deal by deal: the definition of the compiled loops.

Rule 1: the estimate of a declarer's tricks is a sum of numbers of `Prior` over the four suits, in
        64ths of a trick.
Rule 2: a strain is coded as North, South, East, West; a value by its distance from a *centre*, as
        answers to questions: is it the centre, is it above, is it one away, two away …
Rule 3: a question has four contexts, and in each a probability of yes. Their log odds, times
        weights, add up to the log odds of the answer. Then weights and probabilities learn.
Rule 4: all numbers are integers, `>>` rounds down, and nothing depends on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from pavcodec.archive.tricks import (
    CONTEXT_SIZES,
    FIRST_CONTEXTS,
    MOST_COUNT,
    NODES,
    RATES,
    SQUASH,
    STRETCH,
    Prior,
    length_index,
    prior,
)
from pavcodec.cards import HAND_SIZE, SUIT_SIZE, Seat, Strain

__all__ = ["Model", "RangeDecoder", "RangeEncoder", "decode_slowly", "encode_slowly", "estimates"]

Answer: TypeAlias = Callable[[int, bool], bool]
"""Codes an answer by the probability of yes, times 65536; a decoder ignores the given answer."""

_ORDER = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
_UNIT = 64
_TOP = 0xFFFFFFFF
_HONOURS = 5


def estimates(owners: bytes, tables: Prior) -> list[int]:
    """Return the estimates of a deal, at the places of a `TrickTable`, in 64ths of a trick."""
    suits = [owners[begin : begin + SUIT_SIZE] for begin in range(0, len(owners), SUIT_SIZE)]
    index = length_index()
    found = []
    for strain in Strain:
        for declarer in Seat:
            total = int(tables.bias[int(strain is not Strain.NOTRUMP)])
            for suit, cards in enumerate(suits):
                turned = [(owner - declarer) % len(Seat) for owner in cards]
                holders = 0
                for owner in turned[:_HONOURS]:
                    holders = len(Seat) * holders + owner
                lengths = tuple(turned.count(seat) for seat in range(len(Seat) - 1))
                role = 0 if strain is Strain.NOTRUMP else 1 if suit == strain - 1 else 2
                total += int(tables.honours[role, holders] + tables.lengths[role, index[lengths]])
            found.append(total)
    return found


def _between(value: int, least: int, most: int) -> int:
    return min(max(value, least), most)


@dataclass
class Model:
    """The state of the model: it learns from each answer."""

    tables: Prior = field(default_factory=prior)

    def __post_init__(self) -> None:
        self.probabilities: list[int] = self.tables.probabilities.tolist()
        self.counts: list[int] = self.tables.counts.tolist()
        self.weights: list[list[int]] = self.tables.weights.tolist()

    def code(self, owners: bytes, tricks: Sequence[int] | None, answer: Answer) -> list[int]:
        """Code the tricks of a deal and return them; None to decode them."""
        guesses = estimates(owners, self.tables)
        found = [0] * len(guesses)
        strains: list[_Strain] = []
        for strain in Strain:
            places = slice(len(Seat) * strain, len(Seat) * (strain + 1))
            known = None if tricks is None else tricks[places]
            one = _Strain(strain, guesses[places], tuple(strains), owners, self.tables)
            for which, seat in enumerate(_ORDER):
                value = None if known is None else known[seat]
                centre, contexts = one.next()
                one.taken[seat] = self._value(value, centre, which, contexts, answer)
            found[places] = [one.taken[seat] for seat in Seat]
            strains.append(one)
        return found

    def _value(
        self, value: int | None, centre: int, which: int, contexts: list[int], answer: Answer
    ) -> int:
        """Code a number of tricks; None to decode it."""

        def ask(node: int, yes: bool) -> bool:  # noqa: FBT001 (the answer)
            return self._ask(which, node, contexts, yes, answer)

        if ask(0, value == centre):
            return centre
        if centre in (0, HAND_SIZE):
            step = 1 if centre == 0 else -1
        else:
            step = 1 if ask(1, value is not None and value > centre) else -1
        for far, found in enumerate(_steps(centre, step), 1):
            is_last = found in (0, HAND_SIZE)
            if is_last or ask((1 if step > 0 else 8) + min(far, 6), value == found):
                return found
        raise AssertionError("a walk ends at 0 or at 13")

    def _ask(
        self,
        which: int,
        node: int,
        contexts: list[int],
        yes: bool,  # noqa: FBT001 (the answer)
        answer: Answer,
    ) -> bool:
        """Code an answer by the mixed probability, and learn from it."""
        weights = self.weights[NODES * which + node]
        slots = [NODES * context + node for context in contexts]
        odds = [int(STRETCH[self.probabilities[slot] >> 4]) for slot in slots]
        total = sum(weight * each for weight, each in zip(weights, odds, strict=True)) >> 16
        chance = int(SQUASH[_between(total, -2047, 2047) + 2048])
        yes = answer(chance, yes)
        error = (65536 if yes else 0) - chance
        for place, slot in enumerate(slots):
            weights[place] += (odds[place] * error * 2 + (1 << 17)) >> 18
            known, rate = self.probabilities[slot], int(RATES[self.counts[slot]])
            up, down = ((65535 - known) * rate) >> 16, (known * rate) >> 16
            self.probabilities[slot] += up if yes else -down
            self.counts[slot] = min(self.counts[slot] + 1, MOST_COUNT)
        return yes


def _steps(centre: int, step: int) -> Iterator[int]:
    """Yield the numbers of tricks from the centre on, to 0 or 13."""
    return iter(range(centre + step, HAND_SIZE + 1 if step > 0 else -1, step))


class _Strain:
    """A strain while its values are coded: the centre and the contexts of the next value."""

    def __init__(
        self,
        strain: Strain,
        guesses: list[int],
        earlier: tuple[_Strain, ...],
        owners: bytes,
        tables: Prior,
    ) -> None:
        self.strain = strain
        self.suited = int(strain is not Strain.NOTRUMP)
        self.guesses = guesses
        self.earlier = earlier
        self.tables = tables
        self.taken: dict[Seat, int] = {}
        cards = owners[SUIT_SIZE * (strain - 1) :][:SUIT_SIZE] if self.suited else b""
        self.trumps = sum(1 for owner in cards if owner % 2 == 0)
        pull = tables.pull[strain].tolist()
        self.drift = sum(p * one.surprise for p, one in zip(pull, earlier, strict=False)) >> 8

    @property
    def surprise(self) -> int:
        """How far the whole strain is from its estimate, in 64ths of a trick."""
        n, e, s, w = (self.taken[seat] for seat in Seat)
        guess_n, guess_e, guess_s, guess_w = self.guesses
        return 16 * (n + s - e - w) - ((guess_n + guess_s - guess_e - guess_w) >> 2)

    @property
    def partners(self) -> int:
        """How many tricks more South takes than North."""
        return self.taken[Seat.SOUTH] - self.taken[Seat.NORTH]

    @property
    def opponents(self) -> int:
        """How many tricks more West takes than East."""
        return self.taken[Seat.WEST] - self.taken[Seat.EAST]

    @property
    def best(self) -> int:
        """The tricks of North or South, the better of them."""
        return max(self.taken[Seat.NORTH], self.taken[Seat.SOUTH])

    @property
    def loss(self) -> int:
        """The tricks that neither side takes as declarer."""
        return HAND_SIZE - self.best - max(self.taken[Seat.EAST], self.taken[Seat.WEST])

    def forecast(self) -> int:
        """Return the expected tricks of the next value, in 64ths, from those before it."""
        which = len(self.taken)
        lean = self.tables.lean[self.suited, which].tolist()
        seen = (_UNIT * self.taken[seat] - self.guesses[seat] for seat in _ORDER[:which])
        more = sum(each * one for each, one in zip(lean, seen, strict=False)) + lean[3] * self.drift
        return int(self.guesses[_ORDER[which]] + (more >> 8))

    def next(self) -> tuple[int, list[int]]:
        """Return the centre and the contexts of the next value."""
        which = len(self.taken)
        centre, rows = (self._first, self._partner, self._opponent, self._last)[which]()
        firsts, sizes = FIRST_CONTEXTS[which].tolist(), CONTEXT_SIZES[which]
        assert all(0 <= row < size for row, size in zip(rows, sizes, strict=True)), rows
        return centre, [first + row for first, row in zip(firsts, rows, strict=True)]

    def _first(self) -> tuple[int, list[int]]:
        """Return the centre and contexts of North: the nearest number to the estimate."""
        forecast = _between(self.guesses[Seat.NORTH] + self.drift, 0, HAND_SIZE * _UNIT)
        self._expected = forecast
        centre, part = divmod(forecast + _UNIT // 2, _UNIT)
        last = _between((self.earlier[-1].surprise + 16) >> 5, -3, 3) if self.earlier else 0
        length = _between(self.trumps, 2, 11) - 2 if self.suited else 10
        eighth = part >> 3
        return centre, [
            16 * self.strain + (part >> 2),
            8 * centre + eighth,
            8 * (7 * self.suited + last + 3) + eighth,
            8 * length + eighth,
        ]

    def _partner(self) -> tuple[int, list[int]]:
        """Return the centre and contexts of South: the tricks of North."""
        north = self.taken[Seat.NORTH]
        surprise = _UNIT * north - self._expected
        differ = self.guesses[Seat.SOUTH] - self.guesses[Seat.NORTH]
        earlier = _between(sum(one.partners for one in self.earlier), -2, 2) + 2
        differs = 9 * self.suited + _between((differ + 4) >> 3, -4, 4) + 4
        above = self.forecast() - _UNIT * north
        return north, [
            5 * differs + _between((surprise + 16) >> 5, -2, 2) + 2,
            5 * earlier + self.strain,
            5 * (_between((above + 4) >> 3, -6, 6) + 6) + earlier,
            _between((surprise + 8) >> 4, -6, 6) + 6 + 13 * self.suited,
        ]

    def _opponent(self) -> tuple[int, list[int]]:
        """Return the centre and contexts of East: the tricks that are left."""
        centre = HAND_SIZE - self.best
        sides = _between(self.partners, -2, 2) + 2
        above = self.forecast() - _UNIT * centre
        losses = _between(sum(one.loss for one in self.earlier), 0, 5)
        earlier = _between(sum(one.opponents for one in self.earlier), -2, 2) + 2
        return centre, [
            5 * (10 * self.suited + _between((above + 64) >> 4, -5, 4) + 5) + sides,
            5 * (5 * losses + self.strain) + sides,
            _between((above + 64) >> 2, -24, 23) + 24 + 48 * self.suited,
            5 * centre + earlier,
        ]

    def _last(self) -> tuple[int, list[int]]:
        """Return the centre and contexts of West: the tricks of East."""
        east = self.taken[Seat.EAST]
        loss = HAND_SIZE - east - self.best
        differ = self.guesses[Seat.WEST] - self.guesses[Seat.EAST]
        earlier = _between(sum(one.opponents for one in self.earlier), -2, 2) + 2
        differs = 9 * self.suited + _between((differ + 4) >> 3, -4, 4) + 4
        above = self.forecast() - _UNIT * east
        return east, [
            5 * differs + _between(loss, -1, 3) + 1,
            5 * earlier + self.strain,
            5 * (_between((above + 4) >> 3, -6, 6) + 6) + earlier,
            10 * (_between(loss, -1, 2) + 1)
            + 2 * (_between(self.partners, -2, 2) + 2)
            + self.suited,
        ]


class RangeEncoder:
    """Narrows a range of 32 bits by each answer, and writes the bytes that are certain."""

    def __init__(self) -> None:
        self.low, self.high = 0, _TOP
        self.written = bytearray()

    def answer(self, chance: int, yes: bool) -> bool:  # noqa: FBT001 (the answer)
        """Code an answer; yes is the lower part of the range, `chance` / 65536 of it."""
        width = self.high - self.low
        middle = self.low + (width >> 16) * chance + (((width & 0xFFFF) * chance) >> 16)
        self.low, self.high = (self.low, middle) if yes else (middle + 1, self.high)
        while (self.low ^ self.high) >> 24 == 0:
            self.shift(self.high >> 24)
            self.low = (self.low << 8) & _TOP
            self.high = ((self.high << 8) & _TOP) | 255
        return yes

    def shift(self, byte: int) -> None:
        """Write a byte."""
        self.written.append(byte)

    def finish(self) -> bytes:
        """Return the stream: its bytes, and the fewest more that name a number in the range."""
        for size in range(5):
            unit = 1 << 8 * (4 - size)
            number = -(-self.low // unit) * unit
            if number <= self.high:
                return bytes(self.written) + number.to_bytes(4, "big")[:size]
        raise AssertionError("a range has a number")


class RangeDecoder(RangeEncoder):
    """Reads the answers of a stream; bytes after its end are 0."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.left = iter(data)
        self.code = 0
        for _ in range(4):
            self.code = self.code << 8 | next(self.left, 0)

    def answer(self, chance: int, yes: bool) -> bool:  # noqa: ARG002, FBT001
        """Return the next answer of the stream."""
        width = self.high - self.low
        middle = self.low + (width >> 16) * chance + (((width & 0xFFFF) * chance) >> 16)
        return super().answer(chance, self.code <= middle)

    def shift(self, byte: int) -> None:
        """Read a byte."""
        super().shift(byte)
        self.code = (self.code << 8) & _TOP | next(self.left, 0)


def encode_slowly(tricks: Sequence[Sequence[int]], deals: Sequence[bytes]) -> bytes:
    """Return the bytes of the tricks of deals, given by their owners."""
    model, coder = Model(), RangeEncoder()
    for row, owners in zip(tricks, deals, strict=True):
        model.code(owners, row, coder.answer)
    return coder.finish()


def decode_slowly(data: bytes, deals: Sequence[bytes]) -> list[list[int]]:
    """Return the tricks of bytes, for deals given by their owners."""
    model, coder = Model(), RangeDecoder(data)
    return [model.code(owners, None, coder.answer) for owners in deals]

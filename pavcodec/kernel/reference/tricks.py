"""The model of double-dummy tricks and its range coder, defined deal by deal.

Rule 1: the estimate of a declarer's tricks is a sum of table entries over the four suits, in 64ths
        of a trick.
Rule 2: a strain is coded as North, South, East, West; a value by its distance from a *centre*, as
        answers to questions: is it the centre, is it above, is it one away, two away …
Rule 3: a question has four contexts, and in each a probability of yes. Their log odds, times
        weights, add up to the log odds of the answer. Then weights and probabilities learn.
Rule 4: all numbers are integers, `>>` rounds down, and nothing depends on the machine.

The tricks of a deal are 20: by strain NT S H D C, and within a strain by declarer N E S W. The
coder narrows a range of 32 bits by each answer, as in Martin: *Range encoding: an algorithm for
removing redundancy from a digitised message* (1979). The mixing is that of Mahoney: *Adaptive
weighing of context models for lossless data compression* (2005).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.uint8]
Answer: TypeAlias = Callable[[int, bool], bool]
"""Codes an answer by the probability of yes, times 65536; a decoder ignores the given answer."""

_CARDS, _SUITS, _RANKS, _SEATS, _STRAINS, _CONTRACTS = 52, 4, 13, 4, 5, 20
_NORTH, _EAST, _SOUTH, _WEST = range(_SEATS)
_ORDER = (_NORTH, _SOUTH, _EAST, _WEST)
_MOST = 13
_UNIT = 64
_HONOURS = 5
_NODES, _INPUTS = 16, 4
_TOP = 0xFFFFFFFF


def estimate_tricks(
    bias: Integers,
    honours: Integers,
    lengths: Integers,
    index: Integers,
    n: int,
    owners: Bytes,
    estimates: Integers,
) -> None:
    """Write the estimates of deals, `[n, 20]`, in 64ths of a trick.

    For a declarer, a suit has the holders of A K Q J T, as digits of base 4 from the declarer on,
    and the lengths of declarer, left-hand opponent and partner, whose place is in `index`. Both are
    entries of tables by the role of the suit: in notrump, as trumps, as a side suit.
    """
    for row, cards in enumerate(owners.reshape(n, _CARDS).tolist()):
        for strain in range(_STRAINS):
            for declarer in range(_SEATS):
                total = int(bias[min(strain, 1)])
                for suit in range(_SUITS):
                    turned = [(owner - declarer) % _SEATS for owner in cards[_RANKS * suit :]]
                    turned = turned[:_RANKS]
                    holders = 0
                    for owner in turned[:_HONOURS]:
                        holders = _SEATS * holders + owner
                    held = index[tuple(turned.count(seat) for seat in range(_SEATS - 1))]
                    role = 0 if strain == 0 else 1 if suit == strain - 1 else 2
                    total += int(honours[role, holders] + lengths[role, held])
                estimates.reshape(n, _CONTRACTS)[row, _SEATS * strain + declarer] = total


def code_tricks(
    pull: Integers,
    lean: Integers,
    squash: Integers,
    stretch: Integers,
    rates: Integers,
    first: Integers,
    weights: Integers,
    probabilities: Integers,
    counts: Integers,
    is_decoding: int,
    n: int,
    owners: Bytes,
    estimates: Integers,
    tricks: Bytes,
    state: Integers,
    room: int,
    data: Bytes,
) -> None:
    """Code the tricks of deals, `[n, 20]`, to data or from data.

    `pull` and `lean` are what earlier strains and declarers add to estimates, in 256ths of their
    surprises. `squash` has the probability, times 65536, of log odds of x / 256 at x + 2048, and
    `stretch` the inverse at 16ths of the probability. `rates` has the rate of change, times 65536,
    of a probability by its count. `first` has the first context of each value and input. Weights,
    probabilities and counts change as the model learns. `state` is low, high, code and position of
    the coder, as after the calls before; the position grows beyond `room`, the size of the data.
    """
    model = _Model(pull, lean, squash, stretch, rates, first, weights, probabilities, counts)
    coder = _Coder(bool(is_decoding), state.tolist(), room, data)
    rows = zip(owners.reshape(n, _CARDS), estimates.reshape(n, _CONTRACTS), strict=True)
    for row, (cards, guesses) in enumerate(rows):
        known = tricks.reshape(n, _CONTRACTS)[row]
        coded = model.code(cards.tolist(), guesses.tolist(), known.tolist(), coder.answer)
        if is_decoding:
            known[:] = coded
    state[:] = coder.state


class _Coder:
    """Writes or reads the bytes that the range makes certain; bytes after the data are 0."""

    def __init__(self, is_decoding: bool, state: list[int], room: int, data: Bytes) -> None:
        self.is_decoding, self.state, self.room, self.data = is_decoding, state, room, data

    def answer(self, chance: int, yes: bool) -> bool:
        """Code an answer; yes is the lower part of the range, `chance` / 65536 of it."""
        low, high, code, at = self.state
        width = high - low
        middle = low + (width >> 16) * chance + (((width & 0xFFFF) * chance) >> 16)
        if self.is_decoding:
            yes = code <= middle
        low, high = (low, middle) if yes else (middle + 1, high)
        while (low ^ high) >> 24 == 0:
            if self.is_decoding:
                code = code << 8 & _TOP | (int(self.data[at]) if at < self.room else 0)
            elif at < self.room:
                self.data[at] = high >> 24
            low, high, at = low << 8 & _TOP, high << 8 & _TOP | 255, at + 1
        self.state = [low, high, code, at]
        return yes


def _between(value: int, least: int, most: int) -> int:
    return min(max(value, least), most)


class _Model:
    """The tables of the model, and its state, which learns from each answer."""

    def __init__(
        self,
        pull: Integers,
        lean: Integers,
        squash: Integers,
        stretch: Integers,
        rates: Integers,
        first: Integers,
        weights: Integers,
        probabilities: Integers,
        counts: Integers,
    ) -> None:
        self.pull, self.lean = pull.tolist(), lean.tolist()
        self.squash, self.stretch, self.rates = squash.tolist(), stretch.tolist(), rates.tolist()
        self.first = first.reshape(_SEATS, _INPUTS).tolist()
        self.ends = [*first.reshape(-1).tolist()[1:], len(probabilities) // _NODES]
        self.weights = weights.reshape(-1, _INPUTS)
        self.probabilities, self.counts = probabilities, counts

    def code(
        self, owners: list[int], guesses: list[int], known: list[int], answer: Answer
    ) -> list[int]:
        """Code the tricks of a deal and return them; a decoder ignores the known ones."""
        strains: list[_Strain] = []
        for strain in range(_STRAINS):
            places = slice(_SEATS * strain, _SEATS * (strain + 1))
            one = _Strain(strain, guesses[places], strains.copy(), owners, self)
            for which, seat in enumerate(_ORDER):
                centre, contexts = one.next()
                one.taken[seat] = self._value(known[places][seat], centre, which, contexts, answer)
            strains.append(one)
        return [one.taken[seat] for one in strains for seat in range(_SEATS)]

    def _value(
        self, value: int, centre: int, which: int, rows: Sequence[int], answer: Answer
    ) -> int:
        """Code a number of tricks."""
        contexts = [first + row for first, row in zip(self.first[which], rows, strict=True)]
        ends = self.ends[_INPUTS * which :]
        assert all(row >= 0 for row in rows), rows
        assert all(one < end for one, end in zip(contexts, ends, strict=False)), rows

        def ask(node: int, yes: bool) -> bool:
            return self._ask(which, node, contexts, yes, answer)

        if ask(0, value == centre):
            return centre
        if centre in (0, _MOST):
            step = 1 if centre == 0 else -1
        else:
            step = 1 if ask(1, value > centre) else -1
        for far, candidate in enumerate(range(centre + step, _MOST + 1 if step > 0 else -1, step)):
            is_last = candidate in (0, _MOST)
            if is_last or ask((1 if step > 0 else 8) + min(far + 1, 6), value == candidate):
                return candidate
        raise AssertionError("a walk ends at 0 or at 13")

    def _ask(
        self,
        which: int,
        node: int,
        contexts: list[int],
        yes: bool,
        answer: Answer,
    ) -> bool:
        """Code an answer by the mixed probability, and learn from it."""
        weights = self.weights[_NODES * which + node]
        slots = [_NODES * context + node for context in contexts]
        odds = [self.stretch[int(self.probabilities[slot]) >> 4] for slot in slots]
        pairs = zip(weights.tolist(), odds, strict=True)
        total = sum(weight * each for weight, each in pairs) >> 16
        chance = self.squash[_between(total, -2047, 2047) + 2048]
        yes = answer(chance, yes)
        error = (65536 if yes else 0) - chance
        for place, slot in enumerate(slots):
            weights[place] += (odds[place] * error * 2 + (1 << 17)) >> 18
            known, rate = int(self.probabilities[slot]), self.rates[self.counts[slot]]
            up, down = ((65535 - known) * rate) >> 16, (known * rate) >> 16
            self.probabilities[slot] += up if yes else -down
            self.counts[slot] = min(int(self.counts[slot]) + 1, len(self.rates) - 1)
        return yes


class _Strain:
    """A strain while its values are coded: the centre and the contexts of the next value."""

    def __init__(
        self,
        strain: int,
        guesses: list[int],
        earlier: list[_Strain],
        owners: list[int],
        model: _Model,
    ) -> None:
        self.strain, self.suited = strain, int(strain > 0)
        self.guesses, self.earlier = guesses, earlier
        self.lean = model.lean[self.suited]
        self.taken: dict[int, int] = {}
        cards = owners[_RANKS * (strain - 1) :][:_RANKS] if self.suited else []
        self.trumps = sum(1 for owner in cards if owner % 2 == 0)
        pulls = zip(model.pull[strain], earlier, strict=False)
        self.drift = sum(pull * one.surprise for pull, one in pulls) >> 8

    @property
    def surprise(self) -> int:
        """How far the whole strain is from its estimate, in 64ths of a trick."""
        n, e, s, w = (self.taken[seat] for seat in range(_SEATS))
        guess_n, guess_e, guess_s, guess_w = self.guesses
        return 16 * (n + s - e - w) - ((guess_n + guess_s - guess_e - guess_w) >> 2)

    @property
    def partners(self) -> int:
        """How many tricks more South takes than North."""
        return self.taken[_SOUTH] - self.taken[_NORTH]

    @property
    def opponents(self) -> int:
        """How many tricks more West takes than East."""
        return self.taken[_WEST] - self.taken[_EAST]

    @property
    def best(self) -> int:
        """The tricks of North or South, the better of them."""
        return max(self.taken[_NORTH], self.taken[_SOUTH])

    @property
    def loss(self) -> int:
        """The tricks that neither side takes as declarer."""
        return _MOST - self.best - max(self.taken[_EAST], self.taken[_WEST])

    def forecast(self) -> int:
        """Return the expected tricks of the next value, in 64ths, from those before it."""
        which = len(self.taken)
        lean = self.lean[which]
        seen = (_UNIT * self.taken[seat] - self.guesses[seat] for seat in _ORDER[:which])
        more = sum(each * one for each, one in zip(lean, seen, strict=False)) + lean[3] * self.drift
        return int(self.guesses[_ORDER[which]] + (more >> 8))

    def next(self) -> tuple[int, list[int]]:
        """Return the centre of the next value, and its contexts, one of each input."""
        return (self._first, self._partner, self._opponent, self._last)[len(self.taken)]()

    def _first(self) -> tuple[int, list[int]]:
        """Return the centre and contexts of North: the nearest number to the estimate."""
        forecast = _between(self.guesses[_NORTH] + self.drift, 0, _MOST * _UNIT)
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
        north = self.taken[_NORTH]
        surprise = _UNIT * north - self._expected
        differ = self.guesses[_SOUTH] - self.guesses[_NORTH]
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
        centre = _MOST - self.best
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
        east = self.taken[_EAST]
        loss = _MOST - east - self.best
        differ = self.guesses[_WEST] - self.guesses[_EAST]
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

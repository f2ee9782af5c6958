"""The model of tricks over arrays, compiled: estimates, and rows to bytes and back.

`model.py` is the definition. All values are integers of 64 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.archive.tricks.prior import FIRST_CONTEXTS, RATES, SQUASH, STRETCH
from pavcodec.arrays.compiler import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["code_rows", "estimate_rows"]

_FIRST: NDArray[np.int64] = FIRST_CONTEXTS.astype(np.int64)
_SQUASH: NDArray[np.int64] = SQUASH.astype(np.int64)
_STRETCH: NDArray[np.int64] = STRETCH.astype(np.int64)
_RATES: NDArray[np.int64] = RATES.astype(np.int64)
_MOST_COUNT = len(RATES) - 1
_SEATS = np.array([0, 2, 1, 3])  # N S E W, in the order in which a strain is coded
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
                place = 0
                for rank in range(5):
                    place = 4 * place + (held[suit, rank] - seat) % 4
                of_honours[suit] = place
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

    A stream is the state of the coder, which is low, high, code and place, and the data. The place
    grows beyond the data where these are too short.
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
        place = coder[3]
        if is_decoding:
            following = data[place] if place < len(data) else 0
            coder[2] = ((coder[2] << 8) & _ALL) | following
        elif place < len(data):
            data[place] = high >> 24
        coder[3] = place + 1
        low = (low << 8) & _ALL
        high = ((high << 8) & _ALL) | 255
    coder[0], coder[1] = low, high
    return bit


@compiled()
def _answer(
    is_decoding: Any,
    bit: Any,
    which: Any,
    node: Any,
    contexts: Any,
    model: Any,
    stream: Any,
) -> Any:
    """Code the answer to a question by the mixed probability, and learn from it."""
    probabilities, counts, weights = model
    total = 0
    row = 16 * which + node
    for place in range(4):
        slot = 16 * contexts[place] + node
        total += weights[row, place] * _STRETCH[probabilities[slot] >> 4]
    p = _SQUASH[_between(total >> 16, -2047, 2047) + 2048]
    bit = _bit(is_decoding, bit, p, stream)
    error = (65536 if bit else 0) - p
    for place in range(4):
        slot = 16 * contexts[place] + node
        known = probabilities[slot]
        weights[row, place] += (_STRETCH[known >> 4] * error * 2 + (1 << 17)) >> 18
        rate = _RATES[counts[slot]]
        if bit:
            probabilities[slot] = known + (((65535 - known) * rate) >> 16)
        else:
            probabilities[slot] = known - ((known * rate) >> 16)
        if counts[slot] < _MOST_COUNT:
            counts[slot] += 1
    return bit


@compiled()
def _value(
    is_decoding: Any,
    value: Any,
    centre: Any,
    which: Any,
    contexts: Any,
    model: Any,
    stream: Any,
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
    found = centre + step
    far = 1
    while 0 < found < 13:
        node = (1 if step > 0 else 8) + min(far, 6)
        yes = 1 if value == found else 0
        if _answer(is_decoding, yes, which, node, contexts, model, stream):
            break
        found += step
        far += 1
    return found


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
    contexts: Any,
    strain: Any,
    differ: Any,
    surprise: Any,
    above: Any,
    before: Any,
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
    contexts: Any,
    strain: Any,
    centre: Any,
    above: Any,
    apart: Any,
    losses: Any,
    before: Any,
) -> None:
    suited = 0 if strain == 0 else 1
    sides = _between(apart, -2, 2) + 2
    contexts[0] = _FIRST[2, 0] + 5 * (10 * suited + _between((above + 64) >> 4, -5, 4) + 5) + sides
    contexts[1] = _FIRST[2, 1] + 5 * (5 * _between(losses, 0, 5) + strain) + sides
    contexts[2] = _FIRST[2, 2] + _between((above + 64) >> 2, -24, 23) + 24 + 48 * suited
    contexts[3] = _FIRST[2, 3] + 5 * centre + _between(before, -2, 2) + 2


@compiled()
def _contexts_of_last(
    contexts: Any,
    strain: Any,
    differ: Any,
    above: Any,
    apart: Any,
    loss: Any,
    before: Any,
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
def _side(
    is_decoding: Any,
    strain: Any,
    guess: Any,
    found: Any,
    drift: Any,
    trumps: Any,
    before: Any,
    lean: Any,
    contexts: Any,
    model: Any,
    stream: Any,
) -> None:
    """Code the tricks of North and South in a strain; `before` sums up the earlier strains."""
    n, s = guess[0], guess[2]
    forecast = _between(n + drift, 0, 13 * 64)
    centre = (forecast + 32) >> 6
    last = 3 if strain == 0 else _between((before[3] + 16) >> 5, -3, 3) + 3
    _contexts_of_first(contexts, strain, centre, (forecast + 32) & 63, last, trumps)
    north = _value(is_decoding, np.int64(found[0]), centre, 0, contexts, model, stream)

    surprise = 64 * north - forecast
    more = lean[1, 0] * (64 * north - n) + lean[1, 3] * drift
    above = s + (more >> 8) - 64 * north
    _contexts_of_partner(contexts, strain, s - n, surprise, above, before[0])
    south = _value(is_decoding, np.int64(found[2]), north, 1, contexts, model, stream)
    if is_decoding:
        found[0], found[2] = north, south


@compiled()
def _other_side(
    is_decoding: Any,
    strain: Any,
    guess: Any,
    found: Any,
    drift: Any,
    before: Any,
    lean: Any,
    contexts: Any,
    model: Any,
    stream: Any,
) -> None:
    """Code the tricks of East and West in a strain, after those of North and South."""
    n, e, s, w = guess[0], guess[1], guess[2], guess[3]
    north, south = np.int64(found[0]), np.int64(found[2])
    best = max(north, south)
    centre = 13 - best
    seen_n, seen_s = 64 * north - n, 64 * south - s
    more = lean[2, 0] * seen_n + lean[2, 1] * seen_s + lean[2, 3] * drift
    above = e + (more >> 8) - 64 * centre
    _contexts_of_opponent(contexts, strain, centre, above, south - north, before[2], before[1])
    east = _value(is_decoding, np.int64(found[1]), centre, 2, contexts, model, stream)

    more = lean[3, 0] * seen_n + lean[3, 1] * seen_s + lean[3, 2] * (64 * east - e)
    more += lean[3, 3] * drift
    above = w + (more >> 8) - 64 * east
    _contexts_of_last(contexts, strain, w - e, above, south - north, 13 - east - best, before[1])
    west = _value(is_decoding, np.int64(found[3]), east, 3, contexts, model, stream)
    if is_decoding:
        found[1], found[3] = east, west


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
            found = tricks[row, 4 * strain : 4 * strain + 4]
            long = 0 if strain == 0 else trumps[row, strain - 1]
            _side(
                is_decoding, strain, guess, found, drift, long, before,
                lean[suited], contexts, model, stream,
            )  # fmt: skip
            _other_side(
                is_decoding, strain, guess, found, drift, before,
                lean[suited], contexts, model, stream,
            )  # fmt: skip
            n, e, s, w = (
                np.int64(found[0]),
                np.int64(found[1]),
                np.int64(found[2]),
                np.int64(found[3]),
            )
            own, theirs = guess[0] + guess[2], guess[1] + guess[3]
            surprises[strain] = 16 * (n + s - e - w) - ((own - theirs) >> 2)
            before[0] += s - n
            before[1] += w - e
            before[2] += 13 - max(n, s) - max(e, w)
            before[3] = surprises[strain]

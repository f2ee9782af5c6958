"""Whether a model from a file agrees with its condition, by some deals of both.

A model without fault may be that of another condition; only counting again would exclude that. A
few deals show mixed-up and forged files. The deals of the model must satisfy the condition. Random
deals, and deals of the model with two cards exchanged, must be in the model if and only if they
satisfy the condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pavcodec.constraints.counting.diagrams.compile import tested_for
from pavcodec.constraints.counting.models.layers import DEAD
from pavcodec.constraints.counting.models.model import Model
from pavcodec.constraints.evaluation.evaluate import evaluate
from pavcodec.constraints.language.build import parts_of
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.layout import Deal
from pavcodec.numberings import numbering

__all__ = ["agrees"]

_WALKS = 16
_NEIGHBOURS = 8
_RANDOM = 48
_SEED = 0


def agrees(model: Model, condition: Node) -> bool:
    """Return whether a model agrees with its condition on some of its deals and other deals.

    Raises `PavError` if the condition has no value for one of them.
    """
    if any(map(tested_for, parts_of(condition))):
        return False
    words = list(_words(model))
    if not all(evaluate(condition, Deal.unchecked(word)) for word in words):
        return False
    others = [deal.owners for deal in numbering("deal").sample(_RANDOM, seed=_SEED)]
    others += (each for word in words for each in _neighbours(word))
    return all(
        bool(evaluate(condition, Deal.unchecked(word))) == _has(model, word) for word in others
    )


def _neighbours(word: bytes) -> Iterator[bytes]:
    """Yield words with two cards of another one changed."""
    random = Random(word)
    for _ in range(_NEIGHBOURS):
        owners = bytearray(word)
        one = random.randrange(len(owners))
        other = random.choice([card for card, seat in enumerate(owners) if seat != owners[one]])
        owners[one], owners[other] = owners[other], owners[one]
        yield bytes(owners)


def _words(model: Model) -> Iterator[bytes]:
    """Yield words of a model without fault; each walk takes other turns."""
    for walk in range(_WALKS if model.layers else 0):
        node, owners = 0, bytearray()
        rooms = {seat: model.sizes[seat] for seat in model.free}
        for card, layer in enumerate(model.layers):
            row = layer.children[node].tolist()
            living = [letter for letter, child in enumerate(row) if child != DEAD]
            letter = living[(card * walk + card + walk // len(living)) % len(living)]
            node = row[letter]
            if letter < len(model.seats):
                owners.append(model.seats[letter])
            else:
                seat = max(rooms, key=lambda seat: (rooms[seat], (seat + walk) % len(rooms)))
                rooms[seat] -= 1
                owners.append(seat)
        yield bytes(owners)


def _has(model: Model, word: bytes) -> bool:
    """Return whether a word of hands of the right sizes belongs to a model."""
    node = 0
    for layer, owner in zip(model.layers, word, strict=False):
        letter = model.seats.index(owner) if owner in model.seats else len(model.seats)
        node = int(layer.children[node, letter])
        if node == DEAD:
            return False
    return bool(model.layers)

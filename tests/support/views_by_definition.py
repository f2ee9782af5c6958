"""The views one deal and one card at a time, from the numbers of cards that the programs have."""

from __future__ import annotations

from collections.abc import Callable

import pavcodec as pav

RANKS_UP = "23456789TJQKA"


def numbers(name: str) -> Callable[[str, str], int]:
    """The number of a card, by its suit and rank, as the source of the program computes it."""
    return {
        "onehot": lambda suit, rank: 13 * "SHDC".index(suit) + "AKQJT98765432".index(rank),
        "openspiel": lambda suit, rank: 4 * RANKS_UP.index(rank) + "CDHS".index(suit),
        "pgx": lambda suit, rank: 13 * "SHDC".index(suit) + "A23456789TJQK".index(rank),
        "rlcard": lambda suit, rank: 13 * "CDHS".index(suit) + RANKS_UP.index(rank),
        "ben": lambda suit, rank: 8 * "SHDC".index(suit) + min("AKQJT98765432".index(rank), 7),
    }[name]


def cards_from(deal: pav.Layout, seat: str) -> list[list[tuple[str, str]]]:
    """The cards of a seat, of the next seat, of its partner and of the last one."""
    first = "NESW".index(seat)
    hands = [deal["NESW"[(first + step) % 4]] for step in range(4)]
    return [[(card.suit.letter, card.rank.letter) for card in hand] for hand in hands]


def counted(hand: list[tuple[str, str]], name: str, width: int) -> list[int]:
    row = [0] * width
    for card in hand:
        row[numbers(name)(*card)] += 1
    return row


def view_by_definition(deal: pav.Layout, view: str, seat: str = "N", sides: str = "None") -> object:
    """The array of a view for one deal, as lists; `sides` are the vulnerable ones."""
    hands = cards_from(deal, seat)
    name = view.split("-", maxsplit=1)[0].replace("ben52", "onehot")
    width = 32 if name == "ben" else 52
    if view in {"onehot", "openspiel", "rlcard", "ben", "ben52"}:
        return [counted(hand, name, width) for hand in hands]
    if view in {"onehot-hand", "openspiel-hand", "ben-hand"}:
        return counted(hands[0], name, width)
    if view in {"openspiel-observation", "pgx-observation", "ben-bidding"}:
        return seen_by_definition(hands[0], view, seat, sides)
    return deal_by_definition(hands, view)


def seen_by_definition(
    hand: list[tuple[str, str]], view: str, seat: str, sides: str
) -> list[float]:
    """What one seat sees, with the vulnerability."""
    us = sides == "All" or (sides != "None" and seat in sides)
    them = sides == "All" or (sides != "None" and not us)
    if view == "ben-bidding":
        points = sum({"A": 4, "K": 3, "Q": 2, "J": 1}.get(rank, 0) for _, rank in hand)
        lengths = [sum(suit == each for suit, _ in hand) for each in "SHDC"]
        floats = [(points - 10) / 4, *((length - 3.25) / 1.75 for length in lengths)]
        return [us, them, *floats, *counted(hand, "ben", 32)]
    is_long = view.startswith("openspiel")
    phase, end = ([1, 0, 0, 0], [0] * 87) if is_long else ([], [])
    vulnerable = [int(not us), int(us), int(not them), int(them)]
    return [*phase, *vulnerable, *[0] * 424, *counted(hand, "openspiel", 52), *end]


def deal_by_definition(hands: list[list[tuple[str, str]]], view: str) -> object:
    """A whole deal in numbers of cards or of suits."""
    if view == "dds":
        return [
            [sum(2 ** (RANKS_UP.index(r) + 2) for s, r in hand if s == suit) for suit in "SHDC"]
            for hand in hands
        ]
    if view == "pgx-key":
        owner = {card: place for place, hand in enumerate(hands) for card in hand}
        digits = [[str(owner[suit, rank]) for rank in "A23456789TJQK"] for suit in "SHDC"]
        return [int("".join(suit), 4) for suit in digits]
    name = view.split("-", maxsplit=1)[0]
    in_order = [sorted(numbers(name)(*card) for card in hand) for hand in hands]
    if view == "pgx":
        return [number for hand in in_order for number in hand]
    assert view == "openspiel-deal"
    return [in_order[place % 4][place // 4] for place in range(52)]

"""The reasons why an ending is not legal, as texts."""

from __future__ import annotations

from collections.abc import Iterable

from pavcodec.cards import Card, Seat, Strain, Suit
from pavcodec.legal.criterion import Signature, TrumpBar

__all__ = ["no_crossing", "no_line", "revoke", "too_few_leads", "trump_reason"]


def too_few_leads(ending: Signature) -> str:
    """Return the text: more tricks are over than can have been led.

    >>> print(too_few_leads(Signature((1, 3, 0, 0), (3, 15, 15, 15))).partition(" and")[0])
    1 trick is over, but none can have been led: spades, 1 gone
    """
    most = ending.most_led
    suits = [_suit(suit, ending, tricks) for suit, tricks in enumerate(most) if ending.gone[suit]]
    led = f"at most {sum(most)}" if sum(most) else "none"
    return f"{_tricks_over(ending.tricks)}, but {led} can have been led: {'; '.join(suits)}"


def _suit(suit: int, ending: Signature, most: int) -> str:
    """Return how often one suit can have been led, as text."""
    name, gone, held = _name(suit), ending.gone[suit], ending.holders[suit]
    seats = "everybody" if held.bit_count() == len(Seat) else _and(_seats(held)) or "nobody"
    times = f"led {most} time{'s' * (most > 1)} at most" if most else "never led"
    return f"{name}, {gone} gone and still with {seats}, were {times}"


def no_crossing(ending: Signature, denomination: str = "in notrump") -> str:
    """Return the text: no seat could change from one suit to the other."""
    first, second = (suit for suit, tricks in enumerate(ending.most_led) if tricks)
    groups = [f"{_name(suit)} by {_and(_seats(ending.holders[suit]))}" for suit in (first, second)]
    return (
        f"{denomination} nobody could go over from {_name(first)} to {_name(second)}: all "
        f"{ending.tricks} tricks were led in these two suits, and all cards of them that are gone "
        f"were played to these tricks, {' and '.join(groups)}"
    )


def trump_reason(ending: Signature, trump: int, bar: TrumpBar) -> str:
    """Return the text: this suit cannot have been trumps."""
    name = _name(trump)
    if bar.kind == "crossing":
        return no_crossing(ending, f"with {name} as trumps,") + "; only a ruff could help"
    if bar.kind == "last trick":
        (suit,) = bar.suits
        free = len(Seat) - max(1, ending.holders[suit].bit_count())
        return (
            f"with {name} as trumps, all {ending.tricks} tricks were led in {_name(suit)}, and a "
            f"seat that ruffs cannot lead them again: so the {ending.gone[trump]} trumps that are "
            f"gone were all ruffs on the last trick, and there only {free} "
            f"seat{'s' * (free > 1)} could ruff"
        )
    suits = _and([_name(suit) for suit in bar.suits])
    ruffs = ending.gone[trump] - len(Seat) * ending.most_led[trump]
    return (
        f"with {name} as trumps, {ruffs} trumps at least were ruffs, and all {ending.tricks} "
        f"tricks were led in {suits}: a seat that has ruffed is on lead, and the seats that could "
        "ruff had too few ways to give the lead back"
    )


def revoke(seat: int, card: Card, led: Suit) -> str:
    """Return the text: a card on the table is a revoke.

    >>> revoke(1, Card.parse("H5"), Suit.SPADES)
    'E played H5 to a spade and still holds spades: a revoke'
    """
    return (
        f"{Seat(seat).letter} played {card} to a {led.name.lower()[:-1]} and still holds "
        f"{_name(led)}: a revoke"
    )


def no_line(
    denomination: Strain | None, first_leader: Seat | None, on_lead: Seat | None, *, table: str = ""
) -> str:
    """Return the text: the search found no line of play."""
    where = "in any denomination" if denomination is None else _in(denomination)
    leaders = []
    if first_leader is not None:
        leaders.append(f"{first_leader.letter} led to the first trick")
    if on_lead is not None:
        leaders.append(f"{on_lead.letter} is on lead now")
    when = f" in which {_and(leaders)}" if leaders else ""
    return f"no line of play {where}{when} leads here{table}; all were tried"


def _in(denomination: Strain) -> str:
    """Return the denomination as part of a sentence.

    >>> _in(Strain.NOTRUMP), _in(Strain.CLUBS)
    ('in notrump', 'with clubs as trumps')
    """
    if denomination is Strain.NOTRUMP:
        return "in notrump"
    return f"with {_name(denomination - 1)} as trumps"


def _name(suit: int) -> str:
    return Suit(suit).name.lower()


def _seats(held: int) -> list[str]:
    return [seat.letter for seat in Seat if held >> seat & 1]


def _and(words: Iterable[str]) -> str:
    """Join words with commas and a final "and".

    >>> _and("NES"), _and("N"), _and("")
    ('N, E and S', 'N', '')
    """
    *some, last = [*words] or [""]
    return f"{', '.join(some)} and {last}" if some else last


def _tricks_over(tricks: int) -> str:
    return "1 trick is over" if tricks == 1 else f"{tricks} tricks are over"

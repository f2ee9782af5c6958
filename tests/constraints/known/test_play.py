"""Lines of play so far: players, winners and voids, and deals played to their end."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pytest

import pavcodec as pav
from pavcodec import Deal, Play, Seat, Suit
from pavcodec.errors import PavError


def test_players_follow_the_winners() -> None:
    play = Play("west", "SK S2 S3 S4, SA", "NT")
    assert play.players == (3, 0, 1, 2, 3)
    assert play.turn == Seat.NORTH
    assert play.winners == (Seat.WEST,)
    assert [len(trick) for trick in play.tricks] == [4, 1]
    assert play.trick == play.cards[4:]
    ruffed = Play("N", "DA D2 H2 D3 H3", "hearts")
    assert ruffed.players[-1] == Seat.SOUTH
    assert ruffed.voids == ((Seat.SOUTH, Suit.DIAMONDS),)
    assert ruffed.first(4).turn == Seat.SOUTH
    assert ruffed.first(0).turn == Seat.NORTH
    for count in (-1, 6):
        with pytest.raises(PavError, match=f"this play has 0 to 5 cards, not {count}"):
            ruffed.first(count)
    assert Play("N", "DA D2 H2 D3 D4", "S").players[-1] == Seat.NORTH
    suits = [[f"{suit}{rank}" for rank in "AKQJT98765432"] for suit in "SHDC"]
    whole = Play("N", [hand[place] for place in range(13) for hand in suits], "S")
    assert (whole.turn, whole.winners, len(whole.voids)) == (None, (Seat.NORTH,) * 13, 3)


def test_the_text_of_a_play_gives_the_play() -> None:
    for play in (Play("W", "SK S2 S3", "NT"), Play("N"), Play("E", [0, "H5"], "S")):
        assert eval(repr(play), {"Play": Play}) == play  # noqa: S307 (our own text)
    assert repr(Play("E", [0, "H5"], "S")) == "Play('E', 'SA H5', strain='S')"


ILLEGAL = [
    ("W", "SA SK SQ SA", None, "trick 1: SA was played in trick 1 already"),
    ("W", "SA SK HQ S3 S4 S5 S6 S7", "NT",
     "trick 2: East plays S6, but did not follow spades in trick 1"),
    ("W", "SA SK HQ S3", None, "who won trick 1, SA SK HQ S3, is not known without the strain"),
    ("X", "SA", None, "no seat is called 'X'"),
    ("W", "SA", "X", "no strain is called 'X'"),
    ("W", "S1", None, "no card is called 'S1'"),
]  # fmt: skip


@pytest.mark.parametrize(("leader", "cards", "strain", "message"), ILLEGAL)
def test_illegal_plays_are_refused(
    leader: str, cards: str, strain: str | None, message: str
) -> None:
    with pytest.raises(PavError, match=message):
        Play(leader, cards, strain)


def test_a_board_gives_its_play() -> None:
    text = (
        b'[Deal "N:J754.A2.KQ3.A982 3.JT9643.7652.Q7 AKQ2.K85.AJ4.T63 T986.Q7.T98.KJ54"]\n'
        b'[Contract "3NT"]\n[Play "W"]\nDT D3 D2 DJ\nS9 S4 S3 SA\nS8 S5 H3 SK\n*\n'
    )
    [board] = pav.read(io.BytesIO(text))
    play = Play.of_board(board)
    assert play == Play("W", "DT D3 D2 DJ SA S9 S4 S3 SK S8 S5 H3", "NT")
    assert board.layout in pav.deals(known=pav.position(played=play))
    assert Play.of_board(pav.Board.make(board.layout, number=1)) is None


def played_out(deal: Deal, seed: int) -> Play:
    """A deal played to its end: each player follows suit if it can."""
    random, play, left = Random(seed), Play("N", [], "H"), [*deal.owners]
    while (seat := play.turn) is not None:
        held = [card for card in range(52) if left[card] == seat]
        following = [card for card in held if play.trick and card // 13 == play.trick[0].suit]
        card = random.choice(following or held)
        left[card] = 4
        play = Play("N", [*play.cards, card], "H")
    return play


@pytest.mark.slow
def test_the_true_deal_is_in_every_position_of_its_play() -> None:
    for seed, deal in enumerate(pav.numbering("deal").sample(3, seed=7)):
        assert isinstance(deal, Deal)
        play = played_out(deal, seed)
        assert [deal.owners[card] for card in play.cards] == list(play.players)
        dummy = play.leader.next
        for own in (dummy.partner, play.leader):
            hands: dict[Any, Any] = {own: deal[own], dummy: deal[dummy]}
            before = None
            for cards in range(1, len(play.cards) + 1, 8):
                table = pav.position(hands=hands, played=play.first(cards))
                space = pav.deals(known=table)
                assert isinstance(space, pav.ConstrainedDeals)
                assert deal in space, (str(deal), cards)
                assert before is None or space.cardinality <= before, (str(deal), cards)
                before = space.cardinality
                left = table.remaining(deal)
                assert (left.sizes, len(left.unused)) == (table.sizes, cards)

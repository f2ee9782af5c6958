"""Par: a game tree of every call as the definition, and the values that other programs publish."""

from __future__ import annotations

import random
import re
from functools import cache
from itertools import product

import pytest
from formats_support import corpus_folder

from pavcodec import Seat, Strain, TrickTable, Vulnerability
from pavcodec.boards.par import Par, ParContract, duplicate_score, par
from pavcodec.boards.tricks import parse_trick_digits

BIDS = [(level, strain) for level in range(1, 8) for strain in reversed(Strain)]
START = (None, 0, 0, 0)
"""The highest bid, its side, 0 to 2 for doubled, and the passes in turn."""

State = tuple[int | None, int, int, int]


class Game:
    """The auction as a game of two sides, call by call: slow and obvious."""

    def __init__(self, table: TrickTable, dealer: Seat, vulnerable: Vulnerability) -> None:
        self.table = table
        self.dealer = dealer
        self.is_vulnerable = [
            vulnerable in (Vulnerability.ALL, side) for side in (Vulnerability.NS, Vulnerability.EW)
        ]
        self.value = cache(self._value)
        for bid in reversed(range(len(BIDS))):  # so that no recursion is deep
            for side, doubled, turn in product((0, 1), (2, 1, 0), (0, 1)):
                self.value((bid, side, doubled, 0), turn)

    def score(self, state: State) -> int:
        """Return the points of North and South if all pass now."""
        bid, side, doubled, _ = state
        if bid is None:
            return 0
        level, strain = BIDS[bid]
        taken = max(self.table[Seat(side), strain], self.table[Seat(side + 2), strain])
        vulnerable = self.is_vulnerable[side]
        points = duplicate_score(
            level, strain, tricks=taken, vulnerable=vulnerable, doubled=doubled
        )
        return -points if side else points

    def after(self, state: State, turn: int) -> list[State]:
        """Return the states after each call of the side on turn."""
        bid, side, doubled, passes = state
        calls: list[State] = [(bid, side, doubled, passes + 1)]
        if bid is not None and doubled == 0 and side != turn:
            calls.append((bid, side, 1, 0))
        if bid is not None and doubled == 1 and side == turn:
            calls.append((bid, side, 2, 0))
        lowest = 0 if bid is None else bid + 1
        return [*calls, *((higher, turn, 0, 0) for higher in range(lowest, len(BIDS)))]

    def _value(self, state: State, turn: int) -> int:
        if state[3] == (4 if state[0] is None else 3):
            return self.score(state)
        values = [self.value(each, 1 - turn) for each in self.after(state, turn)]
        return min(values) if turn else max(values)


def check(table: TrickTable, dealer: Seat, vulnerable: Vulnerability) -> Par:
    """Compare a par with the game."""
    game = Game(table, dealer, vulnerable)
    found = par(table, dealer, vulnerable)
    assert found.score == game.value(START, dealer % 2)
    assert bool(found.contracts) == (found.score != 0)
    for contract in found.contracts:
        side = contract.declarers[0] % 2
        bid = BIDS.index((contract.level, contract.strain))
        doubled = int(contract.over < 0)
        assert game.score((bid, side, doubled, 0)) == found.score
        assert {table[seat, contract.strain] for seat in contract.declarers} == {
            6 + contract.level + contract.over
        }
        bids = [game.value((higher, 1 - side, 0, 0), side) for higher in range(bid + 1, len(BIDS))]
        # the other side loses points by each higher bid
        assert all(each < found.score if side else each > found.score for each in bids)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_par_is_the_value_of_the_game(seed: int) -> None:
    rnd = random.Random(seed)
    for most in (7, 10, 13):
        table = TrickTable(bytes(rnd.randint(0, most) for _ in range(20)))
        check(table, rnd.choice(list(Seat)), rnd.choice(list(Vulnerability)))


def test_a_game_a_sacrifice_and_a_passed_out_board() -> None:
    game = TrickTable(bytes([7, 6] * 2 + [10, 3] * 2 + [7, 6] * 6))
    assert check(game, Seat.NORTH, Vulnerability.NONE).score == 420
    assert par(TrickTable(bytes([6] * 20)), Seat.EAST, Vulnerability.ALL) == Par(0, ())
    table = TrickTable(bytes([7, 5, 7, 5] + [10, 3, 10, 3] + [4, 9, 4, 9] * 3))
    found = check(table, Seat.NORTH, Vulnerability.NS)
    assert found.score == 300
    assert [*map(str, found.contracts)] == ["EW 5CX-2", "EW 5DX-2", "EW 5HX-2"]
    both = TrickTable(bytes([7] * 4 + [6] * 16))  # the dealer bids first
    assert par(both, Seat.SOUTH, Vulnerability.NONE).score == 90
    assert par(both, Seat.WEST, Vulnerability.NONE).score == -90
    # North opens, and the sacrifice of the others is par
    slam = TrickTable(bytes([1, 6] * 2 + [11, 10] * 2 + [5, 8] * 2 + [11, 2] * 2 + [11, 7] * 2))
    found = check(slam, Seat.NORTH, Vulnerability.ALL)
    assert (found.score, [*map(str, found.contracts)]) == (500, ["EW 6SX-2"])
    # 2N and no 1N+1, over which a bid costs nothing: as BridgeComposer has it
    found = par(parse_trick_digits("88697886975473654736"), Seat.NORTH, Vulnerability.NONE)
    assert (found.score, [*map(str, found.contracts)]) == (120, ["NS 2N="])


def test_scores_and_contracts_of_dds() -> None:
    """The lines PBN, TABLE and PAR2 of the files of the library DDS."""
    deal = re.compile(
        r"^PBN (\d) (\d) .*?^TABLE ([\d ]+?)$.*?^PAR2 \"(-?\d+)\" (.*?)$", re.MULTILINE | re.DOTALL
    )
    compared = 0
    for path in sorted((corpus_folder() / "dds").glob("*.txt")):
        for dealer, vulnerable, tricks, score, told in deal.findall(path.read_text()):
            numbers = [*map(int, tricks.split())]
            table = TrickTable(bytes([*numbers[16:20], *numbers[:16]]))
            word = ("None", "All", "NS", "EW")[int(vulnerable)]
            found = par(table, Seat(int(dealer)), Vulnerability.of(word))
            assert found.score == int(score)
            assert set(map(as_dds, found.contracts)) == set(re.findall('"([^"]*)"', told))
            compared += 1
    assert compared > 100


def as_dds(contract: ParContract) -> str:
    seats = "".join(seat.letter for seat in contract.declarers)
    over = f"{contract.over:+}" if contract.over else ""
    doubled = "*" if contract.over < 0 else ""
    return f"{contract.level}{contract.strain.letters[0]}{doubled}-{seats}{over}"

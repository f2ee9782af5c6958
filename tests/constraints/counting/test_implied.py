"""What conditions imply for some seats alone: laws for any condition, and what people write."""

from __future__ import annotations

import pytest
from constraints_support import nodes
from hypothesis import given
from hypothesis import strategies as st
from strategies import deals as any_deal

from pavcodec import Deal, Seat
from pavcodec.constraints.counting.implied import FALSE, TRUE, Implications
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.syntax import Node, measure_of
from pavcodec.errors import PavError

some_seats = st.frozensets(st.sampled_from(Seat), min_size=1, max_size=3)


def truth(node: Node, deal: Deal) -> bool | None:
    """Whether a condition is true; None where the definition divides by 0."""
    try:
        return bool(evaluate(node, deal))
    except PavError:
        return None


@pytest.mark.slow
@given(nodes(is_exotic=False), some_seats, st.lists(any_deal(), min_size=5, max_size=5))
def test_what_is_implied_holds_wherever_the_condition_does(
    node: Node, seats: frozenset[Seat], some: list[Deal]
) -> None:
    implications = Implications(seats)
    weakest, strongest = implications.weakest(node), implications.strongest(node)
    assert measure_of(weakest).seats <= seats
    assert measure_of(strongest).seats <= seats
    for deal in some:
        found = truth(node, deal)
        if found:
            assert truth(weakest, deal) in (True, None)
        elif found is False:
            assert truth(strongest, deal) in (False, None)


@given(nodes(is_exotic=False))
def test_a_condition_on_these_seats_is_implied_as_it_is(node: Node) -> None:
    implications = Implications(measure_of(node).seats or [Seat.NORTH])
    assert implications.weakest(node) is node
    assert implications.strongest(node) is node


@pytest.mark.parametrize(
    ("where", "seats", "implied"),
    [
        ("hcp(north) > 12 && hcp(west) < 3", "N", "hcp(north) > 12"),
        ("hcp(north) > 12 || hcp(west) < 3", "N", "1"),
        (
            "hearts(north) > 4 && spades(west) == 0 || spades(north) > 4 && hearts(west) == 0",
            "N",
            "hearts(north) > 4 || spades(north) > 4",
        ),
        ("hcp(north) + hcp(south) >= 50", "N", "hcp(north) + 40 >= 50"),
        ("!(hcp(north) <= 9 || spades(south) > 3)", "N", "!(hcp(north) <= 9)"),
        ("!(hcp(north) + hcp(south) < 50)", "N", "hcp(north) + 40 >= 50"),
        ("!(hcp(north) + hcp(south) > 50)", "N", "hcp(north) + 0 <= 50"),
        ("!(hcp(north) + hcp(south) >= 50)", "N", "hcp(north) + 0 < 50"),
        ("!(hcp(north) + hcp(south) != 50)", "N", "hcp(north) + 40 >= 50 && hcp(north) + 0 <= 50"),
        ("hcp(north) == hcp(south) + 20", "N", "hcp(north) >= 20 && hcp(north) <= 60"),
        ("hcp(north) - rnd(4) == 7", "N", "hcp(north) - 0 >= 7 && hcp(north) - 3 <= 7"),
        ("aces(east) > 4 && tricks(north, spades) > 9", "E", "aces(east) > 4"),
        ("(hcp(west) > 9 ? hcp(north) : 3) > 20", "N", "hcp(north) > 20"),
        ("(tens(west) && -aces(north)) > 0", "N", "(-aces(north) != 0) > 0"),
        ("(aces(west) && spades(north)) + hcp(west) == 9", "W",
         "(aces(west) != 0) + hcp(west) >= 9 && 0 + hcp(west) <= 9"),
        ("hcp(west) > 9 ? kings(north) : aces(north)", "N", "kings(north) || aces(north)"),
    ],
)  # fmt: skip
def test_what_people_write(where: str, seats: str, implied: str) -> None:
    node = parse_expression(where)
    weakest = Implications([Seat.parse(letter) for letter in seats]).weakest(node)
    expected = parse_expression(implied)
    assert weakest is expected or format_node(weakest) == implied


def test_what_cannot_be() -> None:
    nobody = parse_expression("hcp(north) + hcp(south) > 80 && spades(west) == 1")
    assert Implications([Seat.EAST]).weakest(nobody) is FALSE
    assert Implications([Seat.WEST]).weakest(parse_expression("hcp(north) > 3")) is TRUE

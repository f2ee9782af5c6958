"""Expressions as text: one form, and it is read back as the same expression."""

from __future__ import annotations

import pytest
from constraints_support import nodes
from hypothesis import given, settings

from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.syntax import Negate, Node, Number, Python


@pytest.mark.slow
@given(nodes())
@settings(max_examples=200, deadline=None)
def test_what_is_written_is_read_back(node: Node) -> None:
    text = format_node(node)
    assert parse_expression(text) == node
    assert format_node(parse_expression(text)) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("HCP( North )", "hcp(north)"),
        ("hcp(north,heart)", "hcp(north, hearts)"),
        ("pt5(east)", "top2(east)"),
        ("pt9(east)+c13(west)", "c13(east) + c13(west)"),
        ("ace(east) or jack(west)", "aces(east) || jacks(west)"),
        ("not spade(south)", "!spades(south)"),
        ("1+2*3", "1 + 2 * 3"),
        ("(1+2)*3", "(1 + 2) * 3"),
        ("1-(2-3)", "1 - (2 - 3)"),
        ("(1-2)-3", "1 - 2 - 3"),
        ("1- -3", "1 - -3"),
        ("-hcp(north)*2", "-hcp(north) * 2"),
        ("-(hcp(north)*2)", "-(hcp(north) * 2)"),
        ("1<2<3", "1 < 2 && 2 < 3"),
        ("(1<2)<3", "(1 < 2) < 3"),
        ("1 && 2 || 3 and (4 or 5)", "1 && 2 || 3 && (4 || 5)"),
        ("1 ? 2 : 3 ? 4 : 5", "1 ? 2 : 3 ? 4 : 5"),
        ("(1 ? 2 : 3) ? 4 : 5", "(1 ? 2 : 3) ? 4 : 5"),
        ("hascard(west, ST)", "hascard(west, TS)"),
        ("hascard(west, 10s)", "hascard(west, TS)"),
        ("shape(north,any 3343)", "shape(north, any 4333)"),
        ("score(NV,x3ntXX,tricks(south,notrumps))", "score(nv, x3NXX, tricks(south, notrump))"),
        ("imps(-50)", "imps(-50)"),
        ("rnd(6)", "rnd(6)"),
        ("RND( 2+4 ,01)", "rnd(2 + 4, 1)"),
        ("1<rnd(6)<4", "1 < rnd(6, 1) && rnd(6, 1) < 4"),
        ("1<rnd(6)<4<rnd(9)", "1 < rnd(6, 1) && rnd(6, 1) < 4 && 4 < rnd(9)"),
        ("points(south, 4 3 2 1)", "hcp(south)"),
        ("points(south, club, 1 -1 0 5 0)", "points(south, clubs, 1 -1 0 5)"),
        ("points(south, 0)", "points(south, 0)"),
    ],
)
def test_the_canonical_text(text: str, canonical: str) -> None:
    assert format_node(parse_expression(text)) == canonical


def test_nodes_that_no_text_makes() -> None:
    assert format_node(Python(lambda _: 1, "lucky")) == "<lucky>"
    assert format_node(Negate(Number(3))) == "-(3)"
    with pytest.raises(TypeError, match="no node"):
        format_node(Node())

"""Whatever the text, nothing but a `PavError` comes out, and its caret lies in the text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles import FIXTURES

from pavcodec import PavError, TextError
from pavcodec.constraints.language.parser import parse_expression, parse_script
from pavcodec.constraints.nodes.format import format_node

WORDS = r"""
hcp hcps ( ) , north east south west spades hearts club shape any 4333 5xxx xx6x + - * / % && || !
and or not == != < <= > >= ? : = 0 1 13 5 99999999999999999999 hascard AS SA TC 9H losers cccc
quality tricks notrump score vul nv x4S x3NXX imps rnd pt3 c13 top2 points 4 3 2 1 generate produce
dealer vulnerable NS all none predeal SAQ5 HKJ87 pointcount altcount condition action printall print
printew printpbn printcompact printoneline printes average frequency seed "text" \n # // /* */ " '
printns printside printrpt csvrpt export bktfreq evalcontract trix deal ns EW
. x y a_b $ é ² ٣
"""
SCRIPTS = sorted((FIXTURES / "scripts").glob("*.dlr"))
soups = st.lists(st.sampled_from([*WORDS.split(), "\n", "\t", "\x00"]), max_size=25).map(" ".join)
texts = st.one_of(st.text(max_size=40), soups)


def _read(read: Callable[[str], Any], text: str) -> Any:
    """Read a text; None for one with a fault, whose place lies in the text."""
    try:
        return read(text)
    except PavError as error:
        fault = error
    assert str(fault)
    if isinstance(fault, TextError):
        start, stop = fault.span
        assert 0 <= start <= stop
        assert start <= len(text)
        assert fault.source == text
    return None


@pytest.mark.slow
@given(texts)
@settings(max_examples=150, deadline=None)
@example("(" * 2000 + "1" + ")" * 2000)
@example("!" * 5000 + "1")
@example("1" + "+1" * 5000)
@example("1" + "?1:1" * 3000)
@example("imps(" * 3000)
@example("points(north, " + "9" * 5000 + ")")
def test_any_expression(text: str) -> None:
    node = _read(parse_expression, text)
    if node is not None:
        assert parse_expression(format_node(node)) == node


@st.composite
def damaged_scripts(draw: st.DrawFn) -> str:
    """A script of ours with a piece cut out, and something put into its place."""
    path: Path = draw(st.sampled_from(SCRIPTS))
    text = path.read_text()
    start = draw(st.integers(0, len(text)))
    stop = draw(st.integers(start, min(len(text), start + 12)))
    return text[:start] + draw(texts) + text[stop:]


@pytest.mark.slow
@given(texts | damaged_scripts())
@settings(max_examples=200, deadline=None)
@example("\n".join(["a0 = hcp(north)", *(f"a{n + 1} = a{n} + a{n}" for n in range(60))]))
@example("produce " + "9" * 5000)
@example("action frequency (1, 0, 999999999999)")
def test_any_script(text: str) -> None:
    _read(parse_script, text)

"""Lists of shapes in braces: what they hold, by a slow definition and by the preprocessor dpp."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import permutations

import pytest

from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import InShapes
from pavcodec.errors import TextError
from pavcodec.shapes import SHAPES, Shape, parse_shapes

DPP = shutil.which("dealer.dpp", path="/usr/games")


def braced(shapes: str) -> frozenset[Shape]:
    node = parse_expression(f"shape{{north, {shapes}}}")
    assert isinstance(node, InShapes)
    return node.shapes


def within(pattern: str, shape: tuple[int, ...]) -> bool:
    """Tell whether four lengths, one for each suit, match a pattern without names of suits."""
    lengths = re.findall(r"\[[0-9-]+\]|[0-9][+-]?|x", pattern)
    assert len(lengths) == len(shape)
    return all(_holds(text, length) for text, length in zip(lengths, shape, strict=True))


def _holds(text: str, length: int) -> bool:
    if text == "x":
        return True
    if text.startswith("["):
        ends = re.findall(r"([0-9])(?:-([0-9]))?", text)
        return any(int(low) <= length <= int(high or low) for low, high in ends)
    number = int(text[0])
    return {"+": length >= number, "-": length <= number}.get(text[1:], length == number)


@pytest.mark.parametrize(
    "pattern", ["5332", "5+xx5+", "2-xxx", "x[3-5]x[13]", "[013-68]xxx", "5+4-xx", "xxxx", "9+xxx"]
)
def test_lengths(pattern: str) -> None:
    assert braced(pattern) == {shape for shape in SHAPES if within(pattern, shape)}


@pytest.mark.slow
@pytest.mark.parametrize("pattern", ["4432", "3+3+3+2+", "5+4+xx", "xxxx", "7+3-3-x"])
def test_any_order(pattern: str) -> None:
    expected = {s for s in SHAPES if any(within(pattern, order) for order in permutations(s))}
    assert braced(f"({pattern})") == braced(f"any {pattern}") == expected


@pytest.mark.parametrize(
    ("text", "like"),
    [
        ("4M(3+3+2+)", "any 4432 + any 4333 - 3343 - 3334 - 2344 - 3244"),
        ("5s(431)", "5134 + 5314 + 5143 + 5341 + 5413 + 5431"),
        ("5(431)", "5134 + 5314 + 5143 + 5341 + 5413 + 5431"),
        ("4c5d(xx)", "xx54"),
        ("5d4c(xx)", "xx54"),
        ("5M5m(xx)", "5x5x + 5xx5 + x55x + x5x5"),
        ("5M(xxx)", "5xxx + x5xx"),
        ("44(xx)", "44xx"),
        ("(4432) - 4432", "any 4432 - 4432"),
        ("+ 5xxx + x5xx", "5xxx + x5xx"),
        ("4+s4+h(xx):d>c,h+s==10", "6421 + 6430 + 5521 + 5530 + 4621 + 4630"),
        ("55xx:d==c+1 or d==c-1", "5521 + 5512"),
        ("55xx:d==2,c==1 or c==2,d==1", "5521 + 5512"),
        ("55xx:!(d==c+1)", "55xx - 5521"),
        ("5M(332):M>=5,s!=h", "5332 + 5323 + 5233 + 3532 + 3523 + 2533"),
    ],
)
def test_classes_and_conditions(text: str, like: str) -> None:
    assert braced(text) == parse_shapes(like)


@pytest.mark.skipif(DPP is None, reason="the preprocessor dpp is not installed")
@pytest.mark.parametrize(
    "text",
    [
        *("4M(3+3+2+)", "5+xx5+", "x[3-5]x[13]", "5+M3+c(31)", "5+s5+m(xx)", "44(xx)", "4441"),
        *("4+s4+h(xx):d>c,h+s==10", "5m(332) + 5m2s(42)", "(4432) - 4432", "(3+3+3+2+)"),
        *("4+c3+d(2+2+)", "5s(431)", "4+M4+m(xx):s>h or d>c", "(5+332)", "[013-68]xxx", "4xx5"),
    ],
)
def test_dpp_says_the_same(text: str) -> None:
    assert DPP is not None
    line = f"shape{{north, {text}}}\n"
    done = subprocess.run([DPP], input=line, capture_output=True, text=True, check=True)
    expected = parse_expression(done.stdout.strip())
    assert parse_expression(f"shape{{north, {text}}}") == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("5M5M(xx)", "a shape has M only once"),
        ("5s5s(xx)", "a suit occurs twice in a shape"),
        ("(443)", "a shape has four suits"),
        ("5+xx", "a shape has four suits"),
        ("55555", "there are too many"),
        ("(4432", "the '\\)' of a shape is missing"),
        ("(4432)x", "the '\\)' of a shape is missing"),
        ("5q32", "expected a length"),
        ("5332 + ", "expected a length|four suits|expected a shape"),
        ("5xxx:hcp(north)>3", "after ':' a condition on shapes has only the lengths"),
        ("5xxx:s>", "after ':' expected an expression"),
    ],
)
def test_faults_are_told(text: str, reason: str) -> None:
    with pytest.raises(TextError, match=reason) as caught:
        parse_expression(f"shape{{north, {text}}}")
    start, end = caught.value.span
    assert f"shape{{north, {text}}}"[start:end].strip() in text

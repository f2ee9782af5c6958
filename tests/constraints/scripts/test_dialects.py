"""What other programs make of the language: the table of constructs, `check`, and the ways back."""

from __future__ import annotations

from pathlib import Path

import pytest
from classic_support import is_read, needs_classic
from oracles import FIXTURES

from pavcodec import Deal, TextError, numbering, write_plain
from pavcodec.cli import main
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.functions import PROGRAMS
from pavcodec.constraints.language.parser import parse_script
from pavcodec.constraints.mixes.mixes import joined
from pavcodec.constraints.nodes.syntax import Node, Number
from pavcodec.constraints.scripts.check import CONSTRUCTS, Construct, check_script

OF_ACTIONS = {
    *("evalcontract", "printns or printside", "csvrpt, printrpt or trix", "bktfreq or export"),
}
"""Constructs that say of actions whether there are any; their own tests tell what they print."""


def text_of(construct: Construct) -> str:
    """Return the example of a construct as a script."""
    more = " || ".join(["shape(north, 5xxx)"] * 31)
    end = "" if construct.name == "a comment that ends the file" else "\n"
    return construct.example.replace("…", more).replace(r"\n", "\n") + end


def is_read_here(text: str) -> bool:
    try:
        parse_script(text)
    except TextError:
        return False
    return True


@pytest.mark.parametrize("construct", CONSTRUCTS.values(), ids=lambda each: each.name)
def test_the_examples_of_the_table(construct: Construct) -> None:
    """Each is read, or refused, and `check` tells of it for the programs that do otherwise."""
    text = text_of(construct)
    assert set(construct.readings) <= set(PROGRAMS)
    if construct.name in OF_ACTIONS:
        return
    assert is_read_here(text) is not construct.is_refused
    for program in PROGRAMS if not construct.is_refused else ():
        found = [each for each in check_script(text, [program]) if each.construct]
        tells = construct.refused_by(program) or bool(construct.differs_in(program))
        assert (construct.name in {each.construct for each in found}) is tells
        assert all(each.programs == (program,) for each in found)


@needs_classic
def test_the_classic_program_reads_what_the_table_says() -> None:
    for construct in CONSTRUCTS.values():
        assert is_read(text_of(construct)) is not construct.refused_by("dealer"), construct.name
    for construct in READ_HERE:
        if construct.name not in WITHOUT_EQUAL:
            assert is_read(write_plain(text_of(construct)).text), construct.name


def test_numbers_above_32_bits_are_named() -> None:
    for number in ("2147483647", "2147483648", "02147483647", "9" * 18):
        findings = check_script(f"hcp(north) == {number}")
        told = any("above 2147483647" in found.message for found in findings)
        assert told == (int(number) > 2147483647)


WITHOUT_EQUAL = {
    *("a number above 2147483647", "mix", "weight", "a numbered draw", "more than 31 shapes"),
    *("a contract that is doubled, or with z", "bktfreq or export"),
    *("a draw that a variable carries to several places", "evalcontract", "printns or printside"),
    *("printcompact or printoneline before an expression", "csvrpt, printrpt or trix"),
    *("a number with decimals", "a decimal beside an integer", "par", "parcontract"),
    "a decimal of more than two digits before or after the point",
}
READ_HERE = [each for each in CONSTRUCTS.values() if not each.is_refused]


def condition_of(text: str) -> Node:
    """The condition of a script, with what is dealt beforehand."""
    script = parse_script(text)
    return joined(*script.predeal, *([script.condition] if script.condition else []))


@pytest.mark.parametrize("construct", READ_HERE, ids=lambda each: each.name)
def test_each_construct_has_an_equal_or_is_refused_by_name(construct: Construct) -> None:
    text = text_of(construct)
    if construct.name in WITHOUT_EQUAL:
        with pytest.raises(TextError, match="no equal in the classic dealer"):
            write_plain(text)
        return
    plain = write_plain(text)
    found = {each.construct for each in check_script(plain.text, ["bbo", "dealer"])}
    assert found - {None, "imps"} == set()
    kept = parse_script(plain.text)
    assert (kept.produce, kept.dealer) == (parse_script(text).produce, parse_script(text).dealer)
    before, after = condition_of(text), condition_of(plain.text)
    for deal in numbering("deal").sample(20, seed=1):
        assert evaluate(before, deal) == evaluate(after, deal)


SCRIPTS = sorted((FIXTURES / "collection").glob("*.dlr"))
"""Scripts in the manner of those that players share: every feature, hundreds of definitions."""
HEAVY = {"01", "08", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32", "33", "34", "38"}
"""The numbers of those whose first deal takes more than a second, but for one."""
NUMBERS = [f"{number:02}" for number in range(1, 41)]


@pytest.mark.slow
def test_each_script_of_the_collection_is_read() -> None:
    assert [path.stem[:2] for path in SCRIPTS] == NUMBERS
    for path in SCRIPTS:
        script = parse_script(path.read_bytes().decode())
        assert script.condition is not None, path.stem
        assert all(len(warning) < 300 for warning in script.warnings), path.stem


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [path for path in SCRIPTS if path.stem[:2] not in HEAVY - {"26"}], ids=lambda p: p.stem
)
def test_the_first_board_is_one_of_the_script(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The words are those of a command, so that whatever the command does is tried as well."""
    assert main(["deal", "-f", str(path), "-n", "1", "--seed", "1", "--to", "lines"]) == 0
    out, err = capsys.readouterr()
    deal, script = Deal.from_pbn(out.strip()), parse_script(path.read_bytes().decode())
    assert evaluate(script.condition or Number(1), deal, random=lambda _: 0)
    assert all(evaluate(node, deal) for node in script.predeal)
    assert max(map(len, err.splitlines())) < 400


def test_a_script_with_an_error_names_the_line() -> None:
    text = SCRIPTS[32].read_bytes().decode()
    with pytest.raises(TextError, match=r"line 3[0-9]: .*und") as caught:
        parse_script(text.replace("calmOpps = calmEast and", "calmOpps = calmEast und"))
    assert 30 <= caught.value.line < 40

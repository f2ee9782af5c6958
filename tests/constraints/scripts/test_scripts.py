"""The scripts of our own in fixtures/collection: each is read, deals, and means what it says.

They are written in the manner of those that players share: every feature, many ways of writing,
conditions on four hands, levelling, hundreds of lines of definitions. Debian's dealer judges what
it takes of them: the same deals in, the same values of every variable, the same condition, the same
lines printed.
"""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from classic_support import Dealt, RefusedError, deal_of, needs_classic, printed, run, values
from oracles import FIXTURES

import pavcodec as pav
from pavcodec import Deal, TextError
from pavcodec.cli import main
from pavcodec.constraints.evaluation import Evaluation, evaluate
from pavcodec.constraints.language.actions import Print
from pavcodec.constraints.language.parser import parse_script
from pavcodec.constraints.language.script import Script
from pavcodec.constraints.nodes import syntax
from pavcodec.constraints.nodes.syntax import Node, Number
from pavcodec.constraints.scripts.report import run_actions

FOLDER = FIXTURES / "collection"
SCRIPTS = sorted(FOLDER.glob("*.dlr"))
OTHERS = {
    "07-own-counts": "altcount sets another count there than its manual says",
    "17-comments": "'#' starts a comment there only at the start of a line",
    "39-reports": "written for DealerV2",
    "40-shape-classes": "written for DealerV2",
}
"""The scripts that are not for the classic program, and why."""
CHANCE = {"14-chance", "37-generated-leveling"}
"""The scripts with rnd, whose numbers are drawn by each program in its own way."""
HEAVY = {"08", "23", "25", "26", "27", "28", "29", "31", "32", "33", "34", "35", "38"}
"""The numbers of the scripts whose first deal takes seconds."""

DEFINITION = re.compile(r"^\s*([A-Za-z]\w*)\s*=(?!=)", re.MULTILINE)


def named(paths: list[Path]) -> list[object]:
    """The scripts as parameters with their names, the heavy ones marked."""
    return [
        pytest.param(path, id=path.stem, marks=[pytest.mark.slow] * (path.stem[:2] in HEAVY))
        for path in paths
    ]


every_script = pytest.mark.parametrize("path", named(SCRIPTS))
CLASSIC = [path for path in SCRIPTS if path.stem not in OTHERS]
MOST_VARIABLES = 150
"""Scripts with more have their variables compared in the slow tests."""


def text_of(path: Path) -> str:
    """A script, with the ends of its lines as they are."""
    return path.read_bytes().decode()


@cache
def script_of(path: Path) -> Script:
    """What a script says."""
    return parse_script(text_of(path))


def condition_of(path: Path) -> Node:
    """The condition of a script; true where it has none."""
    return script_of(path).condition or Number(1)


def holds(node: Node, deal: Deal) -> bool:
    """Whether a condition is true of a deal; chance draws 0, with which no script refuses."""
    return bool(evaluate(node, deal, random=lambda _: 0))


def test_there_are_forty() -> None:
    assert [path.stem[:2] for path in SCRIPTS] == [f"{number:02}" for number in range(1, 41)]


@pytest.mark.slow
@pytest.mark.parametrize("path", [pytest.param(p, id=p.stem) for p in SCRIPTS])
def test_what_it_says_is_read(path: Path) -> None:
    script = script_of(path)
    assert script.condition is not None
    assert "Covers" in text_of(path)
    for warning in script.warnings:
        assert len(warning) < 300, warning[:300]


@pytest.mark.slow
@every_script
def test_the_first_board(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The words are those of a command, so that whatever the command does is tried as well."""
    assert main(["deal", "-f", str(path), "-n", "1", "--seed", "1", "--to", "lines"]) == 0
    out, err = capsys.readouterr()
    (line,) = out.splitlines()
    deal = Deal.from_pbn(line)
    assert holds(condition_of(path), deal)
    assert all(evaluate(node, deal) for node in script_of(path).predeal)
    assert "Traceback" not in err
    assert max(map(len, err.splitlines())) < 400


def rows_of(deals: list[Deal]) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """The owners of deals, a row each."""
    return np.frombuffer(b"".join(deal.owners for deal in deals), np.uint8).reshape(-1, 52)


def names_of(path: Path) -> list[str]:
    """The variables that a script defines, in order."""
    without_comments = re.sub(r"/\*.*?\*/", "", text_of(path), flags=re.DOTALL)
    without_comments = re.sub(r"//.*|^\s*#.*", "", without_comments, flags=re.MULTILINE)
    return list(dict.fromkeys(DEFINITION.findall(without_comments)))


def nodes_of(path: Path, names: list[str]) -> list[Node]:
    """What variables of a script mean, where the script ends."""
    listing = "".join(f', " ", {name}' for name in names)
    script = parse_script(f'{text_of(path)}\naction printes("="{listing})\n')
    (action,) = script.actions
    assert isinstance(action, Print)
    return list(action.expressions)


@needs_classic
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(p, id=p.stem, marks=[pytest.mark.slow] * (len(names_of(p)) > MOST_VARIABLES))
        for p in CLASSIC
    ],
)
def test_its_variables_are_worth_what_they_are_there(path: Path) -> None:
    names = names_of(path)
    nodes = nodes_of(path, names)
    plain = [place for place, node in enumerate(nodes) if syntax.measure_of(node).reason is None]
    dealt: Dealt = values(text_of(path), [names[place] for place in plain], deals=200, seed=5)
    rows = rows_of(dealt.deals)
    for column, place in enumerate(plain):
        theirs = [row[column] for row in dealt.values]
        batch = pav.expression(nodes[place]).values(rows).tolist()
        assert batch == theirs, names[place]
        assert [evaluate(nodes[place], deal) for deal in dealt.deals[:20]] == theirs[:20]


MANY = 6000
"""So many deals of the classic program decide whether a condition is the same."""


@cache
def every_deal(path: Path) -> list[Deal]:
    """The deals of a script there, whether they satisfy its condition or not."""
    listing = run(f"{text_of(path)}\ncondition 1\naction printoneline\n", deals=MANY)
    return [deal_of(line) for line in listing.splitlines()]


@cache
def satisfying(path: Path) -> list[Deal]:
    """Those of them that satisfy it here."""
    deals = every_deal(path)
    fits = pav.expression(condition_of(path)).values(rows_of(deals)) != 0
    return [deal for deal, fit in zip(deals, fits.tolist(), strict=True) if fit]


@pytest.mark.slow
@needs_classic
@pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.stem) for p in CLASSIC if p.stem not in CHANCE]
)
def test_the_condition_holds_for_the_same_deals(path: Path) -> None:
    passed = run(f"{text_of(path)}\naction printoneline\n", deals=MANY)
    assert satisfying(path) == [deal_of(line) for line in passed.splitlines()]


def without_head(text: str) -> str:
    """PBN without what names the program and the day, and what is unknown."""
    return re.sub(
        r"^\[(Event|Site|Date|Result|Contract|Declarer) .*\n", "", text, flags=re.MULTILINE
    )


def actions_of(path: Path, deals: list[Deal]) -> str:
    """What the actions of a script print of some deals here."""
    script, out = script_of(path), io.StringIO()
    run_actions(
        script.actions or parse_script("action printall").actions,
        map(Evaluation, deals),
        out,
        dealer=script.dealer,
        vulnerable=script.vulnerable,
    )
    return without_head(out.getvalue())


@pytest.mark.slow
@needs_classic
@pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.stem) for p in CLASSIC if p.stem not in CHANCE]
)
def test_its_actions_print_the_same(path: Path) -> None:
    kept = satisfying(path)
    if not kept:
        pytest.skip("no deal of so few satisfies it")
    theirs = printed(text_of(path), deals=MANY)
    assert actions_of(path, kept) == without_head(theirs)


EXAMPLES = sorted(Path("/usr/share/doc/dealer/examples").glob("Descr.*"))
"""The scripts that come with the classic program, where it is installed."""
CHAINS = "Descr.test_operator_order"
"""The one that tests what a chain of comparisons is there."""


@pytest.mark.slow
@needs_classic
@pytest.mark.parametrize("path", [pytest.param(p, id=p.name) for p in EXAMPLES])
def test_a_script_of_the_classic_program(path: Path) -> None:
    """The scripts that it is tested with itself: the same deals, the same condition and actions."""
    text, deals = text_of(path), 500
    listing = run(f"{text}\ncondition 1\naction printoneline\n", deals=deals)
    every = [deal_of(line) for line in listing.splitlines()]
    passed = run(f"{text}\naction printoneline\n", deals=deals)
    kept = [deal for deal in every if evaluate(condition_of(path), deal)]
    assert kept == [deal_of(line) for line in passed.splitlines()]
    if path.name == CHAINS:
        assert any("classic" in warning for warning in script_of(path).warnings)
    elif kept:
        assert actions_of(path, kept) == without_head(printed(text, deals=deals))


@needs_classic
@pytest.mark.parametrize("name", sorted(OTHERS))
def test_the_others_are_not_for_the_classic_program(name: str) -> None:
    text = text_of(FOLDER / f"{name}.dlr")
    if name == "07-own-counts":
        there = values(text, ["pt2(north)", "pt4(north)"], deals=50).values
        plain = values("", ["pt2(north)", "pt4(north)"], deals=50).values
        assert [row[1] for row in there] == [row[1] for row in plain]  # pt4 is as it was
        assert [row[0] for row in there] != [row[0] for row in plain]  # pt2 is not
        return
    with pytest.raises(RefusedError):
        run(text, deals=1)


def test_a_script_with_an_error_names_the_line() -> None:
    text = text_of(FOLDER / "33-passed-hand-raise.dlr")
    with pytest.raises(TextError, match=r"line 3[0-9]: ") as caught:
        parse_script(text.replace("calmOpps = calmEast and", "calmOpps = calmEast und"))
    assert "und" in str(caught.value)

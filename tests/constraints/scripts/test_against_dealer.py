"""The classic program, where it is installed: the same deals in, the same values and actions out.

The program deals, and prints its deals with `printoneline`; these are read back, and our actions
run on them. So its own random numbers do not matter.
"""

from __future__ import annotations

import io
import re
import subprocess
from pathlib import Path
from shutil import which

import pytest

from pavcodec import Deal
from pavcodec.constraints.evaluation import Evaluation
from pavcodec.constraints.language.parser import parse_expression, parse_script
from pavcodec.constraints.language.script import Script
from pavcodec.constraints.nodes.syntax import Number
from pavcodec.constraints.scripts.report import run_actions

DEALER = which("dealer") or which("dealer", path="/usr/games")
EXAMPLES = Path("/usr/share/doc/dealer/examples")
LINE = re.compile(r"^n (\S*) e (\S*) s (\S*) w (\S*) ", re.MULTILINE)

needs_dealer = pytest.mark.skipif(DEALER is None, reason="the classic dealer is not installed")


def dealer(script: str, *options: str) -> str:
    """Run the classic program; its last lines are about the run and are left out."""
    assert DEALER is not None
    found = subprocess.run(
        [DEALER, "-s", "11", *options],
        input=script,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout.rpartition("Generated ")[0]


def deals_of(text: str) -> list[Deal]:
    """Return the deals of lines."""
    return [Deal.from_pbn(f"N:{' '.join(hands)}") for hands in LINE.findall(text)]


def ours(script: Script, deals: list[Deal], **options: object) -> str:
    """Run our actions on some deals."""
    out = io.StringIO()
    options = {"dealer": script.dealer, "vulnerable": script.vulnerable, **options}
    run_actions(script.actions, map(Evaluation, deals), out, **options)  # type: ignore[arg-type]
    return out.getvalue()


def compared(definitions: str, actions: str, *, deals: int = 200) -> tuple[str, str]:
    """Return what the classic program prints of its deals, and what we print of the same."""
    start = f"{definitions}\nproduce {deals}\n"
    drawn = deals_of(dealer(f"{start}action printoneline\n"))
    assert len(drawn) == deals
    theirs = dealer(f"{start}action {actions}\n")
    return theirs, ours(parse_script(f"{definitions}\naction {actions}\n"), drawn)


ACTIONS = {
    "printall": "printall",
    "printew": "printew",
    "printcompact": "printcompact",
    "printcompact of a number": "printcompact (hcp(north) - 3 * spades(west))",
    "printoneline": "printoneline",
    "printoneline of a number": "printoneline (hcp(north) % 4 - 2)",
    "print": "print (west, north)",
    "printes": r'printes ("N ", hcp(north), " and ", losers(south) * 2, \n)',
    "several": r'printoneline, printes ("x", \n), average "a" hcp(east), printew',
    "averages": 'average "hcp" hcp(north), average hcp(north) / 3, average "sum" 7000 * hcp(south)',
    "averages below 0": "average 0 - hcp(west), average (0 - 1) * spades(west) * controls(west)",
    "frequency": 'frequency "n" (hcp(north), 5, 15), frequency (spades(south), 0, 13)',
    "frequency below 0": "frequency (hcp(north) - 10, -3, 2)",
    "table": 'frequency "both" (hcp(north), 8, 12, spades(south), 2, 5)',
    "table below 0": "frequency (hcp(north) - 10, -2, 1, spades(north) - 4, -2, 1)",
}


@needs_dealer
@pytest.mark.parametrize("actions", ACTIONS.values(), ids=list(ACTIONS))
def test_actions_print_the_same(actions: str) -> None:
    theirs, mine = compared("", actions)
    assert mine == theirs


@needs_dealer
@pytest.mark.parametrize("rules", ["", "dealer west vulnerable EW", "vulnerable all"])
def test_printpbn_prints_the_same(rules: str) -> None:
    theirs = dealer(f"{rules}\nproduce 40\naction printpbn")
    deals = deals_of(dealer(f"{rules}\nproduce 40\naction printoneline"))
    event, date = (re.findall(rf'\[{tag} "(.*)"\]', theirs)[0] for tag in ("Event", "Date"))
    assert ours(parse_script(f"{rules}\naction printpbn"), deals, event=event, date=date) == theirs


VALUES = [
    *("hcp(north)", "hcp(south, hearts)", "controls(east)", "control(west, clubs)"),
    *("losers(north)", "loser(south, spades)", "losers(east, diamonds)", "losers(west, hearts)"),
    *(f"{name}(south)" for name in ("tens", "jacks", "queens", "kings", "aces")),
    *(f"{name}(west, spades)" for name in ("top2", "top3", "top4", "top5", "c13")),
    *(f"pt{number}(east)" for number in range(10)),
    *("quality(north, spades)", "quality(east, clubs)", "cccc(south)", "cccc(west)"),
    *("hascard(north, AS)", "hascard(west, 2C)", "hascard(south, TD)"),
    *("shape(north, any 4333 + any 4432)", "shape(east, 5xxx - any 5332)", "shape(south, xx5x)"),
    *("spades(north) + hearts(south) * 2 - 7 / 2", "hcp(north) % 4", "(3 - hcp(east)) / 4"),
    *("hcp(north) > 9 && spades(north) < 5", "hcp(west) < 5 or not clubs(west) == 3"),
    *("hcp(north) > 10 ? spades(north) : 0 - hearts(north)", "!hcp(east)", "!!hcp(east)"),
    *("score(vul, x4S, hcp(north))", "score(nv, x3N, spades(west) + 6)", "score(vul, x6C, 12)"),
    *("imps(20 * hcp(north) - 200)", "imps(3 * hcp(east))"),
]


@needs_dealer
def test_expressions_have_the_same_values() -> None:
    texts = ", ".join(rf'{value}, "{chr(10)}"' for value in VALUES)
    theirs, mine = compared("", f"printes ({texts})", deals=300)
    assert mine == theirs


@needs_dealer
@pytest.mark.parametrize(
    "condition",
    [
        "shape(north, any 4333 + any 4432 + any 5332) && hcp(north) >= 15 && hcp(north) <= 17",
        "losers(south) <= 5 && cccc(south) >= 1500",
        "(hearts(east) > 4 || spades(east) > 4) and hcp(east) > 11 and not hcp(west) > 11",
        "quality(west, spades) > 200 && hcp(west) % 2 == 1",
    ],
)
def test_conditions_are_true_of_the_same_deals(condition: str) -> None:
    drawn = dealer(f"produce 2000\naction printoneline ({condition})")
    truths = re.findall(r" (\d+)$", drawn, re.MULTILINE)
    node = parse_expression(condition)
    assert [str(Evaluation(deal).value(node)) for deal in deals_of(drawn)] == truths


SCRIPTS = sorted(EXAMPLES.glob("Descr.*")) if EXAMPLES.is_dir() else []

CHAIN = re.compile(r"^((?:le\d|ea[12]) = )(\S+ +\S+ +\S+) +(\S+ +\S+)$", re.MULTILINE)
"""A chain of comparisons, which the classic reads from the left: parentheses say so here."""


@pytest.mark.slow
@needs_dealer
@pytest.mark.skipif(not SCRIPTS, reason="the scripts of the classic dealer are not installed")
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.name))
def test_its_own_scripts_print_the_same(path: Path) -> None:
    """Run each for at most 100 of its deals; with those deals, our actions print the same."""
    text = path.read_text(encoding="latin-1").rstrip().removesuffix(",") + "\n"
    script = parse_script(CHAIN.sub(r"\1(\2) \3", text))
    fewer = re.sub(r"\b(produce|generate)\s+\d+", "", text)
    limits = "-p", "100", "-g", "100000"
    before, _, _ = fewer.partition("action")
    drawn = deals_of(dealer(f"{before}\naction printoneline", *limits))
    assert drawn
    condition = script.condition or Number(1)
    assert all(Evaluation(deal).value(condition) for deal in drawn)
    theirs = dealer(fewer, *limits)
    facts = {
        key: next(iter(re.findall(rf'\[{tag} "(.*)"\]', theirs)), "")
        for key, tag in (("event", "Event"), ("date", "Date"))
    }
    assert ours(script, drawn, **facts) == theirs

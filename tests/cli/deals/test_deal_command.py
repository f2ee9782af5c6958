"""`pavcodec deal`: lists in order, seeds, parts of runs, scripts, endings, and every format."""

from __future__ import annotations

import io
import json
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pavcodec as pav
from pavcodec.formats import format_names, format_of
from pavcodec.questions import dealing, sources

if TYPE_CHECKING:
    from formats_support import Cli

NINE = "spades(west) == 9"
SMALL = "spades(north) == 13 && hearts(east) == 13 && clubs(south) == 1"
"""The 169 deals where South has twelve diamonds and a club."""
RARE = "hcp(south) == 37 && spades(south) == 4 && hcp(north) == 3"
"""A condition of some ten thousand millions of deals."""


def space(where: str) -> pav.ConstrainedDeals:
    """The deals of a condition that can be counted."""
    found = pav.deals(where)
    assert isinstance(found, pav.ConstrainedDeals)
    return found


def draw_in_batches(patch: pytest.MonkeyPatch, few: int) -> None:
    """Write more deals than `few` from arrays."""
    for module in (dealing, sources):
        patch.setattr(module, "FEW", few)


def test_a_run_without_a_seed_can_be_repeated(cli: Cli) -> None:
    first = cli("deal")
    assert cli("deal", "--seed", first.complaint.removeprefix("seed ")) == first
    assert cli("deal").out != first.out
    assert len(first.lines) == 1


def test_all_deals_in_order(cli: Cli) -> None:
    outcome = cli("deal", SMALL, "--all")
    assert outcome.err == ""
    assert outcome.lines == [str(deal) for deal in space(SMALL)]
    assert len(outcome.lines) == 169
    assert cli("deal", SMALL, "--all", "--start", 160, "-n", 5).lines == outcome.lines[160:165]
    assert cli("deal", SMALL, "--all", "--start", 160).lines == outcome.lines[160:]
    assert cli("deal", "--all", "-n", 2, "--numbers").lines == ["0", "1"]
    assert json.loads(cli("deal", SMALL, "--all", "-n", 1, "--json").out)["seed"] is None


@pytest.mark.slow
def test_different_deals(cli: Cli) -> None:
    words = ("deal", SMALL, "--seed", 1, "--distinct", "-n")
    assert cli(*words, 100).lines == [
        str(d) for d in space(SMALL).sample(100, seed=1, distinct=True)
    ]
    outcome = cli(*words, 170)
    assert (outcome.code, outcome.out) == (1, "")
    assert "170 different ones cannot be drawn from 169" in outcome.err
    tested = cli("deal", f"{SMALL} && rnd(2) == 1", "-n", 100, "--seed", 1, "--distinct").lines
    assert len(set(tested)) == 100


def test_parts_of_a_run_are_the_whole(cli: Cli) -> None:
    for option in ("--json", "--to=pbn"):
        whole = cli("deal", "-n", 9, "--seed", 7, option).out
        first = cli("deal", "-n", 4, "--seed", 7, option).out
        rest = cli("deal", "-n", 5, "--seed", 7, option, "--start", 4).out
        boards = rest.replace(" start=4", "").removeprefix("% PBN 2.1\r\n% EXPORT\r\n")
        blank = "" if option == "--json" else "\r\n"
        assert first + blank + boards == whole, option


DRAWS: dict[str, list[object]] = {
    "all deals": [],
    "one hand": [NINE],
    "two hands": ["hcp(north) == 2 && hcp(south) <= 1"],
    "endings": ["--cards", 5, "spades(south) == 3"],
    "tested": ["hcp(south) >= 12 && rnd(2) == 1"],
    "mixed": ["--mix", "hcp(south) >= 20 : 1", "--mix", "hcp(south) >= 12 : 2"],
    "weighted": ["spades(north) >= 5", "--weights", "north: hcp {11: 1, 12-15: 3}"],
    "different ones": ["--distinct", "hcp(south) == 37"],
    "permuted": [RARE, "--permuted"],
    "sorted": [RARE, "--sorted"],
    "dealer and vulnerability": ["--dealer", "W", "--vulnerable", "NS"],
    "what remains": ["--unused", "SA SK", "--remaining"],
    "from a later one": ["--start", 97],
    "in order": ["--all", "hcp(south) == 37"],
    "all deals in order": ["--all", "--start", 2**64 - 120],
    "a script": ["-f", "SCRIPT"],
    "a script in order": ["-f", "SCRIPT", "--all", "--start", 7],
    "a script whose dice decide": ["-f", "DICE"],
}
TALLIES = """
action average "n" hcp(north), frequency "both" (hcp(north), 8, 12, spades(south), 2, 5),
 average hcp(south) * spades(west), average """


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWS)
def test_many_deals_are_those_of_few(
    cli: Cli, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many are written and tallied from arrays, byte for byte what they are one by one."""
    dice, script = tmp_path / "dice.dlr", tmp_path / "a.dlr"
    dice.write_text(f"die = rnd(6) condition hcp(north) > 11 && die > 1 {TALLIES} die")
    script.write_text(f"spades(north) == 13 {TALLIES} rnd(6)")
    files: dict[object, object] = {"SCRIPT": script, "DICE": dice}
    words = [files.get(word, word) for word in DRAWS[name]]
    words += [] if "--all" in words else ["--seed", 7]
    to = {"all deals in order": "numbers", "what remains": "lines"}.get(name, "pbn")
    words += [] if "-f" in words else ["--to", to]
    few = cli("deal", *words, "-n", 250)
    assert (few.code, few.out == "") == (0, False)
    draw_in_batches(monkeypatch, 0)
    monkeypatch.setattr(sources, "_AT_ONCE", 100)
    assert cli("deal", *words, "-n", 250, "-o", tmp_path / "out").code == 0
    assert (tmp_path / "out").read_bytes() == few.data


def test_random_numbers_in_actions_repeat(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.dlr"
    path.write_text(r'produce 50 action printes rnd(1000), " ", \n, average "r" rnd(1000)')
    once = cli("deal", "-f", path, "--seed", 7)
    assert cli("deal", "-f", path, "--seed", 7) == once
    assert cli("deal", "-f", path, "--seed", 8).out != once.out
    assert len(set(once.lines)) > 40


@pytest.mark.slow
def test_legal_endings(cli: Cli) -> None:
    words = ("deal", "--cards", 4, "--legal", "-n", 1, "--seed", 7)
    [first] = pav.endings(cards=4, legal=True).sample(1, seed=7)
    assert cli(*words).lines == [str(first)]
    pbn = cli(*words, "--to", "pbn").out
    assert f'[DealId "balanced:{pav.numbering("balanced").rank(first)}"]' in pbn
    assert "legal where=1" in pbn


SHAPES = "shape(north, any 5332 + any 5422 + any 6322 + any 6421)"
LONG = [
    "strong = hcp(north) >= 20 || (hcp(north) >= 18 && losers(north) <= 3)",
    f"blacks = strong && {SHAPES} && spades(north) > 4",
    f"reds = strong && {SHAPES} && hearts(north) > 4",
    "good = blacks || reds",
]
"""Lines of a script whose condition has no room in a tag."""


@pytest.mark.slow
@pytest.mark.parametrize("few", [1000, 1])
def test_a_long_condition_stands_once_in_a_file(
    cli: Cli, tmp_path: Path, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_in_batches(monkeypatch, few)
    script, target = tmp_path / "our strong hands.dlr", tmp_path / "strong.pbn"
    script.write_text("\n".join([*LONG, "condition good && hcp(south) > 5"]))
    assert cli("deal", "-f", script, "-n", 3, "--seed", 7, "-o", target).code == 0
    text = target.read_bytes().decode()
    assert max(map(len, text.split("\r\n"))) <= 253
    head, *_ = text.split("[Event", 1)
    said = " ".join(line.removeprefix("%") for line in head.split("\r\n")[3:])
    where = str(pav.expression(" ".join(said.split())))
    digest = sha256(where.encode()).hexdigest()[:16]
    tag = f"pavcodec {pav.__version__} seed=7 script=our_strong_hands where=sha256:{digest}"
    boards = list(pav.read(target))
    assert [board.tags["Generator"] for board in boards] == [tag] * 3
    assert all(board.layout in pav.deals(where) for board in boards)


@pytest.mark.slow
@pytest.mark.parametrize("over", [0, 1])
def test_the_longest_line_is_one_of_pbn(cli: Cli, over: int) -> None:
    room = 253 - len(f'[Generator "pavcodec {pav.__version__} seed=7 where="]') + over
    where = "hcp(south) > 9" + " && hcp(east) < 90" * ((room - 49) // 18 + 1) + " && hcp(east) < 1"
    where += "0" * (room - len(where))
    assert len(where) == room
    text = cli("deal", where, "--seed", 7, "--to", "pbn").out
    [line] = [line for line in text.splitlines() if line.startswith("[Generator")]
    assert len(line) <= 253
    assert ("sha256" in line) == ("% condition:" in text) == bool(over)


NEEDS_A_NAME = {
    *("deal12", "balanced14", "ending15", "legal14", "base5-16", "deal13", "layout20", "zbs"),
    *("cds", "goe", "kops", "saycbridge-old", "ww-deal", "bridge-deal"),
    *("njhammond-16", "njhammond-64"),
}
"""The formats of which a pipe does not show the name; docs/formats/index.md lists them."""
SOLVED = {"deal-ddline", "zrd", "zdd", "gib-library"}
DEALT = [name for name in format_names() if format_of(name).is_read and name not in SOLVED]
DRAWN = ("deal", "-n", 5, "--seed", 7, "--start", 2)
DEALS = pav.numbering("deal").sample(5, seed=7, start=2)
NUMBERS = [str(pav.numbering("deal").rank(deal)) for deal in DEALS]


def read(name: str, data: bytes) -> list[pav.Board]:
    """The boards of bytes in a format."""
    return list(pav.read(io.BytesIO(data), format=name))


@pytest.mark.slow
@pytest.mark.parametrize("name", DEALT)
def test_boards_come_back(
    cli: Cli, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One by one and in batches, from a pipe and from a file with its suffix."""
    rules = () if name == "bba" else ("--dealer", "S", "--vulnerable", "EW")
    data, keeps = cli(*DRAWN, *rules, "--to", name).data, format_of(name).keeps_tag
    boards = read(name, data)
    assert [board.layout for board in boards] == DEALS
    assert not keeps("Board") or [board.number for board in boards] == [3, 4, 5, 6, 7]
    assert not keeps("Dealer") or {board.dealer for board in boards} == {pav.Seat.SOUTH}
    sides = {board.vulnerable for board in boards}
    assert not keeps("Vulnerable") or sides == {pav.Vulnerability.EW}
    assert not keeps("Generator") or "seed=7 start=2" in boards[0].tags["Generator"]
    named = ("--from", name) if name in NEEDS_A_NAME else ()
    assert cli("encode", *named, stdin=data).lines == NUMBERS
    draw_in_batches(monkeypatch, 2)
    suffix = "".join(format_of(name).suffixes[:1])
    path, to = tmp_path / f"deals{suffix}", () if suffix else ("--to", name)
    assert cli(*DRAWN, *rules, *to, "-o", path).code == 0
    assert read(name, path.read_bytes()) == boards
    assert cli("encode", *(() if suffix else named), path).lines == NUMBERS


def test_the_name_is_needed(cli: Cli) -> None:
    page = Path(__file__).parents[3] / "docs" / "formats" / "index.md"
    listed = page.read_text().partition("These you must name:")[2].partition("**For writing**")[0]
    for name in sorted(NEEDS_A_NAME):
        data = cli(*DRAWN, "--to", name).data
        assert cli("encode", stdin=data).lines != NUMBERS, name
        assert f"`{name}`" in listed


def test_a_lost_dealer_is_noted(cli: Cli) -> None:
    words = ("deal", "-n", 5, "--seed", 7, "--dealer", "S", "--vulnerable", "EW", "--to", "dlm")
    assert cli(*words).err.splitlines()[-1] == (
        "dlm: the dealer of 4 boards and the vulnerability of 4 boards become those of the board "
        "number"
    )


@pytest.mark.slow
@pytest.mark.parametrize("few", [1000, 10])
def test_numbers_begin_again_after_the_last_one_of_a_code(
    cli: Cli, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_in_batches(monkeypatch, few)
    data = cli("deal", "-n", 258, "--seed", 7, "--to", "bba").data
    assert [board.number for board in read("bba", data)][-3:] == [256, 1, 2]


EVENT = ("--event", "Heat", "--site", "Bled", "--date", "2026-11-24", "--session", "2")
TAGS = {"Event": "Heat", "Site": "Bled", "Date": "2026.11.24", "Session": "2"}


@pytest.mark.slow
def test_the_event_of_boards(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, archive, script = (tmp_path / name for name in ("deals.pbn", "deals.pav", "one.dlr"))
    cli(*DRAWN, "-o", path)
    cli("pack", path, "-o", archive)
    script.write_text("produce 5\naction printpbn\n")
    printed = cli("deal", "-f", script, "--seed", 7, *EVENT).out
    assert '[Event "Heat"]' in printed
    assert '[Date "2026.11.24"]' in printed
    for words in (DRAWN, ("grep", "1", path), ("get", archive, ":"), DRAWN):
        boards = read("pbn", cli(*words, *EVENT, "--to", "pbn").data)
        assert len(boards) == 5
        assert all(board.tags.items() >= TAGS.items() for board in boards), words
        lost = cli(*words, *EVENT, "--to", "csv").err.splitlines()
        assert "csv has no place for the event, site, date and session" in lost
        draw_in_batches(monkeypatch, 1)
    rows = cli(*DRAWN, "--event", "Heat", "--json")
    assert rows.err.splitlines() == ["--json has no place for the event", "seed 7"]
    assert rows.out == cli(*DRAWN, "--json").out

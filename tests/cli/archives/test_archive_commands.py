"""Archives on the command line: pack, unpack, get, append, merge, verify, repair and info."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest
from formats_support import DEMO, Cli

import pavcodec as pav

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli


DEALS = pav.numbering("deal")
BOARDS = list(pav.read(DEMO))


@pytest.fixture
def event(tmp_path: Path, cli: Cli) -> Path:
    """The demonstration with all tags."""
    path = tmp_path / "event.pav"
    assert cli("pack", "--all", DEMO, "-o", path).code == 0
    return path


@pytest.fixture
def numbers(tmp_path: Path) -> Path:
    """Numbers of deals, some of them more than once."""
    path = tmp_path / "deals.numbers"
    some = [DEALS.rank(deal) for deal in DEALS.sample(50, seed=7)]
    path.write_text("".join(f"{number}\n" for number in [*some, *some[:20]]))
    return path


def numbers_in(path: Path) -> list[int]:
    """The numbers of a file, a line each."""
    return [int(line) for line in path.read_text().split()]


@pytest.mark.slow
def test_all_that_was_packed_is_unpacked(tmp_path: Path, event: Path, cli: Cli) -> None:
    again = tmp_path / "again.pbn"
    outcome = cli("unpack", event, "-o", again)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    cli("convert", DEMO, tmp_path / "direct.pbn")
    assert again.read_bytes() == (tmp_path / "direct.pbn").read_bytes()
    assert cli("unpack", event).data == again.read_bytes()
    piped = cli("pack", "--all", DEMO, "-o", "-").data
    assert piped == event.read_bytes()
    (facts,) = json.loads(cli("info", "--json", stdin=piped).out)
    assert (facts["file"], facts["deals"]) == ("stdin", 32)
    assert cli("get", "-", 0, stdin=piped).lines == [str(BOARDS[0].layout)]
    assert cli("unpack", stdin=event.read_bytes()).data == again.read_bytes()


def test_nothing_but_cards(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "x.pav"
    text = DEMO.read_text() + '\n[Board "37"]\n[Deal ""]\n'
    for options in (("--cards-only",), ("--cards-only", "--strict")):
        outcome = cli("pack", *options, "--from", "pbn", "--force", "-o", path, stdin=text)
        assert (outcome.code, outcome.err) == (0, "1 board without cards left out\n")
        with pav.open_archive(path) as archive:
            assert list(archive) == [pav.Board(board.layout) for board in BOARDS]
    outcome = cli("pack", DEMO, "--force", "-o", path)
    size = path.stat().st_size
    bits = round(8 * size / 36, 3)
    assert outcome.out == f"{path}: 36 boards, {size} bytes, {bits} bits each\n"
    with pav.open_archive(path) as archive:  # which has more than cards anyway
        found = [(b.number, b.dealer, b.vulnerable, len(b.entries)) for b in archive]
    assert found == [(b.number, b.dealer, b.vulnerable, 3) for b in BOARDS]
    outcome = cli("pack", "--json", DEMO, "--cards-only", "--force", "-o", path)
    assert json.loads(outcome.out) == {
        "boards": 36,
        "bytes": path.stat().st_size,
        "bits_per_deal": round(8 * path.stat().st_size / 36, 3),
        "left_out": 0,
        "problems": 0,
    }


@pytest.mark.parametrize(("option", "kind"), [("--set", "set"), ("--multiset", "multiset")])
def test_sets_of_numbers(tmp_path: Path, numbers: Path, cli: Cli, option: str, kind: str) -> None:
    path = tmp_path / "x.pav"
    assert cli("pack", option, "--from", "numbers", numbers, "-o", path).code == 0
    expected = numbers_in(numbers)
    if kind == "set":
        expected = list(set(expected))
    refused = cli("pack", "--as", "deal-suits", "--from", "numbers", numbers, "-o", "y.pav")
    assert (refused.code, "use a set or a multiset" in refused.err) == (1, True)
    lines = cli("unpack", path, "--to", "numbers").lines
    assert [int(line) for line in lines] == sorted(expected)
    (facts,) = json.loads(cli("info", "--json", path).out)
    assert (facts["kind"], facts["deals"], facts["boards"]) == (kind, len(expected), len(expected))
    with pav.open_archive(path) as archive:
        assert facts["bits_per_deal"] == round(float(archive.bits_per_deal), 3)
        assert facts["bound_bits_per_deal"] == round(float(archive.bound_bits_per_deal), 3)


@pytest.mark.slow
def test_conditions_make_numbers_small(tmp_path: Path, cli: Cli) -> None:
    path, condition = tmp_path / "x.pav", "hcp(south) >= 30"
    lines = cli("deal", condition, "-n", 40, "--seed", 7).out
    outcome = cli("pack", "--where", condition, "-o", path, stdin=lines)
    assert outcome.code == 0
    assert cli("unpack", path, "--to", "lines").out == lines
    deal_numbers = cli("deal", condition, "-n", 40, "--seed", 7, "--numbers").out
    words = ("--where", condition, "--from", "numbers", "-o", "-")
    assert cli("pack", *words, stdin=deal_numbers).data == path.read_bytes()
    (facts,) = json.loads(cli("info", "--json", path).out)
    space = pav.deals(condition)
    assert (facts["space"], facts["cardinality"]) == (condition, str(space.cardinality))
    outcome = cli("pack", "--where", condition, DEMO, "--force", "-o", path)
    assert outcome.code == 1
    problems = outcome.err.splitlines()
    assert problems[0] == f"{DEMO}:13: board 1: this deal does not satisfy '{condition}'"
    assert problems[-1] == f"pavcodec pack: nothing to write: {path} is left as it was"
    with pav.open_archive(path) as archive:
        assert len(archive) == 40
    outcome = cli("pack", "--as", "deal", tmp_path / "none.pbn", DEMO, "--force", "-o", path)
    missing, first, *_ = outcome.err.splitlines()
    assert missing == f"{tmp_path / 'none.pbn'}: cannot be read: No such file or directory"
    assert first.startswith(f"{DEMO}:557: board 33: numbering 'deal' holds deals")
    with pav.open_archive(path) as archive:
        assert [board.layout for board in archive] == [board.layout for board in BOARDS[:32]]


@pytest.mark.slow
def test_boards_by_position(event: Path, cli: Cli) -> None:
    layouts = [str(board.layout) for board in BOARDS]
    assert cli("get", event, 0, 35, -1, "3:5", "::-12").lines == [
        layouts[0], *[layouts[-1]] * 2, *layouts[3:5], *layouts[::-12],
    ]  # fmt: skip
    assert cli("get", event, "--to", "pbn", 4).out.count("[Deal ") == 1
    row = json.loads(cli("get", "--json", event, 4).out)
    number = str(DEALS.rank(BOARDS[4].layout)) if BOARDS[4].layout else ""
    assert row == {"position": 4, "deal": layouts[4], "number": number, "board": "5"}
    outcome = cli("get", event, 36, 0)
    assert (outcome.code, outcome.lines) == (1, layouts[:1])
    assert outcome.err == f"{event}: there is no index 36 in 36 boards\n"
    assert cli("get", event, "x").code == 2
    assert cli("get", event).code == 2


def test_positions_by_deal(tmp_path: Path, event: Path, numbers: Path, cli: Cli) -> None:
    found, hands = BOARDS[4].layout, str(BOARDS[4].layout)[2:].split()
    assert isinstance(found, pav.Deal)
    for options, text in (
        ((), found),
        ((), DEALS.rank(found)),
        (("--as", "andrews"), pav.numbering("andrews").rank(found)),
        ((), pav.code("dlm").format(found, board=1)),
        ((), "; ".join(f"{s.name}: {hand}" for s, hand in zip(pav.Seat, hands, strict=True))),
    ):
        assert cli("get", event, *options, "--find", text).lines == ["4"]
    outcome = cli("get", event, "--find", DEALS[0])
    assert (outcome.code, outcome.lines) == (1, [])
    assert outcome.err == f"{event}: does not have '{DEALS[0]}'\n"
    path = tmp_path / "bag.pav"
    cli("pack", "--multiset", numbers, "-o", path)
    deal = DEALS.unrank(numbers_in(numbers)[3])
    row = json.loads(cli("get", path, "--json", "--find", deal).out)
    assert [str(pav.open_archive(path)[place].layout) for place in row["positions"]] == [
        str(deal)
    ] * 2


@pytest.mark.slow
def test_positions_by_condition(event: Path, cli: Cli) -> None:
    condition = "hcp(north) >= 12"
    strong = [isinstance(b.layout, pav.Deal) and b.layout["N"].hcp >= 12 for b in BOARDS]
    places = [place for place, is_strong in enumerate(strong) if is_strong]
    assert cli("get", event, "--where", condition).lines == [" ".join(map(str, places))]
    row = {"where": condition, "positions": places}
    assert json.loads(cli("get", event, "--json", "--where", condition).out) == row
    assert pav.get(str(event), where=condition).to_dict() == [row]
    wanted = [str(BOARDS[place].layout) for place in places]
    assert cli("grep", condition, event).lines == wanted
    outcome = cli("get", event, "--where", "hcp(north) > 37")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == f"{event}: no deal satisfies it\n"
    assert cli("get", event, 0, "--where", condition).code == 2


@pytest.mark.slow
def test_python_asks_as_the_commands(tmp_path: Path, event: Path, cli: Cli) -> None:
    rows = [json.loads(line) for line in cli("get", event, "--json", "2:4", 0).lines]
    assert pav.get(str(event), "2:4", "0").to_dict() == {"boards": rows}
    whole = tmp_path / "whole.pav"
    merged = json.loads(cli("merge", event, event, "-o", whole, "--json").out)
    again = pav.merge(str(event), str(event), output=str(whole), force=True)
    assert again.to_dict() == merged
    assert pav.append(str(whole), str(DEMO)).to_dict()["boards"] == 36 * 3
    saved = pav.repair(str(whole), output=str(tmp_path / "saved.pav"))
    assert saved.to_dict() == {"boards": 36 * 3, "damages": []}
    with pytest.raises(pav.PavError, match="exists"):
        pav.repair(str(whole), output=str(tmp_path / "saved.pav"))


@pytest.mark.slow
def test_more_boards_follow(tmp_path: Path, event: Path, numbers: Path, cli: Cli) -> None:
    before = event.read_bytes()
    outcome = cli("append", event, DEMO, numbers)
    assert (outcome.code, outcome.err) == (0, "")
    assert event.read_bytes()[: len(before)] == before
    with pav.open_archive(event) as archive:
        assert list(archive[:72]) == BOARDS * 2
        assert [DEALS.rank(b.layout) for b in archive[72:] if b.layout] == numbers_in(numbers)
    path = tmp_path / "set.pav"
    cli("pack", "--set", numbers, "-o", path)
    outcome = cli("append", path, numbers)
    assert (outcome.code, outcome.err) == (
        1,
        f"pavcodec append: {path}: a set is sorted; merge it with another archive\n",
    )
    assert cli("append", tmp_path / "none.pav", DEMO).code == 1
    assert not (tmp_path / "none.pav").exists()


@pytest.mark.slow
def test_archives_of_archives(tmp_path: Path, event: Path, cli: Cli) -> None:
    whole, once = tmp_path / "whole.pav", tmp_path / "once.pav"
    assert cli("merge", event, event, "-o", whole).code == 0
    assert cli("merge", "--unique", whole, "-o", once).code == 0
    assert list(pav.read(whole)) == BOARDS * 2
    assert list(pav.read(once)) == BOARDS
    outcome = cli("merge", "--union", event, event, "-o", tmp_path / "no.pav")
    assert (outcome.code, (tmp_path / "no.pav").exists()) == (1, False)
    assert "it is ordered, but this operation needs sets or multisets" in outcome.err
    some = [set(range(40)), set(range(30, 60)), set(range(35, 90))]
    paths = [tmp_path / f"{which}.pav" for which in range(3)]
    for path, each in zip(paths, some, strict=True):
        text = "".join(f"{number}\n" for number in each)
        cli("pack", "--set", "--from", "numbers", "-o", path, stdin=text)
    first, *others = some
    for option, expected in (
        ("--union", first.union(*others)),
        ("--intersection", first.intersection(*others)),
        ("--difference", first.difference(*others)),
    ):
        archive = cli("merge", option, *paths, "-o", "-").data
        lines = cli("unpack", "--to", "numbers", stdin=archive).lines
        assert list(map(int, lines)) == sorted(expected)


@pytest.mark.slow
def test_damage_is_found_and_the_rest_saved(tmp_path: Path, event: Path, cli: Cli) -> None:
    assert cli("verify", event).out == f"{event}: whole, 36 boards\n"
    whole = event.read_bytes()
    cli("append", event, DEMO)
    data = bytearray(event.read_bytes())
    data[len(whole) // 2] ^= 1
    event.write_bytes(data)
    outcome = cli("verify", event)
    assert (outcome.code, outcome.out) == (1, "")
    assert ": its checksum is wrong" in outcome.err
    row, other = json.loads(cli("verify", "--json", event, "none.pav").out)
    assert (row["is_whole"], len(row["damages"])) == (False, 1)
    reason = "cannot be read: No such file or directory"
    assert other == {"file": "none.pav", "is_whole": False, "problems": [reason]}
    saved = tmp_path / "saved.pav"
    outcome = cli("repair", event, "-o", saved)
    assert (outcome.code, outcome.out) == (1, f"{saved}: 36 boards saved\n")
    assert outcome.err.startswith(f"{event}: at byte ")
    with pav.open_archive(saved) as archive:
        assert list(archive) == BOARDS
    assert cli("repair", saved, "-o", tmp_path / "again.pav").code == 0
    assert cli("repair", saved, "-o", saved).code == 2
    assert cli("get", event, 0).code == 1
    assert cli("get", event, 36).lines == [str(BOARDS[0].layout)]


def test_a_cut_archive_is_read_up_to_the_damage(event: Path, cli: Cli) -> None:
    whole = event.stat().st_size
    cli("append", event, DEMO)
    event.write_bytes(event.read_bytes()[: whole + 100])
    for outcome in (
        cli("unpack", event, "--to", "lines"),
        cli("convert", event, "-", "--to", "lines"),
    ):
        assert (outcome.code, len(outcome.lines)) == (1, 36)
        assert outcome.err.startswith(f"{event}: block 1 at byte {whole}: the file ends in it")
    (facts,) = json.loads(cli("info", "--json", event).out)
    assert (facts["deals"], facts["endings"], facts["problems"]) == (32, 4, 1)


def test_no_archive_on_a_screen(monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    class Screen(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", Screen(io.BytesIO()))
    assert cli("pack", DEMO).code == 2

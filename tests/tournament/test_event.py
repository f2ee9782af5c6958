"""Events of SquareDeal: their two files, their deals, and what is wrong with damaged ones."""

from __future__ import annotations

import re
import stat
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from pathlib import Path

import pytest
from formats_support import corpus_folder
from hypothesis import given
from hypothesis import strategies as st
from oracles import FIXTURES

import pavcodec as pav
from pavcodec.tournament import (
    BigDealSeed,
    Description,
    Event,
    Keys,
    Phase,
    create_event,
    open_event,
    with_value,
)

EVENTS = FIXTURES / "events"
SQD, SQK = EVENTS / "cup.sqd", EVENTS / "cup.sqk"
PHASES = (Phase.parse("2:1-3,4-6:C#:Round #"),)


def drawn(owner: bytes, entropy: bytes, count: int) -> list[pav.Deal]:
    """The first deals of Big Deal, whose vectors `test_dealing.py` has."""
    return list(islice(BigDealSeed.from_entropy(owner, entropy).deals(), count))


@pytest.mark.parametrize(
    ("name", "place", "tail", "boards"),
    [
        ("RR01", (1, 1), b"original", range(1, 5)),
        ("RR02", (1, 2), b"original", range(5, 9)),
        ("RR03", (1, 3), b"original", range(1, 5)),
        ("RR03reserve", (1, 3), b"reserve", range(1, 5)),
        ("EXTRA1", (2, 0), b"originalses1", range(1, 3)),
        ("EXTRA12", (2, 0), b"originalses12", range(1, 3)),
        ("EXTRA2reserve", (2, 0), b"reserveses2", range(1, 3)),
        ("FINAL", (3, 1), b"original", None),
    ],
)
def test_the_deals_of_a_session_are_those_of_the_definition(
    name: str, place: tuple[int, int], tail: bytes, boards: range | None
) -> None:
    event = open_event(SQD, SQK)
    session = event.session(name)
    assert (session.name, session.boards) == (name, boards)
    key = event.keys.table[place].encode()
    entropy = key[30:] + b64encode(b"40829.12") + tail
    numbers = boards or range(1, 10)
    expected = [*zip(numbers, drawn(key[:30], entropy, len(numbers)), strict=True)]
    assert list(islice(event.deals(session), len(expected))) == expected


def test_an_odd_key_has_the_shorter_half_left_and_a_value_is_taken_byte_by_byte() -> None:
    text = "DV é".encode("latin-1") + b" x \r\nSN 1:1:F:F\r\n"
    keys = Keys.of({(1, 1): "abcde"})
    event = Event(replace(Description.parse(text), key_hash=keys.hash), keys)
    (expected,) = drawn(b"ab", b"cde" + b64encode(b"\xe9 x ") + b"original", 1)
    assert [*event.deals(event.sessions[0])] == [(1, expected)]


def test_a_world_championship() -> None:
    folder = corpus_folder() / "squaredeal"
    if not folder.is_dir():
        pytest.skip("the corpus has no folder squaredeal")
    event = open_event(folder / "WBG2024.sqd")
    boards = [board for session in event.sessions for board in event.boards(session)]
    assert (len(event.sessions), len(boards)) == (90, 1186)
    first = boards[0]
    assert first.layout is not None
    assert pav.numbering("bigdeal").rank(first.layout) == 6904023658446448646504663492
    assert first.tags["Event"] == "World Bridge Games 2024"
    assert first.tags["Stage"] == "Open Round Robin 1/17"
    assert first.tags["Session"] == "OPRR01"
    assert [one.name for one in event.named("OPRR01-02")] == ["OPRR01", "OPRR02"]


def test_boards_carry_event_session_and_title() -> None:
    event = open_event(SQD)
    board = list(event.boards(event.session("1,2 reserve"), [("Site", "here")]))[-1]
    assert board.number == 8
    assert dict(board.tags) == {
        "Board": "8",
        "Event": "Fixture Cup",
        "Stage": "Round Robin 2/3 (reserve)",
        "Session": "RR02reserve",
        "Site": "here",
    }


NAMES = {
    "RR01": ["RR01"], "rr3": ["RR03"], "RR01-03": ["RR01", "RR02", "RR03"],
    "RR01-02reserve": ["RR01reserve", "RR02reserve"], "1,2": ["RR02"], "2,7": ["EXTRA7"],
    "1,3reserve": ["RR03reserve"], "FINAL": ["FINAL"], "finalreserve": ["FINALreserve"],
    "EXTRA0": [], "RR04": [], "RR02-01": [], "RR02-04": [], "4,1": [], "1,4": [], "0,1": [],
    "3,2": [], "FINAL1": [], "RR": [], "RR01x": [], "": [],
}  # fmt: skip


def test_names_of_sessions() -> None:
    event = open_event(SQD)
    found = {text: [session.name for session in event.named(text)] for text in NAMES}
    assert found == NAMES
    with pytest.raises(pav.UnknownNameError, match="did you mean 'RR01'"):
        event.session("RRR1")
    with pytest.raises(pav.PavError, match="names 2 sessions"):
        event.session("RR01-02")


BOARDS = {
    "16": [range(1, 17)],
    "1-16,17-32": [range(1, 17), range(17, 33)],
    "3x7": [range(1, 8), range(8, 15), range(15, 22)],
    "4,2x2,9-9": [range(1, 5), range(1, 3), range(3, 5), range(9, 10)],
    "?": [],
}


def test_lists_of_boards() -> None:
    assert {text: list(Phase(1, text, "F", "F").ranges) for text in BOARDS} == BOARDS


BAD_PHASES = {
    "": "sessions:boards:prefix:title",
    "x:16:C#:C": "'x' is no number of sessions",
    "-1:16:C#:C": "'-1' is no number of sessions",
    "10000:16:C#:C": "'10000' is no number of sessions",
    "2::C#:C": "'' is no list of boards",
    "2:0:C#:C": "'0' holds no boards",
    "2:5-4:C#:C": "'5-4' holds no boards",
    "2:0x4:C#:C": "'0x4' holds no boards",
    "2:9999x9999:C#:C": "'9999x9999' holds no boards",
    "2:99999:C#:C": "'99999' is no list of boards",
    "2:1-16,:C#:C": "'' is no list of boards",
    "2:16:C:C": "needs a # for the session",
    "2:16::C": "'' is not a valid file name",
    "2:16:../C#:C": "'../C#' is not a valid file name",
    "2:16:C#D#:C": "'C#D#' is not a valid file name",
    "2:16:C#:a\x07": "is no line of text",
}
BAD_DESCRIPTIONS = {
    b"": "event.sqd: there is no phase",
    b"TN x\n": "event.sqd: there is no phase",
    b"XX y\n": "event.sqd:1: expected TN, DI, DV, SN or KH, not 'XX y'",
    b"TNx\n": "event.sqd:1: expected TN",
    b"\x00\xff": "event.sqd:1: expected TN",
    b"TN a\nTN b\nSN 1:1:F:F\n": "event.sqd:2: a second TN",
    b"SN 1:1:F:F\nKH 12\n": "event.sqd: KH '12' is no SHA-256",
    b"SN 1:1:F:F\nSN 1:1:F:G\n": "phases 1 and 2 have files of the name 'F'",
}
BAD_KEYS = {
    b"1,1 abcdef\r\n": "event.sqk:1: expected phase,session:key, not '1,1 abcdef'",
    b"1,1:abcdef\r\n\r\n1:abc\r\n": "event.sqk:3: expected",
    b"1,1:a\r\n": "event.sqk:1: expected",
    b"1,1:a b\r\n": "event.sqk:1: expected",
    b"1,1:\xe9\xe9\r\n": "event.sqk:1: expected",
    b"1,1:abc\n1,1:abd\n": "event.sqk:2: a second key for session 1,1",
}


def test_damage_is_told_with_its_line() -> None:
    for text, reason in BAD_PHASES.items():
        with pytest.raises(pav.PavError, match=re.escape(reason)):
            Phase.parse(text)
        with pytest.raises(pav.ReadError, match=r"event\.sqd:2: "):
            Description.parse(f"TN x\nSN {text}\n".encode(), "event.sqd")
    for parse, file, rows in (
        (Description.parse, "event.sqd", BAD_DESCRIPTIONS),
        (Keys.parse, "event.sqk", BAD_KEYS),
    ):
        for data, reason in rows.items():
            with pytest.raises(pav.ReadError, match=re.escape(reason)):
                parse(data, file)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_line_ends_of_both_files_do_not_matter(end: bytes, tmp_path: Path) -> None:
    for path in (SQD, SQK):
        data = path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", end)
        (tmp_path / path.name).write_bytes(data)
    event = open_event(tmp_path / SQD.name)
    assert event.description == open_event(SQD).description
    assert event.keys == open_event(SQD).keys


def without(data: bytes, start: bytes) -> bytes:
    """Return a file without the lines that begin so."""
    lines = data.splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(start))


def test_damaged_events() -> None:
    sqd, sqk = SQD.read_bytes(), SQK.read_bytes()
    fewer = without(sqk, b"1,2")
    told = sqd.replace(sha256(sqk).hexdigest().encode(), sha256(fewer).hexdigest().encode())
    events = [
        (sqd, sqk.replace(b"hEe0", b"hEe1"), "not the keys that were published"),
        (sqd.replace(b"KH fa5", b"KH fa6"), sqk, "not the keys that were published"),
        (without(sqd, b"KH"), sqk, r"cup\.sqd: not published"),
        (told, fewer, "keys: there is no key for session 1,2"),
        (sqd.replace(b"SN 3:", b"SN 2:"), sqk, "a key for session 1,3, which is not in the descr"),
    ]
    for description, keys, reason in events:
        with pytest.raises(pav.ReadError, match=reason):
            Event(Description.parse(description), Keys.parse(keys), "cup.sqd")
    unknown = Description.parse(sqd.replace(b"DV 40829.12\n", b""))
    event = Event(unknown, Keys.parse(sqk), "cup.sqd")
    with pytest.raises(pav.PavError, match=r"cup.sqd: the delayed value is not known.*3 May"):
        next(event.deals(event.sessions[0]))


def test_create_publishes_and_keeps(tmp_path: Path) -> None:
    path = tmp_path / "club.sqd"
    made = create_event(path, name="Club", delayed="DJI", phases=PHASES)
    read = open_event(path)
    assert (made.description, made.keys) == (read.description, read.keys)
    assert read.description.value is None
    assert stat.S_IMODE((tmp_path / "club.sqk").stat().st_mode) == 0o600
    assert sha256((tmp_path / "club.sqk").read_bytes()).hexdigest() == read.description.key_hash
    assert {len(key) for key in read.keys.table.values()} == {60}
    assert len(set(read.keys.table.values())) == 2
    before = [one.read_bytes() for one in sorted(tmp_path.iterdir())]
    with pytest.raises(pav.PavError, match="it exists already"):
        create_event(path, name="Other", delayed="DJI", phases=PHASES)
    path.unlink()
    with pytest.raises(pav.PavError, match=r"club\.sqk: it exists already"):
        create_event(path, name="Other", delayed="DJI", phases=PHASES)
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [before[1]]
    for name in ("", " ", "two\nlines", "bell\x07"):  # each is a line of text
        for words in ({"name": name, "delayed": "x"}, {"name": "x", "delayed": name}):
            with pytest.raises(pav.PavError, match="is no line of text"):
                create_event(tmp_path / "a.sqd", phases=PHASES, **words)
    assert not (tmp_path / "a.sqd").exists()


def test_the_value_goes_in_and_never_changes() -> None:
    before = b"# mine\r\nTN x\r\nDI y\r\n# more\r\nSN 1:1:F:F\r\n"
    after = with_value(before, "1,234.5")
    assert after == b"# mine\r\nTN x\r\nDI y\r\nDV 1,234.5\r\n# more\r\nSN 1:1:F:F\r\n"
    assert with_value(after, "1,234.5") == after
    with pytest.raises(pav.PavError, match=r"'1,234\.5' already; it cannot change"):
        with_value(after, "1,234.6")
    assert with_value(b"TN x\nDI y\nDV \nSN 1:1:F:F\n", "7") == b"TN x\nDI y\nDV 7\nSN 1:1:F:F\n"
    assert with_value(b"SN 1:1:F:F", "7") == b"DV 7\nSN 1:1:F:F"
    assert with_value(b"SN 1:1:F:F\nDI x", "7") == b"SN 1:1:F:F\nDI x\nDV 7\n"
    for value in ("", " ", " 7", "7 ", "7\n8"):
        with pytest.raises(pav.PavError, match="must be one line of text"):
            with_value(before, value)


words = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=9)
phases = st.builds(
    Phase,
    st.integers(0, 9),
    st.sampled_from(["16", "1-16,17-32", "3x7", "?", "5-5"]),
    words.map("{}#".format),
    words,
)


@pytest.mark.slow
@given(
    st.builds(
        Description,
        words,
        words,
        words | st.none(),
        st.lists(phases, min_size=1, max_size=4, unique_by=lambda one: one.prefix).map(tuple),
        st.none() | st.just("ab" * 32),
    )
)
def test_descriptions_read_as_they_were_written(description: Description) -> None:
    assert Description.parse(description.format()) == description
    if description.value is None:
        known = with_value(description.format(), "7 x")
        assert Description.parse(known) == replace(description, value="7 x")


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for parse in (Description.parse, Keys.parse):
        for text in (data, b"SN 1:1:F:F\n" + data):
            try:
                parse(text)
            except pav.PavError as error:
                assert "\n" not in str(error)  # noqa: PT017 (it may be read as well)

"""The files of a set as bytes: what the commands write, without a folder."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pavcodec import PavError
from pavcodec.formats import format_of
from pavcodec.tournament import Description, Event, Keys, Phase
from pavcodec.tournament.event import (
    club_phase,
    draw_event,
    is_key_line,
    pbn_date,
    value_warnings,
)
from pavcodec.tournament.notice import deal_files, session_file, set_boards


def event_of(*phases: str) -> Event:
    parsed = tuple(map(Phase.parse, phases))
    drawn = draw_event("a.sqd", "a.sqk", name="Café", delayed="DJI", phases=parsed)
    return Event(replace(drawn.description, value="40829.12"), drawn.keys, drawn.source)


def test_a_drawn_event_is_that_of_its_two_files() -> None:
    event = event_of("2:1-2,3-4:C#:Round #")
    described = Description.parse(event.description.format(("Site Łódź",)))
    assert described == event.description
    assert Keys.parse(event.keys.data) == event.keys
    assert described.key_hash == event.keys.hash
    assert (event.source, event.keys.source) == ("a.sqd", "a.sqk")
    assert draw_event("a", "b", name="x", delayed="y", phases=described.phases).keys != event.keys


@pytest.mark.slow
def test_files_have_the_boards_of_each_session_and_the_tags() -> None:
    event = event_of("2:1-2,3-4:C#:Round #")
    pbn, dlm = format_of("pbn"), format_of("dup")
    files = deal_files(event, [pbn, dlm], {"Site": "Delft", "Session": "x"}, records=True)
    assert {"C1.pbn", "C1.dup", "C1-records.html", "C2.pbn"} <= set(files)
    text = files["C2.pbn"].decode("latin-1")
    assert '[Site "Delft"]' in text
    assert '[Session "C2"]' in text
    assert [board.number for board in set_boards(event, event.sessions[1], {})] == [3, 4]
    assert session_file(event.sessions[0], pbn) == "C1.pbn"


def test_only_named_sessions() -> None:
    event = event_of("2:1-2,3-4:C#:Round #")
    reserve = event.reserve_of(event.sessions[0])
    assert list(deal_files(event, [format_of("pbn")], {}, sessions=[reserve])) == ["C1reserve.pbn"]


def test_an_unknown_number_of_boards_needs_a_number() -> None:
    event = event_of("1:?:C:Final")
    with pytest.raises(PavError, match="does not say how many boards C has"):
        deal_files(event, [format_of("pbn")], {})
    assert len(set_boards(event, event.sessions[0], {}, 5)) == 5


@pytest.mark.parametrize("text", ["2026-11-31", "24.11.2026", "tomorrow", ""])
def test_a_date_that_is_none(text: str) -> None:
    with pytest.raises(PavError, match="expected a date"):
        pbn_date(text)


@pytest.mark.parametrize("boards", ["?", "0", "x", "1-12,13-24", "10000"])
def test_a_set_has_one_list_of_boards_for_each_session(boards: str) -> None:
    with pytest.raises(PavError, match=r"boards|sessions"):
        club_phase("c", boards)


@pytest.mark.parametrize(
    ("value", "word"), [("123", "short"), ("40.829,12", "another way"), ("½½½½", "another way")]
)
def test_warnings_about_a_value(value: str, word: str) -> None:
    (warning,) = value_warnings(value)
    assert word in warning


def test_lines_of_keys() -> None:
    assert is_key_line(b"1,1:abc\r\n")
    assert not is_key_line(b"TN Club\n")

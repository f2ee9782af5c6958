"""Numbers of Big Deal, and the files of a set as bytes."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import DEALS, vectors

import pavcodec as pav
from pavcodec import PavError
from pavcodec.formats import format_of
from pavcodec.tournament import BigDealSeed, Description, Event, Keys, Phase, ripemd160
from pavcodec.tournament.bigdeal import _in_hashlib, ripemd160_by_definition
from pavcodec.tournament.event import (
    draw_event,
    is_key_line,
)
from pavcodec.tournament.notice import deal_files, session_file, set_boards

PUBLISHED = {
    b"": "9c1185a5c5e9fc54612808977ee8f548b2258d31",
    b"a": "0bdc9d2d256b3ee9daae347be6f4dc835a467ffe",
    b"abc": "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc",
    b"message digest": "5d0689ef49d2fae572b881b123a85ffa21595f36",
    b"abcdefghijklmnopqrstuvwxyz": "f71c27109c692c1b56bbdceb5b9d2865b3708dbc",
    b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": (
        "12a053384a9c0c88e405a06c27dcf49ada62eb2b"
    ),
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789": (
        "b0e20b6e3116640286ed3a87a5713079b21f5189"
    ),
    b"1234567890" * 8: "9b752e45573d4b39f4dbd3323cab82bf63326bfb",
}
"""The vectors of the authors of RIPEMD-160."""
OWNER = "Golden Test Owner"
FIRST = 37597453553299299871637159608


def test_the_published_vectors_of_ripemd160() -> None:
    for function in (ripemd160_by_definition, ripemd160):
        assert {data: function(data).hex() for data in PUBLISHED} == PUBLISHED


@given(st.binary(max_size=200))
def test_hashlib_and_the_definition_agree(data: bytes) -> None:
    assert ripemd160(data) == ripemd160_by_definition(data)


def test_without_hashlib_the_definition_steps_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(*_: object, **__: object) -> None:
        raise ValueError("unsupported hash type ripemd160")

    monkeypatch.setattr("hashlib.new", absent)
    _in_hashlib.cache_clear()
    try:
        assert ripemd160(b"abc").hex() == PUBLISHED[b"abc"]
        assert next(BigDealSeed(bytes(range(20)), OWNER.encode()).numbers()) == FIRST
    finally:
        _in_hashlib.cache_clear()


def seed_of(row: dict[str, str]) -> BigDealSeed:
    if row["mode"] == "-h":
        return BigDealSeed(bytes.fromhex(row["seed_random_hex"]), row["owner"].encode())
    return BigDealSeed.from_entropy(row["wizard"].encode(), row["entropy"].encode())


@pytest.mark.parametrize("row", vectors("bigdeal-seed"), ids=lambda row: row["number"][:8])
def test_the_golden_vectors(row: dict[str, str]) -> None:
    place = int(row["board_index"]) - 1
    seed = seed_of(row)
    number = next(islice(seed.numbers(), place, None))
    assert str(number) == row["number"]
    assert str(next(islice(seed.deals(), place, None))) == row["pbn"]
    assert pav.numbering("bigdeal").unrank(number).to_pbn() == row["pbn"]


def test_candidates_beyond_the_last_deal_are_passed_over_and_counted() -> None:
    seed = BigDealSeed(bytes(range(20)), b"x")
    rest = seed.random + ripemd160(b"x")
    blocks = (n.to_bytes(4, "little") + rest for n in range(1, 200))
    candidates = [int.from_bytes(ripemd160(block)[:12], "big") for block in blocks]
    expected = [one for one in candidates if one < DEALS]
    assert 100 < len(expected) < 170
    assert list(islice(seed.numbers(), len(expected))) == expected


def test_a_seed_has_twenty_bytes() -> None:
    for size in (0, 19, 21):
        with pytest.raises(pav.NumberError, match=f"20 random bytes, not {size}"):
            BigDealSeed(bytes(size), b"x")


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
    assert [is_key_line(line) for line in (b"1,1:abc\r\n", b"TN Club\n")] == [True, False]
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
    reserve = event.reserve_of(event.sessions[0])
    assert list(deal_files(event, [pbn], {}, sessions=[reserve])) == ["C1reserve.pbn"]


def test_an_unknown_number_of_boards_needs_a_number() -> None:
    event = event_of("1:?:C:Final")
    with pytest.raises(PavError, match="does not say how many boards C has"):
        deal_files(event, [format_of("pbn")], {})
    assert len(set_boards(event, event.sessions[0], {}, 5)) == 5

"""Records of numbers: deal12, balanced14, ending15 and base5-16, bytes beside values."""

from __future__ import annotations

import pytest
from gmpy2 import mpz
from hypothesis import given, settings
from hypothesis import strategies as st
from records_support import flipped, totals, verdict

from pavcodec import (
    Base5Number,
    Layout,
    LayoutError,
    Numbering,
    RecordError,
    numbering,
    numbering_names,
    record,
)
from pavcodec.records import Base5Record, NumberRecord

DEALS = 53644737765488792839237440000
BALANCED = 2058009868335972036308496616883640
ENDINGS = 1068380067768858063542620835042803325
FIVES = 2220446049250313080847263336181640625
LEGAL = 128231250273227354660026504584672

CASES: list[tuple[str, str, object]] = [
    ("deal12", "00" * 12, 0),
    ("deal12", "01" + "00" * 11, 1),
    ("deal12", "0201" + "00" * 10, 258),
    ("deal12", "00" * 11 + "80", 1 << 95),
    # 12345678901234567890123456789 = 0x27e41b3246bec9b16e398115
    ("deal12", "1581396eb1c9be46321be427", 12345678901234567890123456789),
    # 52!/13!^4 - 1 = 0xad55e315634dda658bf491ff
    ("deal12", "ff91f48b65da4d6315e355ad", DEALS - 1),
    ("balanced14", "00" * 14, 0),
    ("balanced14", "00" * 13 + "40", 1 << 110),
    ("balanced14", "ff00" + "00" * 12, 255),
    ("balanced14", (BALANCED - 1).to_bytes(14, "little").hex(), BALANCED - 1),
    ("ending15", "00" * 15, 0),
    ("ending15", "00" * 14 + "80", 1 << 119),
    ("ending15", (ENDINGS - 1).to_bytes(15, "little").hex(), ENDINGS - 1),
    ("legal14", "00" * 13 + "04", 1 << 106),
    ("legal14", (LEGAL - 1).to_bytes(14, "little").hex(), LEGAL - 1),
    ("base5-16", "00" * 16, Base5Number(0, 0)),
    ("base5-16", "01" + "00" * 15, Base5Number(1, 0)),
    ("base5-16", "00" * 15 + "01", Base5Number(1 << 120, 0)),
    ("base5-16", "00" * 15 + "02", Base5Number(0, 1)),
    ("base5-16", "00" * 15 + "80", Base5Number(0, 64)),
    ("base5-16", "00" * 15 + "fe", Base5Number(0, 127)),
    ("base5-16", "05" + "00" * 14 + "aa", Base5Number(5, 0b1010101)),
    ("base5-16", (128 * 2**121 - 2**121 + FIVES - 1).to_bytes(16, "little").hex(),
     Base5Number(FIVES - 1, 127)),
]  # fmt: skip
ids = [f"{name} {value}" for name, _, value in CASES]


@pytest.mark.parametrize(("name", "data", "value"), CASES, ids=ids)
def test_bytes_beside_values(name: str, data: str, value: object) -> None:
    found = record(name)
    raw = bytes.fromhex(data)
    assert found.parse(raw) == found.parse_by_declaration(raw) == value
    assert type(found.parse(raw)) is type(value)
    assert found.build(value) == found.build_by_declaration(value) == raw


LIMITS = {
    "deal12": DEALS,
    "balanced14": BALANCED,
    "ending15": ENDINGS,
    "legal14": LEGAL,
    "base5-16": FIVES,
}


def test_the_limits_are_those_that_counting_finds() -> None:
    assert totals() == LIMITS
    for name, limit in LIMITS.items():
        found = record(name)
        assert isinstance(found, NumberRecord | Base5Record)
        assert found.cardinality == limit


@pytest.mark.parametrize(("name", "limit"), LIMITS.items())
def test_a_number_past_the_last_is_refused(name: str, limit: int) -> None:
    found = record(name)
    reason = f"numbers are 0 to {limit - 1}, not {limit}"
    for parse in (found.parse, found.parse_by_declaration):
        with pytest.raises(RecordError) as caught:
            parse(limit.to_bytes(found.size, "little"))
        assert caught.value.reason == reason
    for number in (limit, -1, 1 << 200, -(1 << 200)):
        value = Base5Number(number) if name == "base5-16" else number
        for build in (found.build, found.build_by_declaration):
            with pytest.raises(RecordError) as caught:
                build(value)
            assert caught.value.reason == f"numbers are 0 to {limit - 1}, not {number}"


def test_bit_111_of_balanced14_must_be_clear() -> None:
    found = record("balanced14")
    for number in (0, 258, BALANCED - 1):
        for parse in (found.parse, found.parse_by_declaration):
            with pytest.raises(RecordError) as caught:
                parse((1 << 111 | number).to_bytes(14, "little"))
            assert caught.value.reason == "bit 111 must be 0"


@pytest.mark.parametrize("spare", [-1, 128, 1 << 64])
def test_seven_spare_bits_hold_no_more(spare: int) -> None:
    for build in (record("base5-16").build, record("base5-16").build_by_declaration):
        with pytest.raises(RecordError) as caught:
            build(Base5Number(5, spare))
        assert caught.value.reason == f"the spare bits hold 0 to 127, not {spare}"


@given(number=st.integers(0, FIVES - 1), spare=st.integers(0, 127))
def test_the_spare_bits_are_kept_and_do_not_touch_the_number(number: int, spare: int) -> None:
    found = record("base5-16")
    raw = (spare << 121 | number).to_bytes(16, "little")
    assert found.build((number, spare)) == raw
    assert found.parse(raw) == (number, spare)
    assert numbering("base5").from_bytes(raw) == numbering("base5")[number]


def test_spare_bits_do_not_excuse_a_number_past_the_last() -> None:
    found = record("base5-16")
    raw = (5 << 121 | FIVES).to_bytes(16, "little")
    assert verdict(found.parse, raw) == verdict(found.parse_by_declaration, raw)
    with pytest.raises(RecordError, match=f"not {FIVES}"):
        found.parse(raw)


@pytest.mark.parametrize("name", ["deal12", "balanced14", "ending15", "legal14"])
@pytest.mark.parametrize("wrong", [5.0, "5", None, b"5", [5]])
def test_only_integers_are_numbers(name: str, wrong: object) -> None:
    for build in (record(name).build, record(name).build_by_declaration):
        with pytest.raises(TypeError):
            build(wrong)
    for value in ((wrong, 0), (0, wrong)):
        with pytest.raises(TypeError):
            record("base5-16").build(value)


@pytest.mark.parametrize("number", [mpz(100), True])
def test_any_integer_is_a_number_and_comes_back_as_a_plain_one(number: int) -> None:
    for name in ("deal12", "balanced14", "ending15", "legal14"):
        raw = record(name).build(number)
        assert (
            raw
            == record(name).build_by_declaration(number)
            == int(number).to_bytes(len(raw), "little")
        )
        assert type(record(name).parse(raw)) is int
    raw = record("base5-16").build((number, number))
    assert [type(each) for each in record("base5-16").parse(raw)] == [int, int]


RECORD_OF = {
    "balanced": "balanced14",
    "ending": "ending15",
    "base5": "base5-16",
    "legal": "legal14",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", numbering_names())
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_numbering_writes_its_numbers_as_its_record(name: str, data: st.DataObject) -> None:
    ranks = numbering(name)
    assert ranks.record.name == RECORD_OF.get(name, "deal12")
    assert ranks.record is record(ranks.record.name)
    assert ranks.record.size == ranks.width
    number = data.draw(st.integers(0, ranks.cardinality - 1))
    layout = ranks.unrank(number)
    raw = ranks.to_bytes(layout)
    assert raw == number.to_bytes(ranks.width, "little")
    back = ranks.from_bytes(raw)
    assert back == layout
    assert type(back) is type(layout)
    ones: Numbering = ranks.one_based()
    assert ones.to_bytes(layout) == raw
    assert ones.from_bytes(raw) == layout


@pytest.mark.parametrize("name", numbering_names())
def test_a_numbering_refuses_bytes_that_are_no_number_of_it(name: str) -> None:
    ranks = numbering(name)
    assert ranks.from_bytes(bytes(ranks.width)) == ranks[0]
    assert ranks.from_bytes((ranks.cardinality - 1).to_bytes(ranks.width, "little")) == ranks[-1]
    with pytest.raises(RecordError, match=f"not {ranks.cardinality}"):
        ranks.from_bytes(ranks.cardinality.to_bytes(ranks.width, "little"))
    with pytest.raises(RecordError, match=f"has {ranks.width} bytes, not 3"):
        ranks.from_bytes(b"123")
    with pytest.raises(TypeError, match="parsed from bytes"):
        ranks.from_bytes("0" * ranks.width)  # type: ignore[arg-type]  # what a caller may do wrong
    with pytest.raises(TypeError, match="a Layout has a number"):
        ranks.to_bytes(5)  # type: ignore[arg-type]  # what a caller may do wrong
    for bit in range(111, 112) if name == "balanced" else ():
        with pytest.raises(RecordError, match="bit 111 must be 0"):
            ranks.from_bytes(flipped(bytes(14), bit))


def test_a_layout_that_is_no_member_has_no_bytes() -> None:
    layout = Layout.from_pbn("N:AK.Q.. - .32.4. -")
    for name in numbering_names():
        if name not in ("ending", "base5"):
            with pytest.raises(LayoutError, match="N holds 3, E 0, S 3, W 0"):
                numbering(name).to_bytes(layout)
    fouled = Layout.from_pbn("N:AKQJT98765432.A.. .K.. - -")
    with pytest.raises(LayoutError, match="N holds 14"):
        numbering("ending").to_bytes(fouled)
    assert numbering("base5").from_bytes(numbering("base5").to_bytes(fouled)) == fouled

"""Rows of case listings: running total, patterns and honours, bytes beside values."""

from __future__ import annotations

import pytest
from gmpy2 import mpz
from hypothesis import given
from records_support import MOST_WAYS, cases, flipped, packed

from pavcodec import Case, RecordError, record

WIDTHS = (73, 10, 10, 16, 16, 3)
OFF = (560, 560, 0xFFFF, 0xFFFF, 0)

CASES = [
    (Case(0), (0, *OFF)),
    (Case(5), (5, *OFF)),
    (Case(1 << 72), (1 << 72, *OFF)),
    (Case(MOST_WAYS), (MOST_WAYS, *OFF)),
    (Case(0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0)),
    (Case(0, 559, 0), (0, 559, 0, 0xFFFF, 0xFFFF, 0)),
    (Case(0, None, 559, None, 0), (0, 560, 559, 0xFFFF, 0, 0)),
    (Case(9, 1, 2, 0x8000, 0x7000), (9, 1, 2, 0x8000, 0x7000, 0)),
    (Case(9, 1, 2, 0x1FFF, 0xE000), (9, 1, 2, 0x1FFF, 0xE000, 0)),
    (Case(9, 1, 2, None, 0xFFF8), (9, 1, 2, 0xFFFF, 0xFFF8, 0)),
    (Case(9, 1, None, 0xFFF8, None), (9, 1, 560, 0xFFF8, 0xFFFF, 0)),
]


@pytest.mark.parametrize(("case", "fields"), CASES, ids=str)
def test_cases_beside_their_fields(case: Case, fields: tuple[int, ...]) -> None:
    raw = packed(fields, WIDTHS)
    found = record("case16")
    for parse in (found.parse, found.parse_by_declaration):
        assert parse(raw) == case
        assert type(parse(raw)) is Case
        assert {type(field) for field in parse(raw)} <= {int, type(None)}
    assert found.build(case) == found.build_by_declaration(case) == raw


@pytest.mark.parametrize(
    ("data", "case"),
    [
        # total 1; patterns from bit 73 and 83, honours from bit 93 and 109
        ("01" + "00" * 15, Case(1, 0, 0, 0, 0)),
        ("00" * 9 + "02" + "00" * 6, Case(0, 1, 0, 0, 0)),
        ("00" * 10 + "08" + "00" * 5, Case(0, 0, 1, 0, 0)),
        ("00" * 11 + "20" + "00" * 4, Case(0, 0, 0, 1, 0)),
        ("00" * 13 + "20" + "00" * 2, Case(0, 0, 0, 0, 1)),
        ("00" * 13 + "10" + "00" * 2, Case(0, 0, 0, 0x8000, 0)),
        ("00" * 15 + "10", Case(0, 0, 0, 0, 0x8000)),
        # both patterns 560 = 10 0011 0000, all 32 bits of honours
        ("00" * 9 + "60" + "84" + "f1" + "ff" * 3 + "1f", Case(0)),
    ],
)
def test_bytes_beside_cases(data: str, case: Case) -> None:
    raw = bytes.fromhex(data)
    assert record("case16").parse(raw) == record("case16").parse_by_declaration(raw) == case
    assert record("case16").build(case) == raw


def test_the_greatest_total_is_the_number_of_pairs_of_hands() -> None:
    assert MOST_WAYS == 5157850293780050462400
    assert MOST_WAYS.bit_length() == 73


PARSED_BADLY = [
    ((MOST_WAYS + 1, *OFF), f"a running total is 0 to {MOST_WAYS}, not {MOST_WAYS + 1}"),
    (((1 << 73) - 1, *OFF), f"a running total is 0 to {MOST_WAYS}, not {(1 << 73) - 1}"),
    ((0, 561, *OFF[1:]), "a pattern is 0 to 559, not 561"),
    ((0, 1023, *OFF[1:]), "a pattern is 0 to 559, not 1023"),
    ((0, 560, 561, *OFF[2:]), "a pattern is 0 to 559, not 561"),
    ((0, 560, 560, 0x3FFF, 0xFFFF, 0), "at most 13 of them set, not 0x3fff"),
    ((0, 560, 560, 0xFFFE, 0xFFFF, 0), "at most 13 of them set, not 0xfffe"),
    ((0, 560, 560, 0xFFFF, 0x7FFF, 0), "at most 13 of them set, not 0x7fff"),
    ((0, 560, 560, 0xFFFF, 0xFFFC, 0), "at most 13 of them set, not 0xfffc"),
    ((0, 560, 560, 0x8001, 0x8000, 0), "honours 0x8000 are in both hands"),
    ((0, 560, 560, 0x1FFF, 0x1FFF, 0), "honours 0x1fff are in both hands"),
]


@pytest.mark.parametrize(("fields", "reason"), PARSED_BADLY)
def test_fields_past_their_limits_are_refused(fields: tuple[int, ...], reason: str) -> None:
    for parse in (record("case16").parse, record("case16").parse_by_declaration):
        with pytest.raises(RecordError) as caught:
            parse(packed(fields, WIDTHS))
        assert reason in caught.value.reason


BUILT_BADLY = [
    (Case(-1), "a running total is 0 to"),
    (Case(MOST_WAYS + 1), "a running total is 0 to"),
    (Case(1 << 73), "a running total is 0 to"),
    (Case(0, -1), "a pattern is 0 to 559, not -1"),
    (Case(0, 560), "a pattern is 0 to 559, not 560"),
    (Case(0, None, 1024), "a pattern is 0 to 559, not 1024"),
    (Case(0, None, None, 0xFFFF), "at most 13 of them set, not 0xffff"),
    (Case(0, None, None, 0, 0xFFFF), "at most 13 of them set, not 0xffff"),
    (Case(0, None, None, 0x10000), "honours are 16 bits"),
    (Case(0, None, None, None, -1), "honours are 16 bits"),
    (Case(0, None, None, 0x4000, 0xC000), "honours 0x4000 are in both hands"),
]


@pytest.mark.parametrize(("case", "reason"), BUILT_BADLY, ids=str)
def test_cases_that_do_not_fit_are_refused(case: Case, reason: str) -> None:
    for build in (record("case16").build, record("case16").build_by_declaration):
        with pytest.raises(RecordError) as caught:
            build(case)
        assert reason in caught.value.reason


@pytest.mark.parametrize("bit", [125, 126, 127])
@pytest.mark.parametrize(("case", "fields"), CASES, ids=str)
def test_the_three_highest_bits_must_be_clear(
    bit: int, case: Case, fields: tuple[int, ...]
) -> None:
    raw = flipped(packed(fields, WIDTHS), bit)
    for parse in (record("case16").parse, record("case16").parse_by_declaration):
        with pytest.raises(RecordError) as caught:
            parse(raw)
        assert caught.value.reason == "bits 125 to 127 must be 0"
    assert record("case16").build(case) == flipped(raw, bit)


@given(case=cases())
def test_any_integers_are_taken_and_plain_ones_come_back(case: Case) -> None:
    total, *others = case
    heavy = Case(mpz(total), *(None if field is None else mpz(field) for field in others))
    raw = record("case16").build(heavy)
    assert (
        raw == record("case16").build(tuple(case)) == record("case16").build_by_declaration(heavy)
    )
    assert record("case16").parse(raw) == case
    assert {type(field) for field in record("case16").parse(raw)} <= {int, type(None)}


@pytest.mark.parametrize("wrong", ["5", 5.0, [5], b"5"])
def test_only_integers_are_fields(wrong: object) -> None:
    for place in range(5):
        fields = [0, None, None, None, None]
        fields[place] = wrong  # type: ignore[call-overload]  # what a caller may do wrong
        for build in (record("case16").build, record("case16").build_by_declaration):
            with pytest.raises(TypeError):
                build(tuple(fields))
    for build in (record("case16").build, record("case16").build_by_declaration):
        with pytest.raises(TypeError):
            build((None, 0, 0, 0, 0))

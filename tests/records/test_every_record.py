"""What holds for every record: both ways, the quick way beside the declared one, every refusal.

And the records of the numberings.
"""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records_support import SIZES, VALUES, by_hand, doubtful, flipped, types_in, verdict

import pavcodec as pav
from pavcodec import LayoutError, Numbering, RecordError, numbering, numbering_names, record

NAMES = list(SIZES)
every_record = pytest.mark.parametrize("name", NAMES)

DEAL = pav.Deal(numbering("deal")[258].owners)
SUIT = pav.SuitLayout.from_text("N:JT9 876 5432 AKQ")
TRICKS = pav.TrickTable(bytes(range(14)) + bytes(6))
GOOD: dict[str, Any] = {
    "deal12": 258,
    "balanced14": 258,
    "ending15": 258,
    "legal14": 258,
    "base5-16": pav.Base5Number(258, 100),
    "deal13": DEAL,
    "layout20": DEAL,
    "zbs-word": pav.SuitWord(SUIT, joined=True),
    "zbs-diagram": DEAL,
    "zrd": pav.SolvedDeal(DEAL, TRICKS),
    "zdd": TRICKS,
    "gib-library": pav.SolvedDeal(DEAL, TRICKS),
    "case16": pav.Case(7, 5, None, 0x8000),
}
"""A value of each record."""


def test_the_records_and_their_sizes() -> None:
    assert pav.record_names() == NAMES
    assert {name: record(name).size for name in NAMES} == SIZES
    for name in NAMES:
        assert record(name).name == name
        assert repr(record(name)) == f"record({name!r})"
        assert record(name) is record(name)
        assert record(name).summary


def test_an_unknown_record_is_refused_with_a_hint() -> None:
    for name, hint in {"zdr": "'zrd'", "deal": "deal13", "": "Known:"}.items():
        with pytest.raises(pav.UnknownNameError, match=hint) as caught:
            record(name)
        assert repr(name) in str(caught.value)


@pytest.mark.slow
@every_record
@settings(max_examples=25)
@given(data=st.data())
def test_values_have_the_bytes_of_their_declaration(name: str, data: st.DataObject) -> None:
    values = data.draw(st.lists(VALUES[name], min_size=1, max_size=3))
    found, expected = record(name), [by_hand(name, value) for value in values]
    for value, raw in zip(values, expected, strict=True):
        assert found.build(value) == raw
        assert found.parse_by_declaration(raw) == value
        assert type(found.build(value)) is type(raw) is bytes
    assert found.build_many(iter(values)) == b"".join(expected)
    again = list(found.parse_many(b"".join(expected)))
    assert again == values
    assert list(map(types_in, again)) == list(map(types_in, values))


def check_both_ways(name: str, raw: bytes) -> None:
    """Bytes are a record, and those of its value, or refused for the same reason both ways."""
    found = record(name)
    kind, value = verdict(found.parse, raw)
    assert (kind, value) == verdict(found.parse_by_declaration, raw)
    if kind is not RecordError:
        canonical = raw[:-1] + bytes([raw[-1] & 0x7F]) if name == "zbs-diagram" else raw
        assert found.build(value) == canonical
        return
    with pytest.raises(RecordError) as caught:
        found.parse(raw)
    error = caught.value
    assert (error.record, error.index, error.offset) == (name, None, None)
    assert str(error) == f"{name} record: {error.reason}"
    assert error.__cause__ is None
    assert "\n" not in str(error)


@pytest.mark.slow
@every_record
@settings(max_examples=25)
@given(data=st.data())
def test_any_bytes_are_a_record_or_none(name: str, data: st.DataObject) -> None:
    check_both_ways(name, data.draw(doubtful(name)))


@every_record
def test_every_single_bit_of_a_good_record_is_looked_at(name: str) -> None:
    good = record(name).build(GOOD[name])
    for bit in range(8 * len(good)):
        check_both_ways(name, flipped(good, bit))


@every_record
def test_among_many_an_error_tells_the_index_and_the_byte(name: str) -> None:
    found = record(name)
    good = found.build(GOOD[name])
    bad = b"\xff" * found.size
    reason = verdict(found.parse, bad)[1]
    values = found.parse_many(good * 2 + bad + good)
    assert [next(values), next(values)] == [GOOD[name]] * 2
    with pytest.raises(RecordError) as caught:
        next(values)
    error = caught.value
    assert (error.record, error.index, error.offset) == (name, 2, 2 * found.size)
    assert str(error) == f"{name} record 2 at byte {2 * found.size}: {error.reason}"
    assert reason == f"{name} record: {error.reason}"
    for raw in (b"", good[:-1], good + b"\0", good * 2):
        with pytest.raises(RecordError, match=f"has {found.size} bytes, not {len(raw)}$"):
            found.parse(raw)
    for read in (found.pieces, found.parse_run):
        assert len(list(read(good * 2))) == 2
        with pytest.raises(RecordError) as caught:
            list(read(good + b"\0"))
        assert (caught.value.index, caught.value.offset) == (1, found.size)
    values = found.parse_many((good * 2)[:-1])
    assert next(values) == GOOD[name]
    with pytest.raises(RecordError, match=f"not {found.size - 1}$") as caught:
        next(values)
    assert (caught.value.index, caught.value.offset) == (1, found.size)
    with pytest.raises(TypeError):
        found.build_many([GOOD[name], object()])
    assert (list(found.parse_many(b"")), found.build_many([])) == ([], b"")


@every_record
def test_records_and_their_values_survive_pickling(name: str) -> None:
    found = record(name)
    assert pickle.loads(pickle.dumps(found)) is copy.deepcopy(found) is found
    value = found.parse(found.build(GOOD[name]))
    assert pickle.loads(pickle.dumps(value)) == value
    assert hash(value) == hash(GOOD[name])


RECORD_OF = {
    "balanced": "balanced14", "ending": "ending15", "base5": "base5-16", "legal": "legal14",
}  # fmt: skip


@pytest.mark.parametrize("name", numbering_names())
def test_a_numbering_writes_its_numbers_as_its_record(name: str) -> None:
    ranks = numbering(name)
    assert ranks.record is record(RECORD_OF.get(name, "deal12"))
    assert ranks.record.size == ranks.width
    ones: Numbering = ranks.one_based()
    for number in (0, ranks.cardinality // 3, ranks.cardinality - 1):
        layout, raw = ranks.unrank(number), number.to_bytes(ranks.width, "little")
        assert ranks.to_bytes(layout) == ones.to_bytes(layout) == raw
        for back in (ranks.from_bytes(raw), ones.from_bytes(raw)):
            assert (back, type(back)) == (layout, type(layout))
    with pytest.raises(RecordError, match=f"not {ranks.cardinality}"):
        ranks.from_bytes(ranks.cardinality.to_bytes(ranks.width, "little"))
    with pytest.raises(RecordError, match=f"has {ranks.width} bytes, not 3"):
        ranks.from_bytes(b"123")


def test_a_layout_that_is_no_member_has_no_bytes() -> None:
    layout = pav.Layout.from_pbn("N:AK.Q.. - .32.4. -")
    for name in numbering_names():
        if name not in ("ending", "base5"):
            with pytest.raises(LayoutError, match="N holds 3, E 0, S 3, W 0"):
                numbering(name).to_bytes(layout)
    fouled = pav.Layout.from_pbn("N:AKQJT98765432.A.. .K.. - -")
    with pytest.raises(LayoutError, match="N holds 14"):
        numbering("ending").to_bytes(fouled)

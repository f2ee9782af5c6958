"""Records of numbers: deal12, balanced14, ending15 and base5-16, bytes beside values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records_support import flipped

from pavcodec import (
    Layout,
    LayoutError,
    Numbering,
    RecordError,
    numbering,
    numbering_names,
    record,
)

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

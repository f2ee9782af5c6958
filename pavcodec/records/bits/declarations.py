"""The declarations: every record with construct, made from its specification.

A declaration is the definition of a record: the quick ways of `bits` and `arrays` are held against
it. Only this module and `frames` import construct, and this one is imported when a record is first
parsed or built by its declaration. construct reads bits from the most significant one on, so the
fields come in reverse order.

Nothing of construct leaves this module: fields go in and come out as plain integers and bytes, and
every refusal becomes a `RecordError`. The records say what numbers *mean*.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any

from construct import (
    Array,
    BitsInteger,
    BitStruct,
    ByteSwapped,
    Const,
    ConstError,
    Construct,
    ConstructError,
    ExprAdapter,
)

from pavcodec.errors import RecordError
from pavcodec.records.bits.fields import Digits, Field, Fields
from pavcodec.records.bits.specifications import specification

__all__ = ["bytes_of", "declaration", "fields_of"]


@cache
def declaration(name: str) -> Any:  # noqa: ANN401 (construct has no types)
    """Return the construct of a record."""
    return ByteSwapped(BitStruct(*map(_declared, reversed(specification(name).fields))))


def _declared(field: Field) -> Construct:
    """Declare a field."""
    one = BitsInteger(field.bits)
    if field.is_reserved:
        one = Const(0, one)
    elif field.times > 1:
        one = _lowest_first(Array(field.times, one))
    return field.name / one * field.meaning


def _lowest_first(array: Construct) -> Construct:
    """Declare that the first of repeated numbers is the lowest one."""
    return ExprAdapter(
        array,
        decoder=lambda upper_first, _: upper_first[::-1],
        encoder=lambda lower_first, _: lower_first[::-1],
    )


def fields_of(name: str, data: bytes) -> Fields:
    """Take a record apart by its declaration; raise `RecordError` where it does not follow it."""
    made = specification(name)
    try:
        found = declaration(name).parse(data)
    except ConstError:
        raise made.refusal() from None
    except ConstructError as error:  # not met: records are as long as they are declared
        raise RecordError(name, str(error)) from None
    values = (found[field.name] for field in made.fields if not field.is_reserved)
    fields: list[int | bytes] = []
    for place in made.places:
        if isinstance(place, Digits):
            each = (next(values) for _ in place.spans)
            fields.append(b"".join(bytes(v if isinstance(v, list) else [v]) for v in each))
        else:
            fields.append(next(values))
    return tuple(fields)


def bytes_of(name: str, fields: Fields) -> bytes:
    """Put a record together by its declaration; raise `RecordError` for too big a number."""
    made = specification(name)
    names = (field.name for field in made.fields if not field.is_reserved)
    named: dict[str, Any] = {}
    for place, value in zip(made.places, fields, strict=True):
        if isinstance(place, Digits):
            if len(value) != place.used:
                reason = f"{place.used} small numbers have room, and here are {len(value)}"
                raise RecordError(name, reason)
            digits = iter(value)
            for span in place.spans:
                some = list(islice(digits, len(span)))
                named[next(names)] = some if len(span) > 1 else some[0]
        else:
            named[next(names)] = value
    try:
        built: bytes = declaration(name).build(named)
    except ConstructError as error:
        raise RecordError(name, str(error).splitlines()[-1]) from None
    return built

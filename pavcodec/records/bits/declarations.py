"""The declaration of every record in construct, generated from its specification.

A declaration is the definition of a record; tests compare `compiled` and `arrays` with it. Only
this module and `frames` import construct. This module is imported when a record is first parsed or
built by its declaration. construct reads the most significant bit first, so the fields are in
reverse order.

No type of construct leaves this module: fields are plain integers and bytes, and every error
becomes a `RecordError`. The record classes define the *meaning* of the numbers.
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
    """Declare that the first of the repeated numbers is in the lowest bits."""
    return ExprAdapter(
        array,
        decoder=lambda upper_first, _: upper_first[::-1],
        encoder=lambda lower_first, _: lower_first[::-1],
    )


def fields_of(name: str, data: bytes) -> Fields:
    """Return the fields of a record by its declaration; raise `RecordError` for invalid bytes."""
    made = specification(name)
    try:
        found = declaration(name).parse(data)
    except ConstError:
        raise made.refusal() from None
    except ConstructError as error:  # unreachable in practice: the size was checked before
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
    """Return the bytes of fields by the declaration; raise `RecordError` for too large numbers."""
    made = specification(name)
    names = (field.name for field in made.fields if not field.is_reserved)
    named: dict[str, Any] = {}
    for place, value in zip(made.places, fields, strict=True):
        if isinstance(place, Digits):
            if len(value) != place.used:
                reason = f"a field has {place.used} small numbers, not {len(value)}"
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

"""Exact values in answers: whole numbers and fractions as text, since JSON readers round numbers.

JavaScript and many other readers of JSON round whole numbers from 2^53 on, and have no fractions.
In Python, the values of these fields are `int` and `Fraction`.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, overload

from pydantic import Field, GetJsonSchemaHandler, PlainSerializer
from pydantic_core import CoreSchema

from pavcodec.chances.figures import chances, digits
from pavcodec.chances.figures import percent as short_percent
from pavcodec.constraints.spaces.share import Share
from pavcodec.questions.showing import hands_facts
from pavcodec.web.tasks.task import ClosedFields

_DECIMALS = 12
_MOST_PLACES = 12
"""The longest decimal fraction of a percentage; a smaller one has a power of ten."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class _WholeSchema:
    """Describes a whole number: in a question a number or a text, in an answer a text."""

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        text = {"type": "string", "pattern": "^-?[0-9]+$"}
        if handler.mode == "serialization":
            return text
        number = {**schema, "serialization": None}
        return {"anyOf": [handler(number), text]}


class _ExactSchema:
    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        del schema, handler
        return {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}


Whole = Annotated[int, PlainSerializer(str, return_type=str, when_used="json"), _WholeSchema]
"""A whole number of any size: text in JSON; a question accepts a number or a text."""

Exact = Annotated[Fraction, PlainSerializer(str, return_type=str, when_used="json"), _ExactSchema]
"""A fraction in lowest terms: `a/b` in JSON, or `a` if it is whole."""


class Chance(ClosedFields):
    """An exact probability, and the same rounded for readers."""

    exact: Exact = Field(description="the exact probability, as a/b")
    decimal: str = Field(description="rounded to 12 significant digits")
    percent: str = Field(description="rounded, in percent")
    chances: str = Field(description="rounded, as '1 in N'; 'never' or 'always' at the ends")


class Estimate(ClosedFields):
    """An estimated probability with its 95 % confidence interval; it is not exact."""

    accepted: int = Field(description="the deals of the sample with the event")
    tried: int = Field(description="the deals of the sample")
    decimal: str = Field(description="the estimate, rounded to 12 significant digits")
    percent: str = Field(description="the estimate in percent")
    low: str = Field(description="the lower end of the interval in percent")
    high: str = Field(description="the upper end of the interval in percent")


def decimal(value: Fraction) -> str:
    """Return a value rounded to 12 significant digits.

    >>> decimal(Fraction(1, 3)), decimal(Fraction(1, 10**9))
    ('0.333333333333', '1e-9')
    """
    return digits(value, _DECIMALS)


def percent(share: Fraction) -> str:
    """Return a share in percent as readers write it: as the command prints it, without `e-7`.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 10**8)), percent(Fraction(3, 2 * 10**20))
    ('33.33 %', '0.000001 %', '1.5 × 10⁻¹⁸ %')
    """
    text = short_percent(share)
    number, exponent, power = text.removesuffix(" %").partition("e")
    if not exponent:
        return text
    if -int(power) > _MOST_PLACES:
        return f"{number} × 10{power.translate(_RAISED)} %"
    return f"{Decimal(number).scaleb(int(power)):f} %"


@overload
def chance_of(share: Fraction) -> Chance: ...
@overload
def chance_of(share: Share) -> Estimate: ...
def chance_of(share: Fraction | Share) -> Chance | Estimate:
    """Return a probability as data.

    >>> chance_of(Fraction(1, 4)).model_dump(mode="json")
    {'exact': '1/4', 'decimal': '0.25', 'percent': '25 %', 'chances': '1 in 4'}
    >>> chance_of(Share(1, 4)).percent
    '25 %'
    """
    if isinstance(share, Share):
        return Estimate(
            accepted=share.accepted,
            tried=share.tried,
            decimal=decimal(share.value),
            percent=percent(share.value),
            low=percent(share.low),
            high=percent(share.high),
        )
    ends = {0: "never", 1: "always"}
    return Chance(
        exact=share,
        decimal=decimal(share),
        percent=percent(share),
        chances=chances(share) if share not in ends else ends[int(share)],
    )


BoardView = dict[str, Any]
"""The data of a board with cards."""
board_view = hands_facts

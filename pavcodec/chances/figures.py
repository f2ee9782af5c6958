"""Texts of large numbers and small probabilities, rounded from exact values."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

_DIGITS = 4


def listed(words: Sequence[str]) -> str:
    """Return words with commas and a last `and`.

    >>> listed(["number", "dealer", "play"])
    'number, dealer and play'
    """
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def many(number: int, one: str, more: str = "") -> str:
    """Return a number with its unit in the singular or the plural.

    >>> many(1, "deal"), many(1200, "deal"), many(2, "try", "tries")
    ('1 deal', '1,200 deals', '2 tries')
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def percent(share: Fraction) -> str:
    """Return a share in percent, with four significant digits, or more for shares close to 1.

    The text is `100 %` only for a share of exactly 1.

    >>> percent(Fraction(1, 3)), percent(Fraction(1)), percent(Fraction(1, 10**9))
    ('33.33 %', '100 %', '1e-7 %')
    >>> percent(1 - Fraction(1, 10**7))
    '99.99999 %'
    """
    precision = _DIGITS
    while share < 1 and digits(share * 100, precision) == "100":
        precision += 1
    return f"{digits(share * 100, precision)} %"


_MOST_PLACES = 12
"""The longest decimal fraction of a percentage; a smaller one has a power of ten."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain_percent(share: Fraction) -> str:
    """Return a share in percent as readers write it: as `percent`, without `e-7`.

    >>> [plain_percent(Fraction(1, each)) for each in (3, 10**8, 3 * 10**20)]
    ['33.33 %', '0.000001 %', '3.333 × 10⁻¹⁹ %']
    """
    text = percent(share)
    number, exponent, power = text.removesuffix(" %").partition("e")
    if not exponent:
        return text
    if -int(power) > _MOST_PLACES:
        return f"{number} × 10{power.translate(_RAISED)} %"
    return f"{Decimal(number).scaleb(int(power)):f} %"


def chances(share: Fraction) -> str:
    """Return a share as `1 in N`, or as `all but 1 in N` for a share above 3/4.

    N has four significant digits below 1000, and is rounded to an integer from 1000 on.

    >>> chances(Fraction(2, 7)), chances(Fraction(3, 10**6)), chances(Fraction(9, 10))
    ('1 in 3.5', '1 in 333,333', 'all but 1 in 10')
    """
    if Fraction(3, 4) < share < 1:
        return f"all but {chances(1 - share)}"
    odds = 1 / share
    return f"1 in {digits(odds) if odds < 1000 else format(round(odds), ',')}"


def odds_text(chance: Fraction) -> str:
    """Return odds as people give them, the greater side first and rounded to the smaller.

    The chance is neither 0 nor 1.

    >>> odds_text(Fraction(234, 575)), odds_text(Fraction(3, 4)), odds_text(Fraction(1, 2))
    ('1.457 to 1 against', '3 to 1 on', 'even')
    """
    against = (1 - chance) / chance
    if against == 1:
        return "even"
    greater, side = (against, "against") if against > 1 else (1 / against, "on")
    return f"{digits(greater) if greater < 1000 else format(round(greater), ',')} to 1 {side}"


def digits(value: Fraction, precision: int = _DIGITS) -> str:
    """Return a value with `precision` significant digits; tiny values have an exponent.

    >>> digits(Fraction(290, 17)), digits(Fraction(-1, 10**9)), digits(Fraction(12))
    ('17.06', '-1e-9', '12')
    """
    context = Context(prec=precision, rounding=ROUND_HALF_EVEN)
    number = context.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize()
    exponent = number.adjusted()
    if not number or exponent >= -_DIGITS:
        return format(number, "f")
    return f"{number.scaleb(-exponent):f}e{exponent}"


def rounded(number: int, *, up: bool | None = None) -> int:
    """Return a number with three significant digits, rounded up, down or to the nearest (None).

    >>> rounded(12345, up=True), rounded(12345, up=False), rounded(12399), rounded(999)
    (12400, 12300, 12400, 999)
    """
    step = Fraction(10 ** max(0, len(str(number)) - 3))
    parts = number / step
    if up is None:
        return int(round(parts) * step)
    whole = -(-parts.numerator // parts.denominator) if up else int(parts)
    return int(whole * step)

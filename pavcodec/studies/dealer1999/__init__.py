"""The dealer of 1999: Pavlicek's method of that year, for comparison with exact dealing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import loader

if TYPE_CHECKING:
    from pavcodec.studies.dealer1999.dealer import Dealer1999, deals_as_in_1999
    from pavcodec.studies.dealer1999.limits import HandLimits, NotLimitsError
    from pavcodec.studies.dealer1999.matrix import DealFailedError

__all__ = ["DealFailedError", "Dealer1999", "HandLimits", "NotLimitsError", "deals_as_in_1999"]

_HOMES = {
    "DealFailedError": ".matrix",
    "Dealer1999": ".dealer",
    "HandLimits": ".limits",
    "NotLimitsError": ".limits",
    "deals_as_in_1999": ".dealer",
}

__getattr__ = loader(__name__, _HOMES)

"""Verifiable deals of tournaments: Big Deal's sequences of deals, and SquareDeal's events."""

from pavcodec.tournament.bigdeal import BigDealSeed, ripemd160
from pavcodec.tournament.event import (
    Description,
    Event,
    Keys,
    Phase,
    Session,
    create_event,
    open_event,
    with_value,
)
from pavcodec.tournament.verify import Comparison, Difference, compare, verdict

__all__ = [
    "BigDealSeed",
    "Comparison",
    "Description",
    "Difference",
    "Event",
    "Keys",
    "Phase",
    "Session",
    "compare",
    "create_event",
    "open_event",
    "ripemd160",
    "verdict",
    "with_value",
]

"""Verifiable deals of tournaments: Big Deal's sequences of deals, and SquareDeal's events."""

from pavcodec.tournament.bigdeal import BigDealSeed
from pavcodec.tournament.description import Description, Keys, Phase, with_value
from pavcodec.tournament.event import Event, Session
from pavcodec.tournament.files import create_event, open_event
from pavcodec.tournament.ripemd160 import ripemd160
from pavcodec.tournament.verdict import verdict
from pavcodec.tournament.verify import Comparison, Difference, compare

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

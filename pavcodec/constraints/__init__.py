"""Constraints: conditions on deals, and the numberings that they are.

The names are loaded when they are first used: reading a condition needs no arrays, and counting
needs no parser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import loader

if TYPE_CHECKING:
    from pavcodec.constraints.constrained import ConstrainedDeals
    from pavcodec.constraints.constrained_endings import ConstrainedEndings, endings
    from pavcodec.constraints.expressions import Expression, expression
    from pavcodec.constraints.levelling import Levelled, LevelRow, LevelTable, level
    from pavcodec.constraints.mixes import Mix, MixType, mix
    from pavcodec.constraints.shape_classes import shape_class, shape_function
    from pavcodec.constraints.share import Share
    from pavcodec.constraints.spaces import deals
    from pavcodec.constraints.tested import Acceptance, Estimate, TestedDeals

__all__ = [
    "Acceptance",
    "ConstrainedDeals",
    "ConstrainedEndings",
    "Estimate",
    "Expression",
    "LevelRow",
    "LevelTable",
    "Levelled",
    "Mix",
    "MixType",
    "Share",
    "TestedDeals",
    "deals",
    "endings",
    "expression",
    "level",
    "mix",
    "shape_class",
    "shape_function",
]

_HOMES = {
    "Acceptance": ".tested",
    "ConstrainedDeals": ".constrained",
    "ConstrainedEndings": ".constrained_endings",
    "Estimate": ".tested",
    "Expression": ".expressions",
    "LevelRow": ".levelling",
    "LevelTable": ".levelling",
    "Levelled": ".levelling",
    "Mix": ".mixes",
    "MixType": ".mixes",
    "Share": ".share",
    "TestedDeals": ".tested",
    "deals": ".spaces",
    "endings": ".constrained_endings",
    "expression": ".expressions",
    "level": ".levelling",
    "mix": ".mixes",
    "shape_class": ".shape_classes",
    "shape_function": ".shape_classes",
}

__getattr__ = loader(__name__, _HOMES)

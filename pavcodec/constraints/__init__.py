"""Constraints: conditions on deals, and the numberings of the deals that satisfy them.

Each name is loaded at its first use. So a program that only reads conditions does not import the
arrays, and a program that only counts does not import the parser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import loader

if TYPE_CHECKING:
    from pavcodec.constraints.counting.recent import forget_models
    from pavcodec.constraints.expressions import Expression, expression
    from pavcodec.constraints.known.arguments import position
    from pavcodec.constraints.known.play import Play
    from pavcodec.constraints.known.position import Position
    from pavcodec.constraints.mixes.level_table import LevelRow, LevelTable
    from pavcodec.constraints.mixes.levelling import Levelled, level
    from pavcodec.constraints.mixes.mixes import Mix, mix
    from pavcodec.constraints.mixes.types import MixType
    from pavcodec.constraints.shape_classes import shape_class, shape_function
    from pavcodec.constraints.spaces.constrained import ConstrainedDeals
    from pavcodec.constraints.spaces.constrained_endings import ConstrainedEndings, endings
    from pavcodec.constraints.spaces.deals import deals
    from pavcodec.constraints.spaces.estimate import Acceptance, Estimate
    from pavcodec.constraints.spaces.rejection import TestedDeals
    from pavcodec.constraints.spaces.share import Share
    from pavcodec.constraints.weighing.weighted_deals import WeightedDeals, weighted

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
    "Play",
    "Position",
    "Share",
    "TestedDeals",
    "WeightedDeals",
    "deals",
    "endings",
    "expression",
    "forget_models",
    "level",
    "mix",
    "position",
    "shape_class",
    "shape_function",
    "weighted",
]

_HOMES = {
    "Acceptance": ".spaces.estimate",
    "ConstrainedDeals": ".spaces.constrained",
    "ConstrainedEndings": ".spaces.constrained_endings",
    "Estimate": ".spaces.estimate",
    "Expression": ".expressions",
    "LevelRow": ".mixes.level_table",
    "LevelTable": ".mixes.level_table",
    "Levelled": ".mixes.levelling",
    "Mix": ".mixes.mixes",
    "MixType": ".mixes.types",
    "Play": ".known.play",
    "Position": ".known.position",
    "Share": ".spaces.share",
    "TestedDeals": ".spaces.rejection",
    "WeightedDeals": ".weighing.weighted_deals",
    "deals": ".spaces.deals",
    "endings": ".spaces.constrained_endings",
    "expression": ".expressions",
    "forget_models": ".counting.recent",
    "level": ".mixes.levelling",
    "mix": ".mixes.mixes",
    "position": ".known.arguments",
    "shape_class": ".shape_classes",
    "shape_function": ".shape_classes",
    "weighted": ".weighing.weighted_deals",
}

__getattr__ = loader(__name__, _HOMES)

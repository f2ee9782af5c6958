"""Which endings legal play can reach, why not the others, and a line of play for those it can."""

from pavcodec.legal.legality import Legality, legality
from pavcodec.legal.line import LineOfPlay, PlayedTrick

__all__ = ["Legality", "LineOfPlay", "PlayedTrick", "legality"]

"""Whether legal play can reach an ending, the reason if not, and a line of play if it can."""

from pavcodec.legal.legality import Legality, legality
from pavcodec.legal.line import LineOfPlay, PlayedTrick

__all__ = ["Legality", "LineOfPlay", "PlayedTrick", "legality"]

# The questions; each loads at its first use.

from pavcodec.questions.asking import Question
from pavcodec.questions.count import Count as Count
from pavcodec.questions.duplicates import Duplicates as Duplicates
from pavcodec.questions.formats import Formats as Formats
from pavcodec.questions.info import Info as Info
from pavcodec.questions.odds import Odds as Odds
from pavcodec.questions.rarity import Rare as Rare
from pavcodec.questions.shapes import Shapes as Shapes
from pavcodec.questions.stats import Stats as Stats

QUESTIONS: dict[str, str]

def question_named(name: str) -> type[Question]: ...

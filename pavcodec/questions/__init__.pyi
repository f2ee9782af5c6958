# The questions; each loads at its first use.

from pavcodec.questions.asking import Question
from pavcodec.questions.count import Count as Count
from pavcodec.questions.odds import Odds as Odds
from pavcodec.questions.practice import Practice as Practice
from pavcodec.questions.tournament import BigDeal as BigDeal
from pavcodec.questions.tournament import Club as Club
from pavcodec.questions.tournament import Create as Create
from pavcodec.questions.tournament import DealEvent as DealEvent
from pavcodec.questions.tournament import Value as Value
from pavcodec.questions.tournament import Verify as Verify

QUESTIONS: dict[str, str]

def question_named(name: str) -> type[Question]: ...

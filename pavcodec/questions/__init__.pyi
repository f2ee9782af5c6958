# The questions; each loads at its first use.

from pavcodec.questions.asking import Question
from pavcodec.questions.count import Count as Count
from pavcodec.questions.dealing import Dealing as Dealing
from pavcodec.questions.odds import Odds as Odds

QUESTIONS: dict[str, str]

def question_named(name: str) -> type[Question]: ...

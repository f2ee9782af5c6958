# The questions; each loads at its first use.

from pavcodec.questions.archives import Append as Append
from pavcodec.questions.archives import Get as Get
from pavcodec.questions.archives import Merge as Merge
from pavcodec.questions.archives import Pack as Pack
from pavcodec.questions.archives import Repair as Repair
from pavcodec.questions.archives import VerifyFiles as VerifyFiles
from pavcodec.questions.asking import Question
from pavcodec.questions.cases import Cases as Cases
from pavcodec.questions.checking import Check as Check
from pavcodec.questions.count import Count as Count
from pavcodec.questions.dealing import Dealing as Dealing
from pavcodec.questions.decode import Decode as Decode
from pavcodec.questions.duplicates import Duplicates as Duplicates
from pavcodec.questions.encode import Encode as Encode
from pavcodec.questions.ending import Ending as Ending
from pavcodec.questions.formats import Formats as Formats
from pavcodec.questions.grep import Grep as Grep
from pavcodec.questions.identify import Identify as Identify
from pavcodec.questions.info import Info as Info
from pavcodec.questions.numberings import Numberings as Numberings
from pavcodec.questions.odds import Odds as Odds
from pavcodec.questions.practice import Practice as Practice
from pavcodec.questions.practice import Situations as Situations
from pavcodec.questions.printing import Print as Print
from pavcodec.questions.rarity import Rare as Rare
from pavcodec.questions.rewriting import Convert as Convert
from pavcodec.questions.rewriting import TurnBoards as TurnBoards
from pavcodec.questions.rewriting import Unpack as Unpack
from pavcodec.questions.shapes import Shapes as Shapes
from pavcodec.questions.showing import Show as Show
from pavcodec.questions.solve import Solve as Solve
from pavcodec.questions.stats import Stats as Stats
from pavcodec.questions.tournament import BigDeal as BigDeal
from pavcodec.questions.tournament import Club as Club
from pavcodec.questions.tournament import Create as Create
from pavcodec.questions.tournament import DealEvent as DealEvent
from pavcodec.questions.tournament import Value as Value
from pavcodec.questions.tournament import Verify as Verify

QUESTIONS: dict[str, str]

def question_named(name: str) -> type[Question]: ...

"""All tasks, in the order in which the JSON interface lists them."""

from __future__ import annotations

from typing import Any

from pavcodec.web.tasks.deal.boards import DEAL
from pavcodec.web.tasks.deal.build import BUILD
from pavcodec.web.tasks.deal.check import CHECK
from pavcodec.web.tasks.deal.complete import COMPLETE
from pavcodec.web.tasks.deal.count import COUNT
from pavcodec.web.tasks.deal.files import DEAL_FILE
from pavcodec.web.tasks.deal.situations import SITUATIONS
from pavcodec.web.tasks.files.converting import CONVERT
from pavcodec.web.tasks.files.printing import PRINT
from pavcodec.web.tasks.files.reading import READ
from pavcodec.web.tasks.number.encode import ENCODE
from pavcodec.web.tasks.number.ending import ENDING, ENDING_FILE
from pavcodec.web.tasks.number.facts import FACTS
from pavcodec.web.tasks.number.identify import DECODE, IDENTIFY, RECOGNISE
from pavcodec.web.tasks.odds.tasks import ODDS, ODDS_FILE
from pavcodec.web.tasks.practice.boards import PRACTICE
from pavcodec.web.tasks.practice.files import PRACTICE_FILE
from pavcodec.web.tasks.task import Task
from pavcodec.web.tasks.today import TODAY
from pavcodec.web.tasks.tournament.bigdeal import BIG_DEAL, BIG_DEAL_FILE
from pavcodec.web.tasks.tournament.deal import DEAL as TOURNAMENT_DEAL
from pavcodec.web.tasks.tournament.deal import DEAL_FILE as TOURNAMENT_FILE
from pavcodec.web.tasks.tournament.make import MAKE
from pavcodec.web.tasks.tournament.verify import VERIFY

__all__ = ["TASKS"]

TASKS: tuple[Task[Any, Any], ...] = (
    TODAY,
    CHECK,
    BUILD,
    COMPLETE,
    COUNT,
    DEAL,
    DEAL_FILE,
    SITUATIONS,
    ODDS,
    ODDS_FILE,
    DECODE,
    READ,
    CONVERT,
    PRINT,
    MAKE,
    TOURNAMENT_DEAL,
    TOURNAMENT_FILE,
    VERIFY,
    BIG_DEAL,
    BIG_DEAL_FILE,
    IDENTIFY,
    RECOGNISE,
    ENCODE,
    FACTS,
    ENDING,
    ENDING_FILE,
    PRACTICE,
    PRACTICE_FILE,
)

"""All tasks, in the order in which the JSON interface lists them."""

from __future__ import annotations

from typing import Any

from pavcodec.web.tasks.conditions import BUILD, CHECK, COMPLETE
from pavcodec.web.tasks.deal import COUNT, DEAL, DEAL_FILE
from pavcodec.web.tasks.files.converting import CONVERT
from pavcodec.web.tasks.files.reading import PRINT, READ
from pavcodec.web.tasks.number import (
    DECODE,
    ENCODE,
    ENDING,
    ENDING_FILE,
    IDENTIFY,
    SOLVE,
)
from pavcodec.web.tasks.odds import ODDS, ODDS_FILE
from pavcodec.web.tasks.practice import PRACTICE, PRACTICE_FILE
from pavcodec.web.tasks.simple import SIMPLE
from pavcodec.web.tasks.task import Task
from pavcodec.web.tasks.tournament import BIG_DEAL, BIG_DEAL_FILE, MAKE, VERIFY
from pavcodec.web.tasks.tournament import DEAL as TOURNAMENT_DEAL
from pavcodec.web.tasks.tournament import DEAL_FILE as TOURNAMENT_FILE

TASKS: tuple[Task[Any, Any], ...] = (
    CHECK,
    BUILD,
    COMPLETE,
    COUNT,
    DEAL,
    DEAL_FILE,
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
    ENCODE,
    SOLVE,
    ENDING,
    ENDING_FILE,
    PRACTICE,
    PRACTICE_FILE,
    *SIMPLE.values(),
)

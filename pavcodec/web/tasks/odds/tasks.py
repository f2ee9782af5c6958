"""The tasks of odds: an answer, and the distribution as a file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from pavcodec.constraints.spaces.share import Share, chance_row, root
from pavcodec.errors import PavError
from pavcodec.odds.distributions import (
    Distribution,
    SampledDistribution,
    WeightedDistribution,
)
from pavcodec.odds.figures import odds_text
from pavcodec.web.tasks.exact import chance_of, decimal
from pavcodec.web.tasks.media import file_of, media_types
from pavcodec.web.tasks.odds.answering import Found, result_of
from pavcodec.web.tasks.odds.drawing import draw
from pavcodec.web.tasks.odds.question import (
    Average,
    OddsAnswer,
    OddsFile,
    OddsQuestion,
    ValueChance,
)
from pavcodec.web.tasks.odds.sameness import command_of, python_of
from pavcodec.web.tasks.task import Download, Task

__all__ = ["ODDS", "ODDS_FILE"]


def answer_odds(question: OddsQuestion) -> OddsAnswer:
    """Return the odds of an event, or the distribution of a number or a pair."""
    found = result_of(question)
    result = found.result
    facts: dict[str, Any] = {"chance": None, "odds": None, "values": (), "average": None}
    if isinstance(result, Distribution | SampledDistribution):
        is_exact = isinstance(result, Distribution)
        total = None if isinstance(result, WeightedDistribution) else result.total
        facts |= {"values": tuple(_values(result)), "average": _average(found)}
    else:
        is_exact = isinstance(result, Fraction)
        total = result.tried if isinstance(result, Share) else None
        facts |= {"chance": chance_of(result)}
        if isinstance(result, Fraction) and 0 < result < 1:
            facts["odds"] = odds_text(result)
    return OddsAnswer(
        kind=found.kind,
        titles=found.titles,
        exact=is_exact,
        notes=found.notes,
        total=total,
        **facts,
        command=command_of(question, found),
        python=python_of(question, found),
    )


def _values(result: Distribution[Any] | SampledDistribution[Any]) -> Iterator[ValueChance]:
    is_weighted = isinstance(result, WeightedDistribution)
    for value, chance in result.items():
        yield ValueChance(
            value=value if isinstance(value, tuple) else (value,),
            deals=None if is_weighted else result.counts[value],
            chance=chance_of(chance),
        )


def _average(found: Found) -> Average | None:
    result = found.result
    if found.kind != "number" or not isinstance(result, Distribution | SampledDistribution):
        return None
    error = None
    if isinstance(result, SampledDistribution) and result.total > 1:
        error = decimal(result.standard_error)
    return Average(
        mean=result.mean,
        mean_decimal=decimal(result.mean),
        variance=result.variance,
        deviation=decimal(root(result.variance)),
        error=error,
    )


def make_odds_file(question: OddsFile) -> Download:
    """Return the distribution of a number or of a pair as a file."""
    found = result_of(question)
    name = f"odds.{question.to}"
    if question.to == "json":
        text = f"{json.dumps(_json_row(found))}\n"
    elif question.to == "csv":
        text = _csv(found)
    else:
        if found.kind == "event":
            raise PavError("an event has one probability and no drawing: choose csv or json")
        text = draw(answer_odds(question), found.given)
    return file_of(name, text.encode())


def _json_row(found: Found) -> dict[str, Any]:
    """Return the answer as `pavcodec odds --json` prints it."""
    result = found.result
    if isinstance(result, Distribution | SampledDistribution):
        return {"numbers": [*found.titles], **result.to_dict()}
    return {"event": found.titles[0], **chance_row(result)}


def _csv(found: Found) -> str:
    """Return a row for each value: the value, its deals, and its probability."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    result = found.result
    chances = (
        [(str(*found.titles), None, result)]
        if isinstance(result, Fraction | Share)
        else [(value, result.counts[value], chance) for value, chance in result.items()]
    )
    estimated = isinstance(chances[0][2], Share)
    heads = ["event"] if found.kind == "event" else [*found.titles]
    heads += [] if found.kind == "event" else [_counted(found)]
    heads += ["estimate", "from", "to"] if estimated else ["probability", "decimal"]
    writer.writerow(heads)
    for value, count, chance in chances:
        row: list[object] = [*value] if isinstance(value, tuple) else [value]
        row += [] if count is None else [count]
        if isinstance(chance, Share):
            row += [decimal(each) for each in (chance.value, chance.low, chance.high)]
        else:
            row += [str(chance), decimal(chance)]
        writer.writerow(row)
    return out.getvalue()


def _counted(found: Found) -> str:
    return "weight" if isinstance(found.result, WeightedDistribution) else "deals"


ODDS = Task(
    "odds",
    "Return the odds of an event, or how a number or a pair of numbers is distributed.",
    answer_odds,
    OddsQuestion(event="spades(east)", given="spades(north) + spades(south) == 9"),
)
ODDS_FILE = Task(
    "odds/file",
    "Return the distribution of a number or of a pair as CSV, JSON or SVG.",
    make_odds_file,
    OddsFile(event="hcp(north)", hands=("S AKQ2.K85.AJ4.T63",), to="csv"),
    media_types([".csv", ".json", ".svg"]),
)

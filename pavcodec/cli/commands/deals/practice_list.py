"""The list of situations, and all facts of one."""

from __future__ import annotations

import json

from pavcodec.cli.output.tables import fact_lines, print_table
from pavcodec.odds.figures import chances
from pavcodec.practice import LEVELS, Question, Situation, situation, situation_names

__all__ = ["list_situations"]


def list_situations(chosen: Situation | None, *, as_json: bool) -> None:
    """Print all situations, or everything about one."""
    every = [situation(name) for name in situation_names()]
    if as_json:
        rows = list(map(_row, every))
        print(json.dumps(rows if chosen is None else _row(chosen), indent=2))
    elif chosen is None:
        print_table(
            ("situation", "deals", "chance", "what it is"),
            [
                (one.name, f"{one.cardinality:,}", chances(one.probability), one.summary)
                for one in every
            ],
            folds=True,
        )
    else:
        print(*fact_lines(_lines(chosen), 11), sep="\n")


def _lines(one: Situation) -> tuple[tuple[str, str], ...]:
    """Return the heads and values of a situation."""
    question = one.question
    return (
        ("situation", one.name),
        ("title", one.title),
        ("what", one.summary),
        ("dealer", one.dealer.name.title()),
        ("deals", f"{one.cardinality:,}"),
        ("chance", f"{one.probability}: {chances(one.probability)}"),
        ("condition", one.where),
        *((level, one.difficulty.meaning(level)) for level in LEVELS),
        *((("decision", _decision(question)),) if question else ()),
    )


def _decision(question: Question) -> str:
    """Return the key decision in words."""
    return f"{question.asker.name.title()}: what is the chance that {question.text}?"


def _row(one: Situation) -> dict[str, object]:
    """Return a situation for JSON."""
    question = one.question
    return {
        "name": one.name,
        "title": one.title,
        "summary": one.summary,
        "dealer": one.dealer.letter,
        "cardinality": str(one.cardinality),
        "probability": str(one.probability),
        "where": one.where,
        "difficulty": {
            level: {
                "meaning": one.difficulty.meaning(level),
                "where": one.difficulty.where(level),
            }
            for level in LEVELS
        },
        "question": None
        if question is None
        else {
            "seat": question.asker.letter,
            "meaning": question.text,
            "event": question.event,
        },
    }

"""The session of a practice set: its topics, and the command that makes it again."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator

from pavcodec.cli.commands.deals.deal_sources import Draw
from pavcodec.cli.commands.deals.practice_topics import Choice
from pavcodec.cli.options.event_tags import EventTags
from pavcodec.cli.output.progress import waiting
from pavcodec.practice.exercises import PracticeSession
from pavcodec.practice.topics import title_of

__all__ = ["session_of"]


def session_of(
    args: argparse.Namespace, choice: Choice, event: EventTags, draw: Draw, odds: str
) -> PracticeSession:
    """Return the values that the boards of a run share."""
    return PracticeSession(
        choice.topics,
        draw.count,
        draw.seed,
        draw.start,
        odds,
        event.title or event.tags.get("Event") or title_of(choice.topics),
        shlex.join(_words(args, draw)),
        tags=event.tags,
        difficulty=args.difficulty,
        script=args.script,
        busy=waiting,
    )


def _words(args: argparse.Namespace, draw: Draw) -> Iterator[str]:
    yield from ("pavcodec", "practice")
    yield from _option("-f", args.script)
    for cards in args.predeal:
        yield from ("--predeal", cards)
    yield from _option("--template", args.template)
    yield from ("-n", str(draw.count), "--seed", str(draw.seed))
    yield from _option("--start", args.start or None)
    yield from _option("--hands", args.hands if args.hands != "all" else None)
    yield from ["--turn"] if args.turn else []
    yield from _option("--dealer", None if args.dealer is None else args.dealer.letter)
    yield from _option("--vulnerable", None if args.vulnerable is None else args.vulnerable.value)
    yield from _option("--difficulty", args.difficulty)
    yield from _words_of_types(args)
    for name in ("event", "site", "date", "session", "title"):
        yield from _option(f"--{name}", getattr(args, name))
    yield from ["--solve"] if args.solve else []
    yield from _option("--odds", args.odds)
    words = args.situations
    yield from ["--"] if any(word[:1] == "-" for word in words) else []
    yield from words


def _words_of_types(args: argparse.Namespace) -> Iterator[str]:
    """Yield the options of types."""
    for option in ("level", "shares", "without"):
        for value in getattr(args, option):
            yield f"--{option}={value}" if value else f"--{option}"
    yield from _option("--condition", args.condition)
    if args.interleave is not None:
        yield "--interleave" if args.interleave else "--no-interleave"


def _option(name: str, value: object) -> tuple[str, ...]:
    """Return an option with its value; nothing for None."""
    return () if value is None else (name, str(value))

"""The options of the event that boards belong to, for commands that ask no question yet."""

from __future__ import annotations

import argparse

from pavcodec.cli.asking import add_fields, question_of
from pavcodec.questions.events import EventTags, OfEvent


def add_event_tags(parser: argparse.ArgumentParser) -> None:
    """Add the options of the event."""
    add_fields(parser, OfEvent)


def event_tags(args: argparse.Namespace) -> EventTags:
    """Return the tags and the title of the options."""
    return question_of(args, OfEvent).event_tags

"""`pavcodec squaredeal club`: a club's set of boards and its proof, in two steps or in one."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from textwrap import wrap

from pavcodec.cli.commands.tournaments.squaredeal_options import (
    ADVICE_OF_ONE_STEP,
    advice_after,
    advice_before,
)
from pavcodec.cli.options.event_tags import EventTags, add_event_tags, event_tags
from pavcodec.cli.options.sessions import refuse_together
from pavcodec.cli.output.streams import complain
from pavcodec.cli.output.targets import UsageError, add_force, refuse_existing
from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError
from pavcodec.files.opening import open_output
from pavcodec.formats import Format, format_of
from pavcodec.questions.tables import WIDTH
from pavcodec.tournament import Description, Event, create_event, open_event, with_value
from pavcodec.tournament.event import (
    NO_DELAY,
    NO_VALUE,
    club_phase,
    description_in,
    file_stem,
    remarks_of,
    tags_in,
)
from pavcodec.tournament.notice import deal_files, notice_of, notice_pages

TEXTS = (
    """\
  pavcodec squaredeal club --boards 24 --title Tuesday \\
    --delayed 'DJI, close of 23 November 2026, as 12345.67'
  pavcodec squaredeal club --title Tuesday --value 40829.12 --to dlm
  pavcodec squaredeal club --boards 1-12,13-24 --sessions 2 --title Pairs --date 2026-11-24""",
    """\
club works in two steps. The first step draws the keys, and writes the description, the keys and a
notice for the players into a new folder. Publish the notice. When the delayed value is known, the
second step, with --value, adds it to the description and deals. So nobody could choose the deals.
The second step finds the set by --folder, or by the same --title and --date.

Without --delayed there is one step, and the deals are made with the keys. Publish the notice before
the play. This proves that the deals were fixed then, and that nobody changed one later or composed
one by hand. It does not prove that there was only one set: the organiser could make many sets and
publish the one he likes.

The boards are a number, or a list that the sessions use in turn, such as 1-12,13-24; 2x12 is short
for 1-12,13-24. --to adds files for dealing machines and other programs to the PBN files; the
command may be repeated with other formats, and makes the same deals. The hand records have the hash
in their footer; 'pavcodec print' makes other layouts and solutions. club never replaces keys,
descriptions and notices; --force replaces only files of deals.""",
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `club`."""
    group = option_group(parser, "set")
    group.add_argument("--boards", metavar="N", help="the boards of a session, such as 24 or 1-24")
    group.add_argument(
        "--sessions",
        type=_count,
        default=1,
        metavar="N",
        help="the number of sessions (default: 1)",
    )
    group.add_argument(
        "--delayed",
        metavar="TEXT",
        help="information that nobody knows when you publish, in unambiguous words",
    )
    group.add_argument(
        "--value", metavar="VALUE", help="the delayed value, exactly as published: deal the set"
    )
    add_event_tags(parser)
    output = option_group(parser, "output")
    output.add_argument(
        "--folder",
        metavar="FOLDER",
        help="the folder of the set (default: named by title and date)",
    )
    output.add_argument(
        "--to",
        dest="to_formats",
        action="append",
        default=[],
        metavar="FORMAT",
        help="write the deals also in this format; once for each format",
    )
    output.add_argument(
        "--records", action="store_true", help="write hand records, as HTML and PDF"
    )
    add_force(parser)
    output.add_argument("--json", action="store_true", help="print JSON for other programs")


def _count(text: str) -> int:
    """Return the number of sessions of an argument, for argparse."""
    if not text.isdecimal() or not 1 <= int(text) <= 99:
        raise argparse.ArgumentTypeError(f"expected a number of sessions, 1 to 99, not {text!r}")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Make a set, or deal it."""
    tags = event_tags(args)
    formats = _formats(args.to_formats)
    folder = args.folder or _folder(tags)
    if _has_set(folder):
        return _second_step(args, folder, tags, formats)
    if args.value is not None and args.boards is None:
        raise UsageError(f"{folder} has no set of boards: name its folder with --folder")
    return _first_step(args, folder, tags, formats)


def _formats(names: Sequence[str]) -> list[Format]:
    """Return the formats of the deals; raise `UsageError` if two of them have the same suffix."""
    by_name = {format_.name: format_ for format_ in map(format_of, ("pbn", *names))}
    by_suffix: dict[str, str] = {}
    for format_ in by_name.values():
        suffix = format_.suffixes[0] if format_.suffixes else ".txt"
        if suffix in by_suffix:
            raise UsageError(
                f"{by_suffix[suffix]} and {format_.name} have the same suffix {suffix}"
            )
        by_suffix[suffix] = format_.name
    return list(by_name.values())


def _folder(tags: EventTags) -> str:
    """Return the folder of a set that is named by its title and its date."""
    name = tags.title or tags.tags.get("Event", "")
    if not name:
        raise UsageError("name the set with --title, or its folder with --folder")
    return file_stem(name, tags.tags.get("Date", ""))


def _has_set(folder: str) -> bool:
    """Return whether a folder has a description or keys."""
    if not os.path.isdir(folder):
        return False
    return any(name.lower().endswith((".sqd", ".sqk")) for name in os.listdir(folder))


def _first_step(
    args: argparse.Namespace, folder: str, tags: EventTags, formats: Sequence[Format]
) -> int:
    """Make a new set; deal it if there is no delayed information."""
    refuse_together((("--value", args.value is not None, "--boards", args.boards),))
    if args.boards is None:
        raise UsageError("a new set needs --boards, as in --boards 24")
    if args.delayed is not None and (args.to_formats or args.records):
        raise UsageError("--to and --records belong to the second step, with --value")
    name = tags.title or tags.tags.get("Event", "")
    if not name:
        raise UsageError("a new set needs --title, as in --title Tuesday")
    stem = file_stem(name, tags.tags.get("Date", ""))
    try:
        phase = club_phase(stem, args.boards, args.sessions, tags.tags.get("Session", ""))
    except PavError as error:
        raise UsageError(f"--boards: {error}") from None
    os.makedirs(folder, exist_ok=True)
    event = create_event(
        os.path.join(folder, f"{stem}.sqd"),
        name=tags.tags["Event"],
        delayed=NO_DELAY if args.delayed is None else args.delayed,
        phases=[phase],
        value=NO_VALUE if args.delayed is None else None,
        remarks=remarks_of(tags.tags),
    )
    notices = _notice_files(event, tags.tags)
    files = [] if args.delayed is not None else _deal(event, folder, tags.tags, formats, args)
    if args.json:
        _print_json(event, notices, files)
        return 0
    _print_set(event, notices, files)
    _advise(advice_before(event) if args.delayed is not None else ADVICE_OF_ONE_STEP)
    return 0


def _second_step(
    args: argparse.Namespace, folder: str, tags: EventTags, formats: Sequence[Format]
) -> int:
    """Deal a set that exists, with the delayed value."""
    path = description_in(folder)
    with open(path, "rb") as stream:
        data = stream.read()
    described = Description.parse(data, path)
    if args.boards is not None or args.delayed is not None:
        raise UsageError(
            f"{folder} has the set of {described.name!r} already, and keys are never drawn again: "
            "use --date or another --folder for a new set"
        )
    if args.value is None and described.value is None:
        raise UsageError(
            f"the set waits for {described.delayed!r}: deal it with --value when this is known"
        )
    if args.value is not None:
        data = with_value(data, args.value, path)
    event = open_event(path)
    is_new = described.value is None
    event = Event(Description.parse(data, path), event.keys, path)
    shown = tags_in(data) | {key: one for key, one in tags.tags.items() if key != "Event"}
    if args.event:
        shown["Event"] = args.event
    advice = advice_after(event) if is_new else ()
    if is_new:
        with open_output(path, durable=True) as out:
            out.write(data)
    files = _deal(event, folder, shown, formats, args)
    notices = _notice_files(event, tags_in(data))
    if args.json:
        _print_json(event, notices, files)
        return 0
    print(f"value    {event.description.value}")
    for file in files:
        print(f"deals    {file}")
    _advise(advice)
    return 0


def _deal(
    event: Event,
    folder: str,
    tags: Mapping[str, str],
    formats: Sequence[Format],
    args: argparse.Namespace,
) -> list[str]:
    """Write the deals of each session in each format, and return the paths of the files.

    A file that has the same bytes already is left as it was.
    """
    made = {
        os.path.join(folder, name): data
        for name, data in deal_files(
            event, formats, tags, records=args.records, note=complain
        ).items()
    }
    new = {path: data for path, data in made.items() if not _holds(path, data)}
    refuse_existing(new, force=args.force)
    for path, data in new.items():
        with open_output(path) as out:
            out.write(data)
    return list(made)


def _holds(path: str, data: bytes) -> bool:
    """Return whether a file has these bytes."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as stream:
        return stream.read() == data


def _print_set(event: Event, notices: Sequence[str], files: Sequence[str]) -> None:
    """Print what to publish and what to keep."""
    print(f"publish  {event.source}")
    for path in notices:
        print(f"publish  {path}")
    print(f"hash     {event.keys.hash}")
    print(f"keep     {event.keys.source}")
    for file in files:
        print(f"deals    {file}")


def _advise(texts: Iterable[str]) -> None:
    """Print advice on the error stream, after the results, in lines of at most 80 characters."""
    sys.stdout.flush()
    for text in texts:
        for line in wrap(
            " ".join(text.split()), WIDTH, break_on_hyphens=False, break_long_words=False
        ):
            complain(line)


def _print_json(event: Event, notices: Sequence[str], files: Sequence[str]) -> None:
    """Print the set as a JSON object."""
    row = {
        "event": event.description.name,
        "description": event.source,
        "keys": event.keys.source,
        "hash": event.keys.hash,
        "delayed": event.description.delayed,
        "value": event.description.value,
        "notices": list(notices),
        "deals": list(files),
    }
    print(json.dumps(row, indent=2))


def _notice_files(event: Event, tags: Mapping[str, str]) -> list[str]:
    """Write the notice beside the description, and return the paths of its files.

    An existing notice is left as it was, since it may be published already. The PDF needs the extra
    `pdf`.
    """
    stem = os.path.splitext(event.source)[0]
    notice = notice_of(event, tags)
    files = {f"{stem}-notice.txt": notice.text().encode()} | notice_pages(notice, stem)
    for path, data in files.items():
        with suppress(FileExistsError), open_output(path, fresh=True) as out:
            out.write(data)
    return list(files)

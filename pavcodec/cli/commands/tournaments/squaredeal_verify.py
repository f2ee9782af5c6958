"""`pavcodec squaredeal verify`: the deals of an event, made again and compared."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator
from textwrap import wrap

from pavcodec.boards import Board
from pavcodec.chances.figures import many
from pavcodec.cli.commands.tournaments.squaredeal_options import add_numbering, rows
from pavcodec.cli.output.streams import add_common, add_reading, complain, open_binary_output
from pavcodec.cli.output.targets import UsageError, refuse_same_file
from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError
from pavcodec.formats.registry import format_by_suffix
from pavcodec.numberings import Numbering, numbering
from pavcodec.questions.inputs import Problems, boards_of, name_of, named_format
from pavcodec.questions.tables import WIDTH, fact_lines
from pavcodec.tournament import Comparison, Difference, Event, compare, open_event, verdict
from pavcodec.tournament.event import (
    NO_DELAY,
    description_in,
    is_key_file,
    key_path,
    parse_hash,
    tags_in,
)
from pavcodec.tournament.notice import notice_faults

TEXTS = (
    """\
  pavcodec squaredeal verify tuesday
  pavcodec squaredeal verify club.sqd club.sqk C1.pbn C2.pbn
  pavcodec squaredeal verify tuesday --hash HEX
  pavcodec squaredeal verify --json club.sqd club.sqk C1.pbn""",
    """\
EVENT is the description, or the folder with it. Without EVENT.sqk, the keys are the file beside the
description; without DEALS, verify then compares the files beside the description that have the
names of sessions. The first lines say in words what verify found and what it proves.

The hash of the keys must be that of the description, and there must be a key for each session. A
board of a file belongs to the session of its tag Session; else to the session of the file's name,
such as OPRR01.pbn or OPRR01-02.pbn; else to the session of the board before it, or to the session
that has its deal. A deal, a dealer or a vulnerability may differ. verify prints each difference as
a line on the error stream; a file of many deals that are all wrong is one difference.

A file with the name of a session is incomplete if it lacks a board that another file has; without
DEALS, if it lacks any board of the session. verify names such files, files without deals, and a
notice beside the description, EVENT-notice.txt, with another title, number of boards, fingerprint
or delayed information. The exit code is 1 for these and for differences. verify also reports boards
that no file has; without such a fault they are no difference, since a match may end early.

--json prints an object with "boards", each with "session" (phase and number), "name", "board",
"number" and "deal", and with "differences" and "faults".""",
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of `verify`."""
    parser.add_argument(
        "description", metavar="EVENT", help="the description EVENT.sqd, or the folder with it"
    )
    parser.add_argument(
        "keys", nargs="?", metavar="EVENT.sqk", help="the keys (default: beside the description)"
    )
    parser.add_argument("files", nargs="*", metavar="DEALS", help="files with the deals played")
    option_group(parser, "event").add_argument(
        "--hash",
        metavar="HEX",
        help="the SHA-256 of the keys that you kept from the notice, to compare with the keys",
    )
    add_numbering(parser)
    add_reading(parser)
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Make all deals again, and compare them with the played deals."""
    ranks = numbering(args.numbering)
    kept = _kept(args.hash)
    problems = Problems(strict=args.strict)
    from_format = named_format(args)
    description = args.description
    if os.path.isdir(description):
        description = description_in(description)
    keys, files = _keys_and_files(description, args.keys, args.files)
    event = open_event(description, keys)
    if args.keys is None:
        files = _deals_beside(event, description)
    args.files = files
    played: Iterable[tuple[str, Board]] = ()
    if files:
        played = boards_of(files, problems, format_name=from_format, ranks=ranks)
    refuse_same_file([description, keys, *files], args.output)
    result = compare(event, played, files=map(name_of, files), whole=args.keys is None)
    result.faults += _notice_faults(event, description)
    for difference in (*result.differences, *result.faults, *result.missing):
        complain(str(difference))
    is_empty = bool(files) and result.agrees and not result.deals and not problems.count
    if is_empty:
        complain(f"{', '.join(files)}: no deals to compare")
    with open_binary_output(args.output) as out:
        if args.json:
            out.write(f"{json.dumps(_object(event, result, ranks), indent=2)}\n".encode())
        else:
            lines = [
                line for text in verdict(event, result, kept) for line in wrap(text, WIDTH) or [""]
            ]
            lines += ["", *fact_lines(_summary(event, result, args), 10)]
            out.write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    is_other = bool(kept) and kept != event.keys.hash
    return 1 if is_other or is_empty or not result.agrees else problems.exit_code


def _kept(text: str | None) -> str:
    """Return the hash of `--hash`; "" without the option."""
    if text is None:
        return ""
    try:
        return parse_hash(text)
    except PavError as error:
        raise UsageError(f"--hash: {error}") from None


def _keys_and_files(description: str, keys: str | None, files: list[str]) -> tuple[str, list[str]]:
    """Return the key file and the files of deals; the second argument may be either."""
    if keys is None:
        return key_path(description), files
    if is_key_file(keys):
        return keys, files
    return key_path(description), [keys, *files]


def _deals_beside(event: Event, description: str) -> list[str]:
    """Return the files beside a description that have names of sessions and can be read."""
    folder = os.path.dirname(description)
    paths = []
    for name in sorted(os.listdir(folder or os.curdir)):
        stem, suffix = os.path.splitext(name)
        if suffix and event.named(stem) and _is_read(name):
            paths.append(os.path.join(folder, name))
    return paths


def _notice_faults(event: Event, description: str) -> Iterator[Difference]:
    """Yield what the notice beside a description says otherwise, if there is one."""
    path = f"{os.path.splitext(description)[0]}-notice.txt"
    if os.path.isfile(path):
        with open(description, "rb") as stream:
            tags = tags_in(stream.read())
        with open(path, encoding="utf-8", errors="replace") as text:
            yield from notice_faults(event, tags, text.read(), path)


def _is_read(name: str) -> bool:
    """Return whether the suffix of a file is that of a format that can be read."""
    suited = format_by_suffix(name)
    return suited is not None and suited.is_read


def _summary(
    event: Event, result: Comparison, args: argparse.Namespace
) -> Iterator[tuple[str, str]]:
    """Yield the lines of the summary as (head, text)."""
    described = event.description
    known = [session for session in event.sessions if session.boards is not None]
    deals = sum(len(session.boards or ()) for session in known)
    yield "event", described.name
    value = "" if described.delayed == NO_DELAY else f": {described.value}"
    yield "delayed", f"{described.delayed}{value}"
    yield "keys", f"as published, SHA-256 {event.keys.hash}"
    yield "dealt", f"{many(deals, 'deal')} of {many(len(known), 'session')}"
    if args.files:
        yield "played", _played(result)


def _played(result: Comparison) -> str:
    """Return the number of deals that were compared, and whether they differ."""
    deals = many(result.deals, "deal")
    if not result.deals:
        return "no deals"
    if len(result.wrong) == result.boards > 1:
        return f"{deals}, none as dealt"
    wrong = len(result.differences)
    told = many(wrong, "difference") if wrong else "all as dealt"
    return f"{deals} of {many(len(result.sessions), 'session')}: {told}"


def _object(event: Event, result: Comparison, ranks: Numbering) -> dict[str, object]:
    """Return the result as a JSON object."""
    extra = [session for session in result.sessions if session not in event.sessions]
    sessions = [session for session in (*event.sessions, *extra) if session.boards is not None]
    return {
        "event": event.description.name,
        "delayed": event.description.delayed,
        "value": event.description.value,
        "hash": event.keys.hash,
        "boards": [row for session in sessions for row in rows(event, session, ranks, None)],
        "compared": result.deals,
        "differences": [_difference(difference) for difference in result.differences],
        "faults": [_difference(difference) for difference in result.faults],
        "missing": [_difference(difference) for difference in result.missing],
    }


def _difference(difference: Difference) -> dict[str, object]:
    return {
        "file": difference.source,
        "line": difference.line,
        "session": difference.session,
        "board": difference.board,
        "reason": difference.reason,
    }

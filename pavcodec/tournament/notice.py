"""The page that explains a club's set to its players: what is published, and how to check it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from io import BytesIO
from itertools import chain, islice
from os.path import basename
from textwrap import wrap
from typing import BinaryIO, Protocol

from pavcodec._version import __version__
from pavcodec.boards import Board, Context
from pavcodec.errors import PavError
from pavcodec.printing.document import Document, Notes
from pavcodec.printing.html import html_document
from pavcodec.printing.pages import board_document
from pavcodec.solving.double_dummy import solved_boards
from pavcodec.tournament.bigdeal import BigDealSeed
from pavcodec.tournament.event import NO_DELAY, Event, Session
from pavcodec.tournament.verify import Difference

_WIDTH = 78
_DELAYED, _FINGERPRINT = "The value that nobody knows yet", "The fingerprint of the keys"
_FIXED = """\
The director drew secret keys, and publishes their fingerprint (a hash, SHA-256) now. Nobody can
exchange a key afterwards without changing the fingerprint.

The deals also depend on a value that nobody knows yet. When it is known, the program computes the
deals from the keys and the value. So neither the director nor anybody else can choose the deals."""
_FIXED_WITHOUT_DELAY = """\
A program drew secret keys and computed the deals from them. The director publishes the fingerprint
of the keys (a hash, SHA-256) before the play.

This proves that the deals were fixed then, that nobody changed a deal afterwards, and that nobody
composed a deal by hand.

It does not prove that the director made only one set: without a value from outside, a director
could make many sets, see them, and publish the one he likes."""
_CHECK = """\
1. Keep this page. After the last session, the director publishes the files {description} and
{keys}, and the deals.

2. Compute the SHA-256 of {keys}. It must be the fingerprint on this page. {value}

3. Compute the deals again from {description} and {keys}, and compare them with your hand records:
with pavcodec (the commands below), or with SquareDeal of the program Big Deal."""
_VALUE = "The value in the line DV of {description} must be the right one, in the same spelling."


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its paragraphs; `fixed` lines are hashes and commands, which never fold."""

    heading: str
    paragraphs: tuple[str, ...]
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice: its title, lines with the facts of the event, its sections, and the hash."""

    title: str
    lines: tuple[str, ...]
    sections: tuple[Section, ...]
    hash: str

    def text(self) -> str:
        """Return the notice as plain text, in lines of at most 78 characters."""
        blocks = ["\n".join([self.title, "=" * len(self.title), *self.lines])]
        for section in self.sections:
            heading = f"{section.heading}\n{'-' * len(section.heading)}"
            if section.fixed:
                blocks += ["\n".join([heading, *(f"    {line}" for line in section.paragraphs)])]
                continue
            texts = [
                "\n".join(wrap(paragraph, _WIDTH, break_on_hyphens=False))
                for paragraph in section.paragraphs
            ]
            blocks += [f"{heading}\n{texts[0]}", *texts[1:]]
        return "\n\n".join(blocks) + "\n"


def notice_of(event: Event, tags: Mapping[str, str] | None = None) -> Notice:
    """Return the notice of a club's set; `tags` has its date and its site, if they are known.

    It does not depend on the delayed value, so it is the same before and after the play.
    """
    tags = tags or {}
    described = event.description
    boards = sum(len(session.boards or ()) for session in event.sessions)
    sessions = len(event.sessions)
    size = f"{boards} boards" + (f" in {sessions} sessions" if sessions > 1 else "")
    facts = [tags.get("Date", "").replace(".", "-"), tags.get("Site", ""), size]
    has_delay = described.delayed != NO_DELAY
    return Notice(
        title=f"{described.name}: boards that anybody can check",
        lines=tuple(filter(None, facts)),
        sections=tuple(
            chain(_before(event, has_delay=has_delay), _after(event, has_delay=has_delay))
        ),
        hash=event.keys.hash,
    )


def notice_faults(
    event: Event, tags: Mapping[str, str], text: str, source: str
) -> Iterator[Difference]:
    """Yield what a published notice says otherwise than the description; `source` names its file.

    The title, the date, the site, the number of boards, the words of the delayed value and the
    fingerprint are compared, and no other words, which differ among versions.
    """
    said = _facts(text)
    for what, wanted in _facts(notice_of(event, tags).text()).items():
        published = said.get(what, "")
        if published != wanted:
            reason = f"{what}: {published!r} in the notice, {wanted!r} by the description"
            yield Difference(source, None, None, None, reason)


def _facts(text: str) -> dict[str, str]:
    """Return the title, the facts and the fixed lines of a notice, by what they are."""
    first, *sections = [block.splitlines() for block in re.split(r"\r?\n\r?\n", text)]
    facts = {"title": first[0] if first else "", "boards": ", ".join(first[2:])}
    names = {_DELAYED: "delayed information", _FINGERPRINT: "fingerprint"}
    for heading, *lines in filter(None, sections):
        if heading in names:
            facts[names[heading]] = " ".join(" ".join(lines[1:]).split())
    return facts


def announcement(event: Event, tags: Mapping[str, str] | None = None) -> str:
    """Return a short text that publishes a set before the play, for a message to the players."""
    notice = notice_of(event, tags)
    described = event.description
    if described.delayed == NO_DELAY:
        made = "The boards are made from secret keys, and they are fixed now."
        kept = "nobody changed a board after this message"
    else:
        made = (
            "The boards will be made from secret keys and from a value that nobody knows yet: "
            f"{described.delayed}."
        )
        kept = "nobody chose the boards"
    return (
        f"{notice.title} ({', '.join(notice.lines)})\n\n{made}\n\n"
        f"Fingerprint of the keys (SHA-256):\n{notice.hash}\n\n"
        "Please keep this message. After the play we publish the keys, and you can check that "
        f"{kept}.\n"
    )


def invitation(event: Event) -> str:
    """Return a short text for after the play: the files, the value, and how to check them."""
    described = event.description
    description, keys = basename(event.source), basename(event.keys.source)
    value = "" if described.delayed == NO_DELAY else f"{described.delayed}: {described.value}\n\n"
    return (
        f"{described.name}: check the boards\n\n{value}"
        f"The files {description} and {keys} are attached, with the boards. The fingerprint of the "
        f"keys is the one that we published before the play:\n{event.keys.hash}\n\n"
        "Put the files and the boards that you played into the step Verify of the page Tournament "
        f"of pavcodec, or run: pavcodec squaredeal verify {description}\n"
    )


def _before(event: Event, *, has_delay: bool) -> Iterator[Section]:
    """Yield the sections on what is published before the play."""
    if has_delay:
        yield Section("What is fixed before the deals", _paragraphs(_FIXED))
        yield Section(_DELAYED, (event.description.delayed,), fixed=True)
    else:
        yield Section("What is fixed before the play", _paragraphs(_FIXED_WITHOUT_DELAY))
    yield Section(_FINGERPRINT, (event.keys.hash,), fixed=True)


def _after(event: Event, *, has_delay: bool) -> Iterator[Section]:
    """Yield the sections on how a player checks the deals after the play."""
    description, keys = basename(event.source), basename(event.keys.source)
    text = _CHECK.format(
        description=description,
        keys=keys,
        value=_VALUE.format(description=description) if has_delay else "",
    )
    yield Section("How you check it", _paragraphs(text))
    yield Section(
        "Commands, with all files in one folder",
        (
            f"sha256sum {keys}",
            f"certutil -hashfile {keys} SHA256   (on Windows)",
            "pip install pavcodec",
            f"pavcodec squaredeal verify {description}",
        ),
        fixed=True,
    )


def _paragraphs(text: str) -> tuple[str, ...]:
    """Return the paragraphs of a text, each as one line."""
    return tuple(" ".join(part.split()) for part in text.split("\n\n"))


# The printed pages of a club's set: the notice and the hand records, with the hash as QR code.


_FOOTER = "SHA-256 of the keys: {}"


def notice_pages(notice: Notice, stem: str) -> dict[str, bytes]:
    """Return a notice as pages to print, by the names of their files, which begin with `stem`.

    The PDF is absent without the package typst.
    """
    parts = [
        Notes(section.paragraphs, section.fixed, heading=section.heading, starts_page=False)
        for section in notice.sections
    ]
    document = Document(
        notice.title,
        tuple(parts),
        lines=notice.lines,
        footer=_FOOTER.format(notice.hash),
        code=notice.hash,
    )
    return _pages(f"{stem}-notice", document)


def record_pages(event: Event, session: Session, boards: Sequence[Board]) -> dict[str, bytes]:
    """Return the hand records of a session, by the names of their files.

    The heading has the tags of the boards. The PDF is absent without typst.
    """
    document = replace(
        board_document(boards),
        footer=_FOOTER.format(event.keys.hash),
        code=event.keys.hash,
    )
    return _pages(f"{session.name}-records", document)


def _pages(stem: str, document: Document) -> dict[str, bytes]:
    """Return a document as HTML, and as PDF if its package is installed."""
    files = {f"{stem}.html": html_document(document).encode()}
    if find_spec("typst") is not None:
        from pavcodec.printing.pages import pdf_document

        files[f"{stem}.pdf"] = pdf_document(document)
    return files


# The boards of sessions as files: their names, and their bytes in any format.


class Target(Protocol):
    """A format in which the deals are written."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of its files, the usual one first."""

    def write(self, boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
        """Write boards, and return their number."""


def seed_boards(seed: BigDealSeed, numbers: Iterable[int]) -> Iterator[Board]:
    """Yield a board for each number, with the deals of a seed of Big Deal in order."""
    owner = seed.owner.decode("utf-8", "replace")
    made = f"pavcodec {__version__} bigdeal seed={seed.random.hex()} owner={owner}"
    for number, deal in zip(numbers, seed.deals(), strict=False):
        yield Board.make(deal, number=number, tags={"Generator": made})


def session_boards(event: Event, session: Session, many: int | None = None) -> Iterator[Board]:
    """Yield the boards of a session; the first `many` if the description has no number."""
    boards = event.boards(session, [("Generator", f"pavcodec {__version__} squaredeal")])
    return boards if session.boards is not None else islice(boards, many)


def set_boards(
    event: Event, session: Session, tags: Mapping[str, str], many: int | None = None
) -> list[Board]:
    """Return the boards of a session with the tags of a set, except Session.

    Raise `PavError` if the number of boards is unknown.
    """
    if session.boards is None and many is None:
        raise PavError(f"the description does not say how many boards {session.name} has")
    shown = {name: value for name, value in tags.items() if name != "Session"}
    boards = session_boards(event, session, many)
    return [board.with_tags(shown) for board in boards] if shown else list(boards)


def session_file(session: Session, target: Target) -> str:
    """Return the name of the file of a session."""
    return f"{session.name}{target.suffixes[0] if target.suffixes else '.txt'}"


def deal_files(  # noqa: PLR0913 (keywords)
    event: Event,
    targets: Sequence[Target],
    tags: Mapping[str, str],
    *,
    sessions: Sequence[Session] | None = None,
    many: int | None = None,
    records: bool = False,
    solve: bool = False,
    note: Callable[[str], None] = lambda _text: None,
) -> dict[str, bytes]:
    """Return the files of sessions in each format by their names; with `records` also the pages.

    With `solve`, the pages have the double-dummy tricks.

    `sessions` are all sessions of the description, unless named, and `many` is the number of boards
    where the description has none. `note` is called with what a format changes.
    """
    files: dict[str, bytes] = {}
    for session in event.sessions if sessions is None else sessions:
        boards = set_boards(event, session, tags, many)
        for target in targets:
            stream = BytesIO()
            title = event.description.name
            target.write(boards, stream, Context("squaredeal", note=note, title=title))
            files[session_file(session, target)] = stream.getvalue()
        if records:
            files |= record_pages(event, session, solved_boards(boards) if solve else boards)
    return files

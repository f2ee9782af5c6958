"""The page that explains a club's set to its players: what is published, and how to check it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from os.path import basename
from textwrap import wrap

from pavcodec.tournament.club import NO_DELAY
from pavcodec.tournament.event import Event
from pavcodec.tournament.verify import Difference

__all__ = ["Notice", "Section", "announcement", "invitation", "notice_faults", "notice_of"]

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
                blocks += ["\n".join([heading, *(f"    {one}" for one in section.paragraphs)])]
                continue
            texts = [
                "\n".join(wrap(one, _WIDTH, break_on_hyphens=False)) for one in section.paragraphs
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
        found = said.get(what, "")
        if found != wanted:
            reason = f"{what}: {found!r} in the notice, {wanted!r} by the description"
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

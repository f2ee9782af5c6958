"""The files of a tournament that somebody sends, sorted by what is in them.

A director drops all files of a set, or the zip file that holds them, in one place. So nobody has to
know which file belongs where; a file is recognised by its first line, whatever its name is.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from os.path import basename

from pydantic import Field, field_validator

from pavcodec.errors import ReadError
from pavcodec.files.compressed import parts, split_suffix
from pavcodec.tournament import Description, Event, Keys, with_value
from pavcodec.tournament.club import tags_in
from pavcodec.tournament.files import is_key_line
from pavcodec.web.tasks.files.uploads import EXPANDED, Upload
from pavcodec.web.tasks.limits import FILES, UPLOAD
from pavcodec.web.tasks.task import Question

__all__ = ["MOST_BOARDS", "Sent", "SetQuestion", "sorted_files"]

MOST_BOARDS = 10_000
"""The most boards of the sessions in a question; the World Bridge Games have about 1200."""

_BOTH = "choose the description (.sqd) and the keys (.sqk) together"
_LINE = 1000
_MOST_NAMES = 3
_ITEM = re.compile(rb"(TN|DI|DV|SN|KH)( |$)")
_NO_DEALS = (".htm", ".html", ".pdf")
_NOTICE, _MESSAGE = "-notice.txt", "-message.txt"


class SetQuestion(Question):
    """The files of a tournament in any order: description, keys, deals, or zip files of them."""

    file: tuple[Upload, ...] = Field(
        (), max_length=FILES, description="the files, or a zip file with them"
    )

    @field_validator("file")
    @classmethod
    def _check_size(cls, files: tuple[Upload, ...]) -> tuple[Upload, ...]:
        if sum(len(each.content) for each in files) > UPLOAD:
            raise ValueError(f"all files together have at most {UPLOAD:,} bytes")
        return files


@dataclass(frozen=True)
class Sent:
    """The files of a question: description, keys, deals, notices as text, and printed pages."""

    description: Upload | None = None
    keys: Upload | None = None
    deals: tuple[Upload, ...] = ()
    notices: tuple[Upload, ...] = ()
    pages: tuple[str, ...] = field(default=())
    """The names of printed pages, whose boards nothing can read."""

    def event(self, value: str = "") -> tuple[Event, bytes]:
        """Return the event, and the bytes of its description with the delayed value, if given.

        Raise `PavError` for a missing or wrong file, and for another value than that of the file.
        """
        if self.description is None:
            raise ReadError(self._without_description())
        data, source = self.description.data(), self.description.name
        if value:
            data = with_value(data, value, source)
        described = Description.parse(data, source)
        if self.keys is None:
            raise ReadError(f"the keys are missing: {_BOTH}")
        return Event(described, Keys.parse(self.keys.data(), self.keys.name), source), data

    def _without_description(self) -> str:
        """Return what to do without a description: it depends on what else was sent."""
        others = [*(each.name for each in (*self.deals, *self.notices)), *self.pages]
        if self.keys is None and others:
            more = f" and {len(others) - _MOST_NAMES} more" if len(others) > _MOST_NAMES else ""
            listed = ", ".join(others[:_MOST_NAMES]) + more
            return f"{listed}: here is neither a description nor keys: {_BOTH}, or their zip file"
        if self.keys is None:
            return "choose the files of the set, or their zip file"
        return f"the description is missing: {_BOTH}"

    @property
    def tags(self) -> dict[str, str]:
        """The date and the site of the set, as far as the description has them."""
        return {} if self.description is None else tags_in(self.description.data())


def sorted_files(files: Sequence[Upload]) -> Sent:
    """Return files by what is in them; the files of a zip file count as files.

    Raise `ReadError` for two descriptions or two files of keys that differ, and for keys that have
    the name of a description, since somebody would publish them.
    """
    sent = Sent()
    for file in _unzipped(files):
        sent = _added(sent, file)
    return sent


def _unzipped(files: Sequence[Upload]) -> Iterator[Upload]:
    """Yield all files, and those of zip files; raise `ReadError` if they expand to too much."""
    left = EXPANDED
    for file in files:
        if split_suffix(file.name)[1] != ".zip":
            yield file
            continue
        for name, member in parts(io.BytesIO(file.data()), file.name):
            data = member.read(left + 1)
            left -= len(data)
            if left < 0:
                raise ReadError(f"{file.name}: it expands to more than {EXPANDED:,} bytes")
            yield Upload.model_construct(name=basename(name), content=data, packed=False)


def _added(sent: Sent, file: Upload) -> Sent:
    """Return the files with one more."""
    name = file.name.lower()
    start = _first_line(file.data())
    if is_key_line(start):
        if name.endswith(".sqd"):
            raise ReadError(
                f"{file.name}: these are the secret keys, under the name of a description: publish "
                "this file only after the last session, and let its name end with .sqk"
            )
        return replace(sent, keys=_only(sent.keys, file, "files of keys"))
    if _ITEM.match(start):
        if name.endswith(".sqk"):
            raise ReadError(
                f"{file.name}: this is a description, under the name of the keys: choose the keys"
            )
        return replace(sent, description=_only(sent.description, file, "descriptions"))
    if name.endswith((".sqd", ".sqk")):
        what = "a description" if name.endswith(".sqd") else "a file of keys"
        raise ReadError(f"{file.name}: this is not {what}: it begins with {_shown(start)}")
    if name.endswith(_NOTICE):
        return replace(sent, notices=(*sent.notices, file))
    if name.endswith((*_NO_DEALS, _MESSAGE)):
        return replace(sent, pages=(*sent.pages, file.name))
    return replace(sent, deals=(*sent.deals, file))


def _only(before: Upload | None, file: Upload, what: str) -> Upload:
    """Return the only file of its kind; the same file twice is one."""
    if before is not None and before.data() != file.data():
        raise ReadError(
            f"{before.name} and {file.name} are two {what}: choose the files of one set"
        )
    return before or file


def _first_line(data: bytes) -> bytes:
    """Return the first line that is neither blank nor a comment."""
    for line in io.BytesIO(data[:100_000].removeprefix(b"\xef\xbb\xbf")):
        if line.strip() and not line.startswith(b"#"):
            return line[:_LINE].strip()
    return b""


def _shown(line: bytes) -> str:
    return repr(line[:30].decode("utf-8", "replace")) if line else "no text"

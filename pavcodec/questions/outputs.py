"""Outputs: files that are checked before the work, and complete or absent after it.

The fields of `Output` and `BoardsOutput` say where an answer goes; `Out` checks it, opens it, and
is the only one that does. A server has no files: it gives a `MemoryFile` as the output.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, ClassVar, TextIO, cast

from pavcodec.errors import PavError, UnknownNameError
from pavcodec.files.compressed import (
    ZIP,
    Decompressed,
    compressed,
    open_compressed_output,
    split_suffix,
    spool,
)
from pavcodec.files.opening import exists, open_output
from pavcodec.files.paths import local_path, shown_path
from pavcodec.formats import Format, format_of, output_format
from pavcodec.formats.registry import format_by_suffix
from pavcodec.questions.asking import Question, QuestionError, agrees, ask, note, screen_width

if TYPE_CHECKING:
    from pavcodec.questions.inputs import Problems

# The fields of questions whose answers go into files.


@dataclass(frozen=True)
class Output(Question):
    """A question whose answer goes to the screen or into a file."""

    writes: ClassVar[bool] = True

    output: str = ask(
        "write to FILE instead of the screen",
        default="-", flag="-o --output", group="output", metavar="FILE", local=True,
    )  # fmt: skip
    force: bool = ask(
        "replace existing files without asking", default=False, group="output", local=True
    )


@dataclass(frozen=True)
class BoardsOutput(Output):
    """A question whose answer is boards, which go into a file of any format."""

    to: str | None = ask(
        "write this format (default: by the suffix of -o, else lines; 'pavcodec formats' lists "
        "them)",
        default=None, group="output", metavar="FORMAT", label="Format", most=100,
    )  # fmt: skip
    append: bool = ask(
        "add the boards to the end of an existing file", default=False, group="output", local=True
    )


class MemoryFile(str):
    """The name of a file that is made in memory, with its bytes."""

    __slots__ = ("stream",)

    stream: io.BytesIO


# The format of an output.


_TEXT_SUFFIXES = (
    ".txt", ".text", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".md", ".log", ".out", ".lst",
    ".numbers", ".lines",
)  # fmt: skip
"""The suffixes of text that belongs to no format of boards, or to one of plain lines."""


def format_of_output(output: str) -> Format | None:
    """Return the format of an output's suffix.

    Returns None for the standard output and for a name without a suffix. Raises `UnknownNameError`
    for a suffix that no format has, and for a compressed file without a suffix of a format.
    """
    plain, packed = split_suffix(output)
    suffix = os.path.splitext(plain)[1]
    if output == "-" or not (suffix or packed):
        return None
    try:
        return output_format(output, None)
    except UnknownNameError:
        if not suffix:
            raise UnknownNameError(
                f"{output}: the name shows no format: name the format with --to, or use a name "
                f"such as {plain}.pbn{packed}"
            ) from None
        raise UnknownNameError(
            f"{output}: no format has the suffix {suffix!r}: name the format with --to, or use a "
            "suffix that 'pavcodec formats' lists"
        ) from None


def target_of(name: str | None, output: str, default: str = "lines") -> Format:
    """Return the format of the output: by its name, by the suffix of `output`, or the default.

    A name may end in the suffix of compressed files that the output has, as in `pbn.zst`.
    """
    if not name:
        return format_of_output(output) or format_of(default)
    plain, packed = split_suffix(name)
    if packed and split_suffix(output)[1] != packed:
        raise QuestionError(f"--to {name}: the suffix of -o compresses a file: name it …{packed}")
    return format_of(plain)


# What is refused before the work.


def refuse_text_suffix(path: str, *, or_boards: bool = False) -> None:
    """Raise `QuestionError` if the suffix of an output says that it is no text.

    With `or_boards`, the text may be that of boards, so suffixes of all formats of text are good.

    >>> refuse_text_suffix("odds.csv.gz")
    >>> refuse_text_suffix("odds.pdf")
    Traceback (most recent call last):
      ...
    pavcodec.questions.asking.QuestionError: odds.pdf: the output is text: use a suffix such as .txt
    """
    suffix = os.path.splitext(split_suffix(path)[0])[1].lower()
    known = format_by_suffix(path) if or_boards else None
    is_text = suffix in _TEXT_SUFFIXES or (known is not None and known.is_text)
    if path != "-" and suffix and not is_text:
        raise QuestionError(f"{path}: the output is text: use a suffix such as .txt")


def refuse_suffix(output: str, target: Format) -> None:
    """Raise `QuestionError` if an output has a suffix of another format than `target`."""
    suffix = os.path.splitext(output)[1].lower()
    if output != "-" and suffix and suffix not in target.suffixes:
        listed = " or ".join(target.suffixes)
        raise QuestionError(f"{output}: the output is {target.name}, with the suffix {listed}")


def refuse_screen(target: Format, output: str) -> None:
    """Raise `QuestionError` if a binary format would be printed on a terminal."""
    if output == "-" and not target.is_text and screen_width() is not None:
        raise QuestionError(f"{target.name} is not a text format: name a file, or use a pipe")


def refuse_existing(paths: Iterable[str], *, force: bool) -> None:
    """Raise `QuestionError` if a file exists, unless `force` is true or the asker agrees."""
    for path in paths:
        if not force and exists(path) and not agrees(f"{shown_path(path)} exists. Replace it?"):
            raise QuestionError(f"{shown_path(path)} exists: use {{force}} to replace it")


def refuse_same_file(inputs: Iterable[str], output: str) -> None:
    """Raise `QuestionError` if the output is one of the inputs."""
    if any(is_same_file(path, output) for path in inputs):
        raise QuestionError(f"{output} is an input, so it cannot be the output")


def is_same_file(path: str, output: str) -> bool:
    """Return whether an input and an output are the same existing file."""
    here, there = local_path(path), local_path(output)
    if here is None or there is None:
        return path == output
    both = "-" not in (path, output) and os.path.isfile(there) and os.path.exists(here)
    return both and os.path.samefile(here, there)


def refuse_append(target: Format | None, path: str) -> None:
    """Raise `QuestionError` if boards cannot be added to a file of this format."""
    if path == "-":
        raise QuestionError("--append adds to a file: name it with -o")
    if target is None:
        raise QuestionError("--append adds boards to a file of a format, and no other text")
    why = target.cannot_grow or ("" if target.is_read else "a file of it is one whole")
    if why:
        raise QuestionError(f"{path}: boards cannot be added to a file of {target.name}: {why}")
    if local_path(path) is None:
        raise QuestionError(
            f"{shown_path(path)}: an object of a store cannot grow: write a new one"
        )
    if split_suffix(path)[1] == ZIP:
        raise QuestionError(f"{path}: boards cannot be added to a zip file")


def refuse_nothing(output: str, done: int, problems: Problems, nothing: str = "no boards") -> None:
    """Raise `PavError` if there were problems and no results, so that no file is written.

    An existing output file stays unchanged. Without problems, the function says that there was
    nothing, unless `nothing` is empty; with `--strict` that is an error.
    """
    problems.tell()
    if done:
        return
    if problems.count and output != "-":
        raise PavError(f"nothing to write: {output} is left as it was")
    if nothing and not problems.count:
        if problems.strict:
            raise PavError(nothing)
        note(nothing)


class Out:
    """An output, checked: a file, the standard output, an object of a store, or memory.

    `target` is the format of the output; without one it is text, or with `is_other` the bytes of
    another kind of file. Raises `QuestionError` if it is one of the inputs, exists without `force`,
    has the suffix of another kind of file, cannot grow with `append`, or would fill a screen with
    bytes.
    """

    def __init__(  # noqa: PLR0913 (keywords)
        self,
        path: str,
        target: Format | None = None,
        *,
        inputs: Iterable[str] = (),
        force: bool = False,
        append: bool = False,
        is_other: bool = False,
    ) -> None:
        self.path, self._target, self._append = path, target, append
        if isinstance(path, MemoryFile):
            return
        if path == "-" and sys.stdout is None:
            raise PavError("stdout: cannot be written: it is closed")
        refuse_same_file(inputs, path)
        if append:
            refuse_append(target, path)
        elif path != "-":
            refuse_existing([path], force=force)
        if target is not None:
            refuse_screen(target, path)
        elif not is_other:
            refuse_text_suffix(path)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the output; a file gets its name when it is complete.

        After an error it is absent, or has its old content. The suffix decides whether it is
        compressed.
        """
        opened = open_binary_output(self.path, self._target)
        if self._append and not isinstance(self.path, MemoryFile):
            opened = open_appended(self.path, cast("Format", self._target))
        with opened as stream:
            yield stream

    @contextmanager
    def open_text(self) -> Iterator[TextIO]:
        """Open the output as UTF-8 text; on a terminal, each line appears immediately."""
        with self.open() as stream:
            watched = self.path == "-" and sys.stdout.isatty()
            text = io.TextIOWrapper(stream, "utf-8", newline="\n", line_buffering=watched)
            try:
                yield text
                text.flush()
            finally:
                text.detach()  # the stream stays open


@contextmanager
def open_binary_output(path: str, target: Format | None = None) -> Iterator[BinaryIO]:
    """Open an output that is checked, as `Out.open` does."""
    if isinstance(path, MemoryFile):
        yield path.stream
    elif path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        durable = target is not None and target.is_durable
        again = target is not None and target.is_written_again
        with open_compressed_output(path, durable=durable, again=again) as stream:
            yield stream


# Boards at the end of existing files.
#
# A file that grows is complete or unchanged: the old bytes are copied to a new file, which replaces
# the old one at the end.


@contextmanager
def open_appended(path: str, target: Format) -> Iterator[BinaryIO]:
    """Open a file of a format for writing at its end; it is complete or unchanged.

    A file that does not exist is made, with the header of the format.
    """
    is_old = os.path.isfile(path) and os.path.getsize(path) > 0
    between = _between(path, target) if is_old else b""
    with open_output(path) as stream:
        if is_old:
            with open(path, "rb") as old:
                shutil.copyfileobj(old, stream)
        with compressed(stream, path) as out:
            if not is_old:
                yield out
                return
            with spool(path) as added:  # a seek to the start of the new part
                yield added
                added.seek(0)
                header = target.header
                if added.read(len(header)) != header:
                    added.seek(0)
                out.write(between)
                shutil.copyfileobj(added, out)


def _between(path: str, target: Format) -> bytes:
    """Return the line ends that are missing at the end of an old file.

    Raises `QuestionError` for records where the old file does not consist of whole ones.
    """
    if not target.is_text:
        _check_size(path, target)
        return b""
    end = _last_bytes(path)
    needed = b"\r\n" if b"\r\n" in end else b"\n"
    between = b"" if end.endswith((b"\n", b"\r")) else needed
    if target.is_apart and not end.replace(b"\r", b"").endswith(b"\n\n"):
        between += needed
    return between


def _check_size(path: str, target: Format) -> None:
    """Raise `QuestionError` for an old file with a part of a record at its end."""
    if split_suffix(path)[1]:
        return
    size, each = os.path.getsize(path), target.unit
    if size % each:
        raise QuestionError(
            f"{path}: its {size:,} bytes are not whole records of {each}, so nothing is added"
        )


def _last_bytes(path: str) -> bytes:
    """Return the last bytes of a file, decompressed."""
    suffix = split_suffix(path)[1]
    with open(path, "rb") as stream:
        if not suffix:
            stream.seek(max(0, os.path.getsize(path) - 4))
            return stream.read()
        end, more = b"", b" "
        whole = Decompressed(cast("BinaryIO", stream), suffix, path)
        while more:
            more = whole.read(1 << 20)
            end = (end + more)[-4:]
        return end

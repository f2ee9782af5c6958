"""The errors of pavcodec, one class for each kind of wrong data.

Every error in *data* is a `PavError`, which is a `ValueError`. Mistakes of the caller (a wrong
type, an index beyond the end of a sequence) are the usual `TypeError` and `IndexError`. The
classes take positional arguments and forward them to `Exception`, so every error can be pickled.
"""

from __future__ import annotations

from collections.abc import Iterable

_MOST_BITS_SHOWN = 1000

_NEEDS = {
    "cluster": ("a scheduler", "distributed", "cluster"),
    "parquet": ("Parquet", "pyarrow", "parquet"),
    "pdf": ("PDF", "typst", "club"),
    "plot": ("a plot", "matplotlib", "club"),
    "tricks": ("the double-dummy solver", "endplay", "club"),
}
"""What needs a package, which one, and the extra of pavcodec that installs it."""


class PavError(ValueError):
    """The data is wrong; the message states what was expected and what was found.

    `field` is the field of a question that it is about, where one is known.
    """

    field: str | None = None


class NumberError(PavError):
    """A number is outside the range of a numbering, or a text is not a number."""


class LayoutError(PavError):
    """A layout is impossible, or the numbering does not contain it."""


class ReadError(PavError):
    """A file cannot be read further; strict reading raises this at the first problem."""


class ModelTooLarge(PavError):  # noqa: N818 (a limit was reached; the input has no error)
    """A condition needs more memory than the limit allows; the message names the part."""


class MissingExtraError(PavError):
    """Packages are not installed; `needs` are what needs them, such as "pdf" or "tricks".

    >>> print(MissingExtraError("pdf"))
    PDF needs the package typst: pip install 'pavcodec[club]'
    """

    def __init__(self, *needs: str) -> None:
        super().__init__(*needs)
        self.needs = needs

    def __str__(self) -> str:
        rows = [_NEEDS[need] for need in self.needs]
        texts = ", and ".join(f"{what} needs the package {package}" for what, package, _ in rows)
        extras = ",".join(dict.fromkeys(extra for _, _, extra in rows))
        return f"{texts}: pip install 'pavcodec[{extras}]'"


class RecordError(PavError):
    """Bytes are not a valid record, or a value does not fit into a record.

    `record` is the name of the record. In a file, `index` is the position of the record, from 0,
    and `offset` is its first byte.

    >>> print(RecordError("zrd", "a record has 23 bytes, not 5").at(2, 46))
    zrd record 2 at byte 46: a record has 23 bytes, not 5
    """

    def __init__(
        self, record: str, reason: str, index: int | None = None, offset: int | None = None
    ) -> None:
        super().__init__(record, reason, index, offset)
        self.record = record
        self.reason = reason
        self.index = index
        self.offset = offset

    def at(self, index: int, offset: int) -> RecordError:
        """Return this error with its position in a file."""
        return RecordError(self.record, self.reason, index, offset)

    def __str__(self) -> str:
        position = "" if self.index is None else f" {self.index} at byte {self.offset}"
        return f"{self.record} record{position}: {self.reason}"


class UnknownNameError(PavError, LookupError):
    """A name is unknown; the message lists the known names."""


class TextError(PavError):
    r"""A text does not follow its notation; `str()` marks the wrong part with carets.

    `message` is the reason in one line, `source` the whole text, and `span` the start and end of
    the wrong part. From a text of several lines, the message shows only the wrong line and its
    number.

    >>> print(TextError("'1' is no rank", "AK1", (2, 3)))
    '1' is no rank
      AK1
        ^
    >>> print(TextError("'1' is no rank", "AKQ\nAK1\nAK", (6, 7)))
    line 2: '1' is no rank
      AK1
        ^
    """

    def __init__(self, message: str, source: str, span: tuple[int, int]) -> None:
        super().__init__(message, source, span)
        self.message = message
        self.source = source
        self.span = span

    @property
    def line(self) -> int:
        """The number of the line with the error, from 1."""
        return self.source.count("\n", 0, self.span[0]) + 1

    def __str__(self) -> str:
        start, stop = self.span
        begin = self.source.rfind("\n", 0, start) + 1
        end = self.source.find("\n", start)
        shown = self.source[begin : None if end < 0 else end].replace("\t", " ").rstrip("\r")
        carets = "^" * max(1, min(stop - start, len(shown) - start + begin))
        prefix = f"line {self.line}: " if "\n" in self.source else ""
        return f"{prefix}{self.message}\n  {shown}\n  {' ' * (start - begin)}{carets}"


class ConstraintWarning(UserWarning):
    """A condition may not mean what its author intended, or means something else elsewhere."""


def shown(value: object) -> str:
    """Return a value as text for a message; for a huge number, its length in bits.

    >>> shown(10), shown(1 << 5000), shown("10"), shown([1 << 50000])
    ('10', 'one of 5001 bits', "'10'", "'list'")
    """
    if isinstance(value, int):
        bits = value.bit_length()
        return str(value) if bits < _MOST_BITS_SHOWN else f"one of {bits} bits"
    try:
        return repr(value)
    except ValueError:  # a huge number is in it
        return repr(type(value).__name__)


def check_text(what: str, value: object) -> None:
    """Raise `TypeError` if a value is not a text; `what` names the value in the message.

    >>> check_text("a deal", 5)
    Traceback (most recent call last):
    ...
    TypeError: a deal is given as text, not 'int'
    """
    if not isinstance(value, str):
        raise TypeError(f"{what} is given as text, not {type(value).__name__!r}")


def check_bytes(what: str, value: object) -> None:
    """Raise `TypeError` if a value is not bytes; `what` names the value in the message.

    >>> check_bytes("an owner", "a")
    Traceback (most recent call last):
    ...
    TypeError: an owner is given as bytes, not 'str'
    """
    if not isinstance(value, bytes | bytearray | memoryview):
        raise TypeError(f"{what} is given as bytes, not {type(value).__name__!r}")


def is_missing(need: str) -> bool:
    """Return whether the package that something needs is not installed."""
    from importlib.util import find_spec

    return find_spec(_NEEDS[need][1]) is None


def suggest(kind: str, name: str, known: list[str]) -> UnknownNameError:
    """Return the error for an unknown name, with the nearest known name and all known names.

    >>> suggest("numbering", "dael", ["base5", "deal"])
    UnknownNameError("no numbering is called 'dael'; did you mean 'deal'? Known: base5, deal")
    """
    check_text(f"the name of a {kind}", name)
    near = hint(name, known) or "."
    return UnknownNameError(f"no {kind} is called {name!r}{near} Known: {', '.join(known)}")


def hint(name: str, known: Iterable[str]) -> str:
    """Return the end of a message that names the nearest known name, or '' if none is near.

    >>> hint("dael", ["base5", "deal"]), hint("xyz", ["base5", "deal"])
    ("; did you mean 'deal'?", '')
    """
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""

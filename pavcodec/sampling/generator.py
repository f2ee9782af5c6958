"""The tag `Generator`: the program, the seed, the first sample and the condition of boards.

Anyone can make the boards again from it.
"""

from __future__ import annotations

import re
from hashlib import sha256

from pavcodec._version import __version__

__all__ = ["generator", "preface"]

_LONGEST = 253 - len('[Generator ""]')
"""The most characters of a value of the tag `Generator` in one line of PBN."""
_STEM = 60
"""The most characters of a script's name."""


def generator(  # noqa: PLR0913
    seed: int | None,
    start: int,
    where: str,
    method: str = "",
    *,
    script: str | None = None,
    spare: int = 0,
) -> str:
    """Return the text of the tag `Generator`, from which anyone can make the boards again.

    No seed means deals in order. If the condition makes a line of PBN too long, the text has its
    hash and the name of the script. `spare` is the number of characters that the caller adds.
    """
    words = [f"pavcodec {__version__}"]
    words += ["in order" if seed is None else f"seed={seed}"]
    words += [f"start={start}"] if start else []
    words += [method] if method else []
    if not where:
        return " ".join(words)
    whole = " ".join([*words, f"where={where}"])
    if _is_a_line(whole, _LONGEST - spare):
        return whole
    if script:
        from pathlib import Path

        stem = re.sub(r"[^\w.-]+", "_", Path(script).stem, flags=re.ASCII)[:_STEM]
        words += [f"script={stem}"] if stem else []
    return " ".join([*words, f"where=sha256:{sha256(where.encode()).hexdigest()[:16]}"])


def preface(where: str, made: str) -> tuple[str, ...]:
    """Return lines with the whole condition for a file whose boards only have its hash."""
    return () if made.endswith(where) else ("condition:", *where.split("\n"))


def _is_a_line(value: str, longest: int) -> bool:
    """Return whether the value of a tag of PBN is one line of at most `longest` characters."""
    return "\n" not in value and len(value) + sum(map(value.count, '"\\')) <= longest

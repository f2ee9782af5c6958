"""Files in forms: those that somebody sends, and those that travel in the page.

The server keeps nothing. So that a later step needs no second choice of the files, the page carries
them in hidden fields, compressed; the workers decompress and read them.
"""

from __future__ import annotations

import asyncio
import zlib
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException

from pavcodec.errors import ReadError
from pavcodec.web.tasks.limits import FIELDS, FILES, UPLOAD

__all__ = ["Kept", "Sent", "sent"]

_TRAVELS = UPLOAD * 3 // 4
"""The most bytes of files in a page; in base64 they are the most bytes of a form."""
_LEVEL = 6


@dataclass(frozen=True)
class Kept:
    """A file in the hidden fields of a page: its name, and its compressed bytes in base64."""

    name: str
    content: str


@dataclass(frozen=True)
class Sent:
    """A form with files: its texts, and the files as a question has them."""

    fields: Mapping[str, str]
    files: tuple[Mapping[str, Any], ...] = ()

    def question(self, **more: object) -> dict[str, Any]:
        """Return the fields of a question."""
        return {**self.fields, **({"file": self.files} if self.files else {}), **more}

    async def kept(self) -> list[Kept]:
        """Return the files for the hidden fields of a page; none if they are too large for it."""
        found = await asyncio.to_thread(lambda: [_kept(each) for each in self.files])
        return found if sum(len(each.content) for each in found) <= _TRAVELS * 4 // 3 else []


def _kept(file: Mapping[str, Any]) -> Kept:
    content = file["content"]
    if isinstance(content, bytes):
        content = b64encode(zlib.compress(content, _LEVEL)).decode()
    return Kept(file["name"], content)


async def sent(request: Request) -> Sent:
    """Return a form that was sent; new files replace those of the hidden fields.

    Raises `ReadError` for a form that is too large or no form.
    """
    try:
        async with request.form(
            max_files=FILES, max_fields=FIELDS, max_part_size=_TRAVELS * 4 // 3 + 1
        ) as form:
            return await _sent(form)
    except HTTPException as error:
        raise ReadError(f"the form cannot be read: {error.detail}") from None


async def _sent(form: FormData) -> Sent:
    new = [each for each in form.getlist("file") if isinstance(each, UploadFile) and each.filename]
    files = tuple([{"name": each.filename, "content": await each.read()} for each in new])
    names, contents = form.getlist("kept_name"), form.getlist("kept_content")
    kept = tuple(
        {"name": name, "content": content, "packed": True}
        for name, content in zip(names, contents, strict=False)
        if isinstance(name, str) and isinstance(content, str)
    )
    texts = {name: text for name, text in form.items() if isinstance(text, str)}
    return Sent(texts, files or kept)

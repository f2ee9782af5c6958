"""Write the notice of a club's set, as text and as pages to print."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress

from pavcodec.files.opening import open_output
from pavcodec.tournament import Event
from pavcodec.tournament.notice import notice_of, notice_pages


def notice_files(event: Event, tags: Mapping[str, str]) -> list[str]:
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

"""What the tests of files in the browser share."""

from __future__ import annotations

from collections.abc import Callable

from pavcodec.web.tasks.files.converting import FileQuestion

Runs = Callable[[FileQuestion, str], bytes]
Command = Callable[[str], bytes]

"""Write the OpenAPI document of the JSON interface to fixtures; --check compares it with the code.

Programs of others rely on the interface: a field that goes, or that means something else, needs a
new version. The fixture shows each change in a review.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from starlette.datastructures import State

from pavcodec.web.api import make_interface

PAGE = Path(__file__).parent.parent / "fixtures" / "web" / "openapi.json"


def document_text() -> str:
    """Return the document as text, with sorted names, so that changes are easy to read."""
    document = make_interface(State()).openapi()
    return f"{json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False)}\n"


def main() -> int:
    """Write the document, or compare it."""
    text = document_text()
    if "--check" in sys.argv[1:]:
        current = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        old = "the OpenAPI document is old: run tools/api_document.py"
        print("the OpenAPI document is current" if current else old)
        return 0 if current else 1
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The OpenAPI document changes only on purpose: a fixture keeps it."""

from __future__ import annotations

import pytest
from api_document import PAGE, document_text


@pytest.mark.slow
def test_the_document_is_the_one_that_we_keep() -> None:
    kept = PAGE.read_text(encoding="utf-8")
    assert kept == document_text(), "the interface has changed: run tools/api_document.py"

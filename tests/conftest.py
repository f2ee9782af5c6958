"""In the full check Hypothesis draws fewer examples of each law, the same in every run.

There are some hundred laws. `pytest` alone draws a hundred examples of each, other ones each time.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from pavcodec.constraints.recent import forget_models

settings.register_profile("full check", settings.get_profile("ci"), max_examples=50)
if os.environ.get("CI"):
    settings.load_profile("full check")


@pytest.fixture(autouse=True)
def no_recent_models() -> None:
    """Let each test make its own models."""
    forget_models()

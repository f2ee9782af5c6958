"""Formats: files of boards, read and written by the name or the suffix of their format.

Each family of formats has a room; `catalogue` lists them all.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)

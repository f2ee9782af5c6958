"""Collections in parts: plans as values, parts that any machine can make, and their manifest.

Each name is imported when it is first used.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)

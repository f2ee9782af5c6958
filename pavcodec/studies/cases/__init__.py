"""Case listings: deals by shapes and honours with running totals, after Pavlicek's study.

A name is imported when it is first used, since listings need numpy.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)

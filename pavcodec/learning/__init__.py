"""Arrays for programs that learn from deals, and samples by the likelihoods of such programs.

Each name is imported when it is first used.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)

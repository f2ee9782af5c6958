"""Statistics: the observed properties of a collection of deals, and their exact expectations.

A name is imported when it is first used.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)

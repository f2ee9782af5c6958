"""Records: values in a fixed number of bytes, and files of such records.

`import pavcodec.records` loads the catalogue; the other names load at their first use.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)

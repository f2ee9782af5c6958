"""Records: values in a fixed number of bytes, and files of such records.

`fields` specifies each record bit by bit. All else follows from it: `codec` converts bytes to
fields fast, `declarations` does the same by construct and is the definition, and `arrays` converts
many records with numpy. `kinds` gives the fields a meaning and is the catalogue; `files` reads
records in files.

`import pavcodec.records` loads the catalogue; the other names load at their first use.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)

"""Records: values in a fixed number of bytes, and files of such records.

`declarations` specifies each record bit by bit, in construct. All else follows from it: a walk
gives the places of the fields, by which it converts one record between bytes and fields, and
`arrays` many. `kinds` gives the fields a meaning and is the catalogue; `files` reads records in
files.

`import pavcodec.records` loads the catalogue; the other names load at their first use.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)

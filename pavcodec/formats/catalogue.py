"""All formats, in the order in which `recognition` tries them on streams without a known suffix."""

from __future__ import annotations

from pavcodec.formats.archives import PAV
from pavcodec.formats.bbo.formats import HANDVIEWER, LIN
from pavcodec.formats.clubs.formats import CLUB_FORMATS
from pavcodec.formats.drawings.formats import DIAGRAM, HTML, PDF, SVG
from pavcodec.formats.npy.formats import NPY
from pavcodec.formats.parquet.formats import PARQUET
from pavcodec.formats.pbn.formats import PBN
from pavcodec.formats.plain.formats import LINES, NUMBERS
from pavcodec.formats.programs.formats import CODE_FORMATS, DEAL_FORMATS, JSON_FORMATS
from pavcodec.formats.rbn.formats import RBN, RBX
from pavcodec.formats.records.formats import RECORDS

__all__ = ["FORMATS"]

FORMATS = {
    format_.name: format_
    for format_ in (
        PBN,
        LINES,
        *DEAL_FORMATS,  # before numbers, since a deal of 52 digits is also a number
        NUMBERS,
        LIN,
        HANDVIEWER,
        RBN,
        RBX,
        *JSON_FORMATS,
        *RECORDS,
        *CLUB_FORMATS,
        *CODE_FORMATS,
        NPY,
        PARQUET,
        PAV,
        DIAGRAM,
        HTML,
        PDF,
        SVG,
    )
}

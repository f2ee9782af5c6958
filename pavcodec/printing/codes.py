"""QR codes as SVG, through the package segno."""

from __future__ import annotations

import io

__all__ = ["code_millimetres", "qr_code"]

_MODULE = 0.36
"""The width of a module in millimetres that telephones can still read."""
_SMALLEST = 11.0
_QUIET = 2
"""The modules of white around a code; the page around it is white too."""


def qr_code(text: str) -> str:
    """Return a QR code of a text as SVG; "" for an empty text."""
    if not text:
        return ""
    import segno

    stream = io.BytesIO()
    segno.make_qr(text, error="l").save(
        stream,
        kind="svg",
        border=_QUIET,
        xmldecl=False,
        svgclass=None,
        lineclass=None,
        omitsize=True,
    )
    return stream.getvalue().decode().strip()


def code_millimetres(text: str) -> float:
    """Return the width of a QR code on paper, in millimetres."""
    import segno

    modules, _ = segno.make_qr(text, error="l").symbol_size(border=_QUIET)
    return max(_SMALLEST, float(modules) * _MODULE)

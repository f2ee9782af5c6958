"""Files of boards: what is in them, and conversions and pages of them.

`converting` reads hostile bytes within limits, and writes other formats. `reading` shows the
boards, their problems and figures, and makes pages to print.
"""

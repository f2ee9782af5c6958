"""Make the table of the tricks of small endings, `pavcodec/data/endings.xz`, in about a minute.

python tools/endings_table.py            writes the file
python tools/endings_table.py --check    compares it with the present one
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path

from pavcodec.solving.endings import LARGEST_TABLE, made_tables, tables_of_package

FILE = Path(__file__).parents[1] / "pavcodec" / "data" / "endings.xz"


def main() -> None:
    """Write the file, or compare what it holds."""
    data = made_tables(LARGEST_TABLE).data.tobytes()
    if sys.argv[1:] == ["--check"]:
        if data != tables_of_package().data.tobytes():
            sys.exit(f"{FILE.name} holds other tables")
        return
    preset = 9 | lzma.PRESET_EXTREME
    FILE.write_bytes(lzma.compress(data, check=lzma.CHECK_SHA256, preset=preset))


if __name__ == "__main__":
    main()

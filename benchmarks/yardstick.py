"""The plain loop that most programs have, in C where there is a compiler: it unranks deals."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from plain_loop import unrank_loop

__all__ = ["Unrank", "yardstick"]

PLAIN_LOOP = r"""
#include <stdint.h>
typedef unsigned __int128 number;
static number ways[14][14][14][14];

void fill(void) {
    for (int n = 0; n < 14; n++)
    for (int e = 0; e < 14; e++)
    for (int s = 0; s < 14; s++)
    for (int w = 0; w < 14; w++)
        ways[n][e][s][w] = n + e + s + w == 0 ? 1
            : (n ? ways[n - 1][e][s][w] : 0) + (e ? ways[n][e - 1][s][w] : 0)
            + (s ? ways[n][e][s - 1][w] : 0) + (w ? ways[n][e][s][w - 1] : 0);
}

void unrank(const uint64_t *numbers, uint8_t *owners, long count) {
    for (long deal = 0; deal < count; deal++, numbers += 2, owners += 52) {
        number left = (number) numbers[0] << 64 | numbers[1];
        int room[4] = {13, 13, 13, 13};
        for (int card = 0; card < 52; card++)
            for (int seat = 0; seat < 4; seat++) {
                if (!room[seat]) continue;
                room[seat]--;
                number part = ways[room[0]][room[1]][room[2]][room[3]];
                if (left < part) { owners[card] = seat; break; }
                left -= part;
                room[seat]++;
            }
    }
}
"""

Unrank = Callable[[Any], Any]


def yardstick(folder: Path) -> tuple[str, Unrank]:
    """Return the plain loop, in C if there is a compiler, and what it is called."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return "plain loop in Python", lambda numbers: [
            unrank_loop(high << 64 | low) for high, low in numbers.tolist()
        ]
    source, library = folder / "loop.c", folder / "loop.so"
    source.write_text(PLAIN_LOOP)
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
    loop = ctypes.CDLL(str(library))
    loop.fill()

    def unrank(numbers: Any) -> Any:
        owners = np.empty((len(numbers), 52), np.uint8)
        loop.unrank(
            numbers.ctypes.data_as(ctypes.c_void_p),
            owners.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_long(len(numbers)),
        )
        return owners

    return "plain loop in C", unrank

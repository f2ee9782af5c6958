"""Compile the kernel for other machines, or with traps for undefined behaviour.

    python tools/kernel_libraries.py FOLDER              a wheel for each platform, by zig
    python tools/kernel_libraries.py --sanitize FILE     a library that stops at undefined behaviour

`PAVCODEC_KERNEL=FILE` then runs the tests on that library.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from pavcodec.kernel import build

PLATFORMS = {
    "x86_64-linux-gnu.2.17": "manylinux_2_17_x86_64",
    "aarch64-linux-gnu.2.17": "manylinux_2_17_aarch64",
    "x86_64-linux-musl": "musllinux_1_2_x86_64",
    "aarch64-linux-musl": "musllinux_1_2_aarch64",
    "x86_64-macos.11.0": "macosx_11_0_x86_64",
    "aarch64-macos.11.0": "macosx_11_0_arm64",
    "x86_64-windows-gnu": "win_amd64",
}
"""The targets of zig, with the oldest system it runs on, and the platforms of wheels."""


def wheels(folder: Path) -> None:
    """Build the wheels of all platforms into a folder."""
    root = Path(__file__).parent.parent
    for target, platform in PLATFORMS.items():
        variables = {**os.environ, "PAVCODEC_TARGET": f"{target}={platform}"}
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", str(folder), str(root)]
        subprocess.run(command, env=variables, check=True)  # noqa: S603 (our own command)


def main() -> None:
    """Compile what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("path", type=Path)
    given = parser.parse_args()
    if given.sanitize:
        print(build.build(given.path.absolute(), sanitize=True))
    else:
        wheels(given.path)


if __name__ == "__main__":
    main()

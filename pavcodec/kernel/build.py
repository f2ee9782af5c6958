"""Compile the kernel: when the package is installed, and in a checkout when its C has changed.

The compiler is the command of `PAVCODEC_CC`, else clang, else the one of the package `ziglang`,
which pip installs for the build: so a machine needs no compiler of its own. The sources have no
headers of Python, so one library serves all versions of Python. This module imports nothing of the
package, because the build of a wheel runs it before there is one. What only a compilation needs is
imported by it: each start of a checkout compares the fingerprint.
"""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent
LIBRARY = FOLDER / "kernel.bin"
"""One name on all systems, which Python does not take for a module of its own."""

_FLAGS = ["-std=c11", "-O3", "-g0", "-s", "-fPIC", "-shared"]
_SANITIZED = ["-std=c11", "-O1", "-g", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror"]
_SANITIZED += ["-fsanitize=undefined,bounds"]
_SANITIZED += ["-fsanitize-trap=all", "-fno-sanitize-recover=all"]


class BuildError(OSError):
    """The kernel cannot be compiled; the message says why, and what to do."""


def sources() -> list[Path]:
    """Return the C files and their header; none in an installed wheel."""
    return sorted([*FOLDER.glob("*.c"), *FOLDER.glob("*.h")]) if any(FOLDER.glob("*.c")) else []


def fingerprint() -> str:
    """Return a hash of the sources, which the library states as `kernel_fingerprint`."""
    texts = b"\0".join(path.read_bytes() for path in sources())
    return sha256(texts).hexdigest()[:32]


def compiler() -> list[str]:
    """Return the command of the compiler; raise `BuildError` if there is none."""
    import shlex
    import shutil
    from importlib.util import find_spec

    if named := os.environ.get("PAVCODEC_CC"):
        return shlex.split(named)
    if clang := shutil.which("clang"):
        return [clang]
    if find_spec("ziglang"):
        return [
            sys.executable,
            "-m",
            "ziglang",
            "cc",
            "-mcpu=baseline",
        ]  # zig's own choice is this one
    raise BuildError(
        "no C compiler: install clang, or `pip install ziglang`, or name one in PAVCODEC_CC"
    )


def build(library: Path = LIBRARY, *, target: str = "", sanitize: bool = False) -> Path:
    """Compile the kernel into a library, which is complete or absent; return its path.

    Raises `BuildError` with the words of the compiler.
    """
    import shlex
    import subprocess
    import tempfile

    command = compiler() + (_SANITIZED if sanitize else _FLAGS)
    command += [f'-DFINGERPRINT="{fingerprint()}"'] + (["-target", target] if target else [])
    with tempfile.TemporaryDirectory(dir=library.parent, prefix=".kernel-") as folder:
        made = Path(folder) / library.name
        files = [str(path) for path in sources() if path.suffix == ".c"]
        # zig caches what it compiles in the home folder, which a build may not have
        caches = {} if os.access(Path.home(), os.W_OK) else {"ZIG_GLOBAL_CACHE_DIR": folder}
        try:
            ended = subprocess.run(  # noqa: S603 (the compiler that this machine's user chose)
                [*command, "-o", made.name, *files],  # a library of macOS states this path
                cwd=folder,
                capture_output=True,
                text=True,
                check=False,
                env={**os.environ, **caches},
            )
        except OSError as error:
            raise BuildError(f"the C compiler {shlex.join(command[:1])} fails: {error}") from None
        if ended.returncode:
            words = (ended.stderr or ended.stdout).strip()
            raise BuildError(f"the C compiler fails ({shlex.join(ended.args)}):\n{words}")
        os.replace(made, library)
    return library

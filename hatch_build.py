"""Compile the kernel and the grammar for a wheel or an editable installation; add the manual."""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelHook(BuildHookInterface[Any]):
    """Adds the compiled kernel to the wheel, whose tag then names the platform but no Python.

    With `PAVCODEC_KERNEL=reference`, the wheel has no kernel and runs anywhere, slowly. With
    `PAVCODEC_TARGET`, the kernel is for another machine, so it must not replace that of the
    checkout, which goes on working while the wheels of all platforms are built.
    """

    _folder: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the kernel; an error says what to do."""
        sys.path.insert(0, self.root)
        from pavcodec.constraints.language.source import keep_tables

        keep_tables()
        build_data["artifacts"].append("pavcodec/constraints/language/grammar.tables")
        if version != "editable":  # `pavcodec serve` shows the documentation
            docs = Path(self.root) / "docs"
            for page in [*docs.rglob("*.md"), *docs.rglob("*.svg")]:
                inside = Path("pavcodec/web/manual") / page.relative_to(docs)
                build_data["force_include"][str(page)] = str(inside)
        if os.environ.get("PAVCODEC_KERNEL") == "reference":
            return
        sys.path.insert(0, str(Path(self.root) / "pavcodec" / "kernel"))
        import build

        target = os.environ.get("PAVCODEC_TARGET", "")  # of zig, and the tag of its platform
        zig_target, _, platform = target.partition("=")
        platform = platform or sysconfig.get_platform().replace("-", "_").replace(".", "_")
        library = build.LIBRARY
        if zig_target:
            self._folder = tempfile.TemporaryDirectory(prefix="pavcodec-")
            library = Path(self._folder.name) / library.name
        try:
            build.build(library, target=zig_target)
        except build.BuildError as error:
            sys.exit(
                f"pavcodec: {error}\n"
                "PAVCODEC_KERNEL=reference installs it without a compiled kernel, and all is slow"
            )
        place = build.LIBRARY.relative_to(self.root).as_posix()
        if zig_target:
            build_data["force_include"][str(library)] = place
        else:
            build_data["artifacts"].append(place)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove a kernel for another machine, which is in the wheel now."""
        if self._folder is not None:
            self._folder.cleanup()

"""Compile the kernel when a wheel or an editable installation is built."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelHook(BuildHookInterface[Any]):
    """Adds the compiled kernel to the wheel, whose tag then names the platform but no Python.

    With `PAVCODEC_KERNEL=reference`, the wheel has no kernel and runs anywhere, slowly.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Compile the kernel; an error says what to do."""
        if os.environ.get("PAVCODEC_KERNEL") == "reference":
            return
        sys.path.insert(0, str(Path(self.root) / "pavcodec" / "kernel"))
        import build

        target = os.environ.get("PAVCODEC_TARGET", "")  # of zig, and the tag of its platform
        zig_target, _, platform = target.partition("=")
        platform = platform or sysconfig.get_platform().replace("-", "_").replace(".", "_")
        try:
            library = build.build(target=zig_target)
        except build.BuildError as error:
            sys.exit(
                f"pavcodec: {error}\n"
                "PAVCODEC_KERNEL=reference installs it without a compiled kernel, and all is slow"
            )
        build_data["artifacts"].append(str(library.relative_to(self.root)))
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"

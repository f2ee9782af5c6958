"""A worker of Dask on a machine without pavcodec."""

from __future__ import annotations

import runpy
import sys
from importlib.abc import MetaPathFinder

__all__ = ["WithoutPavcodec"]


class WithoutPavcodec(MetaPathFinder):
    """Finds no module of pavcodec."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002
        """Raise the error of a module that is not installed."""
        if fullname.partition(".")[0] == "pavcodec":
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


if __name__ == "__main__":
    sys.meta_path.insert(0, WithoutPavcodec())
    runpy.run_module("distributed.cli.dask_worker", run_name="__main__")

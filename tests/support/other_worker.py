"""A worker of Dask with another version of pavcodec, or, after `bare`, on a machine without it."""

from __future__ import annotations

import runpy
import sys
from importlib.abc import MetaPathFinder


class WithoutPavcodec(MetaPathFinder):
    """Finds no module of pavcodec."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002
        """Raise the error of a module that is not installed."""
        if fullname.partition(".")[0] == "pavcodec":
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


if __name__ == "__main__":
    if sys.argv[1] == "bare":
        sys.meta_path.insert(0, WithoutPavcodec())
    else:
        from pavcodec import _version

        _version.__version__ = "0.0.1"
    del sys.argv[1]
    runpy.run_module("distributed.cli.dask_worker", run_name="__main__")

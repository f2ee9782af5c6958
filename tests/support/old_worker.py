"""A worker of Dask with another version of pavcodec."""

from __future__ import annotations

import runpy

import pavcodec._version

if __name__ == "__main__":
    pavcodec._version.__version__ = "0.0.1"
    runpy.run_module("distributed.cli.dask_worker", run_name="__main__")

"""Engines, which run a function for many items: in this process, in processes, or with Dask.

`engine` says what an engine is; `processes` uses the standard library alone and `dask_cluster` the
public interfaces of Dask. `choice` returns the engine of a number of workers or of a scheduler.
"""

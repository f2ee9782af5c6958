"""Engines, which run a function for many items: in this process, in processes, or with Dask."""

"""Collections as tables and arrays of Dask, which makes each part when a result needs it."""

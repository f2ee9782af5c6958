"""Double dummy: the tricks of deals by a solver, one contract or many.

`contracts` reads which contracts to solve. `many` calls the library DDS with arrays, solves deals
that differ only in names once, and has par scores for arrays. `double_dummy` solves for callers
that ask deal by deal, with a cache. `journal` keeps what a long run has solved, so that it can
continue.
"""

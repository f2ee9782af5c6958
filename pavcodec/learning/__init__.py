"""Arrays for programs that learn from deals, and samples by the likelihoods of such programs.

`loading` gives the rows of spaces, arrays and files as arrays of a view, in batches. `splitting`
divides a stream by ranges, or by classes of deals up to symmetry, and checks that sets share none.
`cards` describes a set of files and checks it. `resampling` weights the samples of a space by any
likelihood.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)

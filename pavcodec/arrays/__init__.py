"""Batches: the same results as the definitions, in compiled loops over arrays.

`compiler` and `chunks` are the tools: numba, and threads that share rows. `words` has numbers of
128 bits, `owners` rows of cards. On them stand the loops of the other rooms: `philox`,
`permutation` and `random_bits` of sampling, `numberings`, and `text` and `views` of formats and
learning.

The modules of this room import numpy and numba, so other rooms import them only when a batch is
needed.
"""

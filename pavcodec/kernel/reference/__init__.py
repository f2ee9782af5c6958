"""The definition of each function of the kernel in plain Python, obvious and short.

A function here has the name and the arguments of its twin in `kernel.h`. Arrays are numpy arrays of
the types there, with any shape that has the right number of entries; results are written into them.
Tests compare the twins over whole toy decks and at the edges of the real deck. With
`PAVCODEC_KERNEL=reference`, the whole library runs on these definitions.
"""

from pavcodec.kernel.reference.rpdd import rpdd_draw as rpdd_draw
from pavcodec.kernel.reference.rpdd import rpdd_find as rpdd_find
from pavcodec.kernel.reference.rpdd import rpdd_mark as rpdd_mark
from pavcodec.kernel.reference.stream import stream_draw as stream_draw
from pavcodec.kernel.reference.walk import digits_rank as digits_rank
from pavcodec.kernel.reference.walk import digits_unrank as digits_unrank
from pavcodec.kernel.reference.walk import endings_rank as endings_rank
from pavcodec.kernel.reference.walk import endings_table as endings_table
from pavcodec.kernel.reference.walk import endings_unrank as endings_unrank
from pavcodec.kernel.reference.walk import reorder as reorder
from pavcodec.kernel.reference.walk import scramble as scramble
from pavcodec.kernel.reference.walk import sizes_rank as sizes_rank
from pavcodec.kernel.reference.walk import sizes_table as sizes_table
from pavcodec.kernel.reference.walk import sizes_unrank as sizes_unrank
from pavcodec.kernel.reference.walk import subsets_rank as subsets_rank
from pavcodec.kernel.reference.walk import subsets_table as subsets_table
from pavcodec.kernel.reference.walk import subsets_unrank as subsets_unrank

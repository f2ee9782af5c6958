"""The definition of each function of the kernel in plain Python, obvious and short.

A function here has the name and the arguments of its twin in `kernel.h`. Arrays are numpy arrays of
the types there, with any shape that has the right number of entries; results are written into them.
Tests compare the twins over whole toy decks and at the edges of the real deck. With
`PAVCODEC_KERNEL=reference`, the whole library runs on these definitions.
"""

from pavcodec.kernel.reference.classes import canonical_words as canonical_words
from pavcodec.kernel.reference.classes import class_rank as class_rank
from pavcodec.kernel.reference.classes import class_unrank as class_unrank
from pavcodec.kernel.reference.legal import legal_counts as legal_counts
from pavcodec.kernel.reference.legal import legal_decide as legal_decide
from pavcodec.kernel.reference.legal import legal_rank as legal_rank
from pavcodec.kernel.reference.legal import legal_tables as legal_tables
from pavcodec.kernel.reference.legal import legal_unrank as legal_unrank
from pavcodec.kernel.reference.stream import stream_draw as stream_draw

"""The definition of each function of the kernel in plain Python, obvious and short.

A function here has the name and the arguments of its twin in `kernel.h`. Arrays are numpy arrays of
the types there, with any shape that has the right number of entries; results are written into them.
Tests compare the twins over whole toy decks and at the edges of the real deck. With
`PAVCODEC_KERNEL=reference`, the whole library runs on these definitions.
"""

from pavcodec.kernel.reference.automata import automata_decide as automata_decide
from pavcodec.kernel.reference.automata import automata_multiply as automata_multiply
from pavcodec.kernel.reference.automata import automaton_arrive as automaton_arrive
from pavcodec.kernel.reference.automata import automaton_merge as automaton_merge
from pavcodec.kernel.reference.automata import automaton_rank as automaton_rank
from pavcodec.kernel.reference.automata import automaton_trim as automaton_trim
from pavcodec.kernel.reference.automata import automaton_unrank as automaton_unrank
from pavcodec.kernel.reference.automata import blocks_count as blocks_count
from pavcodec.kernel.reference.automata import blocks_incoming as blocks_incoming
from pavcodec.kernel.reference.automata import blocks_join as blocks_join
from pavcodec.kernel.reference.automata import blocks_keep as blocks_keep
from pavcodec.kernel.reference.automata import blocks_reach as blocks_reach
from pavcodec.kernel.reference.automata import rows_number as rows_number
from pavcodec.kernel.reference.stream import stream_draw as stream_draw

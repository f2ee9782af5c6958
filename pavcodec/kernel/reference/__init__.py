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
from pavcodec.kernel.reference.classes import canonical_words as canonical_words
from pavcodec.kernel.reference.classes import class_rank as class_rank
from pavcodec.kernel.reference.classes import class_unrank as class_unrank
from pavcodec.kernel.reference.columns import count_places as count_places
from pavcodec.kernel.reference.columns import pack_hands as pack_hands
from pavcodec.kernel.reference.columns import place_cards as place_cards
from pavcodec.kernel.reference.columns import split_suits as split_suits
from pavcodec.kernel.reference.columns import tally_deals as tally_deals
from pavcodec.kernel.reference.columns import unpack_hands as unpack_hands
from pavcodec.kernel.reference.legal import legal_counts as legal_counts
from pavcodec.kernel.reference.legal import legal_decide as legal_decide
from pavcodec.kernel.reference.legal import legal_rank as legal_rank
from pavcodec.kernel.reference.legal import legal_tables as legal_tables
from pavcodec.kernel.reference.legal import legal_unrank as legal_unrank
from pavcodec.kernel.reference.rpdd import rpdd_draw as rpdd_draw
from pavcodec.kernel.reference.rpdd import rpdd_find as rpdd_find
from pavcodec.kernel.reference.rpdd import rpdd_mark as rpdd_mark
from pavcodec.kernel.reference.stream import add_to_set as add_to_set
from pavcodec.kernel.reference.stream import permute as permute
from pavcodec.kernel.reference.stream import stream_blocks as stream_blocks
from pavcodec.kernel.reference.stream import stream_draw as stream_draw
from pavcodec.kernel.reference.stream import stream_hash as stream_hash
from pavcodec.kernel.reference.stream import stream_ones as stream_ones
from pavcodec.kernel.reference.texts import read_deals as read_deals
from pavcodec.kernel.reference.texts import read_games as read_games
from pavcodec.kernel.reference.texts import read_hands as read_hands
from pavcodec.kernel.reference.texts import read_numbers as read_numbers
from pavcodec.kernel.reference.texts import write_boards as write_boards
from pavcodec.kernel.reference.texts import write_hands as write_hands
from pavcodec.kernel.reference.texts import write_numbers as write_numbers
from pavcodec.kernel.reference.tricks import code_tricks as code_tricks
from pavcodec.kernel.reference.tricks import estimate_tricks as estimate_tricks
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

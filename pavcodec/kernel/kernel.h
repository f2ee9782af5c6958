/* The functions of the kernel: Python reads their names and arguments from this file.

   Rule 1: a pointer is an array of this type, in the order of C; a `const` one is only read.
   Rule 2: a number below 2^128 is a row of two words, high and low.
   Rule 3: n is a number of rows. A function that checks rows returns the first bad one, or -1.
   Rule 4: nothing is kept between two calls, so that threads share no state.
   Rule 5: reference/ defines each function in plain Python, under the same name. */
#ifndef PAVCODEC_KERNEL_H
#define PAVCODEC_KERNEL_H

#include <stdint.h>

typedef unsigned __int128 u128;

static inline u128 number_at(const uint64_t *rows, int64_t row) {
    return (u128)rows[2 * row] << 64 | rows[2 * row + 1];
}

static inline void put_number(uint64_t *rows, int64_t row, u128 number) {
    rows[2 * row] = (uint64_t)(number >> 64);
    rows[2 * row + 1] = (uint64_t)number;
}

/* stream.c: the stream pav-1 */

void stream_draw(const uint64_t *seed, const uint64_t *last, const uint64_t *least, uint64_t use,
                 uint64_t substream, uint64_t first, int64_t n, uint64_t *rows);

/* automata.c: layered automata, and the words of a counted one */

int64_t automaton_unrank(const int64_t *starts, const int32_t *children, const uint64_t *ways,
                         const uint8_t *letter, const uint32_t *strides, const uint64_t *factors,
                         const uint64_t *high_factors,
                         const uint8_t *kinds, const uint64_t *last, uint64_t cards,
                         uint64_t owners, uint64_t letters, uint64_t room, int64_t n,
                         const uint64_t *numbers, uint8_t *words);
int64_t automaton_rank(const int64_t *starts, const int32_t *children, const uint64_t *ways,
                       const uint8_t *letter, const uint32_t *strides, const uint64_t *factors,
                       const uint64_t *high_factors,
                       const uint8_t *kinds, const uint8_t *sizes, uint64_t cards, uint64_t owners,
                       uint64_t letters, uint64_t room, int64_t n, const uint8_t *words,
                       uint64_t *numbers);
void automata_decide(const int32_t *rows, const int64_t *starts, const int64_t *ends,
                     uint64_t parts, uint64_t cards, uint64_t letters, uint8_t *decided);
int64_t automata_multiply(const int32_t *rows, const int64_t *starts, const int64_t *ends,
                          const uint8_t *decided, uint64_t parts, uint64_t cards, uint64_t letters,
                          uint64_t first, int64_t room, int64_t *widths, int32_t *nodes,
                          int32_t *after, int32_t *table, int32_t *made);
void automaton_merge(int32_t *rows, const int64_t *starts, uint64_t letters, uint64_t first,
                     uint64_t last, int32_t *classes, int32_t *merged, int32_t *table,
                     int64_t *counts);
void automaton_trim(const int32_t *rows, const int64_t *starts, const int64_t *counts,
                    uint64_t letters, uint64_t first, uint64_t last, int64_t *left_starts,
                    int32_t *reached, int32_t *after, int32_t *numbers, int32_t *left);
int64_t rows_number(const int32_t *rows, uint64_t width, int64_t n, int32_t *table,
                    int32_t *different, int64_t *places);
void automaton_arrive(const int32_t *children, uint64_t letters, int64_t n, const uint64_t *words,
                      uint64_t *after);
void blocks_incoming(const int32_t *moves, uint64_t letters, int64_t n, int64_t targets,
                     int64_t *begins, int64_t *edges);
int64_t blocks_reach(const int64_t *begins, const int64_t *edges, const int64_t *starts,
                     const int32_t *items, const int32_t *steps, uint64_t letters, int64_t first,
                     int64_t last, int32_t *seen, int64_t *sizes, int32_t *reached);
int64_t blocks_join(const int64_t *begins, const int64_t *edges, const int64_t *starts,
                    const int32_t *items, const int32_t *steps, uint64_t letters, int64_t height,
                    int64_t most, int32_t *positions, int64_t *next_starts, int32_t *reached,
                    int32_t *children);
int64_t blocks_count(const int64_t *starts, const int32_t *items, const int32_t *moves,
                     const int32_t *steps, const int32_t *origins, const uint64_t *weights,
                     uint64_t letters, const int64_t *next_starts, const int32_t *next_items,
                     const uint64_t *next_ways, uint64_t keeps, int64_t first, int64_t last,
                     int32_t *positions, uint64_t *ways, int32_t *children);
void blocks_keep(const int64_t *starts, const int32_t *items, const uint64_t *ways,
                 const int32_t *children, uint64_t letters, uint64_t keeps, int64_t first,
                 int64_t last, int64_t kept, int64_t *left_starts, int32_t *left_items,
                 uint64_t *left_ways, int32_t *left_children);

#endif

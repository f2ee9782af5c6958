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

/* Return how many of at most 255 cards each owner has, in bytes; owners above 7 count as 7. */
static inline uint64_t sizes_of(const uint8_t *owners, int64_t cards) {
    uint64_t sizes = 0;
    for (int64_t card = 0; card < cards; card++) {
        sizes += UINT64_C(1) << 8 * (owners[card] < 7 ? owners[card] : 7);
    }
    return sizes;
}

/* classes.c: canonical words, and the numbers of classes */

int64_t canonical_words(const uint8_t *labels, int64_t seatings, int64_t seats, int64_t suits,
                        int64_t any_suits, int64_t ranks, int64_t n, const uint8_t *owners,
                        uint8_t *canonical, uint8_t *ways);

int64_t class_rank(const uint8_t *labels, int64_t seatings, int64_t seats, int64_t suits,
                   int64_t any_suits, int64_t ranks, const uint64_t *starts, const int32_t *after,
                   int64_t n, const uint8_t *owners, uint64_t *numbers, int64_t *missing);

int64_t class_unrank(int64_t seats, int64_t suits, int64_t ranks, const uint64_t *starts,
                     const int32_t *after, int64_t n, const uint64_t *numbers, uint8_t *owners,
                     int64_t *missing);

/* legal.c: legal endings */

int64_t legal_tables(int64_t seats, int64_t suits, int64_t ranks, int32_t *known, int64_t rows,
                     int64_t places, uint64_t *states, uint64_t *steps, uint64_t *ways);

void legal_counts(int64_t seats, int64_t suits, int64_t ranks, const uint64_t *states,
                  const uint64_t *ways, uint64_t *counts);

int64_t legal_rank(int64_t seats, int64_t suits, int64_t ranks, const uint64_t *steps,
                   const uint64_t *ways, const uint64_t *firsts, int64_t n, const uint8_t *owners,
                   uint64_t *numbers);

void legal_unrank(int64_t seats, int64_t suits, int64_t ranks, const uint64_t *steps,
                  const uint64_t *ways, const uint64_t *firsts, int64_t n, const uint64_t *numbers,
                  uint8_t *owners);

void legal_decide(int64_t seats, int64_t suits, int64_t ranks, int64_t n, const uint8_t *owners,
                  uint8_t *answers);

/* stream.c: the stream pav-1 */

void stream_draw(const uint64_t *seed, const uint64_t *last, const uint64_t *least, uint64_t use,
                 uint64_t substream, uint64_t first, int64_t n, uint64_t *rows);

#endif

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

/* Before a loop that reads tables: processors without such instructions read them one by one. */
#ifdef __clang__
#define ROW_BY_ROW _Pragma("clang loop vectorize(disable)")
#else
#define ROW_BY_ROW
#endif

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

/* walk.c: words of owners and their numbers. A table has the upper and the lower words of its
   numbers apart. The first `wide` cards (or hands) of a word need both. */

int64_t sizes_table(const uint8_t *sizes, int64_t owners, uint64_t *ways, uint64_t *high,
                    uint64_t *low);
void sizes_unrank(const uint8_t *sizes, int64_t owners, int64_t wide, const uint64_t *high,
                  const uint64_t *low, int64_t n, const uint64_t *numbers, uint8_t *words);
int64_t sizes_rank(const uint8_t *sizes, int64_t owners, int64_t wide, const uint64_t *high,
                   const uint64_t *low, int64_t n, const uint8_t *words, uint64_t *numbers);

int64_t endings_table(int64_t cards, int64_t seats, int64_t most, int64_t is_full, uint16_t *folded,
                      uint32_t *states, uint64_t *high, uint64_t *low);
void endings_unrank(const int64_t *shape, const uint8_t *sizes, const uint64_t *firsts,
                    const uint16_t *folded, const uint64_t *high, const uint64_t *low, int64_t n,
                    const uint64_t *numbers, uint8_t *words);
int64_t endings_rank(const int64_t *shape, const uint8_t *sizes, const uint64_t *firsts,
                     const uint16_t *folded, const uint64_t *high, const uint64_t *low, int64_t n,
                     const uint8_t *words, uint64_t *numbers);

int64_t subsets_table(const uint8_t *sizes, int64_t owners, uint64_t *high, uint64_t *low);
void subsets_unrank(const uint8_t *sizes, int64_t owners, int64_t wide, const uint64_t *high,
                    const uint64_t *low, const uint64_t *last, int64_t n, const uint64_t *numbers,
                    uint8_t *words);
int64_t subsets_rank(const uint8_t *sizes, int64_t owners, const uint64_t *high,
                     const uint64_t *low, const uint64_t *last, int64_t n, const uint8_t *words,
                     uint64_t *numbers);

void digits_unrank(int64_t cards, int64_t base, int64_t n, const uint64_t *numbers, uint8_t *words);
int64_t digits_rank(int64_t cards, int64_t base, int64_t n, const uint8_t *words, uint64_t *numbers);

void reorder(int64_t cards, const uint8_t *order, const uint8_t *names, int64_t n,
             const uint8_t *words, uint8_t *reordered);
void scramble(const uint64_t *factor, const uint64_t *ratio, const uint64_t *shift,
              const uint64_t *total, int64_t n, const uint64_t *numbers, uint64_t *scrambled);

/* rpdd.c: the generator of Pavlicek's collection */

void rpdd_draw(int64_t part, const uint64_t *total, int64_t n, uint64_t *numbers);
void rpdd_mark(int64_t parts, int64_t size, uint8_t *marks);
int64_t rpdd_find(int64_t parts, int64_t size, const uint64_t *total, const uint64_t *number);

#endif

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

/* Return how many of at most 255 cards each owner has, in bytes; owners above 7 count as 7. */
static inline uint64_t sizes_of(const uint8_t *owners, int64_t cards) {
    static const uint64_t ones[8] = {
        1, 1 << 8, 1 << 16, 1 << 24, 1ULL << 32, 1ULL << 40, 1ULL << 48, 1ULL << 56};
    uint64_t sizes = 0;
    for (int64_t card = 0; card < cards; card++)
        sizes += ones[owners[card] < 7 ? owners[card] : 7];
    return sizes;
}

/* classes.c: canonical words, and the numbers of classes */

int64_t canonical_words(const uint8_t *labels, int64_t seatings, int64_t seats, int64_t suits,
                        int64_t any_suits, int64_t ranks, int64_t n, const uint8_t *owners,
                        uint8_t *canonical, uint8_t *ways);

int64_t class_rank(const uint8_t *labels, int64_t seatings, int64_t seats, int64_t suits,
                   int64_t any_suits, int64_t ranks, const uint64_t *starts, const int32_t *after,
                   int64_t first, int64_t n, const uint8_t *owners, uint64_t *numbers,
                   int64_t *missing);

int64_t class_unrank(int64_t seats, int64_t suits, int64_t ranks, const uint64_t *starts,
                     const int32_t *after, int64_t first, int64_t n, const uint64_t *numbers,
                     uint8_t *owners, int64_t *missing);

/* endings.c: the tricks of small endings */

void endings_solved(int64_t known, const uint8_t *tables, const int64_t *starts,
                    const int32_t *rows, const uint32_t *adds, int64_t size, int64_t trumps,
                    int64_t n, const uint8_t *lengths, uint8_t *table);

int64_t endings_tricks(int64_t known, const uint8_t *tables, const int64_t *starts,
                       const int32_t *rows, const uint32_t *adds, int64_t n, const uint8_t *owners,
                       int64_t contracts, const uint8_t *columns, uint8_t *tricks);

int64_t endings_plays(int64_t known, const uint8_t *tables, const int64_t *starts,
                      const int32_t *rows, const uint32_t *adds, int64_t n, const uint8_t *owners,
                      const uint8_t *turns, uint8_t *tricks);

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
void stream_blocks(const uint64_t *seed, uint64_t a, uint64_t b, uint64_t c, uint64_t first,
                   int64_t n, uint64_t *blocks);
uint64_t stream_ones(const uint64_t *seed, uint64_t a, uint64_t b, uint64_t c, uint64_t first,
                     int64_t n);
void stream_hash(const uint64_t *seed, int64_t n, const uint64_t *numbers, uint64_t *words);
void permute(const uint64_t *keys, int64_t bits, const uint64_t *last, int64_t is_forward,
             int64_t n, uint64_t *rows);
void add_to_set(int64_t size, uint64_t *table, uint8_t *is_used, int64_t n, const uint64_t *rows,
                uint8_t *is_new);

/* columns.c: owners in other forms, and their counts */

int64_t pack_hands(int64_t n, const uint8_t *owners, uint64_t *hands);
int64_t unpack_hands(int64_t n, const uint64_t *hands, uint8_t *owners);
int64_t split_suits(int64_t n, const uint8_t *owners, uint16_t *holdings);
int64_t count_places(const uint8_t *places, int64_t n, const uint8_t *owners, const uint8_t *turns,
                     int64_t hands, int64_t width, uint8_t *counts);
int64_t place_cards(const uint8_t *cards, int64_t n, const uint8_t *owners, const uint8_t *turns,
                    int64_t hand_step, int64_t card_step, uint8_t *places);
int64_t tally_deals(int64_t cards, const uint64_t *words, int64_t size, int64_t n,
                    const uint8_t *owners, int64_t *shapes, int64_t *points, int64_t *controls,
                    int64_t *holders);

/* tricks.c: double-dummy tricks, modelled and coded */

void estimate_tricks(const int64_t *bias, const int64_t *honours, const int64_t *lengths,
                     const int64_t *index, int64_t n, const uint8_t *owners, int64_t *estimates);
void code_tricks(const int64_t *pull, const int64_t *lean, const int64_t *squash,
                 const int64_t *stretch, const int64_t *rates, const int64_t *first,
                 int64_t *weights, int64_t *probabilities, int64_t *counts, int64_t is_decoding,
                 int64_t n, const uint8_t *owners, const int64_t *estimates, uint8_t *tricks,
                 int64_t *state, int64_t room, uint8_t *data);

/* texts.c: layouts and numbers as text

   A reader reads up to n rows from at[0] on, at most to `size`, and moves at[0] to where the text is
   not strictly right; it returns how many rows it read. read_hands instead returns the first bad row:
   it gives the cards of text[offsets[row], offsets[row + 1]) to a seat, and they must be unused (4).
   read_games also writes how many lines it read, and the span of the last game; the row of a game
   without a deal is 255. read_lin also writes how many lines it read.

   A writer has `size` bytes; it writes while they are enough for any further row, returns how many
   rows it wrote, and where they end. write_boards also stops at a hand of less than `least` or more
   than `most` cards, and at an owner above 4. The boards are of the `classes` in turn: a class has
   `count` fields with a literal before each and one after the last; the literals are between
   count + 2 cuts. A field is 4 * seat + suit for the cards of a suit, 16 + seat for the deal from a
   seat on, 20 for the number of the board, 21 for its entry of `numbers`. */

int64_t read_deals(const uint8_t *text, int64_t size, int64_t n, uint8_t *owners, int64_t *at);
int64_t read_numbers(const uint8_t *text, int64_t size, const uint64_t *least, const uint64_t *most,
                     int64_t n, uint64_t *numbers, int64_t *at);
int64_t read_games(const uint8_t *text, int64_t size, int64_t n, uint8_t *owners, int64_t *at);
int64_t read_lin(const uint8_t *text, int64_t size, int64_t n, uint8_t *owners, int64_t *at);
int64_t read_hands(const uint8_t *text, int64_t size, const int32_t *offsets, int64_t seat,
                   int64_t n, uint8_t *owners);
int64_t write_boards(int64_t n, const uint8_t *owners, const uint64_t *numbers, uint64_t first,
                     int64_t least, int64_t most, int64_t classes, int64_t class_of_first,
                     int64_t count, const uint8_t *fields, const uint8_t *literals,
                     const int64_t *cuts, int64_t size, uint8_t *text, int64_t *end);
int64_t write_numbers(int64_t n, const uint64_t *numbers, int64_t size, uint8_t *text,
                      int64_t *end);
int64_t write_hands(int64_t n, const uint16_t *holdings, int64_t size, uint8_t *text,
                    int32_t *offsets);

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

/* automata.c: layered automata, and the words of a counted one */

void automaton_unrank(const int64_t *starts, const int32_t *children, const uint64_t *ways,
                      const uint8_t *letter, const uint32_t *strides, const uint64_t *factors,
                      const uint64_t *high_factors, const uint8_t *kinds, uint64_t cards,
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
void automaton_sum(const int32_t *children, uint64_t letters, uint64_t limbs, int64_t n,
                   const uint64_t *after, uint64_t *ways);
void blocks_incoming(const int32_t *moves, uint64_t letters, int64_t n, int64_t targets,
                     int64_t *begins, int64_t *edges);
int64_t blocks_join(const int64_t *begins, const int64_t *edges, const int64_t *starts,
                    const int32_t *items, const int32_t *steps, uint64_t letters, int64_t first,
                    int64_t last, int64_t most, uint64_t keeps, int32_t *positions, int64_t *sizes,
                    int32_t *reached, int32_t *children);
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

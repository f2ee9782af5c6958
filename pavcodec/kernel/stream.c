/* Random numbers (reference/stream.py): the stream pav-1 and the permutation pav-permutation-1, both
   by Philox, and sets of numbers that were drawn.

   Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3 (2011). */
#include "kernel.h"

enum { ROUNDS = 10 };

/* Replace a counter by its block under a key. */
static inline void philox(uint64_t counter[4], uint64_t left, uint64_t right) {
    for (int round = 0; round < ROUNDS; round++) {
        u128 first = (u128)0xD2E7470EE14C6C93 * counter[0];
        u128 second = (u128)0xCA5A826395121157 * counter[2];
        counter[0] = (uint64_t)(second >> 64) ^ counter[1] ^ left;
        counter[1] = (uint64_t)second;
        counter[2] = (uint64_t)(first >> 64) ^ counter[3] ^ right;
        counter[3] = (uint64_t)first;
        left += 0x9E3779B97F4A7C15;
        right += 0xBB67AE8584CAA73B;
    }
}

/* Return the lower half of x (last + 1), a product of up to 256 bits, and put the upper half into
   `index`. The cardinality last + 1 may be 2^128, which is no u128. */
static inline u128 scaled(u128 x, u128 last, u128 *index) {
    uint64_t x_low = (uint64_t)x, x_high = (uint64_t)(x >> 64);
    uint64_t last_low = (uint64_t)last, last_high = (uint64_t)(last >> 64);
    u128 lowest = (u128)x_low * last_low + x_low;
    u128 middle = (u128)x_high * last_low + x_high + (lowest >> 64);
    u128 other_middle = (u128)x_low * last_high + (uint64_t)middle;
    *index = (u128)x_high * last_high + (middle >> 64) + (other_middle >> 64);
    return other_middle << 64 | (uint64_t)lowest;
}

void stream_draw(const uint64_t *seed, const uint64_t *last, const uint64_t *least, uint64_t use,
                 uint64_t substream, uint64_t first, int64_t n, uint64_t *rows) {
    u128 largest = number_at(last, 0), least_accepted = number_at(least, 0), index = 0;
    for (int64_t row = 0; row < n; row++) {
        for (uint64_t attempt = 0;; attempt++) {
            uint64_t words[4] = {first + (uint64_t)row, attempt, use, substream};
            philox(words, seed[1], seed[0]);
            if (scaled((u128)words[1] << 64 | words[0], largest, &index) >= least_accepted) break;
            if (scaled((u128)words[3] << 64 | words[2], largest, &index) >= least_accepted) break;
        }
        put_number(rows, row, index);
    }
}

void stream_blocks(const uint64_t *seed, uint64_t a, uint64_t b, uint64_t c, uint64_t first,
                   int64_t n, uint64_t *blocks) {
    for (int64_t block = 0; block < n; block++) {
        uint64_t *words = blocks + 4 * block;
        words[0] = a, words[1] = b, words[2] = c, words[3] = first + (uint64_t)block;
        philox(words, seed[1], seed[0]);
    }
}

uint64_t stream_ones(const uint64_t *seed, uint64_t a, uint64_t b, uint64_t c, uint64_t first,
                     int64_t n) {
    uint64_t ones = 0;
    for (int64_t block = 0; block < n; block++) {
        uint64_t words[4] = {a, b, c, first + (uint64_t)block};
        philox(words, seed[1], seed[0]);
        for (int word = 0; word < 4; word++) ones += (uint64_t)__builtin_popcountll(words[word]);
    }
    return ones;
}

void stream_hash(const uint64_t *seed, int64_t n, const uint64_t *numbers, uint64_t *words) {
    for (int64_t row = 0; row < n; row++) {
        uint64_t block[4] = {numbers[2 * row + 1], numbers[2 * row], ~(uint64_t)0, 0};
        philox(block, seed[1], seed[0]);
        words[row] = block[0];
    }
}

/* The permutation takes a few numbers together: their products do not wait for each other. */

enum { LANES = 4, TURNS = 8, MIXES = 3 };

/* Make 128 bits that depend on a half, a high and a low word: rounds of Philox2x64. */
static inline void mix(const uint64_t half[LANES], const uint64_t key[2], uint64_t high[LANES],
                       uint64_t low[LANES]) {
    uint64_t step = key[1];
    for (int lane = 0; lane < LANES; lane++) high[lane] = half[lane], low[lane] = key[0];
    for (int round = 0; round < MIXES; round++) {
        for (int lane = 0; lane < LANES; lane++) {
            u128 product = (u128)0xD2B74407B1CE6E93 * high[lane];
            high[lane] = (uint64_t)(product >> 64) ^ step ^ low[lane];
            low[lane] = (uint64_t)product;
        }
        step += 0x9E3779B97F4A7C15;
    }
}

/* Return the upper half of x (last + 1) for x of two words, where last + 1 may be 2^64. */
static inline uint64_t scaled_word(uint64_t high, uint64_t low, uint64_t last) {
    uint64_t total = last + 1;
    if (!total) return high;
    uint64_t carry = (uint64_t)((u128)low * total >> 64);
    return (uint64_t)(((u128)high * total + carry) >> 64);
}

/* Replace numbers by those after all rounds, or before all rounds. The right half of a number has
   `bits` bits, 5 to 64, and the left half is 0 to `last`. */
static inline void turn(const uint64_t *keys, int bits, uint64_t last, int is_forward,
                        u128 numbers[LANES]) {
    uint64_t left[LANES], right[LANES], high[LANES], low[LANES], mask = ~(uint64_t)0 >> (64 - bits);
    for (int lane = 0; lane < LANES; lane++) {
        left[lane] = (uint64_t)(numbers[lane] >> bits);
        right[lane] = (uint64_t)numbers[lane] & mask;
    }
    for (int pair = 0; pair < TURNS; pair += 2) {
        for (int half = 0; half < 2; half++) {
            if (half == is_forward) {
                mix(left, keys + 2 * (is_forward ? pair + 1 : TURNS - 1 - pair), high, low);
                for (int lane = 0; lane < LANES; lane++) {
                    uint64_t step = high[lane] >> (64 - bits);
                    right[lane] = (is_forward ? right[lane] + step : right[lane] - step) & mask;
                }
                continue;
            }
            mix(right, keys + 2 * (is_forward ? pair : TURNS - 2 - pair), high, low);
            for (int lane = 0; lane < LANES; lane++) {
                uint64_t step = scaled_word(high[lane], low[lane], last), at = left[lane];
                uint64_t back = last - step;
                if (is_forward)
                    left[lane] = at > back ? at - back - 1 : at + step;
                else
                    left[lane] = at >= step ? at - step : at + back + 1;
            }
        }
    }
    for (int lane = 0; lane < LANES; lane++) numbers[lane] = (u128)left[lane] << bits | right[lane];
}

static inline void permute_rows(const uint64_t *keys, int bits, const uint64_t *last,
                                int is_forward, int64_t n, uint64_t *rows) {
    u128 largest = number_at(last, 0);
    uint64_t left = (uint64_t)(largest >> bits);
    for (int64_t first = 0; first < n; first += LANES) {
        int many = n - first < LANES ? (int)(n - first) : LANES;
        u128 numbers[LANES] = {0}, others[LANES] = {0};
        for (int lane = 0; lane < many; lane++) numbers[lane] = number_at(rows, first + lane);
        turn(keys, bits, left, is_forward, numbers);
        for (int lane = 0; lane < many; lane++) {
            others[0] = numbers[lane];  /* again while it is above the largest number */
            while (others[0] > largest) turn(keys, bits, left, is_forward, others);
            put_number(rows, first + lane, others[0]);
        }
    }
}

void permute(const uint64_t *keys, int64_t bits, const uint64_t *last, int64_t is_forward,
             int64_t n, uint64_t *rows) {
    if (is_forward)  /* a constant makes two loops without the branches */
        permute_rows(keys, (int)bits, last, 1, n, rows);
    else
        permute_rows(keys, (int)bits, last, 0, n, rows);
}

/* Put each row into the next free slot of the table from its hash on, unless it is there. The table
   has `size` slots, a power of two, and at least one of them stays free. */
void add_to_set(int64_t size, uint64_t *table, uint8_t *is_used, int64_t n, const uint64_t *rows,
                uint8_t *is_new) {
    uint64_t mask = (uint64_t)size - 1;
    for (int64_t row = 0; row < n; row++) {
        uint64_t high = rows[2 * row], low = rows[2 * row + 1];
        uint64_t mixed = (high * 0x9E3779B97F4A7C15 ^ low) * 0xD6E8FEB86659FD93;
        uint64_t slot = (mixed ^ mixed >> 32) & mask;
        while (is_used[slot] && (table[2 * slot] != high || table[2 * slot + 1] != low))
            slot = (slot + 1) & mask;
        is_new[row] = !is_used[slot];
        is_used[slot] = 1;
        table[2 * slot] = high, table[2 * slot + 1] = low;
    }
}

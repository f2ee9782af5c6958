/* The stream pav-1 (reference/stream.py): samples of a seed by Philox4x64-10.

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

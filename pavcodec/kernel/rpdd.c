/* The generator of Pavlicek's collection of solved deals (reference/rpdd.py): Marsaglia's multiply
   with carry, which starts again in each part. Three outputs make the number of a deal. */
#include "kernel.h"

enum { DISCARDED = 12, MARKS = 27, OTHER = 37 };
static const uint64_t FACTORS[4] = {0x13FB, 0x6F0, 0x5D4, 0x7DD4FFC7}, WORD = 0xFFFFFFFF;

/* The last four outputs, the latest first, and the carry. */
typedef struct {
    uint64_t last[4], carry;
} generator;

static inline void turn(generator *g) {
    uint64_t product = g->carry;
    for (int i = 0; i < 4; i++) product += FACTORS[i] * g->last[i];
    for (int i = 3; i; i--) g->last[i] = g->last[i - 1];
    g->last[0] = product & WORD;
    g->carry = product >> 32;
}

/* Return the low word of the next number; the latest output decides the high word. */
static inline uint64_t next_low(generator *g) {
    for (int i = 0; i < 3; i++) turn(g);
    return g->last[1] << 32 | g->last[2];
}

static inline u128 with_high(const generator *g, uint64_t low, const uint64_t *total) {
    uint64_t choices = total[0] + (low < total[1]); /* the high words that keep it below the total */
    return (u128)(g->last[0] * choices >> 32) << 64 | low;
}

static inline uint32_t turned(uint32_t word) { return word >> 10 | word << 22; }

static generator generator_of(int64_t part) {
    uint32_t number = (uint32_t)part + 1, word = turned(number ^ 0xFFFF);
    word = turned((word & ~UINT32_C(0xFFFF)) | (number & 0xFFFF));
    word |= (4 * number & 0xFFFF) | 3;
    uint64_t words[5];
    for (int i = 0; i < 5; i++) words[i] = word = word * 0x1C8E815 - 1;
    generator g = {{words[0], words[1], words[2], words[3]}, words[4]};
    for (int i = 0; i < DISCARDED; i++) turn(&g);
    return g;
}

void rpdd_draw(int64_t part, const uint64_t *total, int64_t n, uint64_t *numbers) {
    generator g = generator_of(part);
    for (int64_t row = 0; row < n; row++) {
        uint64_t low = next_low(&g);
        put_number(numbers, row, with_high(&g, low, total));
    }
}

void rpdd_mark(int64_t parts, int64_t size, uint8_t *marks) {
    for (int64_t part = 0; part < parts; part++) {
        generator g = generator_of(part);
        for (int64_t row = 0; row < size; row++) {
            uint64_t low = next_low(&g), one = low & ((1 << MARKS) - 1), other = low >> OTHER;
            marks[one >> 3] |= (uint8_t)(1 << (one & 7));
            marks[other >> 3] |= (uint8_t)(1 << (other & 7));
        }
    }
}

int64_t rpdd_find(int64_t parts, int64_t size, const uint64_t *total, const uint64_t *number) {
    for (int64_t part = 0; part < parts; part++) {
        generator g = generator_of(part);
        for (int64_t row = 0; row < size; row++) {
            uint64_t low = next_low(&g);
            if (low == number[1] && with_high(&g, low, total) == number_at(number, 0))
                return part * size + row;
        }
    }
    return -1;
}

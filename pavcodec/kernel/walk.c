/* Words of owners to numbers and back (reference/walk.py): the partition walk over tables.

   In one word, what is computed for a card depends on the card before. So the loops place one card
   of many words at a time: these do not depend on each other, and their data stay in the fastest
   cache. Where all sums of a card fit into one word, the upper words are not read. */
#include "kernel.h"

#include <string.h>

enum { BLOCK = 128, MOST_CARDS = 255, MOST_OWNERS = 7 };

static inline u128 joined(uint64_t high, uint64_t low) { return (u128)high << 64 | low; }

static inline int64_t least(int64_t one, int64_t other) { return one < other ? one : other; }

/* A block of numbers and of the words that they become, card by card. */
typedef struct {
    uint64_t high[BLOCK], low[BLOCK];
    uint32_t state[BLOCK];
    uint8_t columns[MOST_CARDS][BLOCK];
} block;

static void put_words(const block *b, int64_t cards, int64_t rows, uint8_t *words) {
    for (int64_t row = 0; row < rows; row++)
        for (int64_t card = 0; card < cards; card++) words[row * cards + card] = b->columns[card][row];
}

static uint64_t packed(const uint8_t *sizes, int64_t owners) {
    uint64_t all = 0;
    for (int64_t owner = 0; owner < owners; owner++) all |= (uint64_t)sizes[owner] << 8 * owner;
    return all;
}

/* Words with fixed sizes of the hands.

   The room of an owner is the number of cards that it still gets. A state is the sum of room x
   stride over the owners, and 0 at the end. A table has for each state and owner where the words
   begin whose next card goes to this owner: the number of those with an earlier owner. */

typedef struct {
    int64_t owners, cards, start;
    uint32_t strides[MOST_OWNERS];
} hands;

static hands hands_of(const uint8_t *sizes, int64_t owners) {
    hands h = {.owners = owners};
    uint32_t stride = 1;
    for (int64_t owner = owners - 1; owner >= 0; owner--) {
        h.strides[owner] = stride;
        h.start += (int64_t)stride * sizes[owner];
        h.cards += sizes[owner];
        stride *= sizes[owner] + 1u;
    }
    return h;
}

int64_t sizes_table(const uint8_t *sizes, int64_t owners, uint64_t *ways, uint64_t *high,
                    uint64_t *low) {
    hands h = hands_of(sizes, owners);
    int64_t narrow = h.cards; /* the most cards left for which all states have ways of one word */
    for (int64_t state = 0; state <= h.start; state++) {
        u128 total = 0;
        int64_t left = 0, rest = state;
        for (int64_t owner = 0; owner < owners; owner++) {
            int64_t room = rest / h.strides[owner], entry = state * owners + owner;
            rest %= h.strides[owner];
            left += room;
            high[entry] = (uint64_t)(total >> 64);
            low[entry] = (uint64_t)total;
            if (room) total += number_at(ways, state - h.strides[owner]);
        }
        put_number(ways, state, state ? total : 1);
        if (total >> 64) narrow = least(narrow, left - 1);
    }
    return h.cards - narrow;
}

static inline void give_by_sizes(const hands *h, const int owners, const int is_wide,
                                 const uint64_t *high, const uint64_t *low, int64_t card,
                                 int64_t rows, block *b) {
    ROW_BY_ROW
    for (int64_t row = 0; row < rows; row++) {
        const uint64_t *highs = high + (int64_t)b->state[row] * owners;
        const uint64_t *lows = low + (int64_t)b->state[row] * owners;
        int owner = 0;
        if (is_wide) {
            u128 number = joined(b->high[row], b->low[row]);
            for (int o = 1; o < owners; o++) owner += number >= joined(highs[o], lows[o]);
            number -= joined(highs[owner], lows[owner]);
            b->high[row] = (uint64_t)(number >> 64);
            b->low[row] = (uint64_t)number;
        } else {
            for (int o = 1; o < owners; o++) owner += b->low[row] >= lows[o];
            b->low[row] -= lows[owner];
        }
        b->state[row] -= h->strides[owner];
        b->columns[card][row] = (uint8_t)owner;
    }
}

static inline void give_all(const hands *h, const int owners, int64_t wide, const uint64_t *high,
                            const uint64_t *low, int64_t rows, block *b) {
    for (int64_t card = 0; card < wide; card++) give_by_sizes(h, owners, 1, high, low, card, rows, b);
    for (int64_t card = wide; card < h->cards; card++)
        give_by_sizes(h, owners, 0, high, low, card, rows, b);
}

void sizes_unrank(const uint8_t *sizes, int64_t owners, int64_t wide, const uint64_t *high,
                  const uint64_t *low, int64_t n, const uint64_t *numbers, uint8_t *words) {
    hands h = hands_of(sizes, owners);
    block b;
    for (int64_t first = 0; first < n; first += BLOCK) {
        int64_t rows = least(BLOCK, n - first);
        for (int64_t row = 0; row < rows; row++) {
            b.high[row] = numbers[2 * (first + row)];
            b.low[row] = numbers[2 * (first + row) + 1];
            b.state[row] = (uint32_t)h.start;
        }
        if (owners == 4) /* a constant number unrolls the loops */
            give_all(&h, 4, wide, high, low, rows, &b);
        else
            give_all(&h, (int)owners, wide, high, low, rows, &b);
        put_words(&b, h.cards, rows, words + first * h.cards);
    }
}

static inline int64_t sum_by_sizes(const hands *h, const int owners, uint64_t sizes, int64_t wide,
                                   const uint64_t *high, const uint64_t *low, int64_t n,
                                   const uint8_t *words, uint64_t *numbers) {
    for (int64_t row = 0; row < n; row++) {
        const uint8_t *word = words + row * h->cards;
        if (sizes_of(word, h->cards) != sizes) return row;
        u128 number = 0;
        uint64_t rest = 0;
        uint32_t state = (uint32_t)h->start;
        for (int64_t card = 0; card < wide; card++) {
            int64_t entry = (int64_t)state * owners + word[card];
            number += joined(high[entry], low[entry]);
            state -= h->strides[word[card]];
        }
        for (int64_t card = wide; card < h->cards; card++) {
            rest += low[(int64_t)state * owners + word[card]];
            state -= h->strides[word[card]];
        }
        put_number(numbers, row, number + rest);
    }
    return -1;
}

int64_t sizes_rank(const uint8_t *sizes, int64_t owners, int64_t wide, const uint64_t *high,
                   const uint64_t *low, int64_t n, const uint8_t *words, uint64_t *numbers) {
    hands h = hands_of(sizes, owners);
    uint64_t all = packed(sizes, owners);
    if (owners == 4) return sum_by_sizes(&h, 4, all, wide, high, low, n, words, numbers);
    return sum_by_sizes(&h, (int)owners, all, wide, high, low, n, words, numbers);
}

/* Endings: words of seats with a limited room, and of one more owner, unused, without a limit.

   A state is the sum of (room + 1) x stride over the seats, so that a seat without room leads to a
   state with a digit 0, which is none. The number of completions does not depend on which seat has
   which room, so states with the same rooms in another order have one row of the table: there are
   2,380 rows for each number of cards left instead of 38,416 states. Row 0 has no completions. */

int64_t endings_table(int64_t cards, int64_t seats, int64_t most, int64_t is_full, uint16_t *folded,
                      uint32_t *states, uint64_t *high, uint64_t *low) {
    int64_t base = most + 2, all = 1, rows = 0, narrow = -1;
    for (int64_t seat = 0; seat < seats; seat++) all *= base;
    for (int64_t state = 0; state < all; state++) {
        int64_t digits[MOST_OWNERS] = {0}, rest = state, in_order = 0, is_none = 0;
        for (int64_t seat = 0; seat < seats; seat++, rest /= base) {
            int64_t digit = rest % base, at = seat;
            is_none |= !digit;
            for (; at && digits[at - 1] < digit; at--) digits[at] = digits[at - 1];
            digits[at] = digit; /* the largest first, so that a state in order is the first of its rooms */
        }
        for (int64_t seat = seats; seat--;) in_order = in_order * base + digits[seat];
        if (is_none) {
            folded[state] = 0;
        } else if (in_order == state) {
            states[++rows] = (uint32_t)state;
            folded[state] = (uint16_t)rows;
        } else {
            folded[state] = folded[in_order];
        }
    }
    states[0] = 0;
    rows++;
    for (int64_t left = 0; left <= cards; left++) {
        uint64_t *highs = high + left * rows, *lows = low + left * rows, any = 0;
        highs[0] = lows[0] = 0;
        for (int64_t row = 1; row < rows; row++) {
            u128 ways = left ? joined(highs[row - rows], lows[row - rows]) : !is_full || row == 1;
            int64_t stride = 1;
            for (int64_t seat = 0; left && seat < seats; seat++, stride *= base) {
                int64_t before = folded[states[row] - stride] - rows;
                ways += joined(highs[before], lows[before]);
            }
            any |= highs[row] = (uint64_t)(ways >> 64);
            lows[row] = (uint64_t)ways;
        }
        if (!any && narrow == left - 1) narrow = left;
    }
    return cards - narrow;
}

typedef struct {
    int64_t cards, seats, is_full, wide, parts, rows;
    uint32_t strides[MOST_OWNERS];
    const uint8_t *sizes;
    const uint64_t *firsts, *high, *low;
    const uint16_t *folded;
} endings;

static endings endings_of(const int64_t *shape, const uint8_t *sizes, const uint64_t *firsts,
                          const uint16_t *folded, const uint64_t *high, const uint64_t *low) {
    endings e = {.cards = shape[0], .seats = shape[1], .is_full = shape[3], .wide = shape[4],
                 .parts = shape[5], .rows = 1, .sizes = sizes, .firsts = firsts, .folded = folded,
                 .high = high, .low = low};
    uint32_t stride = 1;
    for (int64_t seat = 0; seat < e.seats; seat++, stride *= (uint32_t)shape[2] + 2) {
        e.strides[seat] = stride;
        e.rows = e.rows * (shape[2] + 1 + seat) / (seat + 1); /* combinations with repetition */
    }
    e.rows++;
    return e; /* a card of nobody changes no room: the stride of unused is 0 */
}

static uint32_t start_of(const endings *e, int64_t part) {
    uint32_t state = 0;
    for (int64_t seat = 0; seat < e->seats; seat++)
        state += e->strides[seat] * (e->sizes[part * e->seats + seat] + 1u);
    return state;
}

static inline void give_by_limits(const endings *e, const int seats, const int is_wide, int64_t card,
                                  int64_t rows, block *b) {
    const uint64_t *highs = e->high + (e->cards - 1 - card) * e->rows;
    const uint64_t *lows = e->low + (e->cards - 1 - card) * e->rows;
    const uint16_t *folded = e->folded;
    ROW_BY_ROW
    for (int64_t row = 0; row < rows; row++) {
        uint32_t state = b->state[row];
        int owner = 0;
        if (is_wide) {
            u128 number = joined(b->high[row], b->low[row]), end = 0, begin = 0;
            for (int seat = 0; seat < seats; seat++) {
                uint16_t folds = folded[state - e->strides[seat]];
                end += joined(highs[folds], lows[folds]);
                int passes = number >= end;
                owner += passes;
                begin = passes ? end : begin;
            }
            number -= begin;
            b->high[row] = (uint64_t)(number >> 64);
            b->low[row] = (uint64_t)number;
        } else {
            uint64_t number = b->low[row], end = 0, begin = 0;
            for (int seat = 0; seat < seats; seat++) {
                end += lows[folded[state - e->strides[seat]]];
                int passes = number >= end;
                owner += passes;
                begin = passes ? end : begin;
            }
            b->low[row] = number - begin;
        }
        b->state[row] = state - e->strides[owner];
        b->columns[card][row] = (uint8_t)owner;
    }
}

static inline void give_endings(const endings *e, const int seats, int64_t rows, block *b) {
    for (int64_t card = 0; card < e->wide; card++) give_by_limits(e, seats, 1, card, rows, b);
    for (int64_t card = e->wide; card < e->cards; card++) give_by_limits(e, seats, 0, card, rows, b);
}

void endings_unrank(const int64_t *shape, const uint8_t *sizes, const uint64_t *firsts,
                    const uint16_t *folded, const uint64_t *high, const uint64_t *low, int64_t n,
                    const uint64_t *numbers, uint8_t *words) {
    endings e = endings_of(shape, sizes, firsts, folded, high, low);
    block b;
    for (int64_t first = 0; first < n; first += BLOCK) {
        int64_t rows = least(BLOCK, n - first);
        for (int64_t row = 0; row < rows; row++) {
            u128 number = number_at(numbers, first + row);
            int64_t part = e.parts - 1;
            while (part && number < number_at(firsts, part)) part--;
            number -= number_at(firsts, part);
            b.state[row] = start_of(&e, part);
            b.high[row] = (uint64_t)(number >> 64);
            b.low[row] = (uint64_t)number;
        }
        if (e.seats == 4)
            give_endings(&e, 4, rows, &b);
        else
            give_endings(&e, (int)e.seats, rows, &b);
        put_words(&b, e.cards, rows, words + first * e.cards);
    }
}

/* Return the part of a word whose owners hold these cards, or -1. */
static int64_t part_of(const endings *e, uint64_t held) {
    if (held >> 8 * e->seats >> 8) return -1; /* somebody else holds a card */
    const uint8_t *sizes = e->sizes;
    for (int64_t part = 0; part < e->parts; part++, sizes += e->seats) {
        int64_t seat = 0;
        for (; seat < e->seats; seat++) {
            uint8_t size = (uint8_t)(held >> 8 * seat);
            if (e->is_full ? size != sizes[seat] : size > sizes[seat]) break;
        }
        if (seat == e->seats) return part;
    }
    return -1;
}

/* Add the completions of all earlier owners; those of later ones are added as 0, without a branch. */
static inline int64_t sum_by_limits(const endings *e, const int seats, int64_t n,
                                    const uint8_t *words, uint64_t *numbers) {
    const uint16_t *folded = e->folded;
    for (int64_t row = 0; row < n; row++) {
        const uint8_t *word = words + row * e->cards;
        int64_t part = part_of(e, sizes_of(word, e->cards));
        if (part < 0) return row;
        u128 number = number_at(e->firsts, part);
        uint64_t rest = 0;
        uint32_t state = start_of(e, part);
        for (int64_t card = 0; card < e->cards; card++) {
            const uint64_t *highs = e->high + (e->cards - 1 - card) * e->rows;
            const uint64_t *lows = e->low + (e->cards - 1 - card) * e->rows;
            int owner = word[card];
            for (int seat = 0; seat < seats; seat++) {
                uint16_t folds = folded[state - e->strides[seat]];
                folds = seat < owner ? folds : 0;
                if (card < e->wide)
                    number += joined(highs[folds], lows[folds]);
                else
                    rest += lows[folds];
            }
            state -= e->strides[owner];
        }
        put_number(numbers, row, number + rest);
    }
    return -1;
}

int64_t endings_rank(const int64_t *shape, const uint8_t *sizes, const uint64_t *firsts,
                     const uint16_t *folded, const uint64_t *high, const uint64_t *low, int64_t n,
                     const uint8_t *words, uint64_t *numbers) {
    endings e = endings_of(shape, sizes, firsts, folded, high, low);
    if (e.seats == 4) return sum_by_limits(&e, 4, n, words, numbers);
    return sum_by_limits(&e, (int)e.seats, n, words, numbers);
}

/* Deals hand by hand: each hand is a subset of the cards that the earlier hands left.

   Here the words are counted backwards from the last one. A card that a hand holds adds the subsets
   in which it is not held, C(cards left after it, cards to get), times the words of all later
   hands; a card that is not held adds nothing. So a number is a sum over the cards, without a
   multiplication. A table has these terms by hand, cards left and cards to get, where the last hand
   holds all cards that are left, so its terms are 0. */

static int64_t terms_of(const uint8_t *sizes, int64_t owners, int64_t *stride) {
    int64_t cards = 0, most = 0;
    for (int64_t hand = 0; hand < owners; hand++) {
        cards += sizes[hand];
        if (sizes[hand] > most) most = sizes[hand];
    }
    *stride = most + 1;
    return cards;
}

int64_t subsets_table(const uint8_t *sizes, int64_t owners, uint64_t *high, uint64_t *low) {
    int64_t stride, cards = terms_of(sizes, owners, &stride), rest = 0, wide = 0;
    u128 following = 1;
    for (int64_t hand = owners - 1; hand >= 0; hand--) {
        int64_t base = hand * (cards + 1) * stride;
        rest += sizes[hand];
        for (int64_t left = 0; left <= rest; left++)
            for (int64_t room = 0; room <= sizes[hand]; room++) {
                int64_t at = base + left * stride + room, before = at - stride;
                u128 term = room ? 0 : following;
                if (left && room)
                    term = joined(high[before], low[before]) + joined(high[before - 1], low[before - 1]);
                high[at] = (uint64_t)(term >> 64);
                low[at] = (uint64_t)term;
            }
        int64_t all = base + rest * stride + sizes[hand];
        following = joined(high[all], low[all]);
        if (following >> 64 && !wide) wide = hand + 1;
    }
    return wide;
}

static inline void take_card(const int is_wide, const uint64_t *highs, const uint64_t *lows,
                             int64_t index, int64_t rows, block *b, uint64_t *bits) {
    ROW_BY_ROW
    for (int64_t row = 0; row < rows; row++) {
        uint32_t room = b->state[row];
        uint64_t holds;
        if (is_wide) {
            u128 number = joined(b->high[row], b->low[row]), term = joined(highs[room], lows[room]);
            holds = number >= term;
            number -= holds ? term : 0;
            b->high[row] = (uint64_t)(number >> 64);
            b->low[row] = (uint64_t)number;
        } else {
            holds = b->low[row] >= lows[room];
            b->low[row] -= holds ? lows[room] : 0;
        }
        b->state[row] = room - (uint32_t)holds;
        bits[row] |= holds << index;
    }
}

/* Give each card to the first hand whose bits hold it; bits of a hand are of the cards left. */
static inline void deal_subsets(const int owners, int64_t cards, uint64_t *bits, uint8_t *word) {
    for (int64_t card = 0; card < cards; card++) {
        uint64_t is_left = 1, owner = 0;
        for (int hand = 0; hand < owners - 1; hand++) {
            uint64_t holds = bits[hand] & is_left;
            bits[hand] >>= is_left;
            is_left &= ~holds;
            owner += is_left;
        }
        word[card] = (uint8_t)owner;
    }
}

void subsets_unrank(const uint8_t *sizes, int64_t owners, int64_t wide, const uint64_t *high,
                    const uint64_t *low, const uint64_t *last, int64_t n, const uint64_t *numbers,
                    uint8_t *words) {
    int64_t stride, cards = terms_of(sizes, owners, &stride);
    block b;
    uint64_t bits[MOST_OWNERS][BLOCK];
    for (int64_t first = 0; first < n; first += BLOCK) {
        int64_t rows = least(BLOCK, n - first), left = cards;
        for (int64_t row = 0; row < rows; row++) {
            u128 number = number_at(last, 0) - number_at(numbers, first + row);
            b.high[row] = (uint64_t)(number >> 64);
            b.low[row] = (uint64_t)number;
        }
        for (int64_t hand = 0; hand < owners - 1; hand++) {
            memset(bits[hand], 0, (size_t)rows * sizeof **bits);
            for (int64_t row = 0; row < rows; row++) b.state[row] = sizes[hand];
            for (int64_t index = 0; index < left; index++) {
                int64_t at = (hand * (cards + 1) + left - 1 - index) * stride;
                if (hand < wide)
                    take_card(1, high + at, low + at, index, rows, &b, bits[hand]);
                else
                    take_card(0, high + at, low + at, index, rows, &b, bits[hand]);
            }
            left -= sizes[hand];
        }
        for (int64_t row = 0; row < rows; row++) {
            uint64_t of_row[MOST_OWNERS];
            uint8_t *word = words + (first + row) * cards;
            for (int64_t hand = 0; hand < owners - 1; hand++) of_row[hand] = bits[hand][row];
            if (owners == 4)
                deal_subsets(4, cards, of_row, word);
            else
                deal_subsets((int)owners, cards, of_row, word);
        }
    }
}

static inline int64_t sum_by_subsets(const int owners, const uint8_t *sizes, const uint64_t *high,
                                     const uint64_t *low, u128 last, int64_t cards, int64_t stride,
                                     int64_t n, const uint8_t *words, uint64_t *numbers) {
    const uint64_t all = packed(sizes, owners);
    for (int64_t row = 0; row < n; row++) {
        const uint8_t *word = words + row * cards;
        if (sizes_of(word, cards) != all) return row;
        int64_t left[MOST_OWNERS], at[MOST_OWNERS], rest = 0;
        for (int hand = owners - 1; hand >= 0; hand--) { /* at: the hand's entry for no cards left */
            rest += sizes[hand];
            left[hand] = rest;
            at[hand] = hand * (cards + 1) * stride + sizes[hand];
        }
        u128 number = 0;
        for (int64_t card = 0; card < cards; card++) {
            int owner = word[card];
            for (int hand = 0; hand < owners; hand++) left[hand] -= owner >= hand;
            int64_t entry = at[owner]-- + left[owner] * stride;
            number += joined(high[entry], low[entry]);
        }
        put_number(numbers, row, last - number);
    }
    return -1;
}

int64_t subsets_rank(const uint8_t *sizes, int64_t owners, const uint64_t *high,
                     const uint64_t *low, const uint64_t *last, int64_t n, const uint8_t *words,
                     uint64_t *numbers) {
    int64_t stride, cards = terms_of(sizes, owners, &stride);
    u128 end = number_at(last, 0);
    if (owners == 4)
        return sum_by_subsets(4, sizes, high, low, end, cards, stride, n, words, numbers);
    return sum_by_subsets((int)owners, sizes, high, low, end, cards, stride, n, words, numbers);
}

/* Any owners of the cards: a number in base `base`, card 0 least significant; the last owner is the
   digit 0. Parts of as many digits as 32 bits hold are divided on their own. */

enum { MOST_PARTS = 16 };

static inline void unrank_digits(const int64_t cards, const uint32_t base, const int64_t size,
                                 const uint32_t whole, int64_t n, const uint64_t *numbers,
                                 uint8_t *words) {
    const int64_t parts = (cards + size - 1) / size;
    for (int64_t row = 0; row < n; row++) {
        uint32_t part[MOST_PARTS], limbs[4];
        for (int word = 0; word < 2; word++) {
            limbs[2 * word] = (uint32_t)(numbers[2 * row + word] >> 32);
            limbs[2 * word + 1] = (uint32_t)numbers[2 * row + word];
        }
        for (int64_t p = 0; p < parts; p++) { /* the remainders of a division by hand are the parts */
            uint64_t rest = 0;
            for (int limb = 0; limb < 4; limb++) {
                uint64_t dividend = rest << 32 | limbs[limb];
                limbs[limb] = (uint32_t)(dividend / whole);
                rest = dividend % whole;
            }
            part[p] = (uint32_t)rest;
        }
        for (int64_t place = 0; place < size; place++)
            for (int64_t p = 0; p < parts && p * size + place < cards; p++) {
                uint32_t digit = part[p] % base;
                part[p] /= base;
                words[row * cards + p * size + place] = (uint8_t)(digit ? digit - 1 : base - 1);
            }
    }
}

static inline int64_t rank_digits(const int64_t cards, const uint32_t base, const int64_t size,
                                  const uint32_t whole, int64_t n, const uint8_t *words,
                                  uint64_t *numbers) {
    const int64_t parts = (cards + size - 1) / size;
    for (int64_t row = 0; row < n; row++, words += cards) {
        uint8_t digits[MOST_CARDS], largest = 0;
        for (int64_t card = 0; card < cards; card++) {
            uint8_t digit = (uint8_t)(words[card] + 1);
            largest = words[card] > largest ? words[card] : largest;
            digits[card] = digit == base ? 0 : digit;
        }
        if (largest >= base) return row;
        u128 number = 0;
        for (int64_t p = parts; p--;) {
            uint32_t part = 0;
            int64_t end = (p + 1) * size < cards ? (p + 1) * size : cards;
            for (int64_t card = end; card-- > p * size;) part = part * base + digits[card];
            number = number * whole + part;
        }
        put_number(numbers, row, number);
    }
    return -1;
}

/* Return how many digits fit into 32 bits, and the first number that has one more; return 0 for a
   base of no owners, or of more than bytes have. */
static int64_t digits_in_a_part(int64_t base, uint32_t *whole) {
    int64_t size = 0;
    if (base < 1 || base > 256) return 0;
    for (*whole = 1; size < MOST_CARDS && *whole <= UINT32_MAX / base; size++)
        *whole *= (uint32_t)base;
    return size;
}

void digits_unrank(int64_t cards, int64_t base, int64_t n, const uint64_t *numbers, uint8_t *words) {
    uint32_t whole;
    int64_t size = digits_in_a_part(base, &whole);
    if (!size) return;
    if (cards == 52 && base == 5) /* constants divide by multiplication */
        unrank_digits(52, 5, 13, 1220703125, n, numbers, words);
    else
        unrank_digits(cards, (uint32_t)base, size, whole, n, numbers, words);
}

int64_t digits_rank(int64_t cards, int64_t base, int64_t n, const uint8_t *words, uint64_t *numbers) {
    uint32_t whole;
    int64_t size = digits_in_a_part(base, &whole);
    if (!size) return n ? 0 : -1;
    if (cards == 52 && base == 5) return rank_digits(52, 5, 13, 1220703125, n, words, numbers);
    return rank_digits(cards, (uint32_t)base, size, whole, n, words, numbers);
}

/* Words in another order of cards and seats, and numbers in another order. */

void reorder(int64_t cards, const uint8_t *order, const uint8_t *names, int64_t n,
             const uint8_t *words, uint8_t *reordered) {
    for (int64_t row = 0; row < n; row++) {
        uint8_t word[MOST_CARDS];
        memcpy(word, words + row * cards, (size_t)cards);
        for (int64_t card = 0; card < cards; card++)
            reordered[row * cards + card] = names[word[order[card]]];
    }
}

/* Return the upper half of a product of 256 bits. */
static inline u128 upper_half(u128 one, u128 other) {
    uint64_t a = (uint64_t)(one >> 64), b = (uint64_t)one;
    uint64_t c = (uint64_t)(other >> 64), d = (uint64_t)other;
    u128 middle = (u128)a * d + (uint64_t)((u128)b * d >> 64);
    u128 other_middle = (u128)b * c + (uint64_t)middle;
    return (u128)a * c + (middle >> 64) + (other_middle >> 64);
}

/* Shoup's way to multiply by a constant: ratio = factor x 2^128 / total, rounded down, so the upper
   half of x ratio is the quotient of x factor / total, or one less. */
void scramble(const uint64_t *factor, const uint64_t *ratio, const uint64_t *shift,
              const uint64_t *total, int64_t n, const uint64_t *numbers, uint64_t *scrambled) {
    u128 f = number_at(factor, 0), r = number_at(ratio, 0), s = number_at(shift, 0);
    u128 t = number_at(total, 0);
    for (int64_t row = 0; row < n; row++) {
        u128 x = number_at(numbers, row), image = x * f - upper_half(x, r) * t;
        if (image >= t) image -= t;
        image += s;
        if (image >= t) image -= t;
        put_number(scrambled, row, image);
    }
}

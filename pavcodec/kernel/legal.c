/* Legal endings (reference/legal.py): whether rows are legal; their numbers, by tables of states.

   A state is the number of cards placed, the cards of the present suit that are gone, and for each
   seat a value: twice the cards that it still gets, plus one if it holds the suit. The number of
   completions does not depend on which seat has which value. So a row of the tables has the values
   in descending order, in *slots*; a seat that takes a card moves behind the slots with larger
   values. A walk stores the row, the slot of each seat, and the *need*: the number of tricks that
   must still have been led. The need is not part of the state. Each row has a count for each need:
   from the least that its completions give, for which all of them count, to the greatest that play
   can have left open. A need below this range is the least one; above it, no completion counts.

   `steps` has for each row, and for each slot and for unused, the step when this owner takes the
   next card, or 0. The bits of a step, from the lowest: the next row; the greatest number of tricks
   led in the suit, if it ends here; the new slot of the seat; and of the next row the least need,
   the greatest need, and the place of its counts in `ways`, where place 0 has the count 0. */
#include "kernel.h"

enum { SEATS = 4, MOST_CARDS = 60, BLOCK = 128, FEW = 4 };
enum { GAIN = 24, MOVE = 29, LOWEST = 31, HIGHEST = 36, PLACE = 41, NEED_BITS = 5 };
enum { LEAST = 40, GREATEST = 48 }; /* in a finished entry of `states`, above what steps get */

static const uint64_t FINISHED = (UINT64_C(1) << 33) - 1, EACH_BYTE = 0x01010101;

static inline int64_t field(uint64_t step, int first, int bits) {
    return (int64_t)(step >> first & ((UINT64_C(1) << bits) - 1));
}

static inline int64_t row_of(uint64_t step) { return field(step, 0, GAIN); }
static inline int64_t gain_of(uint64_t step) { return field(step, GAIN, MOVE - GAIN); }

/* Return where `ways` has the number of completions after a step that give `need` tricks or more,
   tricks led in the suit that the step ends included. */
static inline int64_t place_of(uint64_t step, int64_t need) {
    int64_t more = need - gain_of(step), lowest = field(step, LOWEST, NEED_BITS);
    int64_t place = (int64_t)(step >> PLACE) + (more > lowest ? more - lowest : 0);
    return more > field(step, HIGHEST, NEED_BITS) ? 0 : place;
}

typedef struct {
    int64_t seats, ranks, cards;
    int32_t binomials[MOST_CARDS + 2 * SEATS][SEATS + 1];
} Deck;

static void set_deck(Deck *deck, int64_t seats, int64_t suits, int64_t ranks) {
    deck->seats = seats, deck->ranks = ranks, deck->cards = suits * ranks;
    for (int n = 0; n < MOST_CARDS + 2 * SEATS; n++) {
        for (int k = 0; k <= SEATS; k++) {
            deck->binomials[n][k] =
                k == 0 ? 1 : n == 0 ? 0 : deck->binomials[n - 1][k] + deck->binomials[n - 1][k - 1];
        }
    }
}

/* Return the state after an owner takes the next card, and put the bits of the step into `step`;
   return 0 if it cannot. A state has the values of the slots in its bytes, and above them the cards
   gone. Put the number of the state among those of a layer into `index`. */
static inline int place(const Deck *deck, uint64_t state, int64_t taker, int64_t placed,
                        uint64_t *after, uint64_t *step, int64_t *index) {
    int64_t seats = deck->seats, values[SEATS], gone = (int64_t)(state >> 8 * SEATS), rooms = 0;
    for (int64_t slot = 0; slot < seats; slot++) {
        values[slot] = (int64_t)(state >> 8 * slot & 255);
        rooms += values[slot] >> 1;
    }
    *step = 0;
    if (taker == seats) {
        if (deck->cards - placed <= rooms) return 0;
        gone++;
    } else {
        if (values[taker] < 2) return 0;
        int64_t value = (values[taker] - 2) | 1, slot = taker;
        for (; slot + 1 < seats && values[slot + 1] > value; slot++) values[slot] = values[slot + 1];
        values[slot] = value;
        *step |= (uint64_t)slot << MOVE;
    }
    if ((placed + 1) % deck->ranks == 0) {
        int64_t holders = 0;
        for (int64_t slot = 0; slot < seats; slot++) {
            holders += values[slot] & 1;
            values[slot] &= ~1;
        }
        *step |= (uint64_t)(gone / (holders ? holders : 1)) << GAIN;
        gone = 0;
    }
    *after = (uint64_t)gone << 8 * SEATS;
    *index = 0;
    for (int64_t slot = 0; slot < seats; slot++) {
        *after |= (uint64_t)values[slot] << 8 * slot;
        *index += deck->binomials[values[slot] + seats - slot - 1][seats - slot];
    }
    *index = *index * (deck->ranks + 1) + gone;
    return 1;
}

/* Count the completions of a row whose next rows are finished; return how many places are used
   after that, or -1 if there are not enough. */
static inline int64_t finish(int64_t seats, int64_t most_need, uint64_t *state, uint64_t *steps,
                             uint64_t *ways, int64_t used, int64_t places, const uint64_t *states) {
    int64_t least = 255, greatest = 0;
    for (int64_t taker = 0; taker <= seats; taker++) {
        if (!steps[taker]) continue;
        uint64_t next = states[row_of(steps[taker])];
        steps[taker] |= (next & FINISHED) << LOWEST;
        int64_t low = field(next, LEAST, 8) + gain_of(steps[taker]);
        int64_t high = field(next, GREATEST, 8) + gain_of(steps[taker]);
        least = low < least ? low : least;
        greatest = high > greatest ? high : greatest;
    }
    int64_t lowest = least < most_need ? least : most_need;
    int64_t highest = greatest < most_need ? greatest : most_need;
    if (used + highest - lowest >= places) return -1;
    *state = (uint64_t)lowest | (uint64_t)highest << NEED_BITS | (uint64_t)used << 2 * NEED_BITS |
             (uint64_t)least << LEAST | (uint64_t)greatest << GREATEST;
    for (int64_t need = lowest; need <= highest; need++) {
        u128 total = 0;
        for (int64_t taker = 0; taker <= seats; taker++) {
            total += number_at(ways, place_of(steps[taker], need));
        }
        put_number(ways, used++, total);
    }
    return used;
}

int64_t legal_tables(int64_t seats, int64_t suits, int64_t ranks, int32_t *known, int64_t rows,
                     int64_t places, uint64_t *states, uint64_t *steps, uint64_t *ways) {
    Deck deck;
    set_deck(&deck, seats, suits, ranks);
    int64_t most = deck.cards / seats, takers = seats + 1, layers[MOST_CARDS + 2] = {0, most};
    int64_t count = most;
    if (rows < most || places < 2) return -1; /* places 0 and 1 are of no and of one completion */
    for (int64_t row = 0; row < most; row++) {
        states[row] = (EACH_BYTE & ((UINT64_C(1) << 8 * seats) - 1)) * 2 * (uint64_t)(most - row);
    }
    for (int64_t placed = 0; placed < deck.cards; placed++) {
        int64_t first = count; /* of the next layer: an older row in `known` is of another one */
        for (int64_t row = layers[placed]; row < first; row++) {
            for (int64_t taker = 0; taker < takers; taker++) {
                uint64_t after, step;
                int64_t index;
                if (!place(&deck, states[row], taker, placed, &after, &step, &index)) {
                    steps[row * takers + taker] = 0;
                    continue;
                }
                if (known[index] < first) {
                    if (count == rows) return -1;
                    known[index] = (int32_t)count;
                    states[count++] = after;
                }
                steps[row * takers + taker] = step | (uint64_t)known[index];
            }
        }
        layers[placed + 2] = count;
    }
    put_number(ways, 0, 0);
    put_number(ways, 1, 1);
    for (int64_t taker = 0; taker < takers; taker++) steps[(count - 1) * takers + taker] = 0;
    states[count - 1] = UINT64_C(1) << 2 * NEED_BITS; /* after the last card, one way for need 0 */
    int64_t used = 2;
    for (int64_t placed = deck.cards - 1; placed >= 0; placed--) {
        for (int64_t row = layers[placed + 1] - 1; row >= layers[placed]; row--) {
            int64_t left = deck.cards - placed, gone = (int64_t)(states[row] >> 8 * SEATS);
            for (int64_t slot = 0; slot < seats; slot++) left -= field(states[row], 8 * (int)slot, 8) >> 1;
            int64_t most_need = (gone + left + (seats - 1) * (placed / ranks)) / seats;
            used = finish(seats, most_need, &states[row], &steps[row * takers], ways, used, places,
                          states);
            if (used < 0) return -1;
        }
    }
    return count;
}

void legal_counts(int64_t seats, int64_t suits, int64_t ranks, const uint64_t *states,
                  const uint64_t *ways, uint64_t *counts) {
    for (int64_t row = 0; row < suits * ranks / seats; row++) {
        put_number(counts, row, number_at(ways, place_of((states[row] & FINISHED) << LOWEST, row)));
    }
}

/* The endings of a block, on their way through the tables. */
typedef struct {
    uint64_t row[BLOCK];
    int64_t need[BLOCK];
    uint32_t slots[BLOCK]; /* in byte i, the slot of seat i */
    uint32_t places[BLOCK][SEATS]; /* by slot: of the counts if its seat takes the next card */
    u128 number[BLOCK];
} Walk;

static const uint32_t SORTED = 0x03020100;

static inline int64_t slot_of(uint32_t slots, int64_t seat) { return slots >> 8 * seat & 3; }

/* Return the slots when a seat moves from its slot to a later one: those between move ahead. */
static inline uint32_t moved(uint32_t slots, int64_t seat, int64_t to) {
    const uint32_t each = EACH_BYTE, top = each << 7;
    uint32_t behind = ((slots | top) - (uint32_t)(slot_of(slots, seat) + 1) * each) & top;
    uint32_t behind_all = ((slots | top) - (uint32_t)(to + 1) * each) & top;
    slots -= (behind & ~behind_all) >> 7;
    return (slots & ~(UINT32_C(255) << 8 * seat)) | (uint32_t)to << 8 * seat;
}

/* Give the next card of ending `i` to an owner by a step. */
static inline void take(Walk *walk, int64_t i, uint64_t step, int64_t owner, int64_t seats,
                        const uint64_t *steps) {
    uint32_t after = moved(walk->slots[i], owner & 3, field(step, MOVE, LOWEST - MOVE));
    walk->slots[i] = owner < seats ? after : walk->slots[i];
    walk->need[i] -= gain_of(step);
    walk->row[i] = (uint64_t)row_of(step);
    __builtin_prefetch(&steps[walk->row[i] * (uint64_t)(seats + 1)]);
}

/* Look up where the counts of the next card are, and ask for them long before they are read. With
   few endings there is no other work meanwhile: then ask for all next rows as well. */
static inline void look_up(Walk *walk, int64_t count, int64_t seats, const uint64_t *steps,
                           const uint64_t *ways) {
    for (int64_t i = 0; i < count; i++) {
        const uint64_t *here = &steps[walk->row[i] * (uint64_t)(seats + 1)];
        for (int64_t slot = 0; slot < seats; slot++) {
            int64_t place = place_of(here[slot], walk->need[i]);
            walk->places[i][slot] = (uint32_t)place;
            __builtin_prefetch(&ways[2 * place]);
        }
    }
    for (int64_t i = 0; i < count && count < FEW; i++) {
        const uint64_t *here = &steps[walk->row[i] * (uint64_t)(seats + 1)];
        for (int64_t slot = 0; slot <= seats; slot++) {
            __builtin_prefetch(&steps[row_of(here[slot]) * (seats + 1)]);
        }
    }
}

/* Return how many tricks are complete with these numbers of cards, or -1 if the hands are not equal.
   It is also the place of the size of the hands, the fullest first. */
static inline int64_t tricks_of(uint64_t sizes, int64_t seats, int64_t cards) {
    int64_t each = (int64_t)(sizes & 255), most = cards / seats;
    if (sizes >> 8 * (seats + 1)) return -1;
    for (int64_t seat = 1; seat < seats; seat++) {
        if ((int64_t)(sizes >> 8 * seat & 255) != each) return -1;
    }
    return most - each;
}

int64_t legal_rank(int64_t seats, int64_t suits, int64_t ranks, const uint64_t *steps,
                   const uint64_t *ways, const uint64_t *firsts, int64_t n, const uint8_t *owners,
                   uint64_t *numbers) {
    int64_t cards = suits * ranks, bad = -1;
    Walk walk;
    for (int64_t begin = 0; begin < n && bad < 0; begin += BLOCK) {
        int64_t count = n - begin < BLOCK ? n - begin : BLOCK;
        const uint8_t *block = owners + begin * cards;
        for (int64_t i = 0; i < count; i++) {
            int64_t size = tricks_of(sizes_of(block + i * cards, cards), seats, cards);
            if (size < 0 || size == cards / seats) {
                bad = begin + i, count = i;
                break;
            }
            walk.row[i] = (uint64_t)size, walk.need[i] = size, walk.slots[i] = SORTED;
            walk.number[i] = number_at(firsts, size);
        }
        for (int64_t card = 0; card < cards; card++) {
            look_up(&walk, count, seats, steps, ways);
            for (int64_t i = 0; i < count; i++) {
                const uint64_t *here = &steps[walk.row[i] * (uint64_t)(seats + 1)];
                int64_t owner = block[i * cards + card];
                uint32_t slots = walk.slots[i];
                for (int64_t seat = 0; seat < owner; seat++) {
                    walk.number[i] += number_at(ways, walk.places[i][slot_of(slots, seat)]);
                }
                uint64_t step = here[owner < seats ? slot_of(slots, owner) : seats];
                take(&walk, i, step, owner, seats, steps);
            }
        }
        for (int64_t i = 0; i < count; i++) {
            if (walk.need[i] > 0) return begin + i;
            put_number(numbers, begin + i, walk.number[i]);
        }
    }
    return bad;
}

void legal_unrank(int64_t seats, int64_t suits, int64_t ranks, const uint64_t *steps,
                  const uint64_t *ways, const uint64_t *firsts, int64_t n, const uint64_t *numbers,
                  uint8_t *owners) {
    int64_t cards = suits * ranks, most = cards / seats;
    Walk walk;
    for (int64_t begin = 0; begin < n; begin += BLOCK) {
        int64_t count = n - begin < BLOCK ? n - begin : BLOCK;
        for (int64_t i = 0; i < count; i++) {
            u128 number = number_at(numbers, begin + i);
            int64_t size = 0;
            for (int64_t next = 1; next < most; next++) size += number >= number_at(firsts, next);
            walk.row[i] = (uint64_t)size, walk.need[i] = size, walk.slots[i] = SORTED;
            walk.number[i] = number - number_at(firsts, size);
        }
        for (int64_t card = 0; card < cards; card++) {
            look_up(&walk, count, seats, steps, ways);
            for (int64_t i = 0; i < count; i++) {
                const uint64_t *here = &steps[walk.row[i] * (uint64_t)(seats + 1)];
                u128 number = walk.number[i];
                int64_t owner = 0;
                for (; owner < seats; owner++) {
                    u128 part = number_at(ways, walk.places[i][slot_of(walk.slots[i], owner)]);
                    if (number < part) break;
                    number -= part;
                }
                walk.number[i] = number;
                owners[(begin + i) * cards + card] = (uint8_t)owner;
                uint64_t step = here[owner < seats ? slot_of(walk.slots[i], owner) : seats];
                take(&walk, i, step, owner, seats, steps);
            }
        }
    }
}

void legal_decide(int64_t seats, int64_t suits, int64_t ranks, int64_t n, const uint8_t *owners,
                  uint8_t *answers) {
    const uint64_t sevens = UINT64_C(0x7F7F7F7F7F7F7F7F);
    uint64_t hands = (UINT64_C(1) << 8 * seats) - 1;
    for (int64_t row = 0; row < n; row++) {
        uint64_t sizes = 0;
        int64_t led = 0;
        for (int64_t suit = 0; suit < suits; suit++, owners += ranks) {
            uint64_t held = sizes_of(owners, ranks);
            uint64_t holders = ((held & hands) + sevens) >> 7 & EACH_BYTE;
            int64_t gone = (int64_t)(held >> 8 * seats & 255), count = __builtin_popcountll(holders);
            led += gone / (count ? count : 1);
            sizes += held;
        }
        int64_t tricks = tricks_of(sizes, seats, suits * ranks);
        answers[row] = tricks >= 0 && led >= tricks;
    }
}

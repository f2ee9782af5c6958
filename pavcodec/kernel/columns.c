/* Owners of many layouts in other forms (reference/columns.py): packed hands, holdings, the places
   where programs have their cards, and the counts of a tally. */
#include <string.h>

#include "kernel.h"

enum { CARDS = 52, SUITS = 4, RANKS = 13, SEATS = 4, UNUSED = 4, OWNERS = 8 };

/* The bit of a card in a word with 16 bits for each seat, by the owner of the card. */
static const uint64_t FIELDS[OWNERS] = {1, (uint64_t)1 << 16, (uint64_t)1 << 32, (uint64_t)1 << 48};

/* Return whether each owner is 0 to 4. */
static inline int are_owners(const uint8_t *owners) {
    uint8_t wrong = 0;
    for (int card = 0; card < CARDS; card++) wrong |= owners[card] > UNUSED;
    return !wrong;
}

int64_t pack_hands(int64_t n, const uint8_t *owners, uint64_t *hands) {
    for (int64_t row = 0; row < n; row++, owners += CARDS, hands += SEATS) {
        if (!are_owners(owners)) return row;
        uint64_t suits[SUITS] = {0};  /* the lowest bit of a field is that of the ace */
        for (int rank = RANKS - 1; rank >= 0; rank--)
            for (int suit = 0; suit < SUITS; suit++)
                suits[suit] = suits[suit] << 1 | FIELDS[owners[RANKS * suit + rank]];
        for (int seat = 0; seat < SEATS; seat++) {
            hands[seat] = 0;
            for (int suit = 0; suit < SUITS; suit++)
                hands[seat] |= (suits[suit] >> 16 * seat & 0xFFFF) << RANKS * suit;
        }
    }
    return -1;
}

int64_t unpack_hands(int64_t n, const uint64_t *hands, uint8_t *owners) {
    for (int64_t row = 0; row < n; row++, owners += CARDS, hands += SEATS) {
        uint64_t north = hands[0], east = hands[1], south = hands[2], west = hands[3];
        uint64_t twice = (north & east) | (south & west) | ((north | east) & (south | west));
        uint64_t held = north | east | south | west;
        if (twice || held >> CARDS) return row;
        /* the three bits of an owner: 4 for a card of nobody */
        uint64_t odd = east | west, high = south | west;
        for (int card = 0; card < CARDS; card++)
            owners[card] = (uint8_t)((odd >> card & 1) | (high >> card & 1) << 1 |
                                     (~held >> card & 1) << 2);
    }
    return -1;
}

/* The columns are often a multiple of a page apart, so few of them would stay in the first cache if
   rows were written one by one. */
enum { BLOCK = 64 };

int64_t split_suits(int64_t n, const uint8_t *owners, uint16_t *holdings) {
    uint64_t suits[SUITS][BLOCK];
    for (int64_t first = 0; first < n; first += BLOCK) {
        int64_t rows = n - first < BLOCK ? n - first : BLOCK;
        for (int64_t row = 0; row < rows; row++, owners += CARDS) {
            if (!are_owners(owners)) return first + row;
            for (int suit = 0; suit < SUITS; suit++) {
                uint64_t held = 0;  /* the highest bit of a field is that of the ace */
                for (int rank = 0; rank < RANKS; rank++)
                    held = held << 1 | FIELDS[owners[RANKS * suit + rank]];
                suits[suit][row] = held;
            }
        }
        for (int seat = 0; seat < SEATS; seat++)
            for (int suit = 0; suit < SUITS; suit++) {
                uint16_t *column = &holdings[(SUITS * seat + suit) * n + first];
                for (int64_t row = 0; row < rows; row++)
                    column[row] = (uint16_t)(suits[suit][row] >> 16 * seat);
            }
    }
    return -1;
}

/* The seat of an owner when seat `turn` takes the place of North; 4 to 7 for others. */
static inline uint8_t turned(uint8_t owner, uint8_t turn) {
    return (uint8_t)(((owner - turn) & 3) | (owner & 4));
}

enum { MOST_PLACES = 64 };

int64_t count_places(const uint8_t *places, int64_t n, const uint8_t *owners, const uint8_t *turns,
                     int64_t hands, int64_t width, uint8_t *counts) {
    uint8_t others[MOST_PLACES] = {0}, seated[CARDS], *held[OWNERS];  /* others: of no such hand */
    for (int64_t row = 0; row < n; row++, owners += CARDS, counts += hands * width) {
        if (!are_owners(owners)) return row;
        memset(counts, 0, (size_t)(hands * width));
        for (int hand = 0; hand < OWNERS; hand++)
            held[hand] = hand < hands ? counts + hand * width : others;
        for (int card = 0; card < CARDS; card++)
            seated[card] = turned(owners[card], turns[row]);
        for (int card = 0; card < CARDS; card++) held[seated[card]][places[card]]++;
    }
    return -1;
}

int64_t place_cards(const uint8_t *cards, int64_t n, const uint8_t *owners, const uint8_t *turns,
                    int64_t hand_step, int64_t card_step, uint8_t *places) {
    for (int64_t row = 0; row < n; row++, owners += CARDS, places += CARDS) {
        int held[SEATS] = {0};
        for (int place = 0; place < CARDS; place++) {
            uint8_t owner = owners[cards[place]];
            if (owner >= UNUSED) return row;
            int hand = turned(owner, turns[row]);
            if (held[hand] == RANKS) return row;
            places[hand * hand_step + held[hand]++ * card_step] = (uint8_t)place;
        }
    }
    return -1;
}

enum { POINTS = 16, CONTROLS = 24, LENGTH = 32, SHAPES = 1 << 12, VALUES = 64, GROUPS = SEATS + 1 };

/* Add a hand, or the hands of a side, to the counts of its group. */
static inline void add_group(int group, uint64_t word, int64_t *shapes, int64_t *points,
                             int64_t *controls) {
    shapes[SHAPES * group + (word & (SHAPES - 1))]++;
    points[VALUES * group + (word >> POINTS & (VALUES - 1))]++;
    controls[VALUES * group + (word >> CONTROLS & (VALUES - 1))]++;
}

int64_t tally_deals(int64_t cards, const uint64_t *words, int64_t size, int64_t n,
                    const uint8_t *owners, int64_t *shapes, int64_t *points, int64_t *controls,
                    int64_t *holders) {
    int64_t deals = 0;
    for (int64_t row = 0; row < n; row++, owners += cards) {
        uint64_t held[OWNERS] = {0};
        for (int64_t card = 0; card < cards; card++) held[owners[card] & 7] += words[card];
        int is_deal = 1;
        for (int seat = 0; seat < SEATS; seat++) is_deal &= held[seat] >> LENGTH == (uint64_t)size;
        if (!is_deal || 4 * size != cards) continue;
        deals++;
        for (int64_t card = 0; card < cards; card++) holders[SEATS * card + owners[card]]++;
        for (int seat = 0; seat < SEATS; seat++)
            add_group(seat, held[seat], shapes, points, controls);
        add_group(SEATS, held[0] + held[2], shapes, points, controls);
    }
    return deals;
}

/* Classes of layouts (reference/classes.py): canonical words, and the numbers of classes of deals.

   The words of the suits are packed into numbers, four bits for each card with the ace in the
   highest bits, so that suits are sorted as numbers. The aces alone exclude most seatings: of two
   sorted rows of owners, the one with more owners 0 is less, among these the one with more owners
   1, and so on; so each seating has a key, a sum over the aces, which is largest for the least row.

   A number is the sum of the starts of the partitions of the rows of cards, rank by rank, which are
   in a table of nodes: `starts[node][row]`, as many as there are rows and one more, and
   `after[node][row]`, the next node. Where only one permutation is left, the rest is the walk over
   all words with these *rooms*, the cards that each hand still gets. An owner's share of the words
   is that of its room in the cards left, so each card needs a product and an exact quotient: with
   2^k d cards left and d odd, a shift, and a product with the inverse of d modulo the word. */
#include "kernel.h"

enum { SEATS = 4, SUITS = 4, OWNERS = 5, SEATINGS = 24, MOST_CARDS = 60 };
enum { SUIT_BITS = 2 }; /* below the cards of a packed word: its suit, so that sorting moves both */
enum { UNKNOWN = -1, PLAIN = -2 };

typedef struct {
    const uint8_t *labels;
    int64_t seatings, seats, suits, ranks, any_suits;
    uint64_t lowest_bits;
    uint16_t keys[SUITS][OWNERS][SEATINGS]; /* of the owners of the aces */
} Group;

static void set_group(Group *group, const uint8_t *labels, int64_t seatings, int64_t seats,
                      int64_t suits, int64_t any_suits, int64_t ranks) {
    group->labels = labels, group->seatings = seatings, group->seats = seats;
    group->suits = suits, group->ranks = ranks, group->any_suits = any_suits;
    group->lowest_bits = UINT64_C(0x1111111111111111) & ((UINT64_C(1) << 4 * ranks) - 1);
    for (int64_t suit = 0; suit < suits; suit++) {
        for (int64_t owner = 0; owner < OWNERS; owner++) {
            for (int64_t seating = 0; seating < seatings; seating++) {
                int label = OWNERS - 1 - labels[seating * OWNERS + owner];
                group->keys[suit][owner][seating] =
                    (uint16_t)(any_suits ? 1 << 3 * label : label << 3 * (suits - 1 - suit));
            }
        }
    }
}

/* Put into `marks` the cards of each owner in a suit, as lowest bits of four. */
static inline void mark(const Group *group, const uint8_t *cards, uint64_t marks[OWNERS]) {
    uint64_t word = 0, ones = group->lowest_bits;
    for (int64_t rank = 0; rank < group->ranks; rank++) word = word << 4 | cards[rank];
    uint64_t first = word & ones, second = word >> 1 & ones, unused = word >> 2 & ones;
    marks[0] = ones & ~(first | second | unused);
    marks[1] = first & ~second;
    marks[2] = second & ~first;
    marks[3] = first & second;
    marks[4] = unused;
}

static inline void exchange(uint64_t *left, uint64_t *right) {
    uint64_t least = *left < *right ? *left : *right, most = *left < *right ? *right : *left;
    *left = least, *right = most;
}

/* Return whether some words are less than others, compared rank by rank. */
static inline int is_less(const uint64_t words[SUITS], const uint64_t others[SUITS]) {
    uint64_t differences = 0;
    for (int suit = 0; suit < SUITS; suit++) differences |= words[suit] ^ others[suit];
    differences >>= SUIT_BITS;
    if (!differences) return 0;
    int shift = SUIT_BITS + ((63 - __builtin_clzll(differences)) & ~3), row = 0, other_row = 0;
    for (int suit = 0; suit < SUITS; suit++) {
        row = row << 4 | (int)(words[suit] >> shift & 15);
        other_row = other_row << 4 | (int)(others[suit] >> shift & 15);
    }
    return row < other_row;
}

/* Put the packed words of the canonical layout into `best`; return its seating. */
static inline int64_t least_words(const Group *group, const uint8_t *owners, uint64_t best[SUITS]) {
    uint64_t marks[SUITS][OWNERS], words[SUITS];
    int64_t suits = group->suits, ranks = group->ranks, chosen = -1;
    uint16_t keys[SEATINGS] = {0}, largest = 0;
    for (int64_t suit = 0; suit < suits; suit++) {
        mark(group, owners + suit * ranks, marks[suit]);
        const uint16_t *more = group->keys[suit][owners[suit * ranks]];
        for (int64_t seating = 0; seating < group->seatings; seating++) keys[seating] += more[seating];
    }
    for (int64_t seating = 0; seating < group->seatings; seating++) {
        largest = keys[seating] > largest ? keys[seating] : largest;
    }
    for (int64_t seating = 0; seating < group->seatings; seating++) {
        if (keys[seating] != largest) continue;
        const uint8_t *labels = group->labels + seating * OWNERS;
        for (int64_t suit = 0; suit < SUITS; suit++) {
            uint64_t word = 0;
            if (suit < suits) {
                for (int owner = 1; owner < OWNERS; owner++) word += marks[suit][owner] * labels[owner];
                word += marks[suit][0] * labels[0];
            }
            words[suit] = suit < suits ? word << SUIT_BITS | (uint64_t)suit : UINT64_MAX;
        }
        if (group->any_suits) {
            exchange(&words[0], &words[1]);
            exchange(&words[2], &words[3]);
            exchange(&words[0], &words[2]);
            exchange(&words[1], &words[3]);
            exchange(&words[1], &words[2]);
        }
        if (chosen < 0 || is_less(words, best)) {
            chosen = seating;
            for (int suit = 0; suit < SUITS; suit++) best[suit] = words[suit];
        }
    }
    return chosen;
}

static inline int64_t owner_in(uint64_t word, int64_t ranks, int64_t rank) {
    return (int64_t)(word >> (SUIT_BITS + 4 * (ranks - 1 - rank)) & 15);
}

int64_t canonical_words(const uint8_t *labels, int64_t seatings, int64_t seats, int64_t suits,
                        int64_t any_suits, int64_t ranks, int64_t n, const uint8_t *owners,
                        uint8_t *canonical, uint8_t *ways) {
    Group group;
    set_group(&group, labels, seatings, seats, suits, any_suits, ranks);
    int64_t cards = suits * ranks;
    for (int64_t row = 0; row < n; row++, owners += cards, canonical += cards) {
        uint64_t best[SUITS];
        int is_bad = 0;
        for (int64_t card = 0; card < cards; card++) is_bad |= owners[card] >= OWNERS;
        if (is_bad) return row;
        int64_t seating = least_words(&group, owners, best);
        uint8_t *way = ways + row * (suits + seats);
        for (int64_t suit = 0; suit < suits; suit++) {
            way[best[suit] & (SUITS - 1)] = (uint8_t)suit;
            for (int64_t rank = 0; rank < ranks; rank++) {
                canonical[suit * ranks + rank] = (uint8_t)owner_in(best[suit], ranks, rank);
            }
        }
        for (int64_t seat = 0; seat < seats; seat++) way[suits + seat] = labels[seating * OWNERS + seat];
    }
    return -1;
}

/* By the cards left: the odd part's inverse modulo the word, and how many factors 2 there are. */
typedef struct {
    uint64_t inverses[MOST_CARDS + 1];
    uint8_t shifts[MOST_CARDS + 1];
} Quotients;

static void set_quotients(Quotients *quotients) {
    for (uint64_t number = 1; number <= MOST_CARDS; number++) {
        int shift = __builtin_ctzll(number);
        uint64_t odd = number >> shift, inverse = odd * 3 ^ 2; /* right modulo 2^5 */
        for (int bits = 5; bits < 64; bits *= 2) inverse *= 2 - odd * inverse;
        quotients->shifts[number] = (uint8_t)shift;
        quotients->inverses[number] = inverse;
    }
}

/* Return a number divided by one that divides it. */
static inline u128 divided(const Quotients *quotients, u128 number, int64_t by) {
    uint64_t inverse = quotients->inverses[by], shift = quotients->shifts[by];
    uint64_t odd = (uint64_t)by >> shift, upper = (uint64_t)(number >> 64);
    uint64_t low = ((uint64_t)number >> shift | upper << 1 << (63 - shift)) * inverse;
    uint64_t carried = (uint64_t)((u128)low * odd >> 64);
    return (u128)(((upper >> shift) - carried) * inverse) << 64 | low;
}

static inline uint64_t divided_word(const Quotients *quotients, uint64_t number, int64_t by) {
    return (number >> quotients->shifts[by]) * quotients->inverses[by];
}

static inline int64_t rows_of(int64_t seats, int64_t suits) {
    int64_t rows = 1;
    for (int64_t suit = 0; suit < suits; suit++) rows *= seats;
    return rows;
}

/* Whether all products of a number of ways and the cards left fit into a word. */
static inline int is_wide(u128 ways) { return (uint64_t)(ways >> 58) != 0; }

/* The rooms of the hands are in the bytes of a number. */
static inline uint64_t room_of(uint64_t rooms, int64_t owner) { return rooms >> 8 * owner & 255; }

static inline uint64_t rooms_before(uint64_t rooms, int64_t owner) {
    return (rooms & ((UINT64_C(1) << 8 * owner) - 1)) * 0x01010101 >> 24 & 255;
}

static inline uint64_t taken(uint64_t rooms, int64_t owner) {
    return rooms - (UINT64_C(1) << 8 * owner);
}

/* Return the number of the rest of a word among all words of these rooms. */
static u128 rank_rest(const Quotients *quotients, const Group *group, const uint64_t words[SUITS],
                      int64_t rank, uint64_t rooms, u128 ways) {
    u128 number = 0;
    int64_t left = (group->ranks - rank) * group->suits, suit = 0;
    for (; is_wide(ways); left--) {
        int64_t owner = owner_in(words[suit], group->ranks, rank);
        number += divided(quotients, ways * rooms_before(rooms, owner), left);
        ways = divided(quotients, ways * room_of(rooms, owner), left);
        rooms = taken(rooms, owner);
        if (++suit == group->suits) suit = 0, rank++;
    }
    uint64_t few = (uint64_t)ways, rest = 0;
    for (; left; left--) {
        int64_t owner = owner_in(words[suit], group->ranks, rank);
        rest += divided_word(quotients, few * rooms_before(rooms, owner), left);
        few = divided_word(quotients, few * room_of(rooms, owner), left);
        rooms = taken(rooms, owner);
        if (++suit == group->suits) suit = 0, rank++;
    }
    return number + rest;
}

/* Write the rest of a word by its number among all words of these rooms. */
static void unrank_rest(const Quotients *quotients, const Group *group, uint8_t *owners,
                        int64_t rank, uint64_t rooms, u128 ways, u128 number) {
    int64_t left = (group->ranks - rank) * group->suits, suit = 0;
    for (; is_wide(ways); left--) {
        u128 scaled = number * (uint64_t)left, sum = 0;
        int64_t owner = 0;
        for (int64_t seat = 0; seat < SEATS - 1; seat++) {
            sum += ways * room_of(rooms, seat);
            owner += scaled >= sum;
        }
        number -= divided(quotients, ways * rooms_before(rooms, owner), left);
        ways = divided(quotients, ways * room_of(rooms, owner), left);
        rooms = taken(rooms, owner);
        owners[suit * group->ranks + rank] = (uint8_t)owner;
        if (++suit == group->suits) suit = 0, rank++;
    }
    uint64_t few = (uint64_t)ways, rest = (uint64_t)number;
    for (; left; left--) {
        uint64_t scaled = rest * (uint64_t)left, sum = 0;
        int64_t owner = 0;
        for (int64_t seat = 0; seat < SEATS - 1; seat++) {
            sum += few * room_of(rooms, seat);
            owner += scaled >= sum;
        }
        rest -= divided_word(quotients, few * rooms_before(rooms, owner), left);
        few = divided_word(quotients, few * room_of(rooms, owner), left);
        rooms = taken(rooms, owner);
        owners[suit * group->ranks + rank] = (uint8_t)owner;
        if (++suit == group->suits) suit = 0, rank++;
    }
}

/* Return the number of cards of each hand, as rooms. */
static inline uint64_t full_rooms(int64_t seats, int64_t cards) {
    return (UINT64_C(0x01010101) & ((UINT64_C(1) << 8 * seats) - 1)) * (uint64_t)(cards / seats);
}

int64_t class_rank(const uint8_t *labels, int64_t seatings, int64_t seats, int64_t suits,
                   int64_t any_suits, int64_t ranks, const uint64_t *starts, const int32_t *after,
                   int64_t first, int64_t n, const uint8_t *owners, uint64_t *numbers,
                   int64_t *missing) {
    Group group;
    Quotients quotients;
    set_group(&group, labels, seatings, seats, suits, any_suits, ranks);
    set_quotients(&quotients);
    int64_t cards = suits * ranks, rows = rows_of(seats, suits);
    owners += first * cards;
    for (int64_t deal = first; deal < n; deal++, owners += cards) {
        missing[0] = -1;
        uint64_t words[SUITS], rooms = full_rooms(seats, cards);
        if (sizes_of(owners, cards) != rooms) return deal;
        least_words(&group, owners, words);
        u128 number = 0;
        int64_t node = 0;
        for (int64_t rank = 0; rank < ranks && node >= 0; rank++) {
            int64_t row = 0;
            for (int64_t suit = 0; suit < suits; suit++) {
                int64_t owner = owner_in(words[suit], ranks, rank);
                row = row * seats + owner;
                rooms = taken(rooms, owner);
            }
            const uint64_t *here = starts + 2 * (node * (rows + 1) + row);
            int64_t next = after[node * rows + row];
            if (next == UNKNOWN) {
                missing[0] = node * rows + row;
                return deal;
            }
            number += number_at(here, 0);
            node = next;
            if (node == PLAIN) {
                u128 ways = number_at(here, 1) - number_at(here, 0);
                number += rank_rest(&quotients, &group, words, rank + 1, rooms, ways);
            }
        }
        put_number(numbers, deal, number);
    }
    return -1;
}

int64_t class_unrank(int64_t seats, int64_t suits, int64_t ranks, const uint64_t *starts,
                     const int32_t *after, int64_t first, int64_t n, const uint64_t *numbers,
                     uint8_t *owners, int64_t *missing) {
    Group group = {.seats = seats, .suits = suits, .ranks = ranks};
    Quotients quotients;
    set_quotients(&quotients);
    int64_t cards = suits * ranks, rows = rows_of(seats, suits);
    owners += first * cards;
    for (int64_t deal = first; deal < n; deal++, owners += cards) {
        uint64_t rooms = full_rooms(seats, cards);
        u128 number = number_at(numbers, deal);
        int64_t node = 0;
        for (int64_t rank = 0; rank < ranks && node >= 0; rank++) {
            const uint64_t *here = starts + 2 * node * (rows + 1);
            int64_t row = 0;
            for (int64_t end = rows; end - row > 1;) {
                int64_t middle = (row + end) / 2;
                int is_later = number >= number_at(here, middle);
                row = is_later ? middle : row;
                end = is_later ? end : middle;
            }
            int64_t next = after[node * rows + row], left = row;
            if (next == UNKNOWN) {
                missing[0] = node * rows + row;
                return deal;
            }
            for (int64_t suit = suits - 1; suit >= 0; suit--, left /= seats) {
                owners[suit * ranks + rank] = (uint8_t)(left % seats);
                rooms = taken(rooms, left % seats);
            }
            number -= number_at(here, row);
            node = next;
            if (node == PLAIN) {
                u128 ways = number_at(here, row + 1) - number_at(here, row);
                unrank_rest(&quotients, &group, owners, rank + 1, rooms, ways, number);
            }
        }
    }
    return -1;
}

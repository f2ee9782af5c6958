/* The tricks of small endings (reference/endings.py): every hand has `size` cards, seat 0 leads.

   Only the order of the cards within a suit matters. So an ending is a word: the owner of each
   card, suit by suit and from the top, and the lengths of the suits. With a trump suit, that is the
   first suit. The other suits, or all of them in notrump, are in order of length, the longest
   first; among suits of one length any order is right, for the tricks are the same.

   A table has two bits for each word, the tricks of the side on lead: for each row of lengths the
   words in lexicographic order. A trick is searched to its end, alpha-beta; what is left has one
   card less in each hand, and is looked up. `rows` has the row of lengths for each size, with trumps
   or not, and the lengths of the first three suits; `adds` what a letter adds to the rank, by the
   cards that each seat still gets, two bits a seat; `starts` the first byte of each table. */
#include "kernel.h"

enum { SEATS = 4, SUITS = 4, MOST_SIZE = 4, MOST_CARDS = 16, RANKS = 13, LENGTHS = 4096,
       NO_PLAY = 255 };

typedef struct {
    int64_t known; /* the greatest size that has a table */
    const uint8_t *tables;
    const int64_t *starts;
    const int32_t *rows;
    const uint32_t *adds;
    int64_t words[MOST_SIZE]; /* the words of each size that has a table */
} Tables;

typedef struct {
    uint8_t word[MOST_CARDS];
    uint8_t lengths[SUITS];
} Ending;

typedef struct {
    const Tables *tables;
    const Ending *ending;
    int size, trumps;
    uint8_t suit_of[MOST_CARDS];
    int played[SEATS];
} Trick;

static int tricks_of(const Tables *tables, const Ending *ending, int size, int trumps);

static Tables tables_of(int64_t known, const uint8_t *tables, const int64_t *starts,
                        const int32_t *rows, const uint32_t *adds) {
    Tables made = {known, tables, starts, rows, adds, {1, 1, 1, 1}};
    for (int64_t size = 1; size <= known; size++) { /* the rank of the last word, and one */
        int64_t left = size * 0x55;
        for (int seat = SEATS - 1; seat >= 0; seat--) {
            for (int64_t card = 0; card < size; card++) {
                made.words[size] += adds[SEATS * left + seat];
                left -= (int64_t)1 << 2 * seat;
            }
        }
    }
    return made;
}

/* Return the tricks of an ending whose size has a table. */
static int look_up(const Tables *tables, const Ending *ending, int size, int trumps) {
    int order[SUITS] = {0, 1, 2, 3}, firsts[SUITS], first = 0;
    for (int suit = 0; suit < SUITS; suit++) {
        firsts[suit] = first;
        first += ending->lengths[suit];
    }
    for (int suit = trumps + 1; suit < SUITS; suit++) {
        for (int at = suit; at > trumps; at--) {
            int longer = order[at];
            if (ending->lengths[longer] <= ending->lengths[order[at - 1]])
                break;
            order[at] = order[at - 1], order[at - 1] = longer;
        }
    }
    int64_t left = size * 0x55, rank = 0;
    for (int at = 0; at < SUITS; at++) {
        const uint8_t *letters = ending->word + firsts[order[at]];
        for (int card = 0; card < ending->lengths[order[at]]; card++) {
            rank += tables->adds[SEATS * left + letters[card]];
            left -= (int64_t)1 << 2 * letters[card];
        }
    }
    int table = 2 * size + trumps;
    int lengths = ending->lengths[order[0]] << 8 | ending->lengths[order[1]] << 4
                  | ending->lengths[order[2]];
    int64_t index = tables->rows[table * LENGTHS + lengths] * tables->words[size] + rank;
    return tables->tables[tables->starts[table] + index / 4] >> index % 4 * 2 & 3;
}

/* Return the tricks of the leader's side after four cards, of which `best` wins. */
static int after_trick(const Trick *trick, int best) {
    const Ending *ending = trick->ending;
    int winner = ending->word[best], cards = 0;
    Ending next = {{0}, {0}};
    for (int suit = 0, card = 0; suit < SUITS; suit++) {
        for (int end = card + ending->lengths[suit]; card < end; card++) {
            if (card != trick->played[0] && card != trick->played[1] && card != trick->played[2]
                && card != trick->played[3]) {
                next.word[cards++] = (ending->word[card] - winner) & 3;
                next.lengths[suit]++;
            }
        }
    }
    int others = tricks_of(trick->tables, &next, trick->size - 1, trick->trumps);
    return winner % 2 ? trick->size - 1 - others : 1 + others;
}

/* Set the first of the cards among which a seat plays, and return their end: it follows suit if it
   can. */
static int plays_of(const Trick *trick, int seat, int *begin) {
    const uint8_t *word = trick->ending->word, *suit_of = trick->suit_of;
    *begin = 0;
    if (seat) {
        int led = suit_of[trick->played[0]], follows = 0, first = 0;
        while (suit_of[first] != led)
            first++;
        int last = first + trick->ending->lengths[led];
        for (int card = first; card < last; card++)
            follows |= word[card] == seat;
        if (follows) {
            *begin = first;
            return last;
        }
    }
    return SEATS * trick->size;
}

/* Return which card wins after a seat has played one more. */
static int best_with(const Trick *trick, int seat, int card, int best) {
    const uint8_t *suit_of = trick->suit_of;
    int wins = !seat || (suit_of[card] == suit_of[best] ? card < best
                                                        : trick->trumps && !suit_of[card]);
    return wins ? card : best;
}

/* Return whether a card is as good as the one above it. */
static int is_next(const Trick *trick, int card) {
    return card && trick->ending->word[card - 1] == trick->ending->word[card]
           && trick->suit_of[card - 1] == trick->suit_of[card];
}

/* Return the tricks of the leader's side when `seat` is to play and `best` wins so far; what is
   not between `least` and `most` is only a bound. */
static int search(Trick *trick, int seat, int best, int least, int most) {
    if (seat == SEATS)
        return after_trick(trick, best);
    const uint8_t *word = trick->ending->word;
    int value = seat % 2 ? trick->size : 0, begin, end = plays_of(trick, seat, &begin);
    for (int card = begin; card < end; card++) {
        if (word[card] != seat || is_next(trick, card))
            continue;
        trick->played[seat] = card;
        int found = search(trick, seat + 1, best_with(trick, seat, card, best), least, most);
        if (seat % 2) {
            value = found < value ? found : value;
            most = value < most ? value : most;
        } else {
            value = found > value ? found : value;
            least = value > least ? value : least;
        }
        if (least >= most)
            break;
    }
    return value;
}

static Trick trick_of(const Tables *tables, const Ending *ending, int size, int trumps) {
    Trick trick = {tables, ending, size, trumps, {0}, {0}};
    for (int suit = 0, card = 0; suit < SUITS; suit++) {
        for (int end = card + ending->lengths[suit]; card < end; card++)
            trick.suit_of[card] = (uint8_t)suit;
    }
    return trick;
}

static int searched(const Tables *tables, const Ending *ending, int size, int trumps) {
    Trick trick = trick_of(tables, ending, size, trumps);
    return search(&trick, 0, 0, 0, size);
}

static int tricks_of(const Tables *tables, const Ending *ending, int size, int trumps) {
    if (size == 0)
        return 0;
    if (size <= tables->known)
        return look_up(tables, ending, size, trumps);
    return searched(tables, ending, size, trumps);
}

/* Make the next word in lexicographic order; return 0 after the last one. */
static int next_word(uint8_t *word, int cards) {
    int at = cards - 2, swap = cards - 1;
    while (at >= 0 && word[at] >= word[at + 1])
        at--;
    if (at < 0)
        return 0;
    while (word[swap] <= word[at])
        swap--;
    uint8_t letter = word[at];
    word[at] = word[swap], word[swap] = letter;
    for (int left = at + 1, right = cards - 1; left < right; left++, right--)
        letter = word[left], word[left] = word[right], word[right] = letter;
    return 1;
}

static void set_lengths(Ending *ending, const uint8_t *lengths, int size) {
    for (int suit = 0; suit < SUITS; suit++)
        ending->lengths[suit] = lengths[suit];
    for (int card = 0; card < SEATS * size; card++)
        ending->word[card] = (uint8_t)(card / size);
}

void endings_solved(int64_t known, const uint8_t *tables, const int64_t *starts,
                    const int32_t *rows, const uint32_t *adds, int64_t size, int64_t trumps,
                    int64_t n, const uint8_t *lengths, uint8_t *table) {
    Tables smaller = tables_of(known, tables, starts, rows, adds);
    Ending ending;
    int64_t index = 0;
    for (int64_t row = 0; row < n; row++) {
        set_lengths(&ending, lengths + SUITS * row, (int)size);
        do {
            int tricks = searched(&smaller, &ending, (int)size, (int)trumps);
            table[index / 4] |= (uint8_t)(tricks << index % 4 * 2);
            index++;
        } while (next_word(ending.word, (int)(SEATS * size)));
    }
}

/* The cards of a layout: the owners from the top of each suit. */
typedef struct {
    uint8_t words[SUITS][RANKS + 1];
    int lengths[SUITS], size;
} Held;

/* Return the cards of a layout; their size is 0 unless each seat has one to four. */
static Held held_of(const uint8_t *owners) {
    Held held;
    for (int suit = 0; suit < SUITS; suit++) {
        int length = 0;
        for (int rank = 0; rank < RANKS; rank++) { /* without a branch for each card */
            uint8_t owner = owners[suit * RANKS + rank];
            held.words[suit][length] = owner;
            length += owner < SEATS;
        }
        held.lengths[suit] = length;
    }
    uint32_t sizes = (uint32_t)sizes_of(owners, SUITS * RANKS);
    held.size = sizes & 0xFF;
    if (held.size > MOST_SIZE || sizes != held.size * 0x01010101u)
        held.size = 0;
    return held;
}

/* Return the suit at a place of an ending: the trump suit is first. */
static int suit_at(int at, int strain) {
    return !strain || at >= strain ? at : at ? at - 1 : strain - 1;
}

static Ending ending_of(const Held *held, int strain, int leader) {
    Ending ending;
    for (int at = 0, card = 0; at < SUITS; at++) {
        int suit = suit_at(at, strain);
        ending.lengths[at] = (uint8_t)held->lengths[suit];
        for (int each = 0; each < held->lengths[suit]; each++)
            ending.word[card++] = (held->words[suit][each] - leader) & 3;
    }
    return ending;
}

int64_t endings_tricks(int64_t known, const uint8_t *tables, const int64_t *starts,
                       const int32_t *rows, const uint32_t *adds, int64_t n, const uint8_t *owners,
                       int64_t contracts, const uint8_t *columns, uint8_t *tricks) {
    Tables all = tables_of(known, tables, starts, rows, adds);
    for (int64_t row = 0; row < n; row++) {
        Held held = held_of(owners + SUITS * RANKS * row);
        if (!held.size)
            return row;
        for (int64_t contract = 0; contract < contracts; contract++) {
            int strain = columns[contract] / SEATS, leader = (columns[contract] + 1) % SEATS;
            Ending ending = ending_of(&held, strain, leader);
            int others = tricks_of(&all, &ending, held.size, strain > 0);
            tricks[contracts * row + contract] = (uint8_t)(held.size - others);
        }
    }
    return -1;
}

int64_t endings_plays(int64_t known, const uint8_t *tables, const int64_t *starts,
                      const int32_t *rows, const uint32_t *adds, int64_t n, const uint8_t *owners,
                      const uint8_t *turns, uint8_t *tricks) {
    Tables all = tables_of(known, tables, starts, rows, adds);
    for (int64_t row = 0; row < n; row++, owners += SUITS * RANKS, tricks += SUITS * RANKS) {
        const uint8_t *turn = turns + (1 + SEATS) * row, *table = turn + 2;
        Held held = held_of(owners);
        if (!held.size)
            return row;
        Ending ending = ending_of(&held, turn[0], turn[1]);
        Trick trick = trick_of(&all, &ending, held.size, turn[0] > 0);
        int places[SUITS * RANKS], cards[MOST_CARDS], seat = 0, best = 0, begin;
        for (int at = 0, place = 0; at < SUITS; at++) {
            int suit = suit_at(at, turn[0]);
            for (int card = suit * RANKS; card < (suit + 1) * RANKS; card++) {
                tricks[card] = NO_PLAY;
                if (owners[card] < SEATS)
                    cards[place] = card, places[card] = place++;
            }
        }
        for (; seat < SEATS - 1 && table[seat] < SUITS * RANKS; seat++) {
            trick.played[seat] = places[table[seat]];
            best = best_with(&trick, seat, trick.played[seat], best);
        }
        for (int end = plays_of(&trick, seat, &begin), card = begin; card < end; card++) {
            if (ending.word[card] != seat)
                continue;
            if (is_next(&trick, card)) {
                tricks[cards[card]] = tricks[cards[card - 1]];
                continue;
            }
            trick.played[seat] = card;
            int won = search(&trick, seat + 1, best_with(&trick, seat, card, best), 0, held.size);
            tricks[cards[card]] = (uint8_t)(seat % 2 ? held.size - won : won);
        }
    }
    return -1;
}

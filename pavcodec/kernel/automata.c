/* Layered automata: their products, their reduction, their ways, and the words of a counted one.

   A layer has a row of children for each node before a card, one for each letter; a child is a node
   of the next layer, or -1 for a dead end.  Tables are open-addressing hashes of rows: a slot has
   the place of a row among the different ones, or -1.  Functions work on ranges of nodes or layers and
   return how far they came, so that the caller provides all memory and an interrupt acts soon. */
#include <string.h>

#include "kernel.h"

/* --- the words of a counted automaton --- */

typedef struct {
    const int64_t *starts;   /* the first node of each layer among all nodes */
    const int32_t *children;
    const uint64_t *ways;    /* each layer begins with a row 0: the ways of the child -1 */
    const uint8_t *letter;   /* of each owner */
    const uint32_t *strides; /* what a card of an owner takes from the rooms */
    const uint64_t *factors; /* by rooms and owner: arrangements of the free owners' other cards */
    const uint64_t *high_factors;
    const uint8_t *kinds;    /* of each card: NARROW, MEDIUM or WIDE sums */
    int cards, letters;
} automaton;

enum { NARROW, MEDIUM, WIDE };
enum { SHARES = 6144, TARGETS = 4096, ROWS = 1024 }; /* of a block, which stays in the cache */

#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t low_at(const uint64_t *rows, int64_t row) { return rows[2 * row + 1]; }

/* What a block of words needs of the nodes before a card: their next nodes, by owner, and the ways
   of these.  Small layers have an entry for each node, larger ones for each word. */
typedef struct {
    uint64_t shares[SHARES];
    int32_t targets[TARGETS];
    int32_t same[ROWS];
    int32_t nodes[ROWS];
    uint32_t rooms[ROWS];
} block;

INLINE const int32_t *look_up(const automaton *a, const int owners, const int words, int card,
                              int64_t n, block *b) {
    const int64_t width = a->starts[card + 1] - a->starts[card];
    const int is_whole = width <= n;
    const int64_t many = is_whole ? width : n;
    const int32_t *children = a->children + a->starts[card] * a->letters;
    const uint64_t *ways = a->ways + 2 * (a->starts[card + 1] + card + 2);
    int32_t *targets = b->targets;
    for (int64_t i = 0; i < many; i++, targets += owners) {
        const int32_t *row = children + (is_whole ? i : b->nodes[i]) * a->letters;
        for (int o = 0; o < owners; o++) {
            targets[o] = row[a->letter[o]];
            if (!is_whole) __builtin_prefetch(ways + 2 * (int64_t)targets[o]);
        }
    }
    uint64_t *share = b->shares;
    targets = b->targets;
    for (int64_t i = 0; i < many; i++, targets += owners)
        for (int o = 0; o < owners - 1; o++, share += words) {
            if (words == 2) share[0] = ways[2 * (int64_t)targets[o]];
            share[words - 1] = low_at(ways, targets[o]);
        }
    return is_whole ? b->nodes : b->same;
}

/* The share of an owner: the words that go on with a card of this owner. */
#define SHARE_NARROW(share, state) (shares[share] * factors[state])
#define SHARE_MEDIUM(share, state) ((u128)shares[share] * factors[state])
#define SHARE_WIDE(share, state)                                                                   \
    (number_at(shares, share) * ((u128)a->high_factors[state] << 64 | factors[state]))

/* Give the next card of each word to an owner: the one in whose share its number is. */
#define PLACE(NAME, WORD, WORDS, SHARE)                                                            \
    INLINE void NAME(const automaton *a, const int owners, const int card, const int64_t n,        \
                     block *b, WORD *left, uint8_t *words) {                                       \
        const int32_t *entries = look_up(a, owners, WORDS, card, n, b);                            \
        const uint64_t *shares = b->shares, *factors = a->factors;                                 \
        uint32_t strides[8];                                                                       \
        for (int o = 0; o < owners; o++) strides[o] = a->strides[o];                               \
        words += card;                                                                             \
        for (int64_t i = 0; i < n; i++, words += a->cards) {                                       \
            const int64_t entry = entries[i], state = (int64_t)b->rooms[i] * owners;               \
            const WORD number = left[i];                                                           \
            WORD total = 0, passed = 0;                                                            \
            int64_t owner = 0;                                                                     \
            for (int o = 0; o < owners - 1; o++) {                                                 \
                total += SHARE(entry * (owners - 1) + o, state + o);                               \
                const int reached = number >= total;                                               \
                passed = reached ? total : passed;                                                 \
                owner += reached;                                                                  \
            }                                                                                      \
            left[i] = number - passed;                                                             \
            b->nodes[i] = b->targets[entry * owners + owner];                                      \
            b->rooms[i] -= strides[owner];                                                         \
            *words = (uint8_t)owner;                                                               \
        }                                                                                          \
    }

PLACE(place_narrow, uint64_t, 1, SHARE_NARROW)
PLACE(place_medium, u128, 1, SHARE_MEDIUM)
PLACE(place_wide, u128, 2, SHARE_WIDE)

/* Add to the number of each word the shares of the owners before that of the next card. */
#define PASS(NAME, WORD, WORDS, SHARE)                                                             \
    INLINE void NAME(const automaton *a, const int owners, const int card, const int64_t n,        \
                     block *b, WORD *numbers, const uint8_t *words, uint8_t *fails) {              \
        const int32_t *entries = look_up(a, owners, WORDS, card, n, b);                            \
        const uint64_t *shares = b->shares, *factors = a->factors;                                 \
        words += card;                                                                             \
        for (int64_t i = 0; i < n; i++, words += a->cards) {                                       \
            const int64_t entry = entries[i], state = (int64_t)b->rooms[i] * owners;               \
            const int64_t owner = *words;                                                          \
            WORD number = numbers[i];                                                              \
            for (int o = 0; o < owners - 1; o++) {                                                 \
                const WORD share = SHARE(entry * (owners - 1) + o, state + o);                     \
                number += o < owner ? share : 0;                                                   \
            }                                                                                      \
            const int32_t next = b->targets[entry * owners + owner];                               \
            numbers[i] = number;                                                                   \
            fails[i] |= next < 0;                                                                  \
            b->nodes[i] = next < 0 ? 0 : next;                                                     \
            b->rooms[i] -= a->strides[owner];                                                      \
        }                                                                                          \
    }

PASS(pass_narrow, uint64_t, 1, SHARE_NARROW)
PASS(pass_medium, u128, 1, SHARE_MEDIUM)
PASS(pass_wide, u128, 2, SHARE_WIDE)

INLINE void begin(block *b, uint32_t room, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        b->nodes[i] = 0;
        b->same[i] = (int32_t)i;
        b->rooms[i] = room;
    }
}

INLINE void unrank_block(const automaton *a, const int owners, uint32_t room, int64_t n,
                         const uint64_t *numbers, uint8_t *words) {
    block b;
    u128 left[ROWS];
    uint64_t rest[ROWS];
    int card = 0;
    begin(&b, room, n);
    for (int64_t i = 0; i < n; i++) left[i] = number_at(numbers, i);
    for (; card < a->cards && a->kinds[card] == WIDE; card++)
        place_wide(a, owners, card, n, &b, left, words);
    for (; card < a->cards && a->kinds[card] == MEDIUM; card++)
        place_medium(a, owners, card, n, &b, left, words);
    for (int64_t i = 0; i < n; i++) rest[i] = (uint64_t)left[i];
    for (; card < a->cards; card++) place_narrow(a, owners, card, n, &b, rest, words);
}

/* Return the first word that the automaton does not have, or n. */
INLINE int64_t rank_block(const automaton *a, const int owners, uint32_t room, int64_t n,
                          const uint8_t *words, uint64_t *numbers) {
    block b;
    u128 sums[ROWS];
    uint64_t rest[ROWS];
    uint8_t fails[ROWS];
    int card = 0;
    begin(&b, room, n);
    for (int64_t i = 0; i < n; i++) sums[i] = rest[i] = fails[i] = 0;
    for (; card < a->cards && a->kinds[card] == WIDE; card++)
        pass_wide(a, owners, card, n, &b, sums, words, fails);
    for (; card < a->cards && a->kinds[card] == MEDIUM; card++)
        pass_medium(a, owners, card, n, &b, sums, words, fails);
    for (; card < a->cards; card++) pass_narrow(a, owners, card, n, &b, rest, words, fails);
    for (int64_t i = 0; i < n; i++) {
        if (fails[i]) return i;
        put_number(numbers, i, sums[i] + rest[i]);
    }
    return n;
}

/* Return how many words are a block. */
static int64_t rows_of_block(int64_t owners) {
    const int64_t rows = owners < 5 ? ROWS : TARGETS / owners;
    return rows * 2 * (owners - 1) <= SHARES ? rows : SHARES / (2 * (owners - 1));
}

void automaton_unrank(const int64_t *starts, const int32_t *children, const uint64_t *ways,
                      const uint8_t *letter, const uint32_t *strides, const uint64_t *factors,
                      const uint64_t *high_factors, const uint8_t *kinds, uint64_t cards,
                      uint64_t owners, uint64_t letters, uint64_t room, int64_t n,
                      const uint64_t *numbers, uint8_t *words) {
    const automaton a = {starts, children, ways,  letter,     strides,
                         factors, high_factors, kinds,   (int)cards, (int)letters};
    const int64_t most = rows_of_block((int64_t)owners);
    for (int64_t first = 0; first < n; first += most) {
        const int64_t many = n - first < most ? n - first : most;
        const uint64_t *here = numbers + 2 * first;
        uint8_t *there = words + first * a.cards;
        if (owners == 4) unrank_block(&a, 4, (uint32_t)room, many, here, there);
        else if (owners == 5) unrank_block(&a, 5, (uint32_t)room, many, here, there);
        else unrank_block(&a, (int)owners, (uint32_t)room, many, here, there);
    }
}

/* Return the first row in which the owners have other numbers of cards, or n. */
static int64_t first_of_other_sizes(const uint8_t *sizes, int owners, int cards, int64_t n,
                                    const uint8_t *words) {
    uint64_t packed = 0; /* eight bits an owner */
    for (int o = 0; o < owners; o++) packed |= (uint64_t)sizes[o] << 8 * o;
    for (int64_t i = 0; i < n; i++) {
        uint64_t held = 0;
        uint8_t most = 0;
        for (int card = 0; card < cards; card++) {
            const uint8_t owner = words[i * cards + card];
            held += (uint64_t)1 << 8 * (owner & 7);
            most |= owner;
        }
        if (most > 7 || held != packed) return i;
    }
    return n;
}

int64_t automaton_rank(const int64_t *starts, const int32_t *children, const uint64_t *ways,
                       const uint8_t *letter, const uint32_t *strides, const uint64_t *factors,
                       const uint64_t *high_factors,
                       const uint8_t *kinds, const uint8_t *sizes, uint64_t cards, uint64_t owners,
                       uint64_t letters, uint64_t room, int64_t n, const uint8_t *words,
                       uint64_t *numbers) {
    const automaton a = {starts, children, ways,  letter,     strides,
                         factors, high_factors, kinds,   (int)cards, (int)letters};
    const int64_t most = rows_of_block((int64_t)owners);
    for (int64_t first = 0; first < n; first += most) {
        int64_t many = n - first < most ? n - first : most;
        const int64_t block_end = many;
        const uint8_t *here = words + first * a.cards;
        uint64_t *there = numbers + 2 * first;
        int64_t ranked;
        many = first_of_other_sizes(sizes, (int)owners, a.cards, many, here);
        if (owners == 4) ranked = rank_block(&a, 4, (uint32_t)room, many, here, there);
        else if (owners == 5) ranked = rank_block(&a, 5, (uint32_t)room, many, here, there);
        else ranked = rank_block(&a, (int)owners, (uint32_t)room, many, here, there);
        if (ranked < block_end) return first + ranked;
    }
    return -1;
}

/* --- products and reduction --- */

/* Return the place of the last of count + 1 rows among the rows before it; count if it is new. */
INLINE int32_t place_of_last(const int32_t *rows, int64_t width, int64_t count, int32_t *table,
                             uint64_t slots) {
    const int32_t *row = rows + count * width;
    uint64_t key = 0;
    for (int64_t i = 0; i < width; i++) {
        key = (key ^ (uint32_t)row[i]) * 0x9E3779B97F4A7C15;
        key ^= key >> 29;
    }
    uint64_t slot = key & (slots - 1);
    for (; table[slot] >= 0; slot = (slot + 1) & (slots - 1))
        if (!memcmp(rows + table[slot] * width, row, (size_t)width * sizeof *row))
            return table[slot];
    table[slot] = (int32_t)count;
    return (int32_t)count;
}

/* Empty a table for so many rows; return how many of its slots are used. */
static uint64_t emptied(int32_t *table, int64_t rows) {
    uint64_t slots = 16;
    while (slots < 2 * (uint64_t)rows) slots *= 2;
    memset(table, 0xFF, slots * sizeof *table);
    return slots;
}

void automata_decide(const int32_t *rows, const int64_t *starts, const int64_t *ends,
                     uint64_t parts, uint64_t cards, uint64_t letters, uint8_t *decided) {
    for (uint64_t part = 0; part < parts; part++)
        for (uint64_t card = cards; card-- > 0;) {
            const int64_t *end = ends + part * (cards + 2) + card;
            const int32_t *row = rows + starts[part * cards + card] * (int64_t)letters;
            for (int64_t node = end[0]; node < end[1]; node++) {
                uint8_t are_decided = 1;
                for (uint64_t letter = 0; letter < letters; letter++)
                    are_decided &= decided[end[1] + *row++];
                decided[node] = are_decided;
            }
        }
}

int64_t automata_multiply(const int32_t *rows, const int64_t *starts, const int64_t *ends,
                          const uint8_t *decided, uint64_t parts, uint64_t cards, uint64_t letters,
                          uint64_t first, int64_t room, int64_t *widths, int32_t *nodes,
                          int32_t *after, int32_t *table, int32_t *made) {
    uint64_t card = first;
    int64_t used = 0;
    for (; card < cards && used + widths[card] <= room; card++) {
        const int64_t count = widths[card];
        const uint64_t slots = emptied(table, count * (int64_t)letters);
        int64_t reached = 0, sink = -1; /* one state stands for all that are decided */
        for (int64_t node = 0; node < count; node++)
            for (uint64_t letter = 0; letter < letters; letter++) {
                int32_t *row = after + reached * (int64_t)parts;
                uint8_t is_decided = 0;
                for (uint64_t part = 0; part < parts; part++) {
                    const int64_t at = starts[part * cards + card] +
                                       nodes[node * (int64_t)parts + (int64_t)part];
                    row[part] = rows[at * (int64_t)letters + (int64_t)letter];
                    is_decided |= decided[ends[part * (cards + 2) + card + 1] + row[part]];
                }
                int64_t position = sink;
                if (!is_decided || sink < 0) {
                    position = place_of_last(after, (int64_t)parts, reached, table, slots);
                    reached += position == reached;
                    if (is_decided) sink = position;
                }
                *made++ = (int32_t)position;
            }
        memcpy(nodes, after, (size_t)reached * parts * sizeof *nodes);
        widths[card + 1] = reached;
        used += count;
    }
    return (int64_t)card;
}

void automaton_merge(int32_t *rows, const int64_t *starts, uint64_t letters, uint64_t first,
                     uint64_t last, int32_t *classes, int32_t *merged, int32_t *table,
                     int64_t *counts) {
    for (uint64_t card = last; card-- > first;) {
        const int64_t width = starts[card + 1] - starts[card];
        const uint64_t slots = emptied(table, width);
        int32_t *const different = rows + starts[card] * (int64_t)letters;
        const int32_t *row = different;
        int64_t count = 0;
        for (int64_t node = 0; node < width; node++) {
            int32_t *last_row = different + count * (int64_t)letters;
            for (uint64_t letter = 0; letter < letters; letter++)
                last_row[letter] = classes[*row++];
            merged[node] = place_of_last(different, (int64_t)letters, count, table, slots);
            count += merged[node] == count;
        }
        memcpy(classes, merged, (size_t)width * sizeof *classes);
        counts[card] = count;
    }
}

void automaton_trim(const int32_t *rows, const int64_t *starts, const int64_t *counts,
                    uint64_t letters, uint64_t first, uint64_t last, int64_t *left_starts,
                    int32_t *reached, int32_t *after, int32_t *numbers, int32_t *left) {
    for (uint64_t card = first; card < last; card++) {
        const int32_t *here = rows + starts[card] * (int64_t)letters;
        const int64_t width = left_starts[card + 1] - left_starts[card];
        int32_t *row = left + left_starts[card] * (int64_t)letters;
        int32_t count = 0;
        memset(numbers, 0xFF, (size_t)counts[card + 1] * sizeof *numbers);
        for (int64_t index = 0; index < width; index++)
            for (uint64_t letter = 0; letter < letters; letter++) {
                const int32_t child = here[reached[index] * (int64_t)letters + (int64_t)letter];
                if (numbers[child] < 0) {
                    numbers[child] = count;
                    after[count++] = child;
                }
                *row++ = numbers[child];
            }
        memcpy(reached, after, (size_t)count * sizeof *reached);
        left_starts[card + 2] = left_starts[card + 1] + count;
    }
}

int64_t rows_number(const int32_t *rows, uint64_t width, int64_t n, int32_t *table,
                    int32_t *different, int64_t *places) {
    const uint64_t slots = emptied(table, n);
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        memcpy(different + count * (int64_t)width, rows + i * (int64_t)width, width * sizeof *rows);
        places[i] = place_of_last(different, (int64_t)width, count, table, slots);
        count += places[i] == count;
    }
    return count;
}

void automaton_arrive(const int32_t *children, uint64_t letters, int64_t n, const uint64_t *words,
                      uint64_t *after) {
    for (int64_t node = 0; node < n; node++)
        for (uint64_t letter = 0; letter < letters; letter++) {
            const int32_t child = *children++;
            if (child >= 0)
                put_number(after, child, number_at(after, child) + number_at(words, node));
        }
}

void automaton_sum(const int32_t *children, uint64_t letters, uint64_t limbs, int64_t n,
                   const uint64_t *after, uint64_t *ways) {
    memset(ways, 0, (size_t)n * limbs * sizeof *ways);
    for (int64_t node = 0; node < n; node++, ways += limbs)
        for (uint64_t letter = 0; letter < letters; letter++) {
            const int32_t child = *children++;
            u128 sum = 0;
            for (uint64_t limb = child < 0 ? 0 : limbs; limb-- > 0; sum >>= 64) {
                sum += (u128)ways[limb] + after[(uint64_t)child * limbs + limb];
                ways[limb] = (uint64_t)sum;
            }
        }
}

/* --- pairs of nodes of two automata, in blocks ---

   For models of millions of nodes.  A layer is stored as blocks: for each node of the first
   automaton, the nodes of the second that are paired with it, its items.  A letter moves a whole
   block to one block of the next layer, and each pair in it by one look-up in a small table.  So
   the work needs only a few tables, which stay in the cache, and no pair is hashed or sorted.  Threads
   share a layer by ranges of blocks. */

void blocks_incoming(const int32_t *moves, uint64_t letters, int64_t n, int64_t targets,
                     int64_t *begins, int64_t *edges) {
    const int64_t all = n * (int64_t)letters;
    memset(begins, 0, (size_t)(targets + 1) * sizeof *begins);
    for (int64_t edge = 0; edge < all; edge++)
        if (moves[edge] >= 0) begins[moves[edge]]++;
    for (int64_t target = 0, end = 0; target <= targets; target++)
        begins[target] = end += begins[target];
    for (int64_t edge = all; edge-- > 0;) /* back, so that each end becomes a begin */
        if (moves[edge] >= 0) edges[--begins[moves[edge]]] = edge;
}

INLINE int64_t join(const int64_t *begins, const int64_t *edges, const int64_t *starts,
                    const int32_t *items, const int32_t *steps, int64_t letters, int64_t first,
                    int64_t last, int64_t most, const int keeps, int32_t *positions,
                    int64_t *sizes, int32_t *reached, int32_t *children) {
    int64_t count = 0;
    for (int64_t block = first; block < last; block++) {
        const int64_t before = count;
        for (int64_t at = begins[block]; at < begins[block + 1]; at++) {
            const int64_t node = edges[at] / letters, letter = edges[at] % letters;
            const int32_t *step_of = steps + letter;
            for (int64_t pair = starts[node]; pair < starts[node + 1]; pair++) {
                const int32_t step = step_of[items[pair] * letters];
                if (step < 0) continue;
                if (positions[step] < before) {
                    positions[step] = (int32_t)count;
                    reached[count++] = step;
                }
                if (keeps) children[pair * letters + letter] = positions[step];
            }
        }
        sizes[block - first] = count - before;
        if (count > most) return -1;
    }
    return count;
}

int64_t blocks_join(const int64_t *begins, const int64_t *edges, const int64_t *starts,
                    const int32_t *items, const int32_t *steps, uint64_t letters, int64_t first,
                    int64_t last, int64_t most, uint64_t keeps, int32_t *positions, int64_t *sizes,
                    int32_t *reached, int32_t *children) {
    return keeps ? join(begins, edges, starts, items, steps, (int64_t)letters, first, last, most, 1,
                        positions, sizes, reached, children)
                 : join(begins, edges, starts, items, steps, (int64_t)letters, first, last, most, 0,
                        positions, sizes, reached, children);
}

int64_t blocks_count(const int64_t *starts, const int32_t *items, const int32_t *moves,
                     const int32_t *steps, const int32_t *origins, const uint64_t *weights,
                     uint64_t letters, const int64_t *next_starts, const int32_t *next_items,
                     const uint64_t *next_ways, uint64_t keeps, int64_t first, int64_t last,
                     int32_t *positions, uint64_t *ways, int32_t *children) {
    int64_t living = 0;
    for (int64_t block = first; block < last; block++) {
        const int64_t begin = starts[block], end = starts[block + 1];
        memset(ways + 2 * begin, 0, (size_t)(end - begin) * 2 * sizeof *ways);
        for (uint64_t letter = 0; letter < letters; letter++) {
            const int64_t edge = block * (int64_t)letters + (int64_t)letter;
            const int64_t from = moves[edge] < 0 ? 0 : next_starts[moves[edge]];
            const int64_t to = moves[edge] < 0 ? 0 : next_starts[moves[edge] + 1];
            const uint64_t weight = weights[origins[block] * (int64_t)letters + (int64_t)letter];
            for (int64_t place = from; place < to; place++)
                positions[next_items[place]] = (int32_t)place;
            for (int64_t pair = begin; pair < end; pair++) {
                const int32_t step = steps[items[pair] * (int64_t)letters + (int64_t)letter];
                const int32_t child = step < 0 ? -1 : positions[step];
                if (keeps) children[pair * (int64_t)letters + (int64_t)letter] = child;
                if (child < 0) continue;
                const u128 more = number_at(next_ways, child) * weight;
                put_number(ways, pair, number_at(ways, pair) + more);
            }
            for (int64_t place = from; place < to; place++) positions[next_items[place]] = -1;
        }
        for (int64_t pair = begin; pair < end; pair++) living += number_at(ways, pair) != 0;
    }
    return living;
}

void blocks_keep(const int64_t *starts, const int32_t *items, const uint64_t *ways,
                 const int32_t *children, uint64_t letters, uint64_t keeps, int64_t first,
                 int64_t last, int64_t kept, int64_t *left_starts, int32_t *left_items,
                 uint64_t *left_ways, int32_t *left_children) {
    const size_t row = letters * sizeof *children;
    for (int64_t block = first; block < last; block++) {
        for (int64_t pair = starts[block]; pair < starts[block + 1]; pair++) {
            if (number_at(ways, pair) == 0) continue;
            left_items[kept] = items[pair];
            put_number(left_ways, kept, number_at(ways, pair));
            if (keeps)
                memcpy(left_children + kept * (int64_t)letters,
                       children + pair * (int64_t)letters, row);
            kept++;
        }
        left_starts[block + 1] = kept;
    }
}

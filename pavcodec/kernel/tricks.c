/* The double-dummy tricks of deals, modelled and coded (reference/tricks.py has the rules).

   A binary range coder after Martin: Range encoding: an algorithm for removing redundancy from a
   digitised message (1979), with probabilities mixed as in Mahoney: Adaptive weighing of context
   models for lossless data compression (2005). */
#include "kernel.h"

enum { SEATS = 4, SUITS = 4, RANKS = 13, CARDS = 52, STRAINS = 5, HONOURS = 5, MOST = 13 };
enum { UNIT = 64, NODES = 16, INPUTS = 4, MOST_COUNT = 250, HOLDERS = 1024, LENGTHS = 560 };

void estimate_tricks(const int64_t *bias, const int64_t *honours, const int64_t *lengths,
                     const int64_t *index, int64_t n, const uint8_t *owners, int64_t *estimates) {
    for (int64_t row = 0; row < n; row++, owners += CARDS, estimates += STRAINS * SEATS) {
        int long_[SUITS][SEATS] = {{0}};
        for (int card = 0; card < CARDS; card++) long_[card / RANKS][owners[card] & 3]++;
        for (int seat = 0; seat < SEATS; seat++) {
            int64_t in_notrump = bias[0], as_sides = bias[1], as_trumps[SUITS];
            for (int suit = 0; suit < SUITS; suit++) {
                const int *of = long_[suit];
                int64_t at = index[(14 * of[seat] + of[(seat + 1) & 3]) * 14 + of[(seat + 2) & 3]];
                int holders = 0;
                for (int rank = 0; rank < HONOURS; rank++)
                    holders = SEATS * holders + ((owners[RANKS * suit + rank] - seat) & 3);
                int64_t side = honours[2 * HOLDERS + holders] + lengths[2 * LENGTHS + at];
                in_notrump += honours[holders] + lengths[at];
                as_trumps[suit] = honours[HOLDERS + holders] + lengths[LENGTHS + at] - side;
                as_sides += side;
            }
            estimates[seat] = in_notrump;
            for (int suit = 0; suit < SUITS; suit++)
                estimates[SEATS * (suit + 1) + seat] = as_sides + as_trumps[suit];
        }
    }
}

typedef struct {
    const int64_t *squash, *stretch, *rates, *first;
    int64_t *weights, *probabilities, *counts;
    int is_decoding;
    int64_t low, high, code, at, room;
    uint8_t *data;
} Coder;

static inline int64_t between(int64_t value, int64_t least, int64_t most) {
    return value < least ? least : value > most ? most : value;
}

/* Code a bit that is 1 with probability p / 65536. The position grows beyond the data where these
   are too short. */
static inline int code_bit(Coder *coder, int bit, int64_t p) {
    int64_t low = coder->low, high = coder->high, width = high - low;
    int64_t middle = low + (width >> 16) * p + ((width & 0xFFFF) * p >> 16);
    if (coder->is_decoding) bit = coder->code <= middle;
    if (bit)
        high = middle;
    else
        low = middle + 1;
    while ((low ^ high) >> 24 == 0) {
        int is_in_data = coder->at < coder->room;
        if (coder->is_decoding)
            coder->code = (coder->code << 8 & 0xFFFFFFFF) | (is_in_data ? coder->data[coder->at] : 0);
        else if (is_in_data)
            coder->data[coder->at] = (uint8_t)(high >> 24);
        coder->at++;
        low = low << 8 & 0xFFFFFFFF;
        high = (high << 8 & 0xFFFFFFFF) | 255;
    }
    coder->low = low, coder->high = high;
    return bit;
}

/* Code the answer to a question by the mixed probability, and learn from it. */
static int answer(Coder *coder, int bit, int which, int node, const int64_t contexts[INPUTS]) {
    int64_t *weights = coder->weights + INPUTS * (NODES * which + node);
    int64_t slots[INPUTS], odds[INPUTS], total = 0;
    for (int input = 0; input < INPUTS; input++) {
        slots[input] = NODES * contexts[input] + node;
        odds[input] = coder->stretch[coder->probabilities[slots[input]] >> 4];
        total += weights[input] * odds[input];
    }
    int64_t p = coder->squash[between(total >> 16, -2047, 2047) + 2048];
    bit = code_bit(coder, bit, p);
    int64_t error = (bit ? 65536 : 0) - p;
    for (int input = 0; input < INPUTS; input++) {
        int64_t slot = slots[input], known = coder->probabilities[slot];
        int64_t rate = coder->rates[coder->counts[slot]];
        weights[input] += (odds[input] * error * 2 + (1 << 17)) >> 18;
        coder->probabilities[slot] =
            bit ? known + ((65535 - known) * rate >> 16) : known - (known * rate >> 16);
        coder->counts[slot] += coder->counts[slot] < MOST_COUNT;
    }
    return bit;
}

/* Code a number of tricks by its distance from the centre. */
static int64_t code_value(Coder *coder, int64_t value, int64_t centre, int which,
                          const int64_t rows[INPUTS]) {
    int64_t contexts[INPUTS];
    for (int input = 0; input < INPUTS; input++)
        contexts[input] = coder->first[INPUTS * which + input] + rows[input];
    if (answer(coder, value == centre, which, 0, contexts)) return centre;
    int64_t step = centre == 0 ? 1 : -1;
    if (0 < centre && centre < MOST && answer(coder, value > centre, which, 1, contexts)) step = 1;
    int64_t candidate = centre + step;
    for (int far = 1; 0 < candidate && candidate < MOST; candidate += step, far++) {
        int node = (step > 0 ? 1 : 8) + (far < 6 ? far : 6);
        if (answer(coder, value == candidate, which, node, contexts)) break;
    }
    return candidate;
}

/* What the earlier strains of a deal show. */
typedef struct {
    int64_t partners, opponents, losses, last;
} Earlier;

/* Code the tricks of N, E, S and W in a strain, in the order N S E W. */
static void code_strain(Coder *coder, int strain, const int64_t *guess, const int64_t *lean,
                        int64_t drift, int64_t trumps, const Earlier *before, uint8_t *tricks) {
    int64_t n = guess[0], e = guess[1], s = guess[2], w = guess[3], suited = strain > 0;
    int64_t partners = between(before->partners, -2, 2) + 2;
    int64_t opponents = between(before->opponents, -2, 2) + 2;

    int64_t forecast = between(n + drift, 0, MOST * UNIT), centre = (forecast + 32) >> 6;
    int64_t part = (forecast + 32) & 63, eighth = part >> 3;
    int64_t last = suited ? between((before->last + 16) >> 5, -3, 3) + 3 : 3;
    int64_t length = suited ? between(trumps, 2, 11) - 2 : 10;
    int64_t of_north[INPUTS] = {16 * strain + (part >> 2), 8 * centre + eighth,
                                8 * (7 * suited + last) + eighth, 8 * length + eighth};
    int64_t north = code_value(coder, tricks[0], centre, 0, of_north);

    int64_t seen_n = UNIT * north - n;
    int64_t more = lean[4] * seen_n + lean[7] * drift, above = s + (more >> 8) - UNIT * north;
    int64_t differs = 9 * suited + between((s - n + 4) >> 3, -4, 4) + 4;
    int64_t surprise = UNIT * north - forecast;
    int64_t of_south[INPUTS] = {5 * differs + between((surprise + 16) >> 5, -2, 2) + 2,
                                5 * partners + strain,
                                5 * (between((above + 4) >> 3, -6, 6) + 6) + partners,
                                between((surprise + 8) >> 4, -6, 6) + 6 + 13 * suited};
    int64_t south = code_value(coder, tricks[2], north, 1, of_south);

    int64_t seen_s = UNIT * south - s, best = north > south ? north : south;
    int64_t sides = between(south - north, -2, 2) + 2;
    centre = MOST - best;
    more = lean[8] * seen_n + lean[9] * seen_s + lean[11] * drift;
    above = e + (more >> 8) - UNIT * centre;
    int64_t of_east[INPUTS] = {
        5 * (10 * suited + between((above + 64) >> 4, -5, 4) + 5) + sides,
        5 * (5 * between(before->losses, 0, 5) + strain) + sides,
        between((above + 64) >> 2, -24, 23) + 24 + 48 * suited, 5 * centre + opponents};
    int64_t east = code_value(coder, tricks[1], centre, 2, of_east);

    more = lean[12] * seen_n + lean[13] * seen_s + lean[14] * (UNIT * east - e) + lean[15] * drift;
    above = w + (more >> 8) - UNIT * east;
    differs = 9 * suited + between((w - e + 4) >> 3, -4, 4) + 4;
    int64_t loss = MOST - east - best;
    int64_t of_west[INPUTS] = {5 * differs + between(loss, -1, 3) + 1, 5 * opponents + strain,
                               5 * (between((above + 4) >> 3, -6, 6) + 6) + opponents,
                               10 * (between(loss, -1, 2) + 1) + 2 * sides + suited};
    int64_t west = code_value(coder, tricks[3], east, 3, of_west);

    if (coder->is_decoding) {
        tricks[0] = (uint8_t)north, tricks[1] = (uint8_t)east;
        tricks[2] = (uint8_t)south, tricks[3] = (uint8_t)west;
    }
}

void code_tricks(const int64_t *pull, const int64_t *lean, const int64_t *squash,
                 const int64_t *stretch, const int64_t *rates, const int64_t *first,
                 int64_t *weights, int64_t *probabilities, int64_t *counts, int64_t is_decoding,
                 int64_t n, const uint8_t *owners, const int64_t *estimates, uint8_t *tricks,
                 int64_t *state, int64_t room, uint8_t *data) {
    Coder coder = {squash, stretch, rates, first, weights, probabilities, counts,
                   is_decoding != 0, state[0], state[1], state[2], state[3], room, data};
    for (int64_t row = 0; row < n; row++, owners += CARDS) {
        Earlier before = {0, 0, 0, 0};
        int64_t surprises[STRAINS];
        for (int strain = 0; strain < STRAINS; strain++, estimates += SEATS, tricks += SEATS) {
            int64_t drift = 0, trumps = 0;
            for (int earlier = 0; earlier < strain; earlier++)
                drift += pull[STRAINS * strain + earlier] * surprises[earlier];
            if (strain > 0)
                for (int rank = 0; rank < RANKS; rank++)
                    trumps += !(owners[RANKS * (strain - 1) + rank] & 1);
            code_strain(&coder, strain, estimates, lean + (strain > 0) * SEATS * INPUTS, drift >> 8,
                        trumps, &before, tricks);
            int64_t north = tricks[0], east = tricks[1], south = tricks[2], west = tricks[3];
            int64_t all = (estimates[0] + estimates[2] - estimates[1] - estimates[3]) >> 2;
            before.last = surprises[strain] = 16 * (north + south - east - west) - all;
            before.partners += south - north;
            before.opponents += west - east;
            before.losses += MOST - (north > south ? north : south) - (east > west ? east : west);
        }
    }
    state[0] = coder.low, state[1] = coder.high, state[2] = coder.code, state[3] = coder.at;
}

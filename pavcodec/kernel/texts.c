/* Texts (reference/texts.py): deal texts, hands, decimal numbers, plain games of PBN and boards
   of LIN.

   A reader reads as long as the text is strictly right, and stops at the first line, game or hand
   that is not or may not be; readers of the complete format continue there. Texts end with a line
   end, or a reader ends at the last one, so that every loop over characters stops there.

   A writer takes the characters of a suit from tables, eight bytes at a time however many there
   are, and what follows overwrites the surplus bytes. */
#include <string.h>

#include "kernel.h"

enum { SEATS = 4, SUITS = 4, SUIT_SIZE = 13, DECK = 52, UNUSED = 4, DOTS = SUITS - 1 };

/* The rank of each letter, counted from 1; a dot is after the ranks, and other bytes are 0. */
enum { DOT = 0xBC, DOT_BIT = 7 };
static const uint8_t CODES[256] = {
    ['A'] = 1, ['K'] = 2, ['Q'] = 3, ['J'] = 4,  ['T'] = 5,  ['9'] = 6,  ['8'] = 7,
    ['7'] = 8, ['6'] = 9, ['5'] = 10, ['4'] = 11, ['3'] = 12, ['2'] = 13, ['.'] = DOT};

/* The seat of each letter, counted from 1. */
static const uint8_t SEAT_CODES[256] = {['N'] = 1, ['E'] = 2, ['S'] = 3, ['W'] = 4};

/* Readers. A position is where to read on; 0 says that the text before it is not right. */

/* Return the size of the text up to its last line end. */
static int64_t whole_lines(const uint8_t *text, int64_t begin, int64_t size) {
    while (size > begin && text[size - 1] != '\n') size--;
    return size;
}

static inline int64_t line_end(const uint8_t *text, int64_t at) {
    if (text[at] == '\r') at++;
    return text[at] == '\n' ? at + 1 : 0;
}

/* Read a deal text of all 52 cards: every hand has 16 characters, 13 ranks and three dots. The loop
   has no branch for dots: a dot fills a slot as well, and adds the step to the next suit. */
static inline int64_t read_full_deal(const uint8_t *text, int64_t at, int64_t size,
                                     uint8_t *owners) {
    enum { HAND = SUIT_SIZE + DOTS, SLOTS = 128, SIZE = 2 + SEATS * (HAND + 1) - 1 };
    uint8_t slots[SLOTS], is_wrong = 0, greatest = 0;
    if (size - at < SIZE || !SEAT_CODES[text[at]] || text[at + 1] != ':') return 0;
    for (int turn = 1; turn < SEATS; turn++)
        if (text[at + 1 + turn * (HAND + 1)] != ' ') return 0;
    unsigned first = SEAT_CODES[text[at]] - 1u;
    memset(slots, UNUSED, sizeof slots);
    for (unsigned turn = 0; turn < SEATS; turn++) {
        const uint8_t *hand = text + at + 2 + turn * (HAND + 1);
        unsigned offset = 0;
        for (int sign = 0; sign < HAND; sign++) {
            unsigned code = CODES[hand[sign]];
            slots[(offset + code) % SLOTS] = (uint8_t)((first + turn) % SEATS);
            offset += (code >> DOT_BIT) * SUIT_SIZE;
            is_wrong |= code == 0;
        }
        if (offset != DOTS * SUIT_SIZE) return 0;
    }
    for (int card = 0; card < DECK; card++) {
        greatest |= slots[card + 1];
        owners[card] = slots[card + 1];
    }
    return greatest >= UNUSED || is_wrong ? 0 : at + SIZE;
}

/* Give the cards of a hand, which ends at `size` at the latest, to a seat. */
static inline int64_t read_hand(const uint8_t *text, int64_t at, int64_t size, int64_t most,
                                int is_in_order, uint8_t seat, uint8_t *owners) {
    int64_t begin = at;
    if (at < size && text[at] == '-') return at + 1;
    for (int suit = 0; suit < SUITS; suit++, owners += SUIT_SIZE) {
        for (unsigned last = 0; at < size; at++) {
            unsigned code = CODES[text[at]];
            if (code - 1 >= SUIT_SIZE) break;
            if (owners[code - 1] != UNUSED || (is_in_order && code < last)) return 0;
            owners[code - 1] = seat;
            last = code;
        }
        if (suit < SUITS - 1 && (at == size || text[at++] != '.')) return 0;
    }
    return at - begin > most + DOTS ? 0 : at;
}

/* Read a deal text in which no hand has more than `most` cards. */
static int64_t read_deal(const uint8_t *text, int64_t at, int64_t size, int64_t most,
                         uint8_t *owners) {
    int64_t end = read_full_deal(text, at, size, owners);
    if (end) return end;
    if (!SEAT_CODES[text[at]] || text[at + 1] != ':') return 0;
    unsigned first = SEAT_CODES[text[at]] - 1u;
    memset(owners, UNUSED, DECK);
    at += 2;
    for (unsigned turn = 0; turn < SEATS; turn++) {
        if (turn && text[at++] != ' ') return 0;
        at = read_hand(text, at, size, most, 0, (uint8_t)((first + turn) % SEATS), owners);
        if (!at) return 0;
    }
    return at;
}

int64_t read_deals(const uint8_t *text, int64_t size, int64_t n, uint8_t *owners, int64_t *at) {
    int64_t row = 0;
    size = whole_lines(text, at[0], size);
    for (; row < n && at[0] < size; row++) {
        int64_t end = read_deal(text, at[0], size, DECK, owners + DECK * row);
        if (!end || !(end = line_end(text, end))) break;
        at[0] = end;
    }
    return row;
}

static inline uint64_t word_at(const uint8_t *text) {
    uint64_t word;
    memcpy(&word, text, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Return the number of some digits. Eight at a time become four pairs, and these two halves. */
static inline uint64_t digits_at(const uint8_t *text, int64_t begin, int64_t end) {
    uint64_t number = 0;
    for (; end - begin >= 8; begin += 8) {
        uint64_t digits = word_at(text + begin) - 0x3030303030303030;
        uint64_t pairs = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FF;
        uint64_t fours = (pairs * 100 + (pairs >> 16)) & 0x0000FFFF0000FFFF;
        number = number * 100000000 + (uint32_t)(fours * 10000 + (fours >> 32));
    }
    for (; begin < end; begin++) number = number * 10 + text[begin] - '0';
    return number;
}

/* Return where digits end. A byte that is none sets its highest bit in one of two sums, and these
   are right up to the first such byte. */
static inline int64_t after_digits(const uint8_t *text, int64_t at, int64_t size) {
    for (; size - at >= 8; at += 8) {
        uint64_t word = word_at(text + at);
        uint64_t others = (word + 0x4646464646464646) | (word - 0x3030303030303030);
        others &= 0x8080808080808080;
        if (others) return at + __builtin_ctzll(others) / 8;
    }
    while (text[at] >= '0' && text[at] <= '9') at++;
    return at;
}

int64_t read_numbers(const uint8_t *text, int64_t size, const uint64_t *least, const uint64_t *most,
                     int64_t n, uint64_t *numbers, int64_t *at) {
    enum { WORD = 19 };  /* the digits that fit into any word */
    u128 from = number_at(least, 0), to = number_at(most, 0);
    int64_t row = 0;
    size = whole_lines(text, at[0], size);
    for (; row < n && at[0] < size; row++) {
        int64_t begin = at[0], end = after_digits(text, begin, size), cut;
        int64_t after = line_end(text, end);
        if (!after || end == begin || end - begin > 2 * WORD) break;
        cut = end - begin > WORD ? end - WORD : begin;
        u128 number = (u128)digits_at(text, begin, cut) * 10000000000000000000u;
        number += digits_at(text, cut, end);
        if (number < from || number > to) break;
        put_number(numbers, row, number);
        at[0] = after;
    }
    return row;
}

int64_t read_hands(const uint8_t *text, int64_t size, const int32_t *offsets, int64_t seat,
                   int64_t n, uint8_t *owners) {
    for (int64_t row = 0; row < n; row++, owners += DECK) {
        int64_t begin = offsets[row], end = offsets[row + 1];
        if (begin < 0 || begin > end || end > size) return row;
        if (end - begin == DOTS || !end) return row;  /* a hand without cards is a dash */
        if (read_hand(text, begin, end, DECK, 1, (uint8_t)seat, owners) != end) return row;
    }
    return -1;
}

/* Plain games of PBN. */

enum { NO_DEAL, UNKNOWN_DEAL, DEAL };
enum { NO_CARDS = 255 };
enum { LONGEST_GAME = 1 << 14, KNOWN_LINES = 32 };

/* The position and the size of a plain line that may come again in the next game. */
struct line {
    int64_t at, size;
};

static inline int is_in_name(uint8_t sign) {
    uint8_t small = sign | 32;
    return (small >= 'a' && small <= 'z') || (sign >= '0' && sign <= '9') || sign == '_';
}

static inline int is_in_value(uint8_t sign) { return sign != '"' && sign != '\n' && sign != '\r'; }

static inline int is_in_data(uint8_t sign) {
    return is_in_value(sign) && sign != '[' && sign != ']' && sign != '{' && sign != '}' &&
           sign != ';';
}

static inline int64_t after_blanks(const uint8_t *text, int64_t at) {
    while (text[at] == ' ' || text[at] == '\t') at++;
    return at;
}

/* Read the end of a tag: quote, bracket, line end. */
static inline int64_t read_tag_end(const uint8_t *text, int64_t at) {
    return text[at] == '"' && text[at + 1] == ']' ? line_end(text, at + 2) : 0;
}

static int64_t read_vulnerability(const uint8_t *text, int64_t at) {
    static const char WORDS[][6] = {"None", "Love", "-", "NS", "EW", "All", "Both", "?"};
    for (size_t word = 0; word < sizeof WORDS / sizeof *WORDS; word++) {
        int size = 0;
        while (WORDS[word][size] && text[at + size] == (uint8_t)WORDS[word][size]) size++;
        if (!WORDS[word][size]) return read_tag_end(text, at + size);
    }
    return read_tag_end(text, at);
}

static int64_t read_value(const uint8_t *text, int64_t at) {
    if (text[at] == '#') return 0;
    while (is_in_value(text[at])) at++;
    return text[at - 1] == '\\' ? 0 : read_tag_end(text, at);
}

/* Read a tag, and say which kind of deal it has. */
static int64_t read_tag(const uint8_t *text, int64_t at, int64_t size, uint8_t *owners, int *deal) {
    const uint8_t *name = text + at + 1;
    int64_t length = 0;
    while (is_in_name(name[length])) length++;
    at += 1 + length;
    if (!length || text[at] != ' ' || text[at + 1] != '"') return 0;
    at += 2;
    if (length == 4 && !memcmp(name, "Deal", 4)) {
        *deal = text[at] == '?' || text[at] == '"' ? UNKNOWN_DEAL : DEAL;
        if (*deal == UNKNOWN_DEAL) return read_tag_end(text, at + (text[at] == '?'));
        at = read_deal(text, at, size, SUIT_SIZE, owners);
        return at ? read_tag_end(text, at) : 0;
    }
    if (length == 6 && !memcmp(name, "Dealer", 6))
        return read_tag_end(text, at + (SEAT_CODES[text[at]] || text[at] == '?'));
    if (length == 10 && !memcmp(name, "Vulnerable", 10)) return read_vulnerability(text, at);
    return read_value(text, at);
}

/* Read a line of data. One that % escapes is plain as well, for it has no part of a deal. */
static int64_t read_data(const uint8_t *text, int64_t at) {
    at = after_blanks(text, at);
    if (text[at] <= ' ' || text[at] >= 0x7F) return 0;
    while (is_in_data(text[at])) at++;
    return line_end(text, at);
}

/* Read a game up to the blank line after it; say how many lines and which kind of deal it has. Most
   lines of a game repeat those of the games before, which `known` has. */
static int64_t read_game(const uint8_t *text, int64_t begin, int64_t size, struct line *known,
                         uint8_t *owners, int64_t *lines, int *deal) {
    int64_t at = begin;
    *lines = 0, *deal = NO_DEAL;
    while (at - begin < LONGEST_GAME) {
        struct line *before = known + (*lines < KNOWN_LINES ? *lines : KNOWN_LINES - 1);
        int64_t end, start = at;
        int its_deal = NO_DEAL;
        if (before->size && before->size <= size - at &&
            !memcmp(text + at, text + before->at, (size_t)before->size))
            end = at + before->size;
        else if (text[at] == '[')
            end = read_tag(text, at, size, owners, &its_deal);
        else
            end = at > begin ? read_data(text, at) : 0;
        if (!end || end == size || (its_deal && *deal)) return 0;
        at = end;
        before->at = start, before->size = its_deal ? 0 : at - start;
        if (its_deal) *deal = its_deal;
        ++*lines;
        if (line_end(text, after_blanks(text, at))) return at;
    }
    return 0;
}

int64_t read_games(const uint8_t *text, int64_t size, int64_t n, uint8_t *owners, int64_t *at) {
    struct line known[KNOWN_LINES] = {{0, 0}};
    int64_t row = 0, all_lines = 0, start = at[0], stop = at[0];
    size = whole_lines(text, at[0], size);
    while (row < n && at[0] < size) {
        int64_t lines, after;
        int deal;
        int64_t end = read_game(text, at[0], size, known, owners + DECK * row, &lines, &deal);
        if (!end) break;
        start = at[0], stop = end, at[0] = end;
        while (at[0] < size && (after = line_end(text, after_blanks(text, at[0])))) {
            at[0] = after;
            lines++;
        }
        all_lines += lines;
        if (deal != DEAL) memset(owners + DECK * row, NO_CARDS, DECK);
        row++;
    }
    at[1] = all_lines, at[2] = start, at[3] = stop;
    return row;
}

/* Plain boards of LIN. */

static inline int is_tag(const uint8_t *text, int64_t at, int64_t size, const char *name) {
    return size - at > 2 && text[at] == (uint8_t)name[0] && text[at + 1] == (uint8_t)name[1] &&
           text[at + 2] == '|';
}

static int64_t read_lin_value(const uint8_t *text, int64_t at, int64_t size) {
    while (at < size && text[at] >= ' ' && text[at] != '|') at++;
    return at < size && text[at] == '|' ? at + 1 : 0;
}

/* Give the 13 cards of a hand, which has the letters of all suits, to a seat. */
static inline int64_t read_lin_hand(const uint8_t *text, int64_t at, int64_t size, uint8_t seat,
                                    uint8_t *owners) {
    int cards = 0;
    for (int suit = 0; suit < SUITS; suit++, owners += SUIT_SIZE) {
        if (at == size || text[at++] != (uint8_t)"SHDC"[suit]) return 0;
        for (; at < size; at++, cards++) {
            unsigned code = CODES[text[at]];
            if (code - 1 >= SUIT_SIZE) break;
            if (owners[code - 1] != UNUSED) return 0;
            owners[code - 1] = seat;
        }
    }
    return cards == SUIT_SIZE ? at : 0;
}

/* Read the hands of South, West and North, and of East, who otherwise has the other cards. */
static int64_t read_lin_deal(const uint8_t *text, int64_t at, int64_t size, uint8_t *owners) {
    static const uint8_t ORDER[SEATS] = {2, 3, 0, 1};
    memset(owners, UNUSED, DECK);
    if (at < size && text[at] >= '1' && text[at] <= '4') at++;
    for (int turn = 0; turn < SEATS; turn++) {
        int is_last = turn == SEATS - 1;
        if (turn && at < size && text[at] == ',') at++;
        else if (turn && !is_last) return 0;
        if (is_last && at < size && text[at] == '|') break;
        if (!(at = read_lin_hand(text, at, size, ORDER[turn], owners))) return 0;
    }
    for (int card = 0; card < DECK; card++)
        if (owners[card] == UNUSED) owners[card] = ORDER[SEATS - 1];
    return at < size && text[at] == '|' ? at + 1 : 0;
}

/* Read a board up to the end of its `pg`. A value before the hands that ends like `pg` and `vg` is
   none, since the complete reader looks for these in the text. */
static int64_t read_lin_board(const uint8_t *text, int64_t at, int64_t size, uint8_t *owners) {
    while (!is_tag(text, at, size, "md")) {
        if (!is_tag(text, at, size, "qx") && !is_tag(text, at, size, "pn") &&
            !is_tag(text, at, size, "st") && !is_tag(text, at, size, "rh") &&
            !is_tag(text, at, size, "ah"))
            return 0;
        at = read_lin_value(text, at + 3, size);
        if (!at || text[at - 2] == 'g') return 0;
    }
    if (!(at = read_lin_deal(text, at + 3, size, owners))) return 0;
    while (!is_tag(text, at, size, "pg")) {
        if (is_tag(text, at, size, "sv")) {
            at += 3;
            if (at < size && text[at] && strchr("oneb", text[at])) at++;
            if (at == size || text[at++] != '|') return 0;
        } else if (is_tag(text, at, size, "rh") || is_tag(text, at, size, "ah")) {
            if (!(at = read_lin_value(text, at + 3, size))) return 0;
        } else {
            return 0;
        }
    }
    return size - at > 3 && text[at + 3] == '|' ? at + 4 : 0;
}

int64_t read_lin(const uint8_t *text, int64_t size, int64_t n, uint8_t *owners, int64_t *at) {
    int64_t row = 0;
    at[1] = 0;
    for (; row < n; row++) {
        int64_t lines = 0, end = read_lin_board(text, at[0], size, owners + DECK * row);
        if (!end) break;
        for (; end < size && (text[end] == '\n' || text[end] == ' ' || text[end] == '\t'); end++)
            lines += text[end] == '\n';
        if (!is_tag(text, end, size, "qx") && !is_tag(text, end, size, "pn") &&
            !is_tag(text, end, size, "md") && !is_tag(text, end, size, "vg"))
            break;
        at[0] = end;
        at[1] += lines;
    }
    return row;
}

/* Writers. */

static inline void put_word(uint8_t *text, uint64_t word) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(text, &word, sizeof word);
}

/* The characters of the upper seven ranks, and of the lower six and a dot, for each set of them. The
   first character is the lowest byte of a word, and the highest byte is the number of characters. */
enum { LOWER = 6, UPPER = SUIT_SIZE - LOWER };
struct suit_texts {
    uint64_t upper[1 << UPPER], lower[1 << LOWER];
};

static uint64_t text_of(unsigned holding, int size, const char *letters) {
    uint64_t word = 0, count = 0;
    for (int rank = 0; rank < size; rank++)
        if (holding >> (size - 1 - rank) & 1) word |= (uint64_t)letters[rank] << 8 * count++;
    if (letters[size]) word |= (uint64_t)letters[size] << 8 * count++;
    return word | count << 56;
}

static void make_suit_texts(struct suit_texts *texts) {
    for (unsigned held = 0; held < 1 << UPPER; held++)
        texts->upper[held] = text_of(held, UPPER, "AKQJT98");
    for (unsigned held = 0; held < 1 << LOWER; held++)
        texts->lower[held] = text_of(held, LOWER, "765432.");
}

/* Write the cards of one suit of a hand and a dot, and up to seven bytes after it. */
static inline uint8_t *put_suit(const struct suit_texts *texts, uint64_t cards, unsigned suit,
                                uint8_t *text) {
    uint64_t upper = texts->upper[cards >> (SUIT_SIZE * suit + LOWER) & ((1 << UPPER) - 1)];
    uint64_t lower = texts->lower[cards >> SUIT_SIZE * suit & ((1 << LOWER) - 1)];
    put_word(text, upper);
    text += upper >> 56;
    put_word(text, lower);
    return text + (lower >> 56);
}

/* Write a hand of cards, 52 bits, and one more character, and up to seven bytes after it. */
enum { HAND_ROOM = DECK + DOTS + 1 + 8 };
static inline uint8_t *put_hand(const struct suit_texts *texts, uint64_t cards, uint8_t *text,
                                char after) {
    if (!cards) *text++ = '-', *text++ = '.';
    for (unsigned suit = SUITS; cards && suit > 0; suit--)
        text = put_suit(texts, cards, suit - 1, text);
    text[-1] = (uint8_t)after;  /* replaces the last dot */
    return text;
}

/* Append `more` of the lowest bits of the last owners of eight: a product moves the bits together,
   the first byte's to the highest of eight. */
static inline uint64_t appended(uint64_t bits, int more, uint64_t owners) {
    uint64_t moved = (owners & 0x0101010101010101) * 0x8040201008040201 >> 56;
    return bits << more | (moved & ((1u << more) - 1));
}

/* Write the cards of each seat as 52 bits, the spade ace the highest; return whether an owner is
   none. */
static inline int cards_of(const uint8_t *owners, uint64_t cards[SEATS]) {
    enum { WORD = 8, REST = DECK % WORD };
    uint64_t ones = 0, twos = 0, fours = 0, wrong = 0;
    for (int word = 0; word < DECK / WORD; word++) {
        uint64_t some = word_at(owners + WORD * word);
        ones = appended(ones, WORD, some);
        twos = appended(twos, WORD, some >> 1);
        fours = appended(fours, WORD, some >> 2);
        wrong |= some;
    }
    uint64_t rest = word_at(owners + DECK - WORD);
    ones = appended(ones, REST, rest);
    twos = appended(twos, REST, rest >> 1);
    fours = appended(fours, REST, rest >> 2);
    wrong = ((wrong | rest) & 0xF8F8F8F8F8F8F8F8) | (fours & (ones | twos));
    cards[0] = ~(ones | twos | fours) & (((uint64_t)1 << DECK) - 1);
    cards[1] = ones & ~twos;
    cards[2] = twos & ~ones;
    cards[3] = ones & twos;
    return wrong != 0;
}

/* Write a deal text. */
static inline uint8_t *put_deal(const struct suit_texts *texts, const uint64_t cards[SEATS],
                                unsigned first, uint8_t *text) {
    *text++ = (uint8_t)"NESW"[first];
    *text++ = ':';
    for (unsigned turn = 0; turn < SEATS; turn++)
        text = put_hand(texts, cards[(first + turn) % SEATS], text, ' ');
    return text - 1;
}

/* Return the eight digits of a number as a word of bytes, the first digit lowest. Each step splits
   all parts of the word in two; the products are exact divisions for numbers of these sizes. */
static inline uint64_t digits_of(uint64_t number) {
    uint64_t halves = number / 10000 | number % 10000 << 32;
    uint64_t hundreds = halves * 10486 >> 20 & 0x7F0000007F;
    uint64_t pairs = ((halves - hundreds * 100) << 16) + hundreds;
    uint64_t tens = pairs * 103 >> 10 & 0xF000F000F000F;
    return ((pairs - tens * 10) << 8) + tens + 0x3030303030303030;
}

/* Write a number, and up to seven bytes after it. */
enum { NUMBER_ROOM = 39 + 8 };
static uint8_t *put_decimal(uint8_t *text, u128 number) {
    const uint64_t group = 100000000, two_groups = group * group;
    uint64_t groups[5];
    int used = 0, zeros = 7;
    while (number >> 64) {
        u128 rest = number / two_groups;
        uint64_t low = (uint64_t)(number - rest * two_groups);
        groups[used++] = low % group;
        groups[used++] = low / group;
        number = rest;
    }
    for (uint64_t rest = (uint64_t)number; rest || !used; rest /= group)
        groups[used++] = rest % group;
    for (uint64_t power = 10; groups[used - 1] >= power; power *= 10) zeros--;
    put_word(text, digits_of(groups[--used]) >> 8 * zeros);
    text += 8 - zeros;
    for (; used; text += 8) put_word(text, digits_of(groups[--used]));
    return text;
}

static inline uint8_t *put_literal(uint8_t *text, const uint8_t *literals, const int64_t *cuts) {
    size_t size = (size_t)(cuts[1] - cuts[0]);
    memcpy(text, literals + cuts[0], size);
    return text + size;
}

int64_t write_boards(int64_t n, const uint8_t *owners, const uint64_t *numbers, uint64_t first,
                     int64_t least, int64_t most, int64_t classes, int64_t class_of_first,
                     int64_t count, const uint8_t *fields, const uint8_t *literals,
                     const int64_t *cuts, int64_t size, uint8_t *text, int64_t *end) {
    enum { DEAL = SEATS * SUITS, NUMBER = DEAL + SEATS, ENTRY };
    enum { ROOM = 2 + SEATS + DECK + SEATS * DOTS + 8 };  /* of the longest field */
    struct suit_texts texts;
    int64_t row = 0, kind = class_of_first;
    end[0] = 0;
    make_suit_texts(&texts);
    for (; row < n; row++, kind = kind + 1 == classes ? 0 : kind + 1) {
        const int64_t *cut = cuts + (count + 2) * kind;
        const uint8_t *field = fields + count * kind;
        uint64_t cards[SEATS];
        uint8_t *at = text + end[0];
        if (size - end[0] < cut[count + 1] - cut[0] + count * ROOM) break;
        int is_wrong = cards_of(owners + DECK * row, cards);
        for (int seat = 0; seat < SEATS; seat++) {
            int held = __builtin_popcountll(cards[seat]);
            is_wrong |= (held < least) | (held > most);
        }
        if (is_wrong) break;
        for (int64_t place = 0; place < count; place++) {
            unsigned what = field[place];
            at = put_literal(at, literals, cut + place);
            if (what < DEAL)
                at = put_suit(&texts, cards[what / SUITS], SUITS - 1 - what % SUITS, at) - 1;
            else if (what < NUMBER)
                at = put_deal(&texts, cards, what - DEAL, at);
            else
                at = put_decimal(at, what == ENTRY ? number_at(numbers, row)
                                                   : first + (uint64_t)row);
        }
        at = put_literal(at, literals, cut + count);
        end[0] = at - text;
    }
    return row;
}

int64_t write_numbers(int64_t n, const uint64_t *numbers, int64_t size, uint8_t *text,
                      int64_t *end) {
    int64_t row = 0;
    end[0] = 0;
    for (; row < n && size - end[0] >= NUMBER_ROOM + 1; row++) {
        uint8_t *at = put_decimal(text + end[0], number_at(numbers, row));
        *at++ = '\n';
        end[0] = at - text;
    }
    return row;
}

int64_t write_hands(int64_t n, const uint16_t *holdings, int64_t size, uint8_t *text,
                    int32_t *offsets) {
    struct suit_texts texts;
    int64_t row = 0;
    make_suit_texts(&texts);
    offsets[0] = 0;
    if (size > INT32_MAX) size = INT32_MAX;  /* for the offsets */
    for (; row < n && size - offsets[row] >= HAND_ROOM; row++) {
        uint64_t cards = 0;
        for (int suit = 0; suit < SUITS; suit++)
            cards = cards << SUIT_SIZE | (holdings[n * suit + row] & ((1 << SUIT_SIZE) - 1));
        uint8_t *at = put_hand(&texts, cards, text + offsets[row], '.');
        offsets[row + 1] = (int32_t)(at - 1 - text);
    }
    return row;
}

// A deck of 52 buttons above the four fields of a form with `data-deck`: a card goes to the seat that
// is chosen, and back when it is pressed again. The fields hold the truth: the deck reads and writes
// them, and without this script they are all there is.

const SEATS = ["north", "east", "south", "west"];
const NAMES = { north: "North", east: "East", south: "South", west: "West" };
const SUITS = ["spades", "hearts", "diamonds", "clubs"];
const SIGNS = "♠♥♦♣";
const LETTERS = "SHDC";
const RANKS = "AKQJT98765432";
const WORDS = ["ace", "king", "queen", "jack", "ten", "nine", "eight", "seven", "six", "five", "four", "three", "two"];
const FULL = 13;

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// The cards of a field, as numbers from 0 (the spade ace) to 51; null if this script cannot read it.
export function cardsOf(text) {
  const hand = text.toUpperCase().replaceAll("10", "T").replace(/[\s\uFE0F]/g, "");
  if (/^[-.]*$/.test(hand)) return [];
  const holdings = ["", "", "", ""];
  if (/^[AKQJT2-9-]*(\.[AKQJT2-9-]*){3}$/.test(hand)) {
    hand.split(".").forEach((ranks, suit) => (holdings[suit] = ranks));
  } else if (/^([♠♥♦♣SHDC][:,]?[AKQJT2-9-]*[,.]?)+$/.test(hand)) {
    for (const [, sign, ranks] of hand.matchAll(/([♠♥♦♣SHDC])[:,]?([AKQJT2-9-]*)/g)) {
      holdings[Math.max(SIGNS.indexOf(sign), LETTERS.indexOf(sign))] += ranks;
    }
  } else {
    return null;
  }
  return holdings.flatMap((ranks, suit) => [...ranks.replaceAll("-", "")].map((rank) => 13 * suit + RANKS.indexOf(rank)));
}

export function handOf(cards) {
  if (!cards.length) return "";
  const suits = [0, 1, 2, 3].map((suit) => cards.filter((card) => Math.floor(card / 13) === suit));
  return suits.map((held) => held.sort((a, b) => a - b).map((card) => RANKS[card % 13]).join("")).join(".");
}

class Deck {
  constructor(form) {
    this.fields = SEATS.map((seat) => form.elements[seat]);
    this.seat = 0;
    this.buttons = [];
    this.root = make("div", { class: "deck" });
    this.root.append(this.makeSeats(), this.makeCards(), this.makeTools());
    form.querySelector(".seats").before(this.root);
    form.addEventListener("input", (event) => this.fields.includes(event.target) && this.show());
    this.root.addEventListener("keydown", (event) => this.move(event));
    this.show();
  }

  makeSeats() {
    const box = make("fieldset", { class: "who" }, make("legend", {}, "Cards go to"));
    this.radios = SEATS.map((seat, place) => {
      const radio = make("input", { type: "radio", "data-seat": seat });
      radio.name = "deck-seat";
      radio.checked = !place;
      radio.addEventListener("change", () => { this.seat = place; this.show(); });
      box.append(make("label", {}, radio, NAMES[seat]), " ");
      return radio;
    });
    return box;
  }

  makeCards() {
    const rows = SUITS.map((suit, place) => {
      const sign = make("span", { class: `suit ${suit}`, "aria-hidden": "true" }, SIGNS[place]);
      const buttons = WORDS.map((word, rank) => {
        const card = 13 * place + rank;
        const button = make("button", { type: "button", class: "card-button", "data-card": LETTERS[place] + RANKS[rank] });
        button.tabIndex = card ? -1 : 0;
        button.append(RANKS[rank].replace("T", "10"), make("span", { class: "owner", "aria-hidden": "true" }));
        button.addEventListener("click", () => this.press(card));
        this.buttons.push(button);
        return button;
      });
      return make("div", { class: "suit-row", role: "group", "aria-label": suit }, sign, ...buttons);
    });
    return make("div", { class: "suits" }, ...rows);
  }

  makeTools() {
    this.status = make("p", { class: "status quiet", "aria-live": "polite" });
    const rest = make("button", { type: "button", class: "second small" }, "Give the rest to this seat");
    rest.addEventListener("click", () => this.giveRest());
    const clear = make("button", { type: "button", class: "second small" }, "Take all back");
    clear.addEventListener("click", () => this.write([[], [], [], []]));
    const help = make("p", { class: "help" });
    help.append("With the keyboard: arrows move over the cards, Enter gives one, N E S W choose the seat.");
    return make("div", { class: "tools" }, this.status, make("p", { class: "actions" }, rest, clear), help);
  }

  hands() {
    return this.fields.map((field) => cardsOf(field.value));
  }

  press(card) {
    const hands = this.hands().map((cards) => cards ?? []);
    const owner = hands.findIndex((cards) => cards.includes(card));
    const others = hands.map((cards) => cards.filter((held) => held !== card));
    if (owner !== this.seat) {
      if (others[this.seat].length >= FULL) {
        this.status.textContent = `${NAMES[SEATS[this.seat]]} has 13 cards. Choose another seat.`;
        return;
      }
      others[this.seat].push(card);
    }
    this.write(others);
    if (owner !== this.seat && others[this.seat].length === FULL) this.choose(others.findIndex((cards) => cards.length < FULL));
  }

  giveRest() {
    const hands = this.hands().map((cards) => cards ?? []);
    const held = new Set(hands.flat());
    for (let card = 0; card < 52 && hands[this.seat].length < FULL; card += 1) {
      if (!held.has(card)) hands[this.seat].push(card);
    }
    this.write(hands);
  }

  write(hands) {
    hands.forEach((cards, seat) => (this.fields[seat].value = handOf(cards)));
    this.show();
  }

  choose(seat) {
    if (seat < 0) return;
    this.seat = seat;
    this.radios[seat].checked = true;
    this.show();
  }

  show() {
    const hands = this.hands();
    const owners = Array(52).fill(-1);
    hands.forEach((cards, seat) => (cards ?? []).forEach((card) => (owners[card] = seat)));
    this.buttons.forEach((button, card) => {
      const owner = owners[card];
      button.classList.toggle("held", owner >= 0);
      button.classList.toggle("mine", owner === this.seat);
      button.querySelector(".owner").textContent = owner < 0 ? "" : NAMES[SEATS[owner]][0];
      const place = owner < 0 ? "in no hand" : NAMES[SEATS[owner]];
      button.setAttribute("aria-label", `${WORDS[card % 13]} of ${SUITS[Math.floor(card / 13)]}: ${place}`);
    });
    const unread = hands.findIndex((cards) => cards === null);
    const counts = hands.map((cards, seat) => `${NAMES[SEATS[seat]]} ${cards ? cards.length : "?"}`).join(" · ");
    this.status.textContent = unread < 0 ? counts : `${counts} (the text of ${NAMES[SEATS[unread]]} is read when you send it)`;
  }

  move(event) {
    const at = this.buttons.indexOf(event.target);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const seat = "nesw".indexOf(event.key.toLowerCase());
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13, Home: -(at % 13), End: 12 - (at % 13) };
    if (seat >= 0 && event.key.length === 1) this.choose(seat);
    else if (event.key in steps) this.focus(at, at + steps[event.key]);
    else return;
    event.preventDefault();
  }

  focus(from, to) {
    if (to < 0 || to >= 52) return;
    this.buttons[from].tabIndex = -1;
    this.buttons[to].tabIndex = 0;
    this.buttons[to].focus();
  }
}

for (const form of document.querySelectorAll("form[data-deck]")) {
  const deck = new Deck(form);
  form.addEventListener("submit", () => {
    deck.radios.forEach((radio) => (radio.disabled = true));
    setTimeout(() => deck.radios.forEach((radio) => (radio.disabled = false)));
  });
}

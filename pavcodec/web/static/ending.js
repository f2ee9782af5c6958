// Step through the line of play, and the best play after it: trick by trick and card by card. The
// tricks come from the table of the page, which is complete without this script.

import { cardsOf } from "./deck.js";

const SEATS = ["N", "E", "S", "W"];
const NAMES = { N: "North", E: "East", S: "South", W: "West" };
const SUITS = ["spades", "hearts", "diamonds", "clubs"];
const SIGNS = "♠♥♦♣";
const RANKS = "AKQJT98765432";

const numberOf = (text) => 13 * "SHDC".indexOf(text[0]) + RANKS.indexOf(text[1]);
const rankOf = (card) => RANKS[card % 13].replace("T", "10");
const suitOf = (card) => Math.floor(card / 13);

function make(name, className = "", ...children) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

function sign(suit) {
  const drawn = make("span", "", SIGNS[suit]);
  drawn.setAttribute("aria-hidden", "true");
  return make("span", `suit ${SUITS[suit]}`, drawn, make("span", "unseen", SUITS[suit]));
}

class Steps {
  constructor(root) {
    this.root = root;
    this.rows = [...document.querySelectorAll("table.tricks tbody tr")];
    this.tricks = this.rows.map((row) => ({
      leader: SEATS.indexOf(row.dataset.leader),
      cards: row.dataset.cards.split(" ").map(numberOf),
      winner: SEATS.indexOf(row.dataset.winner),
    }));
    this.hands = root.dataset.deal.slice(2).split(" ").map((hand) => cardsOf(hand));
    // a step is a card, and the end of each complete trick, where its cards leave the table
    this.steps = this.tricks.flatMap((trick, at) => [
      ...trick.cards.map((card, place) => ({ at, place })),
      ...(trick.winner >= 0 ? [{ at, place: 4 }] : []),
    ]);
    const played = Number(root.dataset.played); // the cards of the line of play
    let cards = 0;
    this.ending = this.steps.findIndex((step) => step.place < 4 && ++cards > played);
    if (this.ending < 0) this.ending = this.steps.length;
    this.now = 0;
    this.build();
    this.show();
  }

  build() {
    this.table = make("div", "steps-table");
    this.status = make("p", "steps-status");
    this.status.setAttribute("aria-live", "polite");
    this.buttons = [
      ["⏮ First", "Home", () => 0],
      ["⏪ Trick back", "PageUp", () => this.trickBack()],
      ["◂ Back", "ArrowLeft", () => this.now - 1],
      ["Next ▸", "ArrowRight", () => this.now + 1],
      ["Trick ⏩", "PageDown", () => this.trickOn()],
      ...(this.ending < this.steps.length ? [["Ending", "e", () => this.ending]] : []),
      ["Last ⏭", "End", () => this.steps.length],
    ].map(([label, key, goal]) => {
      const button = make("button", label.startsWith("Next") ? "" : "second", label);
      button.type = "button";
      button.dataset.key = key;
      button.addEventListener("click", () => this.go(goal()));
      return button;
    });
    this.goals = Object.fromEntries(this.buttons.map((button) => [button.dataset.key, button]));
    const help = make("p", "help", "With the keyboard: ← → for cards, Page Up and Page Down for tricks, Home and End" + (this.goals.e ? ", E for the ending." : "."));
    this.root.append(this.table, this.status, make("div", "steps-buttons", ...this.buttons), help);
    this.root.tabIndex = 0;
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", "The play, step by step");
    this.root.addEventListener("keydown", (event) => {
      const button = this.goals[event.key];
      if (!button || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      button.click();
    });
    this.rows.forEach((row, at) => {
      const cell = row.querySelector("th");
      const jump = make("button", "second", cell.textContent);
      jump.type = "button";
      jump.setAttribute("aria-label", `Show trick ${at + 1}`);
      jump.addEventListener("click", () => {
        this.go(this.steps.findLastIndex((step) => step.at === at && step.place < 4) + 1);
        this.root.scrollIntoView({ block: "nearest" });
      });
      cell.replaceChildren(jump);
    });
    this.root.hidden = false;
    document.body.classList.add("with-steps");
  }

  trickOn() {
    const next = this.steps.findIndex((step, index) => index >= this.now && step.place === 4);
    return next < 0 ? this.steps.length : next + 1;
  }

  trickBack() {
    const back = this.steps.findLastIndex((step, index) => index < this.now - 1 && step.place === 4);
    return back + 1;
  }

  go(goal) {
    this.now = Math.max(0, Math.min(this.steps.length, goal));
    this.show();
  }

  show() {
    const done = this.steps.slice(0, this.now);
    const gone = new Set(done.filter((step) => step.place < 4).map((step) => this.tricks[step.at].cards[step.place]));
    const last = done.at(-1);
    const open = last && last.place < 4 ? last.at : -1;
    const next = this.steps[this.now];
    const turn = next && next.place < 4 ? (this.tricks[next.at].leader + next.place) % 4 : -1;
    this.table.replaceChildren(
      ...SEATS.map((seat, place) => this.hand(place, this.hands[place].filter((card) => !gone.has(card)), place === turn)),
      this.middle(open, last),
    );
    this.status.textContent = this.words(last, next, turn);
    for (const key of ["Home", "PageUp", "ArrowLeft"]) this.disable(key, this.now === 0);
    for (const key of ["End", "PageDown", "ArrowRight"]) this.disable(key, this.now === this.steps.length);
    this.rows.forEach((row, at) => row.classList.toggle("now", at === (open >= 0 ? open : -1)));
  }

  disable(key, is) {
    this.goals[key].setAttribute("aria-disabled", String(is)); // stays in reach of the keyboard
  }

  hand(place, cards, isTurn) {
    const seat = SEATS[place];
    const list = make("ul", "cards");
    SUITS.forEach((_, suit) => {
      const ranks = cards.filter((card) => suitOf(card) === suit).map((card) => RANKS[card % 13]).join("");
      list.append(make("li", "", sign(suit), make("span", "ranks", ranks || "–")));
    });
    return make("div", `hand ${NAMES[seat].toLowerCase()}${isTurn ? " turn" : ""}`, make("p", "seat", NAMES[seat]), list);
  }

  middle(open, last) {
    const box = make("div", "middle");
    if (open < 0) return box;
    const trick = this.tricks[open];
    const isComplete = last.place === 3 && trick.winner >= 0;
    trick.cards.slice(0, last.place + 1).forEach((card, place) => {
      const seat = (trick.leader + place) % 4;
      const won = isComplete && seat === trick.winner ? " won" : "";
      box.append(make("span", `played ${NAMES[SEATS[seat]].toLowerCase()}${won}`, sign(suitOf(card)), RANKS[card % 13]));
    });
    return box;
  }

  words(last, next, turn) {
    const lead = next && next.place === 0 ? `${NAMES[SEATS[turn]]} leads to trick ${next.at + 1}.` : "";
    const is = this.now === this.ending;
    if (!last) return `The deal. ${lead}`;
    const trick = this.tricks[last.at];
    if (last.place === 4) {
      const won = `${NAMES[SEATS[trick.winner]]} won trick ${last.at + 1}.`;
      return is ? `${won} This is the ending; ${NAMES[SEATS[trick.winner]]} is on lead.` : `${won} ${lead}`;
    }
    const player = NAMES[SEATS[(trick.leader + last.place) % 4]];
    const card = `${rankOf(trick.cards[last.place])} of ${SUITS[suitOf(trick.cards[last.place])]}`;
    const played = `Trick ${last.at + 1}: ${player} ${last.place ? "plays" : "leads"} the ${card}.`;
    if (is) return `${played} This is the position.`;
    return next.place === 4 ? `${played} ${NAMES[SEATS[trick.winner]]} wins the trick.` : played;
  }
}

const root = document.querySelector("#steps");
if (root) new Steps(root);
